//! Samples of keys and of what an account sets itself.

use ledger_core::id::KeyHash;
use ledger_core::ledger::{Cause, Event, Owner, Record};
use ledger_core::terms::{Policy, Switch};

use super::catalogue::{ACCOUNT, Absent, Given, Options, name, policy, record, token};

fn events(options: Options) -> Vec<Event> {
    let owner = Owner {
        name: options.optional(token(0xc1)),
        email: options.optional(token(0xc2)),
        responsible: options.optional(token(0xc3)),
        document: options.optional(token(0xc4)),
        country: options.optional("BR".into()),
    };
    let (monitor, address) = (token(0xc5), token(0xc6));
    vec![
        Event::Enrolled { account: ACCOUNT, owner: Box::new(owner), monitor, address },
        Event::KeyReplaced { account: ACCOUNT, key: KeyHash([0xc7; 32]) },
        Event::KeyRevoked { account: ACCOUNT },
        Event::WebhookSet { account: ACCOUNT, url: token(0xc8) },
        Event::WebhookSecretReplaced { account: ACCOUNT, secret: token(0xc9) },
        Event::MonitorReplaced { account: ACCOUNT, monitor: token(0xca) },
    ]
}

/// A policy with the fields that came with keys.
fn grown() -> Event {
    let policy = Policy {
        unknown_pix_is_answered: Some(Switch::On),
        test_keys: Some(200),
        panel_links: Some(201),
        key_lookups: Some(202),
        ..policy()
    };
    Event::PolicyAdopted(Box::new(policy))
}

/// A policy with the field that came with the owners of PIX keys.
fn of_owners() -> Event {
    let policy = Policy { unproven_keys_refused: Some(Switch::On), ..policy() };
    Event::PolicyAdopted(Box::new(policy))
}

/// One record for each event, and one more where something may be missing.
pub fn samples() -> Vec<(String, Record)> {
    let alone = |event: Event| record(vec![event], Cause::default());
    let mut samples = Vec::new();
    for (event, bare) in events(Given).into_iter().zip(events(Absent)) {
        let (name, differs) = (name(&event), event != bare);
        samples.push((name.to_owned(), alone(event)));
        if differs {
            samples.push((format!("{name}-bare"), alone(bare)));
        }
    }
    samples.push(("policy-adopted-keys".into(), alone(grown())));
    samples.push(("policy-adopted-owners".into(), alone(of_owners())));
    samples
}
