//! An archive in memory: a plain map for every question.

use std::collections::BTreeMap;

use ledger_core::accounting::Row;
use ledger_core::id::{AccountId, CustodyId, Kind, OpId, Seq};
use ledger_core::ledger::{Archive, Machine, Operation, Outside};
use ledger_core::machine::transfer;
use ledger_core::time::Instant;

#[derive(Clone, Debug, Default)]
pub struct Notebook {
    names: BTreeMap<(AccountId, String), CustodyId>,
    customers: BTreeMap<CustodyId, String>,
    identities: BTreeMap<(AccountId, Kind, String), OpId>,
    outside: BTreeMap<Outside, Seq>,
    ended: BTreeMap<OpId, Operation>,
    rows: BTreeMap<(CustodyId, u32), Row>,
    commissions: BTreeMap<(AccountId, u32), Row>,
}

impl Archive for Notebook {
    fn subaccount(&self, account: AccountId, customer: &str) -> Option<CustodyId> {
        self.names.get(&(account, customer.to_owned())).copied()
    }

    fn customer(&self, custody: CustodyId) -> Option<&str> {
        self.customers.get(&custody).map(String::as_str)
    }

    fn identity(&self, account: AccountId, kind: Kind, external_id: &str) -> Option<OpId> {
        self.identities.get(&(account, kind, external_id.to_owned())).copied()
    }

    fn seen(&self, outside: &Outside) -> Option<Seq> {
        self.outside.get(outside).copied()
    }

    fn ended(&self, op: OpId) -> Option<Operation> {
        self.ended.get(&op).cloned()
    }

    fn row(&self, custody: CustodyId, number: u32) -> Option<Row> {
        self.rows.get(&(custody, number)).copied()
    }

    fn commission_row(&self, account: AccountId, number: u32) -> Option<Row> {
        self.commissions.get(&(account, number)).copied()
    }

    fn name_subaccount(&mut self, custody: CustodyId, account: AccountId, customer: &str) {
        self.names.insert((account, customer.to_owned()), custody);
        self.customers.insert(custody, customer.to_owned());
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

    fn learn_outside(&mut self, outside: &Outside, seq: Seq) -> Seq {
        *self.outside.entry(outside.clone()).or_insert(seq)
    }

    fn keep_transfer(&mut self, op: OpId, at: Instant, order: &transfer::Order) {
        let machine = Machine::Transfer(transfer::State::Done(order.clone()));
        self.keep(op, Operation { machine, created_at: at, updated_at: at });
    }

    fn keep(&mut self, op: OpId, operation: Operation) {
        self.ended.insert(op, operation);
    }

    fn push_row(&mut self, custody: CustodyId, number: u32, row: Row) {
        assert!(self.rows.insert((custody, number), row).is_none(), "a row is posted once");
    }

    fn push_commission_row(&mut self, account: AccountId, number: u32, row: Row) {
        let before = self.commissions.insert((account, number), row);
        assert!(before.is_none(), "a row is posted once");
    }
}
