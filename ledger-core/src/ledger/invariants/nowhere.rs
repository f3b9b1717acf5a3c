//! An archive that remembers nothing.

use crate::accounting::Row;
use crate::id::{AccountId, Kind, OpId, Seq, SubaccountId};
use crate::ledger::archive::Archive;
use crate::ledger::record::{ExternalId, Record};
use crate::ledger::registry::Operation;
use crate::machine::transfer;
use crate::money::Balance;
use crate::time::Instant;

pub(super) struct Nowhere;

impl Archive for Nowhere {
    fn subaccount(&self, _: AccountId, _: &str) -> Option<SubaccountId> {
        None
    }
    fn customer(&self, _: SubaccountId) -> Option<&str> {
        None
    }
    fn identity(&self, _: AccountId, _: Kind, _: &str) -> Option<OpId> {
        None
    }
    fn fact_seq(&self, _: &ExternalId) -> Option<Seq> {
        None
    }
    fn ended_operation(&self, _: OpId) -> Option<Operation> {
        None
    }
    fn row(&self, _: SubaccountId, _: u32) -> Option<Row> {
        None
    }
    fn balance_after(&self, _: SubaccountId) -> Option<Balance> {
        None
    }
    fn commission_row(&self, _: AccountId, _: u32) -> Option<Row> {
        None
    }
    fn name_subaccount(&mut self, _: SubaccountId, _: AccountId, _: &str) {}
    fn learn_identity(&mut self, _: AccountId, _: Kind, _: &str, op: OpId) -> OpId {
        op
    }
    fn learn_outside(&mut self, _: &ExternalId, seq: Seq) -> Seq {
        seq
    }
    fn remember(&mut self, _: &Record) {}
    fn note(&mut self, _: OpId, _: Seq) {}
    fn keep_transfer(&mut self, _: OpId, _: Instant, _: &transfer::Order) {}
    fn keep(&mut self, _: OpId, _: Operation) {}
    fn push_row(&mut self, _: SubaccountId, _: u32, _: Row) {}
    fn push_commission_row(&mut self, _: AccountId, _: u32, _: Row) {}
}
