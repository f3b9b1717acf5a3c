//! The delivery: Part A2; CIN-50 to CIN-62.

mod state_table;
mod stories;
mod walk;

use ledger_core::accounting::Account;
use ledger_core::id::{Kind, OpId};
use ledger_core::machine::delivery::{
    Command, DeliveryReport, Earned, Event, State, decide, evolve, follows,
};
use ledger_core::time::Instant;

use crate::samples::{PARTNER, applied, at, delivery_terms, fees, op};

/// The purchase that every delivery here is for.
fn this() -> OpId {
    op(Kind::Charge, 7)
}

fn flight() -> Account {
    Account::PixInFlight(this())
}

fn noon() -> Instant {
    at("2026-10-20T12:00:00Z")
}

fn earned() -> Earned {
    Earned { account: PARTNER, fees: fees() }
}

fn confirm(hash: &str) -> DeliveryReport {
    DeliveryReport::Confirm(hash.into())
}

/// News of the attempt under way.
fn now(report: DeliveryReport) -> Command {
    Command { attempt: None, report }
}

/// A report on an attempt by its number.
fn for_attempt(attempt: u32, report: DeliveryReport) -> Command {
    Command { attempt: Some(attempt), report }
}

/// Returns what `command` makes of `state`, judged and remembered step by step.
fn step(state: &State, command: Command) -> (State, Vec<Event>) {
    let events = applied(decide(state, command, delivery_terms(), earned()));
    let after = events.iter().fold(state.clone(), |state, event| {
        let possible = follows(&state, event, (delivery_terms(), earned()));
        assert!(possible, "{event:?} was decided and may not follow {state:?}");
        evolve(&state, event, noon())
    });
    (after, events)
}

fn after(commands: impl IntoIterator<Item = Command>) -> State {
    commands.into_iter().fold(State::Waiting, |state, command| step(&state, command).0)
}

/// The first attempt failed.
fn failed() -> State {
    after([now(DeliveryReport::Begin), now(DeliveryReport::Fail)])
}

/// Every state, by name.
fn states() -> [(&'static str, State); 7] {
    [
        ("Waiting", State::Waiting),
        ("Sending", after([now(DeliveryReport::Begin)])),
        ("Accepted", after([now(DeliveryReport::Begin), now(DeliveryReport::Accept)])),
        ("Unknown", after([now(DeliveryReport::Begin), now(DeliveryReport::Lose)])),
        ("Retrying", failed()),
        ("Again", step(&failed(), now(DeliveryReport::Begin)).0),
        ("Sent", after([now(DeliveryReport::Begin), now(confirm("0xa1"))])),
    ]
}
