//! Samples of agents and their rewards.

use ledger_core::id::{AgentId, KeyHash};
use ledger_core::ledger::{Cause, Event, Record};
use ledger_core::machine::agent;
use ledger_core::terms::Mandate;

use super::catalogue::{ACCOUNT, Absent, Given, Options, amount, as_cents, record, token};

const AGENT: AgentId = AgentId(1_004);
const ID: &str = "ag_0000000000020123456789abcdef";

fn mandate(options: Options) -> Mandate {
    let named = if options == Given { vec![token(0xb1), token(0xb2)] } else { Vec::new() };
    Mandate::new(options.optional(as_cents(500_000)), options.optional(as_cents(1_000_000)), named)
}

fn profile(options: Options) -> agent::Profile {
    agent::Profile {
        id: ID.into(),
        account: ACCOUNT,
        name: token(0xb3),
        contact: token(0xb4),
        capabilities: vec!["brl_to_pix".into()],
        referral: options.optional("rf_0000000000020123456789abcdef".into()),
        address: None,
    }
}

fn grant(options: Options) -> agent::Grant {
    agent::Grant { settlement: "0xabc".into(), mandate: mandate(options), key: KeyHash([0xe2; 32]) }
}

fn agents(options: Options) -> [agent::Event; 8] {
    use agent::Event;
    let referrer = options.optional(AgentId(1_005));
    let admission = agent::Admission { profile: profile(options), grant: grant(options), referrer };
    [
        Event::Registered(Box::new(profile(options))),
        Event::Admitted(Box::new(admission)),
        Event::SandboxUsed,
        Event::Validated,
        Event::MandateSet(Box::new(mandate(options))),
        Event::Activated(Box::new(grant(options))),
        Event::Suspended,
        Event::Reinstated,
    ]
}

/// The name of an agent's event.
pub(super) const fn name(event: &agent::Event) -> &'static str {
    use agent::Event;
    match event {
        Event::Registered(_) => "agent-registered",
        Event::Admitted(_) => "agent-admitted",
        Event::SandboxUsed => "agent-sandbox-used",
        Event::Validated => "agent-validated",
        Event::MandateSet(_) => "agent-mandate-set",
        Event::Activated(_) => "agent-activated",
        Event::Suspended => "agent-suspended",
        Event::Reinstated => "agent-reinstated",
    }
}

/// One record for each event, and one more where something may be missing.
pub(super) fn samples() -> Vec<(String, Record)> {
    let alone = |event: Event| record(vec![event], Cause::default());
    let mut samples = Vec::new();
    for (event, bare) in agents(Given).into_iter().zip(agents(Absent)) {
        let (name, differs) = (name(&event), event != bare);
        samples.push((name.to_owned(), alone(Event::Agent { agent: AGENT, event })));
        if differs {
            samples
                .push((format!("{name}-bare"), alone(Event::Agent { agent: AGENT, event: bare })));
        }
    }
    let (referral, capability) = ("rf_0000000000020123456789abcdef", "usdt_to_pix");
    let given = Event::ReferralGiven {
        agent: AGENT,
        referral: referral.into(),
        capability: capability.into(),
    };
    samples.push(("referral-given".into(), alone(given)));
    let accrued = Event::RewardAccrued { agent: AGENT, reward: amount(101) };
    samples.push(("reward-accrued".into(), alone(accrued)));
    let asked_from = agent::Profile { address: Some(token(0xb5)), ..profile(Given) };
    let event = agent::Event::Registered(Box::new(asked_from));
    samples.push(("agent-registered-from".into(), alone(Event::Agent { agent: AGENT, event })));
    samples
}
