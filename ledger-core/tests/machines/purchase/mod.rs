//! The purchase, through its charge: Parts A1 and A2 of `destino: cripto`, rulings 28 and 36.

mod mutated;
mod postings;
mod state_table;
mod stories;
mod walk;

use ledger_core::id::{Kind, OpId};
use ledger_core::machine::Verdict;
use ledger_core::machine::charge::{self, Delivery, Event, Order, PixPayment, Qr, State};
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::purchase::{self, Bought, Remainder};
use ledger_core::terms::{Rate, Release, Switch};
use ledger_core::time::Instant;

use crate::grid::name;
use crate::samples::{
    ANA, HOUSE, PARTNER, SOMEBODY, WALLET, amount, applied, as_cents, at, bps, op,
    purchase as agreed,
};

/// The charge that every test here is about.
fn this() -> OpId {
    op(Kind::Charge, 7)
}

fn noon() -> Instant {
    at("2026-10-20T12:00:00Z")
}

/// W08: 100.00 for 17.537037 USDT; house 4.30, partner 1.00.
pub(crate) fn order() -> Order {
    Order {
        account: PARTNER,
        subaccount: HOUSE,
        amount: amount(10_000),
        fee: Rate { bps: bps(0), fixed: as_cents(100) },
        retention_hours: None,
        release: Release::NextDay,
        waiting_hours: 24,
        created_at: noon(),
        expires_at: at("2026-10-20T12:15:00Z"),
        payer: SOMEBODY,
        payer_name: None,
        allow_hold: Switch::On,
        delivery: Delivery {
            asset: "usdt".into(),
            chain: "polygon".into(),
            address: Some(WALLET.into()),
        },
        qr: Qr { copypaste: "00020126".into(), image_url: None },
        external_id: None,
        purchase: Some(Box::new(agreed())),
    }
}

/// The same, held 24 hours at the provider.
fn retained() -> Order {
    Order { retention_hours: Some(24), ..order() }
}

fn payment(cents: i64) -> PixPayment {
    PixPayment {
        e2e: "E1234567820261020121000000000001".into(),
        amount: amount(cents),
        paid_at: at("2026-10-20T12:10:00Z"),
    }
}

fn now() -> charge::Context {
    charge::Context { at: at("2026-10-20T12:10:01Z"), first_deposit: Switch::Off }
}

/// What is reported of a purchase: before its payment to the charge, afterwards to the purchase.
#[derive(Clone, Debug)]
enum PurchaseCommand {
    Charge(charge::Command),
    Purchase(purchase::Command),
}

/// Returns what a purchase begins with.
fn first(order: Order) -> Event {
    Event::Requested(Box::new(order))
}

fn receive() -> PurchaseCommand {
    PurchaseCommand::Charge(charge::Command::Receive(payment(10_000)))
}

fn see() -> PurchaseCommand {
    PurchaseCommand::Charge(charge::Command::See(payment(10_000)))
}

fn attach(cents: i64) -> PurchaseCommand {
    PurchaseCommand::Charge(charge::Command::Attach(payment(cents)))
}

fn confirm(hash: &str) -> DeliveryReport {
    DeliveryReport::Confirm(hash.into())
}

fn deliver(report: DeliveryReport) -> PurchaseCommand {
    let command = delivery::Command { attempt: None, report };
    PurchaseCommand::Purchase(purchase::Command::Deliver(command))
}

fn give_back(cents: i64) -> PurchaseCommand {
    PurchaseCommand::Purchase(purchase::Command::Return(amount(cents)))
}

fn give_up(to: Remainder) -> PurchaseCommand {
    PurchaseCommand::Purchase(purchase::Command::GiveUp(to))
}

fn halt() -> PurchaseCommand {
    PurchaseCommand::Purchase(purchase::Command::Halt)
}

fn resume() -> PurchaseCommand {
    PurchaseCommand::Purchase(purchase::Command::Resume)
}

fn to_payer() -> Remainder {
    Remainder::Payer("D1".into())
}

fn to_subaccount() -> Remainder {
    Remainder::Custody(ANA)
}

/// Judges as the ledger does: a return of what was not paid yet is the charge's.
fn judge(state: &State, command: PurchaseCommand) -> Verdict<Vec<Event>> {
    let single = |verdict| match verdict {
        Verdict::Applied(event) => Verdict::Applied(vec![event]),
        Verdict::Known => Verdict::Known,
        Verdict::SetAside => Verdict::SetAside,
    };
    match (state, command) {
        (_, PurchaseCommand::Charge(command)) => single(charge::decide(state, command, now())),
        (State::Bought(bought), PurchaseCommand::Purchase(command)) => {
            match purchase::decide(bought, command) {
                Verdict::Applied(events) => {
                    Verdict::Applied(events.into_iter().map(Event::Purchase).collect())
                }
                Verdict::Known => Verdict::Known,
                Verdict::SetAside => Verdict::SetAside,
            }
        }
        (_, PurchaseCommand::Purchase(purchase::Command::Return(cents))) => {
            judge(state, PurchaseCommand::Charge(charge::Command::Return(cents)))
        }
        (_, PurchaseCommand::Purchase(_)) => Verdict::SetAside,
    }
}

/// Returns what `command` makes of `state`, judged and remembered.
fn step(state: &State, command: PurchaseCommand) -> (State, Vec<Event>) {
    let events = applied(judge(state, command));
    let after = events.iter().fold(state.clone(), |state, event| {
        let possible = charge::follows(&state, event);
        assert!(possible, "{event:?} was decided and may not follow {state:?}");
        charge::evolve(&state, event, now().at)
    });
    (after, events)
}

/// Where a purchase that was requested stands after these commands.
fn after(order: Order, command: impl IntoIterator<Item = PurchaseCommand>) -> State {
    let requested = charge::evolve(&State::Absent, &first(order), now().at);
    command.into_iter().fold(requested, |state, command| step(&state, command).0)
}

/// A purchase that was paid, and then this.
fn paid_and(command: impl IntoIterator<Item = PurchaseCommand>) -> State {
    after(order(), [receive()].into_iter().chain(command))
}

fn bought(state: &State) -> &Bought {
    match state {
        State::Bought(bought) => bought,
        other => panic!("{other:?} bought nothing"),
    }
}

/// The innermost name: what the purchase or its delivery calls it.
fn inner(event: &Event) -> String {
    match event {
        Event::Purchase(purchase::Event::Delivery(event)) => name(event),
        Event::Purchase(event) => name(event),
        event => name(event),
    }
}
