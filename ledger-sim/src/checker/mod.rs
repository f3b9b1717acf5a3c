//! Comparison of the oracle's books with the ledger's.

mod access;
mod deliveries;
mod operations;
pub(super) mod recoveries;
mod sales;
pub(super) mod trial;
mod wallets;
pub(super) mod wire;

use std::collections::BTreeMap;

use ledger_core::accounting::{Books, Control, Nature};
use ledger_core::id::{AccountId, OpId, ProductAccount, SubaccountId};
use ledger_core::ledger::{Archive, Command, Execution, Record, TaskKind};

use crate::failure::wrong::Mismatch;
use crate::oracle::{Book, Oracle, RowOf};
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
    if oracle.trace.recoveries > 0 {
        recoveries::compare(oracle, &subject.ledger.state)?;
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
    recoveries::compare(oracle, state)?;
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
    compare_products(oracle, books)?;
    let mut expected = expected.into_iter();
    expected.try_for_each(|(it, cents)| equal(it.name(), i128::from(cents), books.balance(it)))
}

/// Compares every account of a product that is not empty.
fn compare_products(oracle: &Oracle, books: &Books) -> Result<(), Mismatch> {
    let declared = oracle.products.balances.iter().filter_map(|(book, cents)| {
        let Book::Product(number, holder) = *book else { return None };
        let class = oracle.products.accounts[number].class;
        let number = u32::try_from(number).expect("few accounts");
        let account = class.account(ProductAccount { number, holder });
        (*cents != 0).then_some((account, *cents))
    });
    let found = books.flights().filter(|(account, _)| account.product().is_some());
    let expected: BTreeMap<_, _> = declared.collect();
    equal("the accounts of products", expected, found.collect())
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
    self::operations::compare(oracle, state, op, found)
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
