//! The charge: Parts A1 and A4, rulings 13, 21 to 23, 27.

mod forged;
mod grid;
mod mutated;
mod postings;
mod stories;
mod walk;

use ledger_core::id::{Kind, OpId};
use ledger_core::machine::charge::{
    Command, Context, Delivery, Event, Order, PixPayment, Qr, State, decide, evolve, follows,
};
use ledger_core::terms::{Rate, Release, Switch};
use ledger_core::time::Instant;

use crate::samples::{ANA, PARTNER, SOMEBODY, amount, applied, as_cents, at, bps, op};

/// The charge that every test here is about.
fn this() -> OpId {
    op(Kind::Charge, 7)
}

fn noon() -> Instant {
    at("2026-10-20T12:00:00Z")
}

/// 100.00 to Ana, fee 1.00, available at once.
pub(crate) fn order() -> Order {
    Order {
        account: PARTNER,
        subaccount: ANA,
        amount: amount(10_000),
        fee: Rate { bps: bps(0), fixed: as_cents(100) },
        retention_hours: None,
        release: Release::Immediate,
        waiting_hours: 24,
        created_at: noon(),
        expires_at: at("2026-10-20T12:15:00Z"),
        payer: SOMEBODY,
        payer_name: None,
        allow_hold: Switch::On,
        delivery: Delivery { asset: "usdt".into(), chain: "polygon".into(), address: None },
        qr: Qr { copypaste: "00020126".into(), image_url: None },
        external_id: None,
        purchase: None,
    }
}

/// The same, available the next day.
fn next_day() -> Order {
    Order { release: Release::NextDay, ..order() }
}

/// The same, held 24 hours at the provider.
fn retained() -> Order {
    Order { retention_hours: Some(24), release: Release::NextDay, ..order() }
}

pub(crate) fn payment(cents: i64) -> PixPayment {
    PixPayment {
        e2e: "E1234567820261020121000000000001".into(),
        amount: amount(cents),
        paid_at: at("2026-10-20T12:10:00Z"),
    }
}

fn now() -> Context {
    Context { at: at("2026-10-20T12:10:01Z"), first_deposit: Switch::Off }
}

/// Returns what a charge begins with.
fn first(order: Order) -> Event {
    Event::Requested(Box::new(order))
}

fn receive(cents: i64) -> Command {
    Command::Receive(payment(cents))
}

fn see(cents: i64) -> Command {
    Command::See(payment(cents))
}

fn give_back(cents: i64) -> Command {
    Command::Return(amount(cents))
}

/// Returns what `command` makes of `state`, judged and remembered at `now().at`.
fn step(state: &State, command: Command) -> (State, Event) {
    let event = applied(decide(state, command, now()));
    assert!(follows(state, &event), "{event:?} was decided and may not follow {state:?}");
    (evolve(state, &event, now().at), event)
}

/// Where a charge that was requested stands after `facts`.
fn after(order: Order, facts: impl IntoIterator<Item = Command>) -> State {
    let requested = evolve(&State::Absent, &first(order), now().at);
    facts.into_iter().fold(requested, |state, fact| step(&state, fact).0)
}

fn event_after(order: Order, facts: impl IntoIterator<Item = Command>, last: Command) -> Event {
    step(&after(order, facts), last).1
}
