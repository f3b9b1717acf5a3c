//! Comparison of the oracle's books with the ledger's.

mod access;
mod deliveries;
mod holds;
mod products;
mod sales;
pub(super) mod trial;
mod wallets;
pub(super) mod wire;

use self::deliveries::{
    conversion_found, conversion_of, erroneous_delivery_found, erroneous_delivery_of,
    purchase_found, purchase_of,
};
use self::holds::{hold_found, hold_of};
use self::products::entry_found;
use self::sales::{compare_sale, unmatched_found, unmatched_of};
use self::wallets::{
    deposit_found, deposit_of, payment_found, payment_of, quote_found, quote_of, withdrawal_found,
    withdrawal_of,
};
use ledger_core::accounting::{Account, Control, Nature};
use ledger_core::id::{AccountId, Kind, OpId, SubaccountId};
use ledger_core::ledger::{Archive, Command, Execution, Operation, Record, State, TaskKind};
use ledger_core::machine::{charge, payout, suspense};

use crate::domains::each_kind;
use crate::failure::wrong::Mismatch;
use crate::oracle::{ChargeStatus, Oracle, PayoutStatus, RowOf, WaitingStatus};
use crate::system_under_test::SystemUnderTest;

/// Compares what the last command touched: buckets, rows, operations, totals that may have moved.
pub(crate) fn compare_touched(
    oracle: &Oracle,
    subject: &SystemUnderTest,
    unmoved: bool,
) -> Result<(), Mismatch> {
    compare_clock(oracle, subject)?;
    if !unmoved {
        compare_controls(oracle, subject)?;
    }
    for account in &oracle.trace.commissions {
        compare_commission(oracle, subject, *account)?;
    }
    if oracle.trace.coins {
        compare_coins(oracle, subject)?;
    }
    if oracle.trace.access {
        access::compare(oracle, subject)?;
    }
    for subaccount in &oracle.trace.subaccounts {
        compare_subaccount(oracle, subject, *subaccount, 4)?;
    }
    oracle.trace.ops.iter().try_for_each(|op| compare_operation(oracle, subject, *op))
}

/// Compares the records a command left: how many, when each counts, and which are deadlines.
pub(crate) fn compare_dates(
    oracle: &Oracle,
    command: &Command,
    records: &[Record],
) -> Result<(), Mismatch> {
    let found = records.iter().map(|record| record.at);
    equal_lists("the dates of the records", &oracle.trace.dates, found)?;
    let last = records.len().saturating_sub(1);
    for (place, record) in records.iter().enumerate() {
        let own = place == last && !record.cause.deadline;
        let told = (own && command.at != record.at).then_some(command.at);
        equal("an instant taken as the ledger's", told, record.original)?;
        if !own && !record.cause.deadline {
            return Err(format!("record {:?} is neither a deadline nor the last", record.seq));
        }
    }
    Ok(())
}

/// Compares everything the oracle keeps.
pub(crate) fn compare_all(oracle: &Oracle, subject: &SystemUnderTest) -> Result<(), Mismatch> {
    compare_clock(oracle, subject)?;
    compare_controls(oracle, subject)?;
    compare_coins(oracle, subject)?;
    access::compare(oracle, subject)?;
    let state = &subject.ledger.state;
    for index in 0..oracle.accounts.len() {
        let account = AccountId(u32::try_from(index).expect("few accounts"));
        compare_commission(oracle, subject, account)?;
    }
    let owed = oracle.accounts.iter().filter(|account| !account.commission_rows.is_empty());
    equal("commissions", owed.count(), state.books.commissions().count())?;
    equal("subaccounts", oracle.subaccounts.len(), state.books.subaccount_count())?;
    for index in 0..oracle.subaccounts.len() {
        let subaccount = SubaccountId(u32::try_from(index).expect("few subaccounts"));
        compare_subaccount(oracle, subject, subaccount, usize::MAX)?;
        let name = subject.ledger.archive.customer(subaccount);
        equal("a subaccount's name", oracle.subaccounts[index].customer.as_deref(), name)?;
    }
    let ops = oracle.charges.keys().chain(oracle.payouts.keys());
    let ops = ops.chain(oracle.holds.keys()).chain(oracle.suspense.keys());
    let ops = ops.chain(oracle.conversions.keys()).chain(oracle.erroneous_deliveries.keys());
    let ops = ops.chain(oracle.sales.keys()).chain(oracle.unmatched.keys());
    sales::compare_days(oracle, state)?;
    let ops = ops.chain(oracle.wallet_deposits.keys()).chain(oracle.payments.keys());
    let ops = ops.chain(oracle.withdrawals.keys()).chain(oracle.quotes.keys());
    let ops = ops.chain(oracle.entries.keys());
    for op in ops {
        compare_operation(oracle, subject, *op)?;
    }
    equal("deadlines", oracle.waiting_for_time(), state.deadlines().count())
}

fn compare_clock(oracle: &Oracle, subject: &SystemUnderTest) -> Result<(), Mismatch> {
    let state = &subject.ledger.state;
    equal("the last record's number", oracle.seq, state.seq.0)?;
    equal("the ledger's time", oracle.now, state.now)
}

fn compare_controls(oracle: &Oracle, subject: &SystemUnderTest) -> Result<(), Mismatch> {
    let (totals, rewards) = (&oracle.totals, oracle.rewards());
    let expected = [
        (Control::ProviderPix, totals.provider_pix),
        (Control::ProviderPay, totals.provider_pay),
        (Control::ProviderClaim, totals.provider_claim),
        (Control::Funding, totals.funding),
        (Control::PixInFlight, totals.pix_in_flight),
        (Control::PayoutInFlight, totals.payouts_in_flight),
        (Control::Commission, totals.commissions.iter().sum()),
        (Control::TariffDue, totals.tariff_due),
        (Control::SuspensePix, totals.suspense),
        (Control::DepositIncome, totals.deposit_income),
        (Control::PayoutIncome, totals.payout_income),
        (Control::Loss, totals.loss),
        (Control::ConversionInFlight, totals.conversions_in_flight),
        (Control::PurchaseIncome, totals.purchase_income),
        (Control::ConversionIncome, totals.conversion_income),
        (Control::Fx, totals.fx),
        (Control::SaleInFlight, totals.sales_in_flight),
        (Control::SaleIncome, totals.sale_income),
        (Control::ReserveIncome, totals.reserve_income),
        (Control::Rounding, totals.rounding),
        (Control::Exchange, totals.exchange),
        (Control::Reward, rewards),
        (Control::RewardExpense, rewards),
        (Control::Cells, totals.cells),
    ];
    let books = &subject.ledger.state.books;
    products::compare(oracle, books)?;
    let mut expected = expected.into_iter();
    expected.try_for_each(|(it, cents)| equal(it.name(), i128::from(cents), books.balance(it)))
}

/// What a partner is owed, and the last row of its own ledger.
fn compare_commission(
    oracle: &Oracle,
    subject: &SystemUnderTest,
    id: AccountId,
) -> Result<(), Mismatch> {
    let found = subject.ledger.state.books.commission(id);
    let cents = oracle.totals.commissions[id.0 as usize];
    equal("an account's commission", cents, found.balance.cents())?;
    let rows = &oracle.accounts[id.0 as usize].commission_rows;
    equal("rows of a commission", rows.len(), found.rows as usize)?;
    let row = subject.ledger.archive.commission_row(id, found.rows);
    let row = row.map(|row| (row.op, row.kind, row.value.cents()));
    equal("the last row of a commission", rows.last().copied(), row)
}

fn compare_coins(oracle: &Oracle, subject: &SystemUnderTest) -> Result<(), Mismatch> {
    let books = &subject.ledger.state.books;
    let expected = oracle.coins.iter().map(|((asset, account), units)| (*asset, *account, *units));
    if expected.clone().eq(books.coins()) {
        return Ok(());
    }
    equal("the books of crypto", expected.collect(), books.coins().collect::<Vec<_>>())
}

fn compare_subaccount(
    oracle: &Oracle,
    subject: &SystemUnderTest,
    id: SubaccountId,
    rows: usize,
) -> Result<(), Mismatch> {
    let expected = &oracle.subaccounts[id.0 as usize];
    let state = &subject.ledger.state;
    let found = state.books.subaccount(id);
    let buckets = (found.available.cents(), found.held.cents(), found.frozen.cents());
    let named = || format!("{id:?}: available, held, frozen");
    equal_named(named, (expected.available, expected.held, expected.frozen), buckets)?;
    let waiting = state.subaccount(id).and_then(|known| known.waiting_until);
    equal("a waiting period's end", expected.waiting_until, waiting)?;
    equal("what may be spent", oracle.spendable(id), state.spendable(id))?;
    equal("statement rows", expected.rows.len(), found.rows as usize)?;
    let skipped = expected.rows.len().saturating_sub(rows);
    for (number, row) in (1..).zip(&expected.rows).skip(skipped) {
        let found = subject.ledger.archive.row(id, number);
        let found = found.map(|row| {
            let reported = match row.nature {
                Nature::Principal => RowOf::Principal(row.value.cents()),
                Nature::Fee | Nature::Shift => RowOf::Fee(row.value.cents()),
            };
            (row.op, row.kind, reported)
        });
        equal_named(|| format!("{id:?}, statement row {number}"), Some(*row), found)?;
    }
    Ok(())
}

/// Compares an operation by what its kind has.
macro_rules! checker_column {
    ($oracle:ident $state:ident $op:ident $found:ident
        $($($kind:ident)|+, $list:tt, $expect:tt, [$($compare:ident)?], $time:tt;)*) => {
        match $op.kind() {
            $($(Kind::$kind)|+ => Ok(())$(.and($compare($oracle, $state, $op, $found)))?,)*
        }
    };
}

fn compare_operation(oracle: &Oracle, subject: &SystemUnderTest, op: OpId) -> Result<(), Mismatch> {
    let (state, archive) = (&subject.ledger.state, &subject.ledger.archive);
    let archived;
    let found = match state.open(op) {
        Some(found) => found,
        None => {
            archived = archive.ended_operation(op).ok_or_else(|| format!("{op:?} is nowhere"))?;
            &archived
        }
    };
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

/// Compares what clients are notified of and what the world is asked with the transitions foreseen
/// (EVT-08, EVT-09); nothing is settled twice (INV-35).
pub(crate) fn compare_notices(oracle: &Oracle, execution: &Execution) -> Result<(), Mismatch> {
    let found =
        execution.notifications.iter().map(|notification| (notification.op, notification.topic));
    equal_lists("the notices", &oracle.trace.notifications, found)?;
    equal("what was settled twice", None, oracle.trace.twice)?;
    let found = execution.instructions.iter().map(|it| match it.task.kind() {
        TaskKind::SendPix | TaskKind::Withdraw | TaskKind::Pay | TaskKind::Sell => (it.op, None),
        TaskKind::Deliver | TaskKind::PaySale | TaskKind::Refund => {
            (it.op, Some(it.task.attempt()))
        }
    });
    equal_lists("the instructions", &oracle.trace.tasks, found)
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

fn equal_lists<T: Copy + PartialEq + std::fmt::Debug>(
    what: &str,
    expected: &[T],
    found: impl Iterator<Item = T> + Clone,
) -> Result<(), Mismatch> {
    if found.clone().eq(expected.iter().copied()) {
        return Ok(());
    }
    equal(what, expected, &found.collect::<Vec<_>>())
}

fn equal<T: PartialEq + std::fmt::Debug>(
    what: &str,
    expected: T,
    found: T,
) -> Result<(), Mismatch> {
    equal_named(|| what.into(), expected, found)
}

#[allow(clippy::needless_pass_by_value)] // Mostly numbers: a reference at each call would say less.
fn equal_named<T: PartialEq + std::fmt::Debug>(
    what: impl FnOnce() -> String,
    expected: T,
    found: T,
) -> Result<(), Mismatch> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{}: the oracle has {expected:?}, the ledger {found:?}", what()))
    }
}
