//! The conversion, of custody and of commission: Parts A3 and A16; rulings 36 and 38.

mod forged;
mod state_table;
mod stories;
mod walk;

use ledger_core::coin::Scale;
use ledger_core::id::{Kind, OpId};
use ledger_core::machine::charge::Delivery as Target;
use ledger_core::machine::conversion::{
    Command, Event, FundingSource, Order, State, decide, evolve, follows,
};
use ledger_core::machine::delivery::{self, DeliveryReport, DeliveryTerms};
use ledger_core::terms::ServiceFees;
use ledger_core::time::Instant;

use crate::samples::{
    ANA, PARTNER, SOMEBODY, WALLET, amount, applied, as_cents, at, delivery_terms, op, quote, units,
};

/// The conversion that every test here is about.
fn this() -> OpId {
    op(Kind::Conversion, 5)
}

fn noon() -> Instant {
    at("2026-10-20T12:00:00Z")
}

fn delivered() -> DeliveryTerms {
    DeliveryTerms { cost: amount(10_000), units: units(18_518_518), ..delivery_terms() }
}

/// W21: 100.00 of Ana's, house 3.30, partner 0.50.
pub(crate) fn order() -> Order {
    Order {
        account: PARTNER,
        source: FundingSource::Custody(ANA),
        amount: amount(10_000),
        fees: ServiceFees { house: as_cents(330), partner: as_cents(50) },
        delivery_terms: delivered(),
        scale: Scale::SIX,
        quote: quote("5.40"),
        usdt: Some(units(18_518_518)),
        target: Target {
            asset: "usdt".into(),
            chain: "polygon".into(),
            address: Some(WALLET.into()),
        },
        memo: None,
        tax_number: Some(SOMEBODY),
        external_id: None,
        created_at: noon(),
    }
}

/// The same of the partner's commission, which costs nothing (rulings 38).
fn of_commission() -> Order {
    Order {
        source: FundingSource::Commission,
        fees: ServiceFees::default(),
        tax_number: None,
        ..order()
    }
}

/// Returns what a conversion begins with.
fn first(order: Order) -> Event {
    Event::Requested(Box::new(order))
}

fn deliver(report: DeliveryReport) -> Command {
    Command::Deliver(delivery::Command { attempt: None, report })
}

fn confirm(hash: &str) -> DeliveryReport {
    DeliveryReport::Confirm(hash.into())
}

/// Returns what `command` makes of `state`, judged and remembered.
fn step(state: &State, command: Command) -> (State, Vec<Event>) {
    let events = applied(decide(state, command));
    let after = events.iter().fold(state.clone(), |state, event| {
        assert!(follows(&state, event), "{event:?} was decided and may not follow {state:?}");
        evolve(&state, event, noon())
    });
    (after, events)
}

/// Where a conversion that was requested stands after `facts`.
fn after(order: Order, facts: impl IntoIterator<Item = Command>) -> State {
    let requested = evolve(&State::Absent, &first(order), noon());
    facts.into_iter().fold(requested, |state, fact| step(&state, fact).0)
}

fn paid_and(facts: impl IntoIterator<Item = Command>) -> State {
    after(order(), facts)
}
