//! Conversions of custody and withdrawals of commission: W18, W20, W21, W72; rulings 36 and 38.

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::{ConversionRequest, Fact, GiveUpTo, Machine, Outcome, Refusal};
use ledger_core::machine::conversion::State;
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::terms::{Policy, Switch, Terms};
use ledger_core::time::Span;

use super::counter::{conversion, minimum, partnered};
use super::{Harness, created, instant, unlimited};
use crate::samples::{amount, at, balance, listing};

/// Ana has 200.00 available, and USDT is offered.
fn funded(terms: Terms) -> Harness {
    let mut harness = Harness::trading(terms);
    harness.deposit(Some("ana"), 20_100);
    harness
}

#[test]
fn a_conversion_debits_amount_and_fees_and_earns_them_when_it_is_sent() {
    // W18 and W21: 330 bps, and the partner's 50 on exits.
    let mut harness = funded(partnered());
    let op = created(harness.convert(conversion(Some("ana"), 10_000)).unwrap());
    assert_eq!(harness.balances("ana"), [9_620, 0, 0]);
    assert_eq!(harness.total(Control::ConversionInFlight), 10_380);
    harness.deliver(op, DeliveryReport::Begin);
    assert_eq!(
        (harness.total(Control::ConversionInFlight), harness.total(Control::Fx)),
        (380, 10_000)
    );
    assert_eq!(harness.coin(CoinAccount::DeliveryInFlight(op)), 18_518_518);
    assert_eq!((harness.total(Control::ConversionIncome), harness.commission()), (0, 0));
    harness.deliver(op, DeliveryReport::Confirm("0xa1".into()));
    assert_eq!(
        (harness.total(Control::ConversionInFlight), harness.total(Control::ConversionIncome)),
        (0, 330)
    );
    assert_eq!((harness.commission(), harness.coin(CoinAccount::DeliveryInFlight(op))), (50, 0));
    assert!(
        harness
            .rows("ana")
            .ends_with("Conversion -10000 principal, 10000\nConversion -380 fee, 9620\n")
    );
}

#[test]
fn too_little_available_and_a_cap_refuse_and_change_nothing() {
    // W18, W20, INV-06, INV-18.
    let mut harness = Harness::trading(instant());
    harness.deposit(Some("ana"), 10_000);
    let available = balance(9_900);
    let poor = harness.convert(conversion(Some("ana"), 10_000));
    assert_eq!(poor, Err(Refusal::FundsInsufficient { available }));
    harness.deposit(Some("ana"), 10_100);
    let capped =
        |cents| ConversionRequest { cap: Some(amount(cents)), ..conversion(Some("ana"), 10_000) };
    let debited = amount(10_330);
    let records = harness.records.len();
    assert_eq!(harness.convert(capped(10_329)), Err(Refusal::AboveCap { debited }));
    assert_eq!((harness.records.len(), harness.balances("ana")), (records, [19_900, 0, 0]));
    assert!(harness.convert(capped(10_330)).is_ok());
    assert_eq!(harness.balances("ana"), [9_570, 0, 0]);
}

#[test]
fn a_stranger_has_nothing_to_convert_and_a_small_amount_buys_nothing() {
    let mut harness = Harness::open(instant());
    harness.list(listing(1_011_000, 0));
    harness.quote("usdt", "5.40");
    harness.deposit(Some("ana"), 10_100);
    let available = balance(0);
    let stranger = harness.convert(conversion(Some("zoe"), 10_000));
    assert_eq!(stranger, Err(Refusal::FundsInsufficient { available }));
    // INV-43: the smallest that passes, and one centavo less.
    assert_eq!(minimum(harness.convert(conversion(Some("ana"), 545))), Some(546));
    assert!(harness.convert(conversion(Some("ana"), 546)).is_ok());
}

#[test]
fn a_definite_failure_refunds_rows_of_its_own_and_an_unknown_outcome_nothing() {
    // A3, W72.
    let mut harness = funded(partnered());
    let op = created(harness.convert(conversion(Some("ana"), 10_000)).unwrap());
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Lose);
    assert_eq!(harness.give_up(op, GiveUpTo::Custody), Outcome::SetAside(None));
    harness.pass("2026-12-24T12:00:00Z");
    assert_eq!(
        (harness.balances("ana")[0], harness.total(Control::ConversionInFlight)),
        (9_620, 380)
    );
    harness.deliver(op, DeliveryReport::Fail);
    assert_eq!(harness.give_up(op, GiveUpTo::Payer("D-1".into())), Outcome::SetAside(None));
    assert_eq!(harness.give_up(op, GiveUpTo::Custody), Outcome::Applied(None));
    assert_eq!(harness.give_up(op, GiveUpTo::Custody), Outcome::Known);
    assert!(matches!(harness.operation(op).machine, Machine::Conversion(State::Refunded(_))));
    assert_eq!(
        harness.rows("ana"),
        "\
Deposit +20100 principal, 20100
Deposit -100 fee, 20000
Conversion -10000 principal, 10000
Conversion -380 fee, 9620
Reversal +10000 principal, 19620
Reversal +380 fee, 20000
"
    );
    assert_eq!((harness.total(Control::Fx), harness.coin(CoinAccount::Fx)), (0, 0));
    let astray = harness.deliver(op, DeliveryReport::Confirm("0xa1".into()));
    assert!(matches!(astray, Outcome::SetAside(Some(_))), "{astray:?}");
}

#[test]
fn a_conversion_repeated_is_the_original_and_another_is_refused() {
    // Rulings 7.
    let mut harness = funded(instant());
    let named = |cents| ConversionRequest {
        external_id: Some("out-1".into()),
        ..conversion(Some("ana"), cents)
    };
    let op = created(harness.convert(named(5_000)).unwrap());
    assert_eq!(harness.convert(named(5_000)), Ok(Outcome::Repeated(op)));
    assert!(matches!(harness.convert(named(5_001)), Err(Refusal::IdentityDiverges { .. })));
    assert_eq!(harness.balances("ana"), [20_000 - 5_165, 0, 0]);
}

#[test]
fn a_pause_refuses_new_conversions_only() {
    let mut harness = funded(instant());
    let op = created(harness.convert(conversion(Some("ana"), 5_000)).unwrap());
    let paused = Policy { conversions_paused: Switch::On, ..unlimited() };
    harness.fact(Fact::Account(AccountFact::PolicyAdopted(paused)));
    let refused = harness.convert(conversion(Some("ana"), 5_000));
    assert_eq!(refused, Err(Refusal::ConversionsPaused));
    assert_eq!(harness.deliver(op, DeliveryReport::Begin), Outcome::Applied(None));
}

/// A ledger whose partner is owed 100.00 of commission.
pub fn owed(policy: Policy) -> Harness {
    let terms = Terms { purchase_partner: crate::samples::bps(5_000), ..instant() };
    let mut harness = Harness::under(policy, terms);
    harness.list(listing(1, 100_000));
    harness.quote("usdt", "5.40");
    harness.bought(20_000);
    assert_eq!(harness.commission(), 10_000);
    harness
}

fn withdrawal(id: &str, cents: i64) -> ConversionRequest {
    ConversionRequest { external_id: Some(id.into()), ..conversion(None, cents) }
}

#[test]
fn commission_is_withdrawn_from_what_is_owed_without_a_fee() {
    // Rulings 38, A16.
    let mut harness = owed(unlimited());
    let available = balance(10_000);
    let more = harness.convert(conversion(None, 10_001));
    assert_eq!(more, Err(Refusal::FundsInsufficient { available }));
    let op = created(harness.convert(withdrawal("w-1", 9_000)).unwrap());
    assert_eq!((harness.commission(), harness.total(Control::ConversionInFlight)), (1_000, 9_000));
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Confirm("0xa1".into()));
    assert_eq!((harness.commission(), harness.total(Control::ConversionInFlight)), (1_000, 0));
    assert_eq!(
        (harness.total(Control::ConversionIncome), harness.total(Control::Commission)),
        (0, 1_000)
    );
    assert_eq!(
        harness.commission_rows(),
        "CommissionEarned +10000, 10000\nCommissionWithdrawn -9000, 1000\n"
    );
}

#[test]
fn a_withdrawal_that_definitely_failed_returns_to_the_commission() {
    let mut harness = owed(unlimited());
    let op = created(harness.convert(withdrawal("w-1", 9_000)).unwrap());
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Lose);
    assert_eq!(harness.give_up(op, GiveUpTo::Custody), Outcome::SetAside(None));
    harness.deliver(op, DeliveryReport::Fail);
    assert_eq!(harness.give_up(op, GiveUpTo::Custody), Outcome::Applied(None));
    assert_eq!((harness.commission(), harness.total(Control::ConversionInFlight)), (10_000, 0));
    assert!(harness.commission_rows().ends_with("CommissionRestored +9000, 10000\n"));
}

#[test]
fn commission_is_withdrawn_once_in_an_interval_and_a_retry_answers_with_the_original() {
    // COM-06, P:CommissionCheckOrder.
    let mut harness = owed(unlimited());
    harness.now = at("2026-10-20T13:00:00Z");
    let op = created(harness.convert(withdrawal("w-1", 1_000)).unwrap());
    assert_eq!(harness.convert(withdrawal("w-1", 1_000)), Ok(Outcome::Repeated(op)));
    harness.now = at("2026-10-21T12:59:59.999999Z");
    let until = at("2026-10-21T13:00:00Z");
    let lately = harness.convert(withdrawal("w-2", 1_000));
    let wait = until.since(at("2026-10-21T12:59:59.999999Z"));
    assert_eq!(lately, Err(Refusal::WithdrawnLately { until, wait }));
    harness.now = until;
    assert!(harness.convert(withdrawal("w-2", 1_000)).is_ok());
    // The other way round, a retry within the interval is refused as well.
    let first = Policy { interval_before_reference: Switch::On, ..unlimited() };
    let mut harness = owed(first);
    created(harness.convert(withdrawal("w-1", 1_000)).unwrap());
    let retried = harness.convert(withdrawal("w-1", 1_000));
    assert!(matches!(retried, Err(Refusal::WithdrawnLately { .. })), "{retried:?}");
    let none = Policy { commission_interval: None, ..unlimited() };
    let mut harness = owed(none);
    created(harness.convert(withdrawal("w-1", 1_000)).unwrap());
    assert!(harness.convert(withdrawal("w-2", 1_000)).is_ok());
    assert_eq!(Span::hours(24), unlimited().commission_interval.unwrap());
}

#[test]
fn a_waiting_period_gates_conversions_of_custody() {
    let mut harness = Harness::trading(Terms { waiting_hours: 24, ..instant() });
    harness.deposit(Some("ana"), 20_100);
    let waits = harness.convert(conversion(Some("ana"), 5_000));
    assert!(matches!(waits, Err(Refusal::Waiting { .. })), "{waits:?}");
}
