//! The conversion, of custody and of commission: Parts A3 and A16; rulings 36 and 38.

mod forged;
mod page;
mod stories;
mod walk;

use ledger_core::coin::Scale;
use ledger_core::id::{Kind, OpId};
use ledger_core::machine::Verdict;
use ledger_core::machine::charge::Delivery as Target;
use ledger_core::machine::conversion::{
    Command, Event, Order, Purse, Refusal, Source, State, decide, evolve, follows,
};
use ledger_core::machine::delivery::{self, News, Parcel};
use ledger_core::terms::ServiceFees;
use ledger_core::time::Instant;

use crate::samples::{
    ANA, PARTNER, SOMEBODY, WALLET, amount, applied, at, balance, op, parcel, quote, share, units,
};

/// The conversion that every test here is about.
fn this() -> OpId {
    op(Kind::Conversion, 5)
}

fn noon() -> Instant {
    at("2026-10-20T12:00:00Z")
}

fn delivered() -> Parcel {
    Parcel { cost: amount(10_000), units: units(18_518_518), ..parcel() }
}

/// W21: 100.00 of Ana's, house 3.30, partner 0.50.
pub(crate) fn order() -> Order {
    Order {
        account: PARTNER,
        source: Source::Custody(ANA),
        amount: amount(10_000),
        fees: ServiceFees { house: share(330), partner: share(50) },
        parcel: delivered(),
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
    Order { source: Source::Commission, fees: ServiceFees::default(), tax_number: None, ..order() }
}

/// Enough, no waiting period, 1.00 at least.
fn rich() -> Purse {
    Purse {
        spendable: balance(1_000_000),
        waiting_until: None,
        minimum: Some(amount(100)),
        cap: None,
    }
}

fn request(order: Order) -> Command {
    Command::Request(Box::new(order))
}

fn deliver(news: News) -> Command {
    Command::Deliver(delivery::Command { attempt: None, news })
}

fn confirm(hash: &str) -> News {
    News::Confirm(hash.into())
}

/// What `command` makes of `state`, judged and remembered.
fn step(state: &State, command: Command) -> (State, Vec<Event>) {
    let events = applied(decide(state, command, rich()).unwrap());
    let after = events.iter().fold(state.clone(), |state, event| {
        assert!(follows(&state, event), "{event:?} was decided and may not follow {state:?}");
        evolve(&state, event, noon())
    });
    (after, events)
}

fn after(commands: impl IntoIterator<Item = Command>) -> State {
    commands.into_iter().fold(State::Absent, |state, command| step(&state, command).0)
}

fn paid_and(commands: impl IntoIterator<Item = Command>) -> State {
    after([request(order())].into_iter().chain(commands))
}

fn judged(state: &State, command: Command) -> Verdict<Vec<Event>> {
    decide(state, command, rich()).unwrap()
}

fn refusal(order: Order, purse: Purse) -> Option<Refusal> {
    decide(&State::Absent, request(order), purse).err()
}
