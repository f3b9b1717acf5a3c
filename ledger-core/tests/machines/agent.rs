//! Agents of the mesh: A15; AGT-01 to AGT-08, AGT-16.

use std::collections::BTreeSet;
use std::sync::Arc;

use ledger_core::id::{AgentId, KeyHash};
use ledger_core::machine::Verdict;
use ledger_core::machine::agent::{
    Admission, Agent, Command, Event, Grant, Profile, Refusal, Requirement, Stage, State, decide,
    entry, evolve, follows,
};
use ledger_core::terms::Mandate;

use crate::grid::{cell, name};
use crate::legs::line;
use crate::samples::{PARTNER, SOMEBODY, WALLET, as_cents};
use crate::walk::walk;

const KEY: KeyHash = KeyHash([5; 32]);

fn profile() -> Profile {
    Profile {
        id: "ag_0000000000030123456789abcdef".into(),
        account: PARTNER,
        name: SOMEBODY,
        contact: SOMEBODY,
        capabilities: vec!["brl_to_pix".into()],
        referral: None,
    }
}

fn mandate(cents: i64) -> Mandate {
    Mandate::new(Some(as_cents(cents)), None, Vec::new())
}

fn grant(cents: i64) -> Grant {
    Grant { settlement: WALLET.into(), mandate: mandate(cents), key: KEY }
}

fn register() -> Command {
    Command::Register(Box::new(profile()))
}

fn admit() -> Command {
    let referrer = Some(AgentId(0));
    Command::Admit(Box::new(Admission { profile: profile(), grant: grant(7), referrer }))
}

fn set(cents: i64) -> Command {
    Command::Mandate(Box::new(mandate(cents)))
}

fn activate() -> Command {
    Command::Activate { settlement: Some(WALLET.into()), key: KEY }
}

fn commands() -> [(&'static str, Command); 8] {
    [
        ("Register", register()),
        ("Admit", admit()),
        ("Operate", Command::Operate),
        ("Validate", Command::Validate),
        ("Mandate", set(7)),
        ("Activate", activate()),
        ("Suspend", Command::Suspend),
        ("Reinstate", Command::Reinstate),
    ]
}

fn after(commands: impl IntoIterator<Item = Command>) -> State {
    commands.into_iter().fold(State::Absent, |state, command| {
        let decided = decide(&state, command);
        let Ok(Verdict::Applied(event)) = decided else { panic!("{decided:?} on {state:?}") };
        assert!(follows(&state, &event), "{event:?} was decided and may not follow {state:?}");
        evolve(&state, &event)
    })
}

fn states() -> [(&'static str, State); 7] {
    [
        ("Absent", State::Absent),
        ("Registered", after([register()])),
        ("SandboxActive", after([register(), Command::Operate])),
        ("Validated", after([register(), Command::Validate])),
        ("with mandate", after([register(), Command::Validate, set(6)])),
        ("ProductionActive", after([admit()])),
        ("Suspended", after([admit(), Command::Suspend])),
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
    page += &row(commands().iter().map(|(name, _)| (*name).to_owned()).collect());
    for (state_name, state) in states() {
        let named = format!("{state_name:<17}");
        page += &named;
        let answers = commands().map(|(_, command)| cell(&decide(&state, command)));
        page += &row(answers.into());
    }
    assert_eq!(
        page,
        "\
State            Register    Admit       Operate     Validate    Mandate     Activate    Suspend     Reinstate
Absent           Registered  Admitted    -           -           -           -           set_aside   set_aside
Registered       -           known       SandboxUsed Validated   MandateSet  -           Suspended   known
SandboxActive    -           known       known       Validated   MandateSet  -           Suspended   known
Validated        -           known       known       known       MandateSet  -           Suspended   known
with mandate     -           known       known       known       MandateSet  Activated   Suspended   known
ProductionActive -           known       known       known       known       known       Suspended   known
Suspended        -           known       -           -           -           -           known       Reinstated
"
    );
}

#[test]
fn every_event_and_its_legs() {
    let admission = Admission { profile: profile(), grant: grant(7), referrer: None };
    let events = [
        Event::Registered(Box::new(profile())),
        Event::Admitted(Box::new(admission)),
        Event::SandboxUsed,
        Event::Validated,
        Event::MandateSet(Box::new(mandate(7))),
        Event::Activated(Box::new(grant(7))),
        Event::Suspended,
        Event::Reinstated,
    ];
    for event in events {
        let told = line("moves", &entry(&event));
        assert_eq!(told, "moves\n  -\n  no rows\n", "an identity moves no money: {event:?}");
    }
}

#[test]
fn agt_08_what_is_missing_is_told_in_order() {
    use Requirement::{Mandate, NotSuspended, Settlement, Validated};
    let bare = || Command::Activate { settlement: None, key: KEY };
    let missing = |state: &State, command| match decide(state, command) {
        Err(Refusal::Incomplete { missing }) => missing,
        other => panic!("{other:?}"),
    };
    let registered = after([register()]);
    assert_eq!(missing(&registered, bare()), [Validated, Settlement, Mandate]);
    assert_eq!(missing(&registered, activate()), [Validated, Mandate]);
    let validated = after([register(), Command::Validate]);
    assert_eq!(missing(&validated, bare()), [Settlement, Mandate]);
    let ready = after([register(), Command::Validate, set(7)]);
    assert_eq!(missing(&ready, bare()), [Settlement]);
    let stopped = after([register(), Command::Validate, set(7), Command::Suspend]);
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
    let active = after([register(), Command::Validate, set(7), activate(), set(9)]);
    let agent: &Arc<Agent> = active.agent().unwrap();
    assert_eq!(agent.mandate, Some(mandate(9)));
    assert_eq!(agent.grant, Some(grant(7)));
}

#[test]
fn events_that_no_decision_makes_may_not_follow() {
    let ready = after([register(), Command::Validate, set(7)]);
    assert!(follows(&ready, &Event::Activated(Box::new(grant(7)))));
    assert!(!follows(&ready, &Event::Activated(Box::new(grant(8)))), "another mandate");
    assert!(!follows(&ready, &Event::MandateSet(Box::new(mandate(7)))), "it is that already");
    assert!(!follows(&after([register()]), &Event::Activated(Box::new(grant(7)))));
    assert!(!follows(&State::Absent, &Event::Suspended));
    assert!(!follows(&ready, &Event::Registered(Box::new(profile()))));
}

#[test]
fn what_may_follow_is_what_is_decided_on_every_path() {
    let alphabet = || {
        let mut all: Vec<_> = commands().into_iter().map(|(_, command)| command).collect();
        all.push(set(8));
        all.push(Command::Activate { settlement: None, key: KEY });
        all
    };
    let decided = |state: &State| -> Vec<Event> {
        let answers = alphabet().into_iter().map(|command| decide(state, command));
        let events = answers.filter_map(|answer| match answer {
            Ok(Verdict::Applied(event)) => Some(event),
            _ => None,
        });
        events.collect()
    };
    let places = walk(State::Absent, 6, |state, _| {
        decided(state).iter().map(|event| (evolve(state, event), entry(event))).collect()
    });
    let mut events = Vec::new();
    for (state, _) in &places {
        for event in decided(state) {
            if !events.contains(&event) {
                events.push(event);
            }
        }
    }
    let mut stages = BTreeSet::new();
    for (state, tally) in &places {
        for event in &events {
            assert_eq!(
                follows(state, event),
                decided(state).contains(event),
                "{event:?} {state:?}"
            );
        }
        assert_eq!(tally.subaccount(), 0);
        stages.insert(name(state));
        if state.stage() == Some(Stage::ProductionActive) {
            assert!(state.agent().unwrap().grant.is_some(), "production is granted: {state:?}");
        }
    }
    assert_eq!(stages.len(), 6, "{stages:?}");
}
