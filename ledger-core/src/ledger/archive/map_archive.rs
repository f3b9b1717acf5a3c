//! An archive in memory: a plain map for every question.

use std::collections::{BTreeMap, BTreeSet};

use super::Archive;
use crate::accounting::Row;
use crate::id::{AccountId, Kind, OpId, Seq, SubaccountId};
use crate::ledger::record::{ExternalId, Record};
use crate::ledger::registry::Operation;
use crate::machine::transfer;
use crate::money::Balance;
use crate::time::Instant;

/// An [`Archive`] of plain maps, which keeps the records too: enough for a ledger without an
/// engine, for tests, and to check another archive by.
///
/// ```
/// use ledger_core::ledger::{Cause, Command, Fact, Intent, Ledger, MapArchive, Reported};
/// use ledger_core::time::Instant;
///
/// let mut ledger = Ledger::new("live", MapArchive::default());
/// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let what = Intent::Fact(Reported { id: None, fact: Fact::TimePassed });
/// ledger.execute(Command { at, cause: Cause::default(), what });
///
/// let mut replayed = Ledger::new("live", MapArchive::default());
/// for record in ledger.archive.records() {
///     replayed.replay(record)?;
/// }
/// assert_eq!(replayed.state, ledger.state);
/// assert_eq!(replayed.archive.records(), ledger.archive.records());
/// # Ok::<(), ledger_core::ledger::Corrupt>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MapArchive {
    names: BTreeMap<(AccountId, String), SubaccountId>,
    customers: BTreeMap<SubaccountId, String>,
    identities: BTreeMap<(AccountId, Kind, String), OpId>,
    outside: BTreeMap<ExternalId, Seq>,
    ended: BTreeMap<OpId, Operation>,
    rows: BTreeMap<(SubaccountId, u32), Row>,
    commissions: BTreeMap<(AccountId, u32), Row>,
    records: Vec<Record>,
    trails: BTreeMap<OpId, BTreeSet<Seq>>,
}

impl MapArchive {
    /// The records that were remembered, in order: a journal in memory.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Every operation that has ended, as it stood then, by id.
    pub fn ended_operations(&self) -> impl Iterator<Item = (OpId, &Operation)> {
        self.ended.iter().map(|(op, operation)| (*op, operation))
    }

    /// The statement of a subaccount, its rows in order.
    #[must_use]
    pub fn statement(&self, subaccount: SubaccountId) -> impl DoubleEndedIterator<Item = &Row> {
        self.rows.range((subaccount, 0)..=(subaccount, u32::MAX)).map(|(_, row)| row)
    }
}

impl Archive for MapArchive {
    fn subaccount(&self, account: AccountId, customer: &str) -> Option<SubaccountId> {
        self.names.get(&(account, customer.to_owned())).copied()
    }

    fn customer(&self, subaccount: SubaccountId) -> Option<&str> {
        self.customers.get(&subaccount).map(String::as_str)
    }

    fn identity(&self, account: AccountId, kind: Kind, external_id: &str) -> Option<OpId> {
        self.identities.get(&(account, kind, external_id.to_owned())).copied()
    }

    fn fact_seq(&self, outside: &ExternalId) -> Option<Seq> {
        self.outside.get(outside).copied()
    }

    fn record(&self, seq: Seq) -> Option<Record> {
        self.records.get(usize::try_from(seq.0).ok()?.checked_sub(1)?).cloned()
    }

    fn records_of(&self, op: OpId, seq: Seq) -> Vec<Record> {
        // What ended as it began was noted nowhere: one record tells all of it.
        let born = BTreeSet::from([op.seq()]);
        let trail = self.trails.get(&op).unwrap_or(&born);
        trail.range(..seq).filter_map(|moved| self.record(*moved)).collect()
    }

    fn ended_operation(&self, op: OpId) -> Option<Operation> {
        self.ended.get(&op).cloned()
    }

    fn row(&self, subaccount: SubaccountId, number: u32) -> Option<Row> {
        self.rows.get(&(subaccount, number)).copied()
    }

    fn balance_after(&self, subaccount: SubaccountId) -> Option<Balance> {
        self.statement(subaccount).next_back().map(|row| row.balance_after)
    }

    fn commission_row(&self, account: AccountId, number: u32) -> Option<Row> {
        self.commissions.get(&(account, number)).copied()
    }

    fn name_subaccount(&mut self, subaccount: SubaccountId, account: AccountId, customer: &str) {
        self.names.insert((account, customer.to_owned()), subaccount);
        self.customers.insert(subaccount, customer.to_owned());
    }

    fn learn_identity(
        &mut self,
        account: AccountId,
        kind: Kind,
        external_id: &str,
        op: OpId,
    ) -> OpId {
        *self.identities.entry((account, kind, external_id.to_owned())).or_insert(op)
    }

    fn learn_outside(&mut self, outside: &ExternalId, seq: Seq) -> Seq {
        *self.outside.entry(outside.clone()).or_insert(seq)
    }

    fn remember(&mut self, record: &Record) {
        let next = self.records.last().map_or(1, |last: &Record| last.seq.0 + 1);
        assert_eq!(record.seq.0, next, "records are remembered one after another");
        self.records.push(record.clone());
    }

    fn note(&mut self, op: OpId, seq: Seq) {
        self.trails.entry(op).or_default().insert(seq);
        self.ended.remove(&op);
    }

    fn keep_transfer(&mut self, op: OpId, at: Instant, order: &transfer::Order) {
        self.keep(op, Operation::from_transfer(order.clone(), at));
    }

    fn keep(&mut self, op: OpId, operation: Operation) {
        self.ended.insert(op, operation);
    }

    fn push_row(&mut self, subaccount: SubaccountId, number: u32, row: Row) {
        assert!(self.rows.insert((subaccount, number), row).is_none(), "a row is posted once");
    }

    fn push_commission_row(&mut self, account: AccountId, number: u32, row: Row) {
        let before = self.commissions.insert((account, number), row);
        assert!(before.is_none(), "a row is posted once");
    }
}
