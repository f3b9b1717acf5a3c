//! An archive in memory: a plain map for every question.

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::accounting::Row;
use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId};
use ledger_core::ledger::{Archive, ExternalId, Machine, Operation, Record};
use ledger_core::machine::transfer;
use ledger_core::money::Balance;
use ledger_core::time::Instant;

#[derive(Clone, Debug, Default)]
pub struct Notebook {
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

impl Notebook {
    /// What has ended, and every row, is what the records say by themselves.
    pub fn is_what_its_records_say(&self) {
        let record = |seq: &Seq| &self.records[usize::try_from(seq.0).unwrap() - 1];
        for (op, ended) in &self.ended {
            let born = BTreeSet::from([op.seq()]);
            let trail = self.trails.get(op).unwrap_or(&born);
            assert_eq!(Operation::after(*op, trail.iter().map(record)).as_ref(), Some(ended));
        }
        let mut balance_after: BTreeMap<SubaccountId, Vec<Row>> = BTreeMap::new();
        for ((subaccount, _), row) in &self.rows {
            let known = balance_after.entry(*subaccount).or_default();
            if known.last().is_none_or(|last| last.seq != row.seq) {
                let before = known.last().map_or(Balance::ZERO, |last| last.balance_after);
                known.extend(record(&row.seq).rows(*subaccount, before));
            }
        }
        let kept: Vec<_> = self.rows.values().copied().collect();
        assert_eq!(balance_after.into_values().flatten().collect::<Vec<_>>(), kept);
        let mut balance_after: BTreeMap<AccountId, Vec<Row>> = BTreeMap::new();
        for ((partner, _), row) in &self.commissions {
            let known = balance_after.entry(*partner).or_default();
            if known.last().is_none_or(|last| last.seq != row.seq) {
                let before = known.last().map_or(Balance::ZERO, |last| last.balance_after);
                known.extend(record(&row.seq).commission_rows(*partner, before));
            }
        }
        let kept: Vec<_> = self.commissions.values().copied().collect();
        assert_eq!(balance_after.into_values().flatten().collect::<Vec<_>>(), kept);
    }
}

impl Archive for Notebook {
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

    fn ended_operation(&self, op: OpId) -> Option<Operation> {
        self.ended.get(&op).cloned()
    }

    fn row(&self, subaccount: SubaccountId, number: u32) -> Option<Row> {
        self.rows.get(&(subaccount, number)).copied()
    }

    fn balance_after(&self, subaccount: SubaccountId) -> Option<Balance> {
        let rows = self.rows.range((subaccount, 0)..=(subaccount, u32::MAX));
        rows.last().map(|(_, row)| row.balance_after)
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
        let machine = Machine::Transfer(transfer::State::Done(order.clone()));
        self.keep(op, Operation { machine, created_at: at, updated_at: at, metadata: None });
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
