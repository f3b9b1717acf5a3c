//! The hold: rulings 23 and 26, P:Reservations.

mod reservations;
mod state_table;
mod stories;
mod walk;

use ledger_core::accounting::Account;
use ledger_core::id::Kind as OpKind;
use ledger_core::machine::hold::{
    Amounts, Capture, Command, Context, Event, Kind, Order, State, Watch, decide, evolve, follows,
};

use crate::samples::{ANA, BIA, SOMEBODY, amount, applied, as_cents, at, balance, op};

/// 10.00 of Ana's, contested.
fn order() -> Order {
    Order {
        subaccount: ANA,
        kind: Kind::Dispute,
        cause: Some(op(OpKind::Charge, 7)),
        requested: amount(1_000),
        watch_until: at("2027-01-18T12:00:00Z"),
        ends_at: None,
        note: None,
        label: None,
    }
}

/// So much available, so much of the cause's own credit still held.
fn with(available: i64, own_part: i64) -> Context {
    let matures = if own_part == 0 { Watch::Over } else { Watch::Running };
    Context { available: balance(available), own_part: as_cents(own_part), matures }
}

fn place() -> Command {
    Command::Place(order())
}

/// 10.00 of Ana's for a card.
fn reservation() -> Order {
    let (kind, cause, label) = (Kind::Reservation, None, Some("card".into()));
    Order { kind, cause, note: Some(SOMEBODY), label, ..order() }
}

fn reserve() -> Command {
    Command::Reserve(reservation())
}

/// So much for Bia.
fn capture(cents: i64) -> Command {
    Command::Capture(Capture { amount: amount(cents), to: Account::Available(BIA), note: None })
}

fn release(cents: i64) -> Command {
    Command::Release(Some(amount(cents)))
}

fn take(cents: i64) -> Command {
    Command::Take(amount(cents))
}

/// Returns what `command` makes of `state`, judged and remembered.
fn step(state: &State, command: Command, now: Context) -> (State, Event) {
    let event = applied(decide(state, command, now));
    assert!(follows(state, &event), "{event:?} was decided and may not follow {state:?}");
    (evolve(state, &event), event)
}

fn after(steps: impl IntoIterator<Item = (Command, Context)>) -> State {
    steps.into_iter().fold(State::Absent, |state, (command, now)| step(&state, command, now).0)
}

/// Requested, blocked from held and from available, released, settled, short.
fn sums(amounts: &Amounts) -> [i64; 6] {
    let s = amounts;
    [
        s.order.requested.as_cents(),
        s.from_held,
        s.from_available,
        s.released,
        s.settled,
        s.shortfall(),
    ]
    .map(ledger_core::money::Cents::cents)
}

fn amounts_of(state: &State) -> [i64; 6] {
    sums(state.amounts().unwrap())
}
