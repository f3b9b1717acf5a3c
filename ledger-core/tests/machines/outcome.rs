//! What must hold of the outcome, broken once each by hand: the checks see it without any state.

use std::sync::Arc;

use ledger_core::accounting::{Account, DayAccount, DayClose};
use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AgentId, AssetId, ChainId, Kind, OpId, SubaccountId, Token};
use ledger_core::ledger::invariants::{INVARIANTS, Invariant};
use ledger_core::ledger::outcome::Outcomes;
use ledger_core::ledger::{
    Cause, DeliveryInstruction, Event, Income, Instruction, OperatorDecision, OwnAccount, Record,
    Task, TaskKind,
};
use ledger_core::machine::cash_out::{self, DepositAccount, RefundSource};
use ledger_core::machine::delivery::{self, Earned};
use ledger_core::machine::purchase::{self, Remainder};
use ledger_core::machine::refund::{Coins, Refund};
use ledger_core::machine::suspense::{self, Direction, Float};
use ledger_core::machine::{
    agent, charge, conversion, erroneous_delivery, hold, payout, transfer, unmatched_deposit,
};
use ledger_core::money::Cents;
use ledger_core::terms::{Deal, Listing, Mandate, Policy, Price, Quote, Rail, ServiceFees, Switch};
use ledger_core::time::Instant;

use crate::samples::{ANA, PARTNER, SOMEBODY, amount, as_cents, at, delivery_terms, op, units};
use crate::{cash_out as sales, charge as deposits, conversion as conversions, payout as payouts};

/// Records and instructions as somebody wrote them, and the checks beside them.
struct Written {
    outcomes: Outcomes,
    seq: u64,
    at: Instant,
}

impl Written {
    fn new() -> Self {
        let at = at("2026-10-20T12:30:00Z");
        let mut written = Self { outcomes: Outcomes::of_this_version(), seq: 0, at };
        let policy = Box::new(Policy::default());
        let opened = Event::LedgerOpened { name: "live".into(), policy };
        assert!(written.record(vec![opened], vec![]).is_empty());
        written
    }

    /// The ids of what the next record violates.
    fn record(&mut self, events: Vec<Event>, tasks: Vec<(OpId, Task)>) -> Vec<&'static str> {
        self.seq += 1;
        let seq = ledger_core::id::Seq(self.seq);
        let (at, cause) = (self.at, Cause::default());
        let record = Record { seq, at, events, cause, outside: None, original: None };
        let given = tasks.into_iter().map(|(op, task)| Instruction { seq, op, task });
        let found = self.outcomes.check(&record, &given.collect::<Vec<_>>());
        let listed = |id| Invariant::by_id(id).is_some_and(Invariant::is_of_the_outcome);
        assert!(found.iter().all(|it| listed(it.invariant)), "{found:?}");
        found.into_iter().map(|it| it.invariant).collect()
    }

    /// A record that violates nothing.
    fn sound(&mut self, events: Vec<Event>, tasks: Vec<(OpId, Task)>) {
        let found = self.record(events, tasks);
        assert!(found.is_empty(), "{found:?}");
    }
}

fn purchase() -> OpId {
    op(Kind::Charge, 7)
}

fn of_charge(event: charge::Event) -> Event {
    Event::Charge { op: purchase(), event }
}

fn bought(event: purchase::Event) -> Event {
    of_charge(charge::Event::Purchase(event))
}

fn delivered(event: delivery::Event) -> Event {
    bought(purchase::Event::Delivery(event))
}

fn paid() -> Event {
    let payment = deposits::payment(10_000);
    bought(purchase::Event::Paid { payment, from_suspense: Switch::Off })
}

fn deliver(op: OpId, attempt: u32) -> (OpId, Task) {
    let target = conversions::order().target;
    let (delivery_terms, scale) = (delivery_terms(), Scale::SIX);
    (
        op,
        Task::Deliver(Box::new(DeliveryInstruction {
            attempt,
            delivery_terms,
            scale,
            target,
            memo: None,
        })),
    )
}

/// A return that the books cannot take waits in suspense.
fn set_aside(number: u64, about: OpId, cents: i64) -> Event {
    let (direction, float) = match about.kind() {
        Kind::Payout => (Direction::In, Float::Payout),
        _ => (Direction::Out, Float::Collection),
    };
    let (about, outside) = (Some(about), format!("D{number}").into());
    let paid_at = at("2026-10-20T12:10:00Z");
    let (amount, recovery) = (amount(cents), None);
    let order = suspense::Order { amount, direction, float, about, outside, paid_at, recovery };
    Event::Suspense { op: op(Kind::Suspense, number), event: suspense::Event::Received(order) }
}

fn taken_over(event: &Event, by: OpId) -> Event {
    let Event::Suspense { op, event: suspense::Event::Received(order) } = event else {
        panic!("only what was set aside is taken over")
    };
    let event = suspense::Event::TakenOver { order: order.clone(), by };
    Event::Suspense { op: *op, event }
}

fn begun() -> Written {
    let mut written = Written::new();
    let order = crate::purchase::order();
    written.sound(vec![of_charge(charge::Event::Requested(Box::new(order)))], vec![]);
    written
}

#[test]
fn a_delivery_tried_again_after_its_pix_went_back_is_seen() {
    for cents in [10_000, 4_000, 1] {
        let mut written = begun();
        written.sound(vec![paid()], vec![deliver(purchase(), 1)]);
        written.sound(vec![delivered(delivery::Event::Unknown)], vec![]);
        written.sound(vec![set_aside(5, purchase(), cents)], vec![]);
        let failed = vec![delivered(delivery::Event::Failed)];
        let found = written.record(failed, vec![deliver(purchase(), 2)]);
        assert_eq!(found, ["OUT-05", "OUT-01"]);
    }
}

#[test]
fn a_delivery_of_what_went_back_before_it_was_paid_is_seen() {
    let mut written = begun();
    written.sound(vec![set_aside(5, purchase(), 4_000)], vec![]);
    assert_eq!(written.record(vec![paid()], vec![deliver(purchase(), 1)]), ["OUT-05", "OUT-01"]);
}

#[test]
fn a_return_that_the_provider_took_back_stands_in_no_delivery_s_way() {
    let mut written = begun();
    let aside = set_aside(5, purchase(), 4_000);
    written.sound(vec![aside.clone()], vec![]);
    let Event::Suspense { op, event: suspense::Event::Received(order) } = aside else { panic!() };
    written.sound(vec![Event::Suspense { op, event: suspense::Event::Returned(order) }], vec![]);
    written.sound(vec![paid()], vec![deliver(purchase(), 1)]);
}

#[test]
fn what_is_given_up_and_what_goes_back_are_no_more_than_came_in() {
    let mut written = begun();
    written.sound(vec![paid()], vec![deliver(purchase(), 1)]);
    let part = purchase::Event::ReturnedUndelivered { amount: amount(4_000), undone: None };
    written.sound(vec![bought(part)], vec![]);
    let (to, amount) = (Remainder::Payer("D9".into()), amount(6_001));
    let given_up = purchase::Event::GivenUp { to, amount, undone: None };
    assert_eq!(written.record(vec![bought(given_up)], vec![]), ["OUT-01"]);
}

#[test]
fn a_delivery_of_more_than_was_agreed_is_seen() {
    let mut written = begun();
    let (op, task) = deliver(purchase(), 1);
    let Task::Deliver(mut delivery) = task else { panic!() };
    delivery.delivery_terms.units = units(17_537_038);
    let found = written.record(vec![paid()], vec![(op, Task::Deliver(delivery))]);
    assert_eq!(found, ["OUT-09"]);
}

fn credited(fee: i64) -> Event {
    let order = deposits::order();
    let credit = charge::Credit {
        subaccount: order.subaccount,
        origin: charge::Origin::Provider,
        gross: amount(10_000),
        fee: as_cents(fee),
        available_at: None,
        waiting_until: None,
        booked_at: order.created_at,
    };
    of_charge(charge::Event::Credited { payment: deposits::payment(10_000), credit })
}

fn back(cents: i64) -> Event {
    let (subaccount, amount) = (ANA, amount(cents));
    of_charge(charge::Event::Returned { subaccount, amount, fee: Cents::ZERO })
}

#[test]
fn a_return_takes_from_others_only_what_is_blocked_for_it() {
    let beto = SubaccountId(2);
    let hold = op(Kind::Hold, 9);
    let placed = |kind, subaccount| Event::Hold {
        op: hold,
        event: hold::Event::Placed {
            order: hold::Order {
                subaccount,
                kind,
                cause: Some(purchase()),
                requested: amount(4_000),
                watch_until: at("2027-01-18T12:00:00Z"),
                ends_at: None,
                note: None,
                label: None,
            },
            from_held: Cents::ZERO,
            from_available: as_cents(4_000),
        },
    };
    let traced = |cents| {
        let event = charge::Event::ReturnedTraced { subaccount: beto, amount: amount(cents) };
        of_charge(event)
    };
    let given = |cents| Event::Hold {
        op: hold,
        event: hold::Event::Returned { subaccount: beto, amount: amount(cents) },
    };
    let credited = || {
        let mut written = Written::new();
        written.sound(vec![credited(100)], vec![]);
        written
    };
    let mut blocked = credited();
    blocked.sound(vec![placed(hold::Kind::Dispute, beto)], vec![]);
    blocked.sound(vec![traced(3_000), given(3_000)], vec![]);
    assert_eq!(blocked.record(vec![traced(1_001)], vec![]), ["OUT-14"]);
    assert_eq!(credited().record(vec![traced(1)], vec![]), ["OUT-14"]);
    for wrong in [placed(hold::Kind::Administrative, beto), placed(hold::Kind::Judicial, ANA)] {
        let mut written = credited();
        written.sound(vec![wrong], vec![]);
        assert_eq!(written.record(vec![traced(1)], vec![]), ["OUT-14"]);
    }
}

#[test]
fn a_deposit_that_went_back_before_it_was_paid_is_never_spendable() {
    let aside = set_aside(5, purchase(), 4_000);
    let mut written = Written::new();
    written.sound(vec![aside.clone()], vec![]);
    assert_eq!(written.record(vec![credited(100)], vec![]), ["OUT-05"]);

    let mut written = Written::new();
    written.sound(vec![aside.clone()], vec![]);
    let takes_over = taken_over(&aside, purchase());
    written.sound(vec![takes_over, credited(100), back(4_000)], vec![]);
    assert_eq!(written.record(vec![back(6_001)], vec![]), ["OUT-01"]);

    // More than was paid contradicts the payment, and waits for a person.
    let mut written = Written::new();
    written.sound(vec![set_aside(5, purchase(), 10_001)], vec![]);
    written.sound(vec![credited(100)], vec![]);
}

#[test]
fn a_fee_above_the_one_agreed_and_a_correction_of_nothing_are_seen() {
    let order = deposits::order();
    let mut written = Written::new();
    written.sound(vec![of_charge(charge::Event::Requested(Box::new(order)))], vec![]);
    assert_eq!(written.record(vec![credited(101)], vec![]), ["OUT-11"]);
    for cents in [0, 5] {
        let op = op(Kind::Adjustment, 3);
        let (subaccount, shares) = (SubaccountId(1), as_cents(cents));
        let (given, charged) = (shares, shares);
        let income = Income::Deposit;
        let event = Event::FeeAdjusted { op, subaccount, given, charged, income };
        assert_eq!(written.record(vec![event], vec![]), ["OUT-11"]);
    }
}

fn payout() -> OpId {
    op(Kind::Payout, 9)
}

fn of_payout(event: payout::Event) -> Event {
    Event::Payout { op: payout(), event }
}

fn send() -> (OpId, Task) {
    (payout(), Task::SendPix(Arc::new(payouts::order())))
}

fn requested() -> Event {
    of_payout(payout::Event::Requested(Box::new(payouts::order())))
}

fn completed() -> Event {
    let payout::Order { account, amount, fees, .. } = payouts::order();
    of_payout(payout::Event::Completed { account, amount, fees, e2e: "E1".into() })
}

fn failed() -> Event {
    let payout::Order { subaccount, amount, fees, .. } = payouts::order();
    of_payout(payout::Event::Failed { subaccount, amount, fees })
}

fn came_back(cents: i64) -> Event {
    let payout::Order { subaccount, account, .. } = payouts::order();
    let (amount, fees) = (amount(cents), ledger_core::terms::PayoutFees::default());
    of_payout(payout::Event::Returned { subaccount, account, amount, fees })
}

#[test]
fn a_payout_that_came_back_before_it_was_paid_is_booked_with_its_payment() {
    let aside = set_aside(5, payout(), 10_000);
    let mut written = Written::new();
    written.sound(vec![requested()], vec![send()]);
    written.sound(vec![aside.clone()], vec![]);
    let mut booked = Written { outcomes: written.outcomes.clone(), ..written };
    assert_eq!(written.record(vec![completed()], vec![]), ["OUT-05"]);
    let events = vec![taken_over(&aside, payout()), completed(), came_back(10_000)];
    booked.sound(events, vec![]);
    assert_eq!(booked.record(vec![came_back(1)], vec![]), ["OUT-07"]);
}

#[test]
fn a_payout_is_instructed_once_and_sent_or_given_back() {
    let mut written = Written::new();
    assert_eq!(written.record(vec![requested()], vec![]), ["OUT-06"]);

    let mut written = Written::new();
    written.sound(vec![requested()], vec![send()]);
    assert_eq!(written.outcomes.open().count(), 1);
    assert_eq!(written.record(vec![], vec![send()]), ["OUT-04"]);
    written.sound(vec![of_payout(payout::Event::Stopped)], vec![]);
    assert_eq!(written.outcomes.open().count(), 0);
    written.sound(vec![of_payout(payout::Event::Cleared)], vec![send()]);
    // An unknown outcome is no answer.
    let unknown = of_payout(payout::Event::Uncertain);
    assert_eq!(written.record(vec![unknown], vec![send()]), ["OUT-04"]);
    written.sound(vec![completed()], vec![]);
    assert_eq!(written.record(vec![failed()], vec![]), ["OUT-07"]);
    assert_eq!(written.outcomes.open().count(), 0);
}

#[test]
fn a_conversion_is_delivered_or_given_back() {
    let order = conversions::order();
    let op = op(Kind::Conversion, 5);
    let of = |event| Event::Conversion { op, event };
    let delivery_terms = order.delivery_terms;
    let conversion::Order { account, source, amount, fees, .. } = order.clone();
    let mut delivery = deliver(op, 1);
    if let Task::Deliver(to) = &mut delivery.1 {
        to.delivery_terms = delivery_terms;
    }
    let mut written = Written::new();
    let requested = of(conversion::Event::Requested(Box::new(order)));
    written.sound(vec![requested], vec![delivery.clone()]);
    let refunded = conversion::Event::Refunded { account, source, amount, fees, undone: None };
    let sent = delivery::Event::Sent {
        delivery_terms,
        earned: Earned { account, fees },
        hash: "0x1".into(),
        attempt: None,
    };
    let mut other = Written { outcomes: written.outcomes.clone(), ..written };
    written.sound(vec![of(conversion::Event::Delivery { source, event: sent })], vec![]);
    assert_eq!(written.record(vec![of(refunded.clone())], vec![]), ["OUT-07"]);
    other.sound(vec![of(refunded)], vec![]);
    assert_eq!(other.record(vec![], vec![delivery]), ["OUT-07"]);
}

fn sale(number: u64) -> OpId {
    op(Kind::CashOut, number)
}

fn of_sale(number: u64, event: cash_out::Event) -> Event {
    Event::CashOut { op: sale(number), event }
}

fn quoted(number: u64, order: cash_out::Order) -> Event {
    of_sale(number, cash_out::Event::Quoted(Box::new(order)))
}

fn accepted(number: u64) -> Event {
    of_sale(number, cash_out::Event::Accepted { address: "0xd".into(), tag: None })
}

fn seen(number: u64, coins: Coins) -> Event {
    let (hash, seen_at) = (format!("0x{number}").into(), at("2026-10-20T12:01:00Z"));
    let deposit = cash_out::Deposit { coins, hash, from: None, seen_at, confirmations: None };
    let (booked_in, repriced, counted, sighting) = (DepositAccount::Order, None, None, None);
    of_sale(
        number,
        cash_out::Event::DepositSeen { deposit, booked_in, repriced, counted, sighting },
    )
}

/// An order that pays so many centavos.
fn order(net: i64) -> cash_out::Order {
    let order = sales::order();
    cash_out::Order { deal: Deal { net: amount(net), ..order.deal }, ..order }
}

/// The instruction to pay so many centavos, as the order stands then.
fn pay(number: u64, net: i64, attempt: u32) -> (OpId, Task) {
    let sold = cash_out::Sale { coins: sales::order().coins, deal: order(net).deal };
    let noon = at("2026-10-20T12:00:00Z");
    let quoted = cash_out::Event::Quoted(Box::new(sales::order()));
    let state = cash_out::evolve(&cash_out::State::Absent, &quoted, noon);
    let state = state.progress().expect("it was quoted");
    let mut progress = cash_out::Progress::clone(state);
    progress.sale = Some(sold);
    (sale(number), Task::PaySale { attempt, progress: Arc::new(progress) })
}

fn pays(written: &mut Written, number: u64, net: i64) -> Vec<&'static str> {
    written.record(vec![seen(number, sales::usdt(19_444_445))], vec![pay(number, net, 1)])
}

#[test]
fn a_recipient_has_its_ceiling_on_the_day_of_acceptance_whenever_the_deposit_comes() {
    let mut written = Written::new();
    written.at = at("2026-10-21T02:59:59Z");
    written.sound(vec![accepted(1), accepted(2)], vec![]);
    // The next day of Brasília.
    written.at = at("2026-10-21T03:00:05Z");
    written.sound(vec![accepted(3)], vec![]);
    assert!(pays(&mut written, 1, 9_999_999).is_empty());
    assert!(pays(&mut written, 3, 10_000_000).is_empty());
    assert_eq!(pays(&mut written, 2, 2), ["OUT-02"]);
}

#[test]
fn one_order_pays_one_recipient_no_more_than_a_day_s_ceiling() {
    let mut written = Written::new();
    written.sound(vec![accepted(1)], vec![]);
    assert_eq!(pays(&mut written, 1, 19_999_999), ["OUT-02"]);
}

#[test]
fn what_came_to_nothing_frees_its_recipient_s_day_and_a_retry_counts_once() {
    let mut written = Written::new();
    written.sound(vec![accepted(1), accepted(2)], vec![]);
    assert!(pays(&mut written, 1, 10_000_000).is_empty());
    let first = at("2026-10-20T12:05:00Z");
    let again = of_sale(1, cash_out::Event::SendFailed { first, retry_at: first });
    written.sound(vec![again], vec![pay(1, 10_000_000, 2)]);
    let deal = order(10_000_000).deal;
    let sold = cash_out::Sale { coins: sales::usdt(19_444_445), deal };
    let unwound = of_sale(1, cash_out::Event::PaymentUnwound(sold));
    let refund = refund_of(sales::usdt(19_444_445));
    written.sound(vec![unwound, refund], vec![]);
    assert!(pays(&mut written, 2, 10_000_000).is_empty());
}

#[test]
fn what_fits_an_order_is_no_receipt_of_its_own() {
    // Each is a transaction of its own.
    let number = std::cell::Cell::new(0);
    let transaction = |coins: Coins, seen: &str, hash: &str| {
        let (hash, seen_at) = (hash.into(), at(seen));
        let deposit = cash_out::Deposit { coins, hash, from: None, seen_at, confirmations: None };
        let (about, account, to, refund_alone) = (Some(sale(1)), None, None, None);
        let sighting = None;
        let order =
            unmatched_deposit::Order { deposit, about, account, to, refund_alone, sighting };
        let event = unmatched_deposit::Event::Received(Box::new(order));
        Event::UnmatchedDeposit { op: op(Kind::UnmatchedDeposit, 9), event }
    };
    let receipt = |coins: Coins, seen: &str| {
        number.set(number.get() + 1);
        transaction(coins, seen, &format!("0xr{}", number.get()))
    };
    let gone = unmatched_deposit::Event::Vanished(sales::usdt(5));
    let gone = Event::UnmatchedDeposit { op: op(Kind::UnmatchedDeposit, 9), event: gone };
    let in_time = "2026-10-20T12:10:00Z";
    let own = || receipt(sales::usdt(5), in_time);
    let mut written = Written::new();
    let early = transaction(sales::usdt(5), in_time, SPELLINGS[0]);
    written.sound(vec![listed(), quoted(1, sales::order()), own(), early, gone.clone()], vec![]);
    written.at = at(in_time);
    written.sound(vec![accepted(1)], vec![]);
    written.at = at("2026-10-20T12:30:00Z");
    // It was told of before there was an address, and is mined again now, dated anew.
    let again = transaction(sales::usdt(5), "2026-10-20T12:20:00Z", SPELLINGS[1]);
    written.sound(vec![again], vec![]);
    // It was seen before there was an address, and is mined again now.
    written.sound(vec![receipt(sales::usdt(5), "2026-10-20T12:09:59.999999Z")], vec![]);
    let late = "2026-10-27T12:14:00Z";
    assert_eq!(written.record(vec![own()], vec![]), ["OUT-16"]);
    written.at = at("2026-10-27T12:30:00Z");
    assert_eq!(written.record(vec![receipt(sales::usdt(5), late)], vec![]), ["OUT-16"]);
    written.sound(vec![receipt(sales::usdt(5), "2026-10-27T12:14:00.000001Z")], vec![]);
    written.sound(vec![receipt(sales::weth(5), in_time)], vec![]);
    written.sound(vec![own(), gone], vec![]);
    let mut other = Written { outcomes: written.outcomes.clone(), ..written };
    written.sound(vec![seen(1, sales::usdt(10)), refund_of(sales::usdt(10)), own()], vec![]);
    other.sound(vec![of_sale(1, cash_out::Event::Failed), own()], vec![]);
}

/// A transaction in spellings of Ethereum and its kin.
const SPELLINGS: [&str; 4] = [
    "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
    "0X5C504ED432CB51138BCF09AA5E8A410DD4A1E204EF84BFED1BE16DFBA1B22060",
    "5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
    "0x5C504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060#0",
];

/// A catalogue on which each network that a test names stands.
fn listed() -> Event {
    let listing = |name: &str, chain| Listing {
        asset: AssetId(0),
        chain: ChainId(chain),
        asset_name: "usdt".into(),
        chain_name: name.into(),
        scale: Scale::SIX,
        rail: Rail::Instant,
        least: units(1),
        network_fee: None,
        deliverable: Switch::On,
        memo: Switch::Off,
        eta: "1 min".into(),
        eta_seconds: 60,
    };
    let of_sample = sales::usdt(1).chain.0;
    let listed = vec![listing("polygon", of_sample), listing("solana", of_sample + 1)];
    Event::CatalogueUpdated { listed, dropped: Vec::new() }
}

#[test]
fn one_transaction_is_counted_once_in_any_spelling() {
    let seen_as = |number: u64, hash: &str, chain: ChainId| {
        let coins = Coins { chain, ..sales::usdt(10) };
        let Event::CashOut { op, event: cash_out::Event::DepositSeen { mut deposit, .. } } =
            seen(number, coins)
        else {
            unreachable!("it was seen")
        };
        deposit.hash = hash.into();
        let (booked_in, repriced, counted, sighting) = (DepositAccount::Order, None, None, None);
        let event =
            cash_out::Event::DepositSeen { deposit, booked_in, repriced, counted, sighting };
        Event::CashOut { op, event }
    };
    let polygon = sales::usdt(1).chain;
    let solana = ChainId(polygon.0 + 1);
    for again in SPELLINGS {
        let mut written = Written::new();
        written.sound(vec![listed(), seen_as(1, SPELLINGS[0], polygon)], vec![]);
        // Another output and a look-alike of another network are others.
        written.sound(vec![seen_as(1, &format!("{}#1", SPELLINGS[2]), polygon)], vec![]);
        written.sound(vec![seen_as(1, SPELLINGS[1], solana)], vec![]);
        let mut vanished = Written { outcomes: written.outcomes.clone(), ..written };
        assert_eq!(written.record(vec![seen_as(2, again, polygon)], vec![]), ["OUT-15"]);

        let (hash, coins) = (again.into(), sales::usdt(10));
        let booked_in = DepositAccount::Order;
        let gone = cash_out::Event::DepositVanished { hash, coins, booked_in };
        vanished.sound(vec![of_sale(1, gone), seen_as(2, SPELLINGS[0], polygon)], vec![]);
    }
}

#[test]
fn what_happened_is_recorded_no_earlier() {
    let Event::CashOut { event: cash_out::Event::DepositSeen { deposit, .. }, .. } =
        seen(1, sales::usdt(10))
    else {
        unreachable!("it was seen")
    };
    let reported = [
        (credited(100), deposits::payment(10_000).paid_at),
        (seen(1, sales::usdt(10)), deposit.seen_at),
    ];
    for (event, happened) in reported {
        let recorded_at = |micros| {
            let at = Instant::from_micros(happened.micros() + micros).expect("this century");
            Written { at, ..Written::new() }.record(vec![event.clone()], vec![])
        };
        assert!(!recorded_at(0).contains(&"OUT-17"), "{event:?}");
        assert!(recorded_at(-1).contains(&"OUT-17"), "{event:?}");
    }
}

#[test]
fn what_was_claimed_in_one_spelling_is_not_sent_besides_in_another() {
    let about = op(Kind::CashOut, 1);
    let sent = |hash: &str| {
        let (coins, hash, earned) = (sales::usdt(5), hash.into(), None);
        of_sale(1, cash_out::Event::RefundSent { coins, hash, earned })
    };
    let claim = |event| Event::ErroneousDelivery { op: op(Kind::ErroneousDelivery, 9), event };
    let claimed = |hash: &str| {
        claim(erroneous_delivery::Event::Claimed(sent_for(about, sales::usdt(5), hash)))
    };
    for again in SPELLINGS {
        let mut written = Written::new();
        written.sound(vec![listed(), claimed(SPELLINGS[0])], vec![]);
        let clone = |known: &Written| Written { outcomes: known.outcomes.clone(), ..*known };
        let (mut twice, mut settled) = (clone(&written), clone(&written));
        assert_eq!(written.record(vec![sent(again)], vec![]), ["OUT-15"]);
        assert_eq!(twice.record(vec![claimed(again)], vec![]), ["OUT-15"]);
        let order = sent_for(about, sales::usdt(5), SPELLINGS[0]);
        let end = erroneous_delivery::End::Recovered;
        let ends = claim(erroneous_delivery::Event::Settled { order, end });
        settled.sound(vec![ends, sent(again)], vec![]);
        assert_eq!(settled.record(vec![sent(SPELLINGS[0])], vec![]), ["OUT-15"]);
    }
}

fn refund_of(coins: Coins) -> Event {
    let (source, to, allowed) = (RefundSource::Deposit, Some("0xhome".into()), Switch::On);
    of_sale(1, cash_out::Event::RefundDecided { coins, source, to, allowed })
}

#[test]
fn a_deposit_goes_back_or_is_paid_for_and_never_more_than_came() {
    let mut written = Written::new();
    written.sound(vec![accepted(1), seen(1, sales::usdt(10))], vec![]);
    let mut paid = Written { outcomes: written.outcomes.clone(), ..written };
    assert_eq!(written.record(vec![refund_of(sales::usdt(11))], vec![]), ["OUT-08"]);

    let back = Refund::due(sales::usdt(11), Some("0xhome".into()), Switch::On);
    let task = (sale(1), Task::Refund(Box::new(back)));
    let mut other = Written { outcomes: paid.outcomes.clone(), ..paid };
    assert_eq!(other.record(vec![refund_of(sales::usdt(10))], vec![task]), ["OUT-08"]);

    paid.sound(vec![refund_of(sales::usdt(10))], vec![]);
    assert_eq!(paid.record(vec![], vec![pay(1, 5_000, 1)]), ["OUT-08"]);
}

/// An agent whose account is the partner's.
fn profile() -> agent::Profile {
    agent::Profile {
        id: "ag_1".into(),
        account: PARTNER,
        name: SOMEBODY,
        contact: SOMEBODY,
        capabilities: Vec::new(),
        referral: None,
        address: None,
    }
}

#[test]
fn a_mandate_holds_for_what_is_ordered_sent_per_operation_and_per_day() {
    let (agent, mandate) = (AgentId(0), |most: Option<i64>, daily: Option<i64>| {
        let bounds = (most.and_then(Cents::new), daily.and_then(Cents::new));
        agent::Event::MandateSet(Box::new(Mandate::new(bounds.0, bounds.1, Vec::new())))
    });
    let of = |event| Event::Agent { agent, event };
    let mut written = Written::new();
    written.sound(vec![of(agent::Event::Registered(Box::new(profile())))], vec![]);
    written.sound(vec![of(mandate(Some(10_000), Some(25_000)))], vec![]);
    written.sound(vec![accepted(1), accepted(2), accepted(3)], vec![]);
    // Two thousand reais under a ceiling of a hundred.
    let mut other = Written { outcomes: written.outcomes.clone(), ..written };
    assert_eq!(pays(&mut other, 1, 200_000), ["OUT-03", "OUT-03"]);
    written.sound(vec![requested()], vec![send()]);
    assert!(pays(&mut written, 1, 10_000).is_empty());
    assert_eq!(pays(&mut written, 2, 5_001), ["OUT-03"]);
    // What failed counts no longer.
    written.sound(vec![failed()], vec![]);
    assert!(pays(&mut written, 3, 9_999).is_empty());
}

/// A sale of so much of the Liquid stablecoin, with this fee.
fn liquid(gross: i64, fee: i64) -> cash_out::Order {
    let order = sales::on_liquid();
    let units = u128::from(gross.unsigned_abs()) * 1_000_000;
    let mut rates = order.rates;
    rates.house.bps = crate::samples::bps(150);
    rates.house.fixed = as_cents(100);
    rates.partner = crate::samples::bps(0);
    let deal = Deal {
        net: amount((gross - fee).max(1)),
        fees: ServiceFees { house: as_cents(fee), partner: as_cents(0) },
        reserve: Cents::ZERO,
        residue: Cents::ZERO,
    };
    cash_out::Order { coins: sales::depix(units), deal, rates, ..order }
}

#[test]
fn the_liquid_stablecoin_has_its_fee_and_its_bounds_on_what_is_sold() {
    let mut written = Written::new();
    // 100.00 nets 97.50; to receive 100.00 asks 102.53; 1.02 nets 0.01.
    for (number, gross, fee) in
        [(1, 10_000, 250), (2, 10_253, 253), (3, 102, 101), (4, 600_000, 9_100)]
    {
        written.sound(vec![quoted(number, liquid(gross, fee))], vec![]);
    }
    // A fee on the net of 100.00, and what is below and above the bounds.
    for (number, gross, fee) in [(5, 10_000, 246), (6, 101, 101), (7, 600_001, 9_100)] {
        let found = written.record(vec![quoted(number, liquid(gross, fee))], vec![]);
        assert!(!found.is_empty() && found.iter().all(|id| *id == "OUT-10"), "{gross}: {found:?}");
    }
}

#[test]
fn every_invariant_of_the_outcome_is_broken_here() {
    let text = include_str!("outcome.rs");
    for Invariant { id, .. } in INVARIANTS.iter().filter(|it| it.is_of_the_outcome()) {
        assert!(text.contains(&format!("\"{id}\"")), "nothing breaks {id}");
    }
}

fn resumed() -> Event {
    let delivery_terms = delivery_terms();
    let fees = ServiceFees { house: as_cents(1), partner: as_cents(0) };
    let rest = purchase::Rest { gross: amount(6_000), fees, delivery_terms, usdt: None, after: 1 };
    bought(purchase::Event::Resumed(rest))
}

#[test]
fn what_an_operator_let_go_is_delivered_until_more_of_it_goes_back() {
    let mut written = begun();
    written.sound(vec![paid()], vec![deliver(purchase(), 1)]);
    let part = purchase::Event::ReturnedUndelivered { amount: amount(4_000), undone: None };
    written.sound(vec![bought(part)], vec![]);
    let rest = |attempt| {
        let (op, mut task) = deliver(purchase(), attempt);
        if let Task::Deliver(delivery) = &mut task {
            delivery.delivery_terms.cost = amount(5_999);
        }
        (op, task)
    };
    let mut halted = Written { outcomes: written.outcomes.clone(), ..written };
    assert_eq!(halted.record(vec![], vec![rest(2)]), ["OUT-01"]);
    written.sound(vec![resumed()], vec![rest(2)]);
    written.sound(vec![delivered(delivery::Event::Unknown)], vec![]);
    written.sound(vec![set_aside(5, purchase(), 7_000)], vec![]);
    let failed = vec![delivered(delivery::Event::Failed)];
    assert_eq!(written.record(failed, vec![rest(3)]), ["OUT-01"]);
}

#[test]
fn a_return_waits_while_another_attempt_has_begun_and_no_longer() {
    let mut written = begun();
    written.sound(vec![paid()], vec![deliver(purchase(), 1)]);
    written.sound(vec![set_aside(5, purchase(), 10_000)], vec![]);
    let failed = || delivered(delivery::Event::Failed);
    let again = delivered(delivery::Event::BegunAgain { attempt: 2 });
    written.sound(vec![failed(), again, delivered(delivery::Event::Unknown)], vec![]);
    assert_eq!(written.record(vec![failed()], vec![]), ["OUT-05"]);
}

fn sent_for(about: OpId, coins: Coins, hash: &str) -> erroneous_delivery::Order {
    let Coins { asset, chain, units } = coins;
    erroneous_delivery::Order { asset, chain, units, about, hash: hash.into(), again: None }
}

#[test]
fn what_was_reported_done_is_not_asked_for_while_it_is_a_claim() {
    let coins = sales::usdt(10);
    let refund = || {
        let due = Refund::due(coins, Some("0xhome".into()), Switch::On);
        (sale(1), Task::Refund(Box::new(due)))
    };
    let claim = |event| Event::ErroneousDelivery { op: op(Kind::ErroneousDelivery, 7), event };
    let mut written = Written::new();
    written.sound(vec![accepted(1), seen(1, coins)], vec![]);
    let mut vanished = Written { outcomes: written.outcomes.clone(), ..written };

    // A refund that was sent before it was due.
    let early = sent_for(sale(1), coins, "0xearly");
    written.sound(vec![claim(erroneous_delivery::Event::Claimed(early.clone()))], vec![]);
    let mut ended = Written { outcomes: written.outcomes.clone(), ..written };
    assert_eq!(written.record(vec![refund_of(coins)], vec![refund()]), ["OUT-12"]);
    let settled = erroneous_delivery::Event::Settled {
        order: early,
        end: erroneous_delivery::End::Recovered,
    };
    ended.sound(vec![claim(settled), refund_of(coins)], vec![refund()]);

    // The deposit itself vanished: nothing was sent.
    let gone = sent_for(sale(1), coins, "0x1");
    vanished.sound(vec![claim(erroneous_delivery::Event::Claimed(gone))], vec![]);
    vanished.sound(vec![refund_of(coins)], vec![refund()]);
}

#[test]
fn what_was_handed_out_stood_and_is_called_off_by_evidence_alone() {
    let payout = op(Kind::Payout, 1);
    let moved = |event| Event::Payout { op: payout, event };
    let handed = || Event::HandedOut { op: payout, kind: TaskKind::SendPix, attempt: 1 };
    let requested = || {
        let order = payouts::order();
        let task = Task::SendPix(Arc::new(order.clone()));
        (vec![moved(payout::Event::Requested(Box::new(order)))], vec![(payout, task)])
    };
    let judged =
        |evidence| Event::Judged(OperatorDecision { actor: SOMEBODY, reason: SOMEBODY, evidence });
    let begun = || {
        let mut written = Written::new();
        let (events, tasks) = requested();
        written.sound(events, tasks);
        written
    };
    assert_eq!(Written::new().record(vec![handed()], vec![]), ["OUT-13"]);
    // It was stopped before anybody was handed it.
    let mut written = begun();
    written.sound(vec![moved(payout::Event::Stopped), judged(None)], vec![]);
    assert_eq!(written.record(vec![handed()], vec![]), ["OUT-13"]);
    // It may have been sent.
    for evidence in [None, Some(SOMEBODY)] {
        let mut written = begun();
        written.sound(vec![handed()], vec![]);
        let found = written.record(vec![moved(payout::Event::Stopped), judged(evidence)], vec![]);
        assert_eq!(found.is_empty(), evidence.is_some(), "{found:?}");
    }
}

#[test]
fn a_pix_that_was_reported_paid_is_not_asked_for_while_it_is_a_claim() {
    let (direction, float) = (Direction::Out, Float::Payout);
    let (about, paid_at) = (Some(sale(1)), at("2026-10-20T12:10:00Z"));
    for (cents, expected) in [(5_000, vec!["OUT-12"]), (4_999, vec![])] {
        let (amount, outside, recovery) = (amount(cents), "E1".into(), None);
        let order = suspense::Order { amount, direction, float, about, outside, paid_at, recovery };
        let claimed = suspense::Event::Received(order);
        let claimed = Event::Suspense { op: op(Kind::Suspense, 8), event: claimed };
        let mut written = Written::new();
        written.sound(vec![accepted(1), claimed], vec![]);
        assert_eq!(pays(&mut written, 1, 5_000), expected);
    }
}

#[test]
fn a_payout_that_came_back_in_parts_frees_its_mandate() {
    let mut written = Written::new();
    let agent = AgentId(0);
    let of = |event| Event::Agent { agent, event };
    written.sound(vec![of(agent::Event::Registered(Box::new(profile())))], vec![]);
    let mandate = Mandate::new(None, Cents::new(12_000), Vec::new());
    written.sound(vec![of(agent::Event::MandateSet(Box::new(mandate)))], vec![]);
    written.sound(vec![requested()], vec![send()]);
    written.sound(vec![completed()], vec![]);
    written.sound(vec![came_back(9_999)], vec![]);
    let mut early = Written { outcomes: written.outcomes.clone(), ..written };
    early.sound(vec![accepted(1)], vec![]);
    assert_eq!(pays(&mut early, 1, 2_001), ["OUT-03"]);
    written.sound(vec![came_back(1), accepted(1)], vec![]);
    assert!(pays(&mut written, 1, 2_001).is_empty());
}

#[test]
fn an_agent_sends_to_nobody_its_mandate_does_not_name() {
    let recipient = payouts::order().tax_number;
    for (named, expected) in [(recipient, vec![]), (Token([99; 16]), vec!["OUT-03"])] {
        let agent = AgentId(0);
        let of = |event| Event::Agent { agent, event };
        let mut written = Written::new();
        written.sound(vec![of(agent::Event::Registered(Box::new(profile())))], vec![]);
        let mandate = Mandate::new(None, None, vec![named]);
        written.sound(vec![of(agent::Event::MandateSet(Box::new(mandate)))], vec![]);
        assert_eq!(written.record(vec![requested()], vec![send()]), expected);
    }
}

#[test]
fn a_price_that_is_not_in_force_is_seen_where_an_order_is_let_go_on() {
    let mut written = Written::new();
    let quote = |price: &str, instant: &str| Quote {
        price: Price::parse(price).unwrap(),
        source: "exchange".into(),
        at: at(instant),
    };
    let told = |quote| Event::RateQuoted { asset: "usdt".into(), quote };
    let cleared = |quote| Event::CashOut {
        op: op(Kind::CashOut, 9),
        event: cash_out::Event::Cleared { coins: None, repriced: Some(quote), scale: None },
    };
    let (eleven, noon) = ("2026-10-20T11:00:00Z", "2026-10-20T12:00:00Z");
    written.sound(vec![told(quote("5.40", eleven)), cleared(quote("5.40", eleven))], vec![]);
    for forged in [quote("5.41", eleven), quote("5.40", noon)] {
        assert_eq!(written.record(vec![cleared(forged)], vec![]), ["OUT-18"]);
    }
    // The next price is in force, and the one before it is no more.
    written.sound(vec![told(quote("5.50", noon)), cleared(quote("5.50", noon))], vec![]);
    assert_eq!(written.record(vec![cleared(quote("5.40", eleven))], vec![]), ["OUT-18"]);
    // One of the Liquid stablecoin is one real when it is let go on.
    let then = written.at.to_string();
    written.sound(vec![cleared(quote("1", &then))], vec![]);
}

#[test]
fn a_group_that_moves_nothing_or_to_where_it_came_from_is_seen() {
    let mut written = Written::new();
    let leg = |from, to| transfer::Leg { from, to, amount: amount(100) };
    let mut group = |legs: Vec<transfer::Leg>| {
        let group = transfer::Group { account: PARTNER, legs, external_id: None, note: None };
        let event = transfer::Event::Grouped(group);
        written.record(vec![Event::Transfer { op: op(Kind::Transfer, 9), event }], vec![])
    };
    assert!(group(vec![leg(ANA, SubaccountId(9)), leg(SubaccountId(9), ANA)]).is_empty());
    assert_eq!(group(Vec::new()), ["OUT-19"]);
    assert_eq!(group(vec![leg(ANA, SubaccountId(9)), leg(ANA, ANA)]), ["OUT-19"]);
}

#[test]
fn a_reservation_that_gives_more_than_it_has_is_seen() {
    let beto = SubaccountId(2);
    let of_hold = |event| Event::Hold { op: op(Kind::Hold, 9), event };
    let placed = || {
        let order = hold::Order {
            subaccount: ANA,
            kind: hold::Kind::Reservation,
            cause: None,
            requested: amount(4_000),
            watch_until: at("2026-10-20T12:30:00Z"),
            ends_at: Some(at("2026-10-21T12:30:00Z")),
            note: None,
            label: None,
        };
        let (from_held, from_available) = (Cents::ZERO, as_cents(4_000));
        of_hold(hold::Event::Placed { order, from_held, from_available })
    };
    let captured = |cents| {
        let (amount, to) = (amount(cents), Account::Available(beto));
        of_hold(hold::Event::Captured { subaccount: ANA, amount, to, note: None })
    };
    let released = |cents, end| {
        let (to_held, to_available) = (Cents::ZERO, as_cents(cents));
        of_hold(hold::Event::Released { subaccount: ANA, to_held, to_available, end })
    };
    let made = || {
        let mut written = Written::new();
        written.sound(vec![placed()], vec![]);
        written.sound(vec![captured(1_000), released(500, hold::End::No)], vec![]);
        written
    };
    made().sound(vec![captured(2_500)], vec![]);
    made().sound(vec![captured(1_000), released(1_500, hold::End::Yes)], vec![]);
    let taken = of_hold(hold::Event::Taken { subaccount: ANA, amount: amount(1) });
    for wrong in
        [captured(2_501), released(2_501, hold::End::No), released(2_499, hold::End::Yes), taken]
    {
        assert_eq!(made().record(vec![wrong.clone()], vec![]), ["OUT-20"], "{wrong:?}");
    }
    let mut over = made();
    over.sound(vec![released(2_500, hold::End::Yes)], vec![]);
    assert_eq!(over.record(vec![captured(1)], vec![]), ["OUT-20"]);
    // At its deadline it ends; nothing is captured then, and nothing is left afterwards.
    let mut late = made();
    late.at = at("2026-10-21T12:30:00Z");
    assert_eq!(late.record(vec![captured(1)], vec![]), ["OUT-20"]);
    late.at = at("2026-10-21T12:30:00.000001Z");
    assert_eq!(late.record(vec![Event::TimePassed], vec![]), ["OUT-20"]);
}

#[test]
fn a_close_that_states_other_sums_or_comes_out_of_turn_is_seen() {
    let noon = at("2026-10-20T12:30:00Z");
    let account = |account: &str, debits, credits| {
        let (debits, credits) = (Units::new(debits), Units::new(credits));
        let account = account.into();
        let (asset, chain, opening_debit, opening_credit) = (None, None, None, None);
        DayAccount { asset, account, chain, opening_debit, opening_credit, debits, credits }
    };
    let closed = |debits, credits| {
        Event::DayClosed(Box::new(DayClose {
            begins: noon.day_begins_in_brasilia(),
            ends: noon.next_day_in_brasilia(),
            last: ledger_core::id::Seq(2),
            accounts: vec![account("equity.funding", 0, credits), account("prov.pay", debits, 0)],
            statements: Vec::new(),
            matching: None,
            open: Vec::new(),
        }))
    };
    let reopened = || Event::DayReopened { begins: noon.day_begins_in_brasilia() };
    let next_day = || {
        let mut written = Written::new();
        let (from, to) = (OwnAccount::Funding, OwnAccount::ProviderPay);
        written.sound(vec![Event::TreasuryMoved { from, to, amount: amount(500) }], vec![]);
        written.at = noon.next_day_in_brasilia();
        written
    };
    let mut written = next_day();
    written.sound(vec![closed(500, 500)], vec![]);
    assert_eq!(written.record(vec![closed(500, 500)], vec![]), ["OUT-21"]);
    written.sound(vec![reopened()], vec![]);
    assert_eq!(written.record(vec![reopened()], vec![]), ["OUT-21"]);
    written.sound(vec![closed(500, 500)], vec![]);
    assert_eq!(next_day().record(vec![closed(499, 500)], vec![]), ["OUT-21"]);
    assert_eq!(next_day().record(vec![closed(500, 0)], vec![]), ["OUT-21"]);
    let mut early = next_day();
    early.at = noon;
    assert_eq!(early.record(vec![closed(500, 500)], vec![]), ["OUT-21"]);
}

#[test]
fn a_recovery_that_blocks_or_sends_other_than_its_own_is_seen() {
    let (beto, name) = (SubaccountId(2), || "rec-1".into());
    let noon = at("2026-10-20T12:30:00Z");
    let hold = |number| op(Kind::Hold, number);
    let opened = |cents| Event::RecoveryOpened {
        recovery: name(),
        cause: purchase(),
        amount: amount(cents),
        blocks_until: noon,
        decides_until: noon,
    };
    let placed = |number, cause| {
        let order = hold::Order {
            subaccount: beto,
            kind: hold::Kind::Dispute,
            cause: Some(cause),
            requested: amount(4_000),
            watch_until: noon,
            ends_at: None,
            note: None,
            label: None,
        };
        let (from_held, from_available) = (Cents::ZERO, as_cents(3_000));
        let event = hold::Event::Placed { order, from_held, from_available };
        Event::Hold { op: hold(number), event }
    };
    let blocked = |number| Event::RecoveryBlocked { recovery: name(), hold: hold(number) };
    let more = |cents| Event::Hold {
        op: hold(9),
        event: hold::Event::ToppedUp { subaccount: beto, amount: amount(cents) },
    };
    let decided = |cents| Event::RecoveryDecided { recovery: name(), accepted: as_cents(cents) };
    let refunded = |cents| Event::RecoveryRefunded {
        recovery: name(),
        return_id: "D1".into(),
        amount: amount(cents),
    };
    let went = |number, cents| {
        let (subaccount, amount) = (beto, amount(cents));
        let given = hold::Event::Returned { subaccount, amount };
        let sent = charge::Event::ReturnedTraced { subaccount, amount };
        [of_charge(sent), Event::Hold { op: hold(number), event: given }]
    };
    let with = |first: Event, rest: [Event; 2]| [vec![first], rest.to_vec()].concat();
    let made = || {
        let mut written = Written::new();
        written.sound(vec![credited(100)], vec![]);
        written.sound(vec![opened(4_000)], vec![]);
        written.sound(vec![placed(9, purchase()), blocked(9)], vec![]);
        written.sound(vec![placed(10, purchase())], vec![]);
        written
    };
    let seen = |written: &mut Written, events: Vec<Event>| {
        let found = written.record(events, vec![]);
        found.into_iter().filter(|id| *id == "OUT-22").count()
    };
    assert_eq!(seen(&mut made(), vec![more(1_000)]), 0);
    assert_eq!(seen(&mut made(), vec![more(1_001)]), 1);
    assert_eq!(seen(&mut made(), vec![opened(1)]), 2, "opened twice, for less than it blocks");
    assert_eq!(seen(&mut made(), vec![placed(11, op(Kind::Charge, 8)), blocked(11)]), 2);
    assert_eq!(seen(&mut made(), vec![blocked(12)]), 1);
    assert_eq!(seen(&mut made(), vec![decided(2_999)]), 1);
    assert_eq!(seen(&mut made(), vec![decided(4_001)]), 1);
    assert_eq!(seen(&mut made(), with(refunded(1_000), went(9, 1_000))), 1, "not decided");
    let accepted = || {
        let mut written = made();
        written.sound(vec![decided(3_000)], vec![]);
        written
    };
    assert_eq!(seen(&mut accepted(), with(refunded(1_000), went(9, 1_000))), 0);
    assert_eq!(seen(&mut accepted(), with(refunded(1_000), went(10, 1_000))), 1, "not its hold");
    assert_eq!(seen(&mut accepted(), with(refunded(1_000), went(9, 999))), 1, "another amount");
    assert_eq!(seen(&mut accepted(), vec![refunded(1_000)]), 1, "nothing went");
    assert_eq!(seen(&mut accepted(), vec![decided(3_000)]), 1, "decided twice");
}
