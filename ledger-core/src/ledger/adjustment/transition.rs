//! A fee is corrected, or a balance written off: once, and within what is owed.

use crate::id::{Kind, OpId, SubaccountId};
use crate::ledger::archive::Archive;
use crate::ledger::registry::{Adjustment, Machine, Operation};
use crate::ledger::state::State;
use crate::money::{Amount, Balance, Cents};
use crate::time::Instant;

impl State {
    pub(in crate::ledger) fn adjust_fee(
        &self,
        archive: &mut impl Archive,
        at: Instant,
        (op, subaccount): (OpId, SubaccountId),
        (given, charged): (Cents, Cents),
    ) -> Result<(), &'static str> {
        let value = Balance::new(given.cents() - charged.cents());
        self.keep_adjustment(archive, at, op, Adjustment { subaccount, value })?;
        let one = given.is_zero() != charged.is_zero();
        one.then_some(()).ok_or("a fee is given or charged, not both")
    }

    pub(in crate::ledger) fn write_off(
        &self,
        archive: &mut impl Archive,
        at: Instant,
        (op, subaccount): (OpId, SubaccountId),
        amount: Amount,
    ) -> Result<(), &'static str> {
        let owed = -i128::from(self.books.subaccount(subaccount).available.cents());
        let value = Balance::new(amount.cents());
        self.keep_adjustment(archive, at, op, Adjustment { subaccount, value })?;
        let within = i128::from(amount.cents()) <= owed;
        within.then_some(()).ok_or("no more is written off than is owed")
    }

    /// Keeps a correction, which is over when it is made, under the record that makes it.
    pub(in crate::ledger) fn keep_adjustment(
        &self,
        archive: &mut impl Archive,
        at: Instant,
        op: OpId,
        adjustment: Adjustment,
    ) -> Result<(), &'static str> {
        if op != OpId::new(Kind::Adjustment, self.seq) {
            return Err("an operation is named after the record that creates it");
        }
        let machine = Machine::Adjustment(adjustment);
        archive.keep(op, Operation { machine, created_at: at, updated_at: at, metadata: None });
        Ok(())
    }
}
