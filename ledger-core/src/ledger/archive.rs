//! What the ledger remembers beyond what is open: identities, ended operations, statement rows.

mod map_archive;

use std::hint::black_box;

use super::record::{ExternalId, Record};
use super::registry::Operation;
use crate::accounting::Row;
use crate::id::{AccountId, Kind, OpId, Seq, SubaccountId};
use crate::machine::transfer;
use crate::money::Balance;
use crate::time::Instant;

pub use map_archive::MapArchive;

/// A memory consulted by key. The core decides on what it says and tells it what happened; where it
/// is kept (memory, a database) is the store's business.
pub trait Archive: 'static {
    /// The subaccount an account calls by this name.
    fn subaccount(&self, account: AccountId, customer: &str) -> Option<SubaccountId>;
    /// The subaccounts of several names at once, for an archive whose lookups can wait for memory
    /// together.
    fn subaccounts(&self, named: &[(AccountId, &str)], each: &mut dyn FnMut(Option<SubaccountId>)) {
        for (account, customer) in named {
            each(self.subaccount(*account, customer));
        }
    }
    /// The name of a subaccount; none for a house balance.
    fn customer(&self, subaccount: SubaccountId) -> Option<&str>;
    /// The operation an account created under this id of its own.
    fn identity(&self, account: AccountId, kind: Kind, external_id: &str) -> Option<OpId>;
    /// Reads what [`Archive::identity`] will read first of these, without waiting for it, so that
    /// the waits for many overlap.
    fn look_ahead(&self, identities: &[(AccountId, Kind, &str)]) {
        for (account, kind, external_id) in identities {
            black_box(self.identity(*account, *kind, external_id));
        }
    }
    /// The record that first brought this fact.
    fn fact_seq(&self, outside: &ExternalId) -> Option<Seq>;
    /// Reads what [`Archive::fact_seq`] will read first of these, without waiting for it.
    fn look_ahead_facts(&self, facts: &[&ExternalId]) {
        let _ = facts;
    }
    /// A record by its number; none beyond the last, nor from an archive that keeps what records
    /// say as values: it can decide, and not answer what only a record tells.
    fn record(&self, seq: Seq) -> Option<Record> {
        let _ = seq;
        None
    }
    /// The records before `seq` that moved an operation, in order; all since it began where the
    /// archive keeps no list of them.
    fn records_of(&self, op: OpId, seq: Seq) -> Vec<Record> {
        (op.seq().0..seq.0).filter_map(|number| self.record(Seq(number))).collect()
    }
    /// An operation that has ended, as it stood then.
    fn ended_operation(&self, op: OpId) -> Option<Operation>;
    /// A subaccount's statement row by its number, from 1.
    fn row(&self, subaccount: SubaccountId, number: u32) -> Option<Row>;
    /// The balance that a subaccount's last statement row tells; none without a row.
    fn balance_after(&self, subaccount: SubaccountId) -> Option<Balance>;
    /// Reads what [`Archive::push_row`] will read of these subaccounts, without waiting for it.
    fn look_ahead_rows(&self, subaccounts: &[SubaccountId]) {
        let _ = subaccounts;
    }
    /// The balance of a subaccount of `rows` statement rows after the last of them that is dated at
    /// or before `at`; zero before the first. None where a row cannot be read.
    fn balance_at(&self, subaccount: SubaccountId, rows: u32, at: Instant) -> Option<Balance> {
        self.balance_by_rows(subaccount, rows, at)
    }
    /// Finds what [`Archive::balance_at`] gives by [`Archive::row`] alone.
    ///
    /// Rows are dated in their order, so that of all of them a few are looked at.
    fn balance_by_rows(&self, subaccount: SubaccountId, rows: u32, at: Instant) -> Option<Balance> {
        let (mut balance, mut low, mut high) = (Balance::ZERO, 0, rows);
        while low < high {
            let middle = low + (high - low) / 2;
            let row = self.row(subaccount, middle + 1)?;
            if row.at <= at {
                (balance, low) = (row.balance_after, middle + 1);
            } else {
                high = middle;
            }
        }
        Some(balance)
    }
    /// A row of a partner's commission by its number, from 1 (COM-03).
    fn commission_row(&self, account: AccountId, number: u32) -> Option<Row>;

    /// A subaccount got its name; each has a greater number than those named before.
    fn name_subaccount(&mut self, subaccount: SubaccountId, account: AccountId, customer: &str);
    /// An operation was created under an id of the account's own; gives the operation that has it,
    /// which is another one only in a journal no ledger wrote.
    fn learn_identity(
        &mut self,
        account: AccountId,
        kind: Kind,
        external_id: &str,
        op: OpId,
    ) -> OpId;
    /// A fact was brought by a record; the first record stays, and is given.
    fn learn_outside(&mut self, outside: &ExternalId, seq: Seq) -> Seq;
    /// A record was applied: from now on it may be asked for.
    fn remember(&mut self, record: &Record);
    /// A record moved an operation; where that ended it, [`Archive::keep`] follows.
    fn note(&mut self, op: OpId, seq: Seq);
    /// A transfer was made: it ends as it begins, and its identity was learnt just before.
    fn keep_transfer(&mut self, op: OpId, at: Instant, order: &transfer::Order);
    /// An operation ended, or ended anew after more happened to it.
    fn keep(&mut self, op: OpId, operation: Operation);
    /// A statement row was posted; numbers come in order.
    fn push_row(&mut self, subaccount: SubaccountId, number: u32, row: Row);
    /// A row of a partner's commission was posted; numbers come in order.
    fn push_commission_row(&mut self, account: AccountId, number: u32, row: Row);
}

/// The record that first brought `outside`, in this spelling or, before one was kept to, in
/// another.
pub(in crate::ledger) fn first_seen(archive: &impl Archive, outside: &ExternalId) -> Option<Seq> {
    let exactly = archive.fact_seq(outside);
    let otherwise = outside.by_spelling().and_then(|key| archive.fact_seq(&key));
    exactly.into_iter().chain(otherwise).min()
}
