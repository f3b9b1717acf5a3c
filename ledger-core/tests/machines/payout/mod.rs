//! The payout: Part A6; PAY-01 to PAY-18; rulings 36, 37.

mod forged;
mod state_table;
mod stories;
mod walk;

use ledger_core::id::{Kind, OpId};
use ledger_core::machine::payout::{Command, Event, Order, State, decide, evolve, follows};
use ledger_core::terms::{PayoutFees, Switch};
use ledger_core::time::Instant;

use crate::samples::{ANA, PARTNER, SOMEBODY, amount, applied, as_cents, at, op};

/// The payout that every test here is about.
fn this() -> OpId {
    op(Kind::Payout, 9)
}

fn noon() -> Instant {
    at("2026-10-20T12:00:00Z")
}

/// W24: 100.00, house 1.50, partner 1.00, tariff 1.00.
pub(crate) fn order() -> Order {
    let fees = PayoutFees { house: as_cents(150), partner: as_cents(100), tariff: as_cents(100) };
    let order = Order::new(PARTNER, ANA, amount(10_000), fees, SOMEBODY, SOMEBODY, noon());
    Order { proven: Some(Switch::On), ..order }
}

/// The same, under the switch that gives the service fee back when the whole returns.
fn generous() -> Order {
    Order { return_refunds_fee: Switch::On, ..order() }
}

fn pay() -> Command {
    Command::Pay("E1".into())
}

fn give_back(cents: i64) -> Command {
    Command::Return(amount(cents))
}

/// Returns what `command` makes of `state`, judged and remembered.
fn step(state: &State, command: Command) -> (State, Event) {
    let event = applied(decide(state, command));
    assert!(follows(state, &event), "{event:?} was decided and may not follow {state:?}");
    (evolve(state, &event, noon()), event)
}

/// A payout that was requested, after these.
fn after(order: Order, commands: impl IntoIterator<Item = Command>) -> State {
    commands.into_iter().fold(requested(order), |state, command| step(&state, command).0)
}

/// Returns what a payout begins with.
fn first(order: Order) -> Event {
    Event::Requested(Box::new(order))
}

fn requested(order: Order) -> State {
    evolve(&State::Absent, &first(order), noon())
}
