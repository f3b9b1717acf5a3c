//! The delivery: Part A2; CIN-50 to CIN-62.

mod page;
mod stories;
mod walk;

use ledger_core::accounting::Account;
use ledger_core::id::{Kind, OpId};
use ledger_core::machine::delivery::{
    Command, Earned, Event, News, State, decide, evolve, follows,
};
use ledger_core::time::Instant;

use crate::samples::{PARTNER, applied, at, fees, op, parcel};

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

fn confirm(hash: &str) -> News {
    News::Confirm(hash.into())
}

/// News of the attempt under way.
fn now(news: News) -> Command {
    Command { attempt: None, news }
}

/// News of an attempt by its number.
fn of(attempt: u32, news: News) -> Command {
    Command { attempt: Some(attempt), news }
}

/// What `command` makes of `state`, judged and remembered step by step.
fn step(state: &State, command: Command) -> (State, Vec<Event>) {
    let events = applied(decide(state, command, parcel(), earned()));
    let after = events.iter().fold(state.clone(), |state, event| {
        let possible = follows(&state, event, (parcel(), earned()));
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
    after([now(News::Begin), now(News::Fail)])
}

/// Every state, by name.
fn states() -> [(&'static str, State); 7] {
    [
        ("Waiting", State::Waiting),
        ("Sending", after([now(News::Begin)])),
        ("Accepted", after([now(News::Begin), now(News::Accept)])),
        ("Unknown", after([now(News::Begin), now(News::Lose)])),
        ("Retrying", failed()),
        ("Again", step(&failed(), now(News::Begin)).0),
        ("Sent", after([now(News::Begin), now(confirm("0xa1"))])),
    ]
}
