//! Agents of the mesh: A15; AGT-01 to AGT-08, AGT-16.

use std::collections::BTreeSet;
use std::sync::Arc;

use ledger_core::id::{AgentId, KeyHash};
use ledger_core::machine::Verdict;
use ledger_core::machine::agent::{
    Admission, Agent, Command, Event, Grant, Profile, Refusal, Request, Requirement, Stage, State,
    decide, entry, evolve, follows, request,
};
use ledger_core::terms::Mandate;

use crate::grid::{name, request_cell};
use crate::legs::line;
use crate::samples::{PARTNER, SOMEBODY, WALLET, as_cents};
use crate::walk::{follows_as_decided, walk};

const KEY: KeyHash = KeyHash([5; 32]);

fn profile() -> Profile {
    Profile {
        id: "ag_0000000000030123456789abcdef".into(),
        account: PARTNER,
        name: SOMEBODY,
        contact: SOMEBODY,
        capabilities: vec!["brl_to_pix".into()],
        referral: None,
        address: None,
    }
}

fn mandate(cents: i64) -> Mandate {
    Mandate::new(Some(as_cents(cents)), None, Vec::new())
}

fn grant(cents: i64) -> Grant {
    Grant { settlement: WALLET.into(), mandate: mandate(cents), key: KEY }
}

fn registered() -> Event {
    Event::Registered(Box::new(profile()))
}

fn admitted() -> Event {
    let referrer = Some(AgentId(0));
    Event::Admitted(Box::new(Admission { profile: profile(), grant: grant(7), referrer }))
}

fn set(cents: i64) -> Request {
    Request::Mandate(Box::new(mandate(cents)))
}

fn activate() -> Request {
    Request::Activate { settlement: Some(WALLET.into()), key: KEY }
}

/// What an agent asks, or does, or is done to it.
#[derive(Clone, Debug)]
enum Input {
    Asked(Request),
    Reported(Command),
}

const OPERATE: Input = Input::Reported(Command::Operate);
const SUSPEND: Input = Input::Reported(Command::Suspend);
const VALIDATE: Input = Input::Asked(Request::Validate);

/// Returns what comes of it: what is asked and done already is known.
fn judged(state: &State, input: Input) -> Result<Verdict<Event>, Refusal> {
    match input {
        Input::Asked(asked) => {
            let event = request(state, asked)?;
            Ok(event.map_or(Verdict::Known, Verdict::Applied))
        }
        Input::Reported(command) => Ok(decide(state, command)),
    }
}

fn columns() -> [(&'static str, Input); 6] {
    [
        ("Operate", OPERATE),
        ("Validate", VALIDATE),
        ("Mandate", Input::Asked(set(7))),
        ("Activate", Input::Asked(activate())),
        ("Suspend", SUSPEND),
        ("Reinstate", Input::Reported(Command::Reinstate)),
    ]
}

fn after(first: Event, input: impl IntoIterator<Item = Input>) -> State {
    input.into_iter().fold(evolve(&State::Absent, &first), |state, input| {
        let decided = judged(&state, input);
        let Ok(Verdict::Applied(event)) = decided else { panic!("{decided:?} on {state:?}") };
        assert!(follows(&state, &event), "{event:?} was decided and may not follow {state:?}");
        evolve(&state, &event)
    })
}

fn states() -> [(&'static str, State); 7] {
    [
        ("Absent", State::Absent),
        ("Registered", after(registered(), [])),
        ("SandboxActive", after(registered(), [OPERATE])),
        ("Validated", after(registered(), [VALIDATE])),
        ("with mandate", after(registered(), [VALIDATE, Input::Asked(set(6))])),
        ("ProductionActive", after(admitted(), [])),
        ("Suspended", after(admitted(), [SUSPEND])),
    ]
}

#[test]
fn every_command_in_every_state() {
    let mut page = format!("{:<17}", "State");
    let row = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:<12}")).collect();
        let cells = cells.concat();
        format!("{}\n", cells.trim_end())
    };
    page += &row(columns().iter().map(|(name, _)| (*name).to_owned()).collect());
    for (state_name, state) in states() {
        let named = format!("{state_name:<17}");
        page += &named;
        let answers = columns().map(|(_, input)| request_cell(&judged(&state, input)));
        page += &row(answers.into());
    }
    assert_eq!(
        page,
        "\
State            Operate     Validate    Mandate     Activate    Suspend     Reinstate
Absent           set_aside   -           -           -           set_aside   set_aside
Registered       SandboxUsed Validated   MandateSet  -           Suspended   known
SandboxActive    known       Validated   MandateSet  -           Suspended   known
Validated        known       known       MandateSet  -           Suspended   known
with mandate     known       known       MandateSet  Activated   Suspended   known
ProductionActive known       known       known       known       Suspended   known
Suspended        set_aside   -           -           -           known       Reinstated
"
    );
}

/// Sandbox shown to work, and a mandate: production may be asked for.
fn ready() -> State {
    after(registered(), [VALIDATE, Input::Asked(set(7))])
}

#[test]
fn every_event_and_its_legs() {
    let events = [
        registered(),
        admitted(),
        Event::SandboxUsed,
        Event::Validated,
        Event::MandateSet(Box::new(mandate(7))),
        Event::Activated(Box::new(grant(7))),
        Event::Suspended,
        Event::Reinstated,
    ];
    for event in events {
        let legs = line("moves", &entry(&event));
        assert_eq!(legs, "moves: nothing\n", "an identity moves no money: {event:?}");
    }
}

#[test]
fn agt_08_what_is_missing_is_named_in_order() {
    use Requirement::{Mandate, NotSuspended, Settlement, Validated};
    let bare = || Request::Activate { settlement: None, key: KEY };
    let missing = |state: &State, asked| match request(state, asked) {
        Err(Refusal::Incomplete { missing }) => missing,
        other => panic!("{other:?}"),
    };
    let fresh = after(registered(), []);
    assert_eq!(missing(&fresh, bare()), [Validated, Settlement, Mandate]);
    assert_eq!(missing(&fresh, activate()), [Validated, Mandate]);
    let validated = after(registered(), [VALIDATE]);
    assert_eq!(missing(&validated, bare()), [Settlement, Mandate]);
    let ready = ready();
    assert_eq!(missing(&ready, bare()), [Settlement]);
    let stopped = after(registered(), [VALIDATE, Input::Asked(set(7)), SUSPEND]);
    assert_eq!(missing(&stopped, activate()), [NotSuspended]);
}

#[test]
fn agt_07_a_reinstated_agent_stands_where_it_stood() {
    for (state_name, state) in states() {
        if matches!(state, State::Absent | State::Suspended(..)) {
            continue;
        }
        let stopped = evolve(&state, &Event::Suspended);
        assert_eq!(stopped.stage(), state.stage(), "{state_name}");
        assert_eq!(evolve(&stopped, &Event::Reinstated), state, "{state_name}");
    }
}

#[test]
fn what_production_is_granted_under_does_not_change_with_the_mandate() {
    let then = [VALIDATE, Input::Asked(set(7)), Input::Asked(activate()), Input::Asked(set(9))];
    let active = after(registered(), then);
    let agent: &Arc<Agent> = active.agent().unwrap();
    assert_eq!(agent.mandate, Some(mandate(9)));
    assert_eq!(agent.grant, Some(grant(7)));
}

#[test]
fn events_that_no_decision_makes_may_not_follow() {
    let ready = ready();
    assert!(follows(&ready, &Event::Activated(Box::new(grant(7)))));
    assert!(!follows(&ready, &Event::Activated(Box::new(grant(8)))), "another mandate");
    assert!(!follows(&ready, &Event::MandateSet(Box::new(mandate(7)))), "it is that already");
    assert!(!follows(&after(registered(), []), &Event::Activated(Box::new(grant(7)))));
    assert!(!follows(&State::Absent, &Event::Suspended));
    assert!(!follows(&ready, &registered()) && !follows(&ready, &admitted()));
}

#[test]
fn what_may_follow_is_what_is_decided_on_every_path() {
    let alphabet = || {
        let mut all: Vec<_> = columns().into_iter().map(|(_, input)| input).collect();
        all.push(Input::Asked(set(8)));
        all.push(Input::Asked(Request::Activate { settlement: None, key: KEY }));
        all
    };
    let decided = |state: &State| -> Vec<Event> {
        let absent = matches!(state, State::Absent);
        let first = absent.then(|| [registered(), admitted()]).into_iter().flatten();
        let answers = alphabet().into_iter().map(|input| judged(state, input));
        let events = answers.filter_map(|answer| match answer {
            Ok(Verdict::Applied(event)) => Some(event),
            _ => None,
        });
        first.chain(events).collect()
    };
    let places = walk(State::Absent, 6, |state, _| {
        decided(state).iter().map(|event| (evolve(state, event), entry(event))).collect()
    });
    let each =
        |state: &State| decided(state).into_iter().map(|event| vec![event]).collect::<Vec<_>>();
    follows_as_decided(&places, each, follows);
    let mut stages = BTreeSet::new();
    for (state, tally) in &places {
        assert_eq!(tally.subaccount(), 0);
        stages.insert(name(state));
        if state.stage() == Some(Stage::ProductionActive) {
            assert!(state.agent().unwrap().grant.is_some(), "production is granted: {state:?}");
        }
    }
    assert_eq!(stages.len(), 6, "{stages:?}");
}
