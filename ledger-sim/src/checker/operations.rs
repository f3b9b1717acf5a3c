//! Comparison of operations, the oracle's with the ledger's: charges, payouts, suspense, blocks and
//! entries here, the others in files of their own.

use ledger_core::accounting::Account;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::{Operation, State};
use ledger_core::machine::{charge, entry, hold, payout, suspense};
use ledger_core::money::Cents;

use super::deliveries::{
    conversion_found, conversion_of, erroneous_delivery_found, erroneous_delivery_of,
    purchase_found, purchase_of,
};
use super::equal_named;
use super::sales::{compare_sale, unmatched_found, unmatched_of};
use super::wallets::{
    deposit_found, deposit_of, payment_found, payment_of, quote_found, quote_of, withdrawal_found,
    withdrawal_of,
};
use crate::domains::each_kind;
use crate::failure::wrong::Mismatch;
use crate::oracle::{ChargeStatus, Oracle, PayoutStatus, WaitingStatus};

/// Compares an operation by what its kind has.
macro_rules! checker_column {
    ($oracle:ident $state:ident $op:ident $found:ident
        $($($kind:ident)|+, $list:tt, $expect:tt, [$($compare:ident)?], $time:tt;)*) => {
        match $op.kind() {
            $($(Kind::$kind)|+ => Ok(())$(.and($compare($oracle, $state, $op, $found)))?,)*
        }
    };
}

pub(super) fn compare(
    oracle: &Oracle,
    state: &State,
    op: OpId,
    found: &Operation,
) -> Result<(), Mismatch> {
    each_kind!(checker_column oracle state op found)
}

/// Comparisons of an operation as the oracle has it with the ledger's, a line each.
macro_rules! compares {
    ($($name:ident: |$oracle:pat_param, $state:pat_param, $op:pat_param, $it:pat_param|
        $expected:expr, $found:expr;)*) => {$(
        fn $name(
            oracle: &Oracle,
            state: &State,
            op: OpId,
            found: &Operation,
        ) -> Result<(), Mismatch> {
            let ($oracle, $state, $op, $it) = (oracle, state, op, found);
            equal_named(|| format!("{op:?}"), $expected, $found)
        }
    )*};
}

compares! {
    compare_payout: |it, state, op, found| payout_of(it, op), payout_found(state, op, found);
    compare_hold: |it, _, op, found| Some(hold_of(it, op)), hold_found(found);
    compare_suspense: |it, _, op, found| Some(suspense_of(it, op)), suspense_found(found);
    compare_conversion: |it, state, op, found|
        Some(conversion_of(it, op)), conversion_found(state, op, found);
    compare_erroneous_delivery: |it, _, op, found|
        Some(erroneous_delivery_of(it, op)), erroneous_delivery_found(found);
    compare_deposit: |it, _, op, found| Some(deposit_of(it, op)), deposit_found(found);
    compare_withdrawal: |it, state, op, found|
        Some(withdrawal_of(it, op)), withdrawal_found(state, op, found);
    compare_quote: |it, _, op, found| Some(quote_of(it, op)), quote_found(found);
    compare_payment: |it, _, op, found| Some(payment_of(it, op)), payment_found(found);
    compare_unmatched: |it, _, op, found| Some(unmatched_of(it, op)), unmatched_found(found);
    compare_entry: |it, _, op, found| Some(it.entries[&op].reversed), entry_found(found);
}

/// Compares a charge, and what it buys.
fn compare_charge(
    oracle: &Oracle,
    state: &State,
    op: OpId,
    found: &Operation,
) -> Result<(), Mismatch> {
    equal_named(|| format!("{op:?}"), charge_of(oracle, op), charge_found(state, op, found))?;
    equal_named(|| format!("{op:?}"), purchase_of(oracle, op), purchase_found(state, op, found))
}

/// Status, gross, fee, held part, returned since the credit, and in flight.
type ChargeView = (Option<ChargeStatus>, [i64; 4], i64);

fn charge_of(oracle: &Oracle, op: OpId) -> ChargeView {
    let charge = &oracle.charges[&op];
    if charge.buy.is_some() && charge.credited {
        return (Some(charge.status), [0; 4], 0);
    }
    let reported = [charge.gross, charge.fee_taken, charge.part, charge.returned_since];
    let reported = if charge.status == ChargeStatus::Paid { reported } else { [0; 4] };
    let delayed = matches!(charge.status, ChargeStatus::UnderReview | ChargeStatus::Delayed);
    (Some(charge.status), reported, if delayed { charge.returnable() } else { 0 })
}

fn charge_found(state: &State, op: OpId, operation: &Operation) -> ChargeView {
    use charge::State as Charge;
    let in_flight = state.books.flight(Account::PixInFlight(op));
    let Some(charge) = operation.charge() else { return (None, [0; 4], in_flight) };
    let status = match charge {
        Charge::Pending(_) => ChargeStatus::Pending,
        Charge::Expired(_) => ChargeStatus::Expired,
        Charge::Failed(_) => ChargeStatus::Failed,
        Charge::UnderReview(_) => ChargeStatus::UnderReview,
        Charge::Delayed(_) => ChargeStatus::Delayed,
        Charge::Bought(bought) => {
            let refunded = bought.is_refunded();
            let status = if refunded { ChargeStatus::Refunded } else { ChargeStatus::Paid };
            return (Some(status), [0; 4], 0);
        }
        Charge::Refunded(_) => ChargeStatus::Refunded,
        Charge::Paid(paid) => {
            let credit = &paid.credit;
            let (gross, fee) = (credit.gross.cents(), credit.fee.cents());
            let reported = [gross, fee, paid.held.cents(), paid.returned.cents()];
            return (Some(ChargeStatus::Paid), reported, in_flight);
        }
        Charge::Absent => return (None, [0; 4], in_flight),
    };
    (Some(status), [0; 4], in_flight)
}

/// Status, returned, and in flight.
type PayoutView = (Option<PayoutStatus>, i64, i64);

fn payout_of(oracle: &Oracle, op: OpId) -> PayoutView {
    let payout = &oracle.payouts[&op];
    let in_flight = if payout.is_under_way() { payout.total_debit() } else { 0 };
    (Some(payout.status), payout.returned, in_flight)
}

fn payout_found(state: &State, op: OpId, operation: &Operation) -> PayoutView {
    use payout::State as Payout;
    let in_flight = state.books.flight(Account::PayoutInFlight(op));
    let Some(payout) = operation.payout() else { return (None, 0, in_flight) };
    let (status, returned) = match payout {
        Payout::Requested(_) => (PayoutStatus::Requested, 0),
        Payout::UnderReview(_) => (PayoutStatus::UnderReview, 0),
        Payout::Submitted(_) => (PayoutStatus::Submitted, 0),
        Payout::Uncertain(_) => (PayoutStatus::Uncertain, 0),
        Payout::Failed(_) => (PayoutStatus::Failed, 0),
        Payout::Completed(paid) => (PayoutStatus::Completed, paid.returned.cents()),
        Payout::Returned(paid) => (PayoutStatus::Returned, paid.returned.cents()),
        Payout::Absent => return (None, 0, in_flight),
    };
    (Some(status), returned, in_flight)
}

fn suspense_of(oracle: &Oracle, op: OpId) -> (WaitingStatus, i64) {
    let waiting = &oracle.suspense[&op];
    (waiting.status, waiting.amount)
}

fn suspense_found(operation: &Operation) -> Option<(WaitingStatus, i64)> {
    match operation.suspense()? {
        suspense::State::Absent => None,
        suspense::State::Waiting(order) => Some((WaitingStatus::Waiting, order.amount.cents())),
        suspense::State::Attached(order, charge) => {
            Some((WaitingStatus::Attached(*charge), order.amount.cents()))
        }
        suspense::State::Returned(order) => Some((WaitingStatus::Returned, order.amount.cents())),
    }
}

/// Tells whether it is over and reserved; what it blocks, let go, gave, and is short of.
type HoldView = ([bool; 2], [i64; 4]);

fn hold_of(oracle: &Oracle, op: OpId) -> HoldView {
    let hold = &oracle.holds[&op];
    ([hold.closed, hold.reserved], hold.amounts())
}

fn hold_found(operation: &Operation) -> Option<HoldView> {
    let state = operation.hold()?;
    let closed = matches!(state, hold::State::Closed(_));
    let amounts = state.amounts()?;
    let reserved = amounts.order.kind == hold::Kind::Reservation;
    let sums = [amounts.blocked_cents(), amounts.released, amounts.settled, amounts.shortfall()];
    Some(([closed, reserved], sums.map(Cents::cents)))
}

/// Tells whether an entry was taken back.
fn entry_found(found: &Operation) -> Option<bool> {
    found.entry().map(|entry| matches!(entry, entry::State::Reversed(_)))
}
