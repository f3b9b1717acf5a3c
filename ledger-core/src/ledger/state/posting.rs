//! Posting: balances, what subaccounts owe, and statement rows.

use super::State;
use crate::accounting::{Account, Entry, Fault, Nature, Row, RowKind, Side};
use crate::id::{AccountId, SubaccountId, Token};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::money::Balance;

impl State {
    /// Posts the entry, keeps what subaccounts owe, and writes the statement rows.
    pub(in crate::ledger) fn post(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        index: usize,
        event: &Event,
        entry: &Entry,
    ) -> Result<(), Fault> {
        let partner = partner_of(entry);
        let before = partner.map(|account| self.books.commission(account));
        let touched = self.books.post(entry)?;
        self.book_on_day(entry);
        for &(subaccount, ref before, ref after) in touched.iter() {
            self.keep_deficit(subaccount, before.available, after.available);
            let mut number = before.rows;
            rows(record, index, event, entry, (subaccount, before.total()), |row| {
                number += 1;
                archive.push_row(subaccount, number, row);
            })?;
        }
        if let Some((account, before)) = partner.zip(before) {
            let mut number = before.rows;
            commission_rows(record, index, event, entry, (account, before.balance), |row| {
                number += 1;
                archive.push_commission_row(account, number, row);
            })?;
        }
        Ok(())
    }

    /// Keeps the sum of what an account's subaccounts owe (rulings 25).
    fn keep_deficit(&mut self, subaccount: SubaccountId, before: Balance, after: Balance) {
        if !before.is_negative() && !after.is_negative() {
            return;
        }
        let Some(account) = self.subaccount(subaccount).map(|known| known.account) else { return };
        if self.account(account).is_some_and(|account| account.house == subaccount) {
            return;
        }
        let owed = |balance: Balance| (-balance.cents()).max(0);
        let sum = self.deficits.get(&account).copied().unwrap_or(0);
        let sum = sum.saturating_add(owed(after)).saturating_sub(owed(before));
        if sum == 0 {
            self.deficits.remove(&account);
        } else {
            self.deficits.insert(account, sum);
        }
    }
}

/// The rows of one subaccount, whose balance stood at `balance`: a leg a row, shifts excepted
/// (STM-21).
pub(in crate::ledger) fn rows(
    record: &Record,
    index: usize,
    event: &Event,
    entry: &Entry,
    (subaccount, mut balance): (SubaccountId, Balance),
    mut each: impl FnMut(Row),
) -> Result<(), Fault> {
    for m in entry.moves().filter(|m| m.nature != Nature::Shift) {
        let cents = m.amount.cents();
        for (account, side, value) in
            [(&m.debit, Side::Debit, -cents), (&m.credit, Side::Credit, cents)]
        {
            if account.subaccount() != Some(subaccount) {
                continue;
            }
            let overflow = || Fault::Overflow { account: *account, amount: m.amount };
            balance = balance.plus(value).ok_or_else(overflow)?;
            let said = (event.row_kind(side), m.nature, event.note());
            each(row(record, index, event, (value, balance), said));
        }
    }
    Ok(())
}

/// The partner whose commission the entry moves; no event moves two.
fn partner_of(entry: &Entry) -> Option<AccountId> {
    let partner = |account: &Account| match account {
        Account::Commission(partner) => Some(*partner),
        _ => None,
    };
    entry.moves().find_map(|m| partner(&m.debit).or_else(|| partner(&m.credit)))
}

/// The rows of a partner's own ledger, which stood at `balance`, a leg a row (COM-03).
pub(in crate::ledger) fn commission_rows(
    record: &Record,
    index: usize,
    event: &Event,
    entry: &Entry,
    (partner, mut balance): (AccountId, Balance),
    mut each: impl FnMut(Row),
) -> Result<(), Fault> {
    let account = Account::Commission(partner);
    for m in entry.moves() {
        let value = match () {
            () if m.debit == account => -m.amount.cents(),
            () if m.credit == account => m.amount.cents(),
            () => continue,
        };
        balance = balance.plus(value).ok_or(Fault::Overflow { account, amount: m.amount })?;
        let said = (event.commission_row(), m.nature, None);
        each(row(record, index, event, (value, balance), said));
    }
    Ok(())
}

/// A row of what an event did to a balance.
#[inline]
fn row(
    record: &Record,
    index: usize,
    event: &Event,
    (value, balance_after): (i64, Balance),
    (kind, nature, note): (RowKind, Nature, Option<Token>),
) -> Row {
    Row {
        seq: record.seq,
        event: u16::try_from(index).expect("a record holds fewer than 65,536 events"),
        at: record.at,
        op: event.op().expect("events with rows belong to an operation"),
        kind,
        nature,
        value: Balance::new(value),
        balance_after,
        note,
    }
}
