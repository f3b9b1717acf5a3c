//! Where a conversion stands after an event.

use std::sync::Arc;

use crate::id::{Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::state::State;
use crate::ledger::state::operation::{Machine, Operation};
use crate::machine::conversion;

impl State {
    pub(in crate::ledger) fn conversion(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &conversion::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = conversion::State::Absent;
        let state = before.as_ref().and_then(Operation::conversion).unwrap_or(&absent);
        let kind = matches!(op.kind(), Kind::Conversion | Kind::CommissionWithdrawal);
        if !kind || !conversion::follows(state, event) {
            return Err("the conversion is not where this could happen to it");
        }
        let after = conversion::evolve(state, event, record.at);
        if let conversion::Event::Requested(order) = event {
            let of_commission = order.source == conversion::FundingSource::Commission;
            if of_commission != (op.kind() == Kind::CommissionWithdrawal) {
                return Err("a conversion is named after what it takes from");
            }
            if of_commission {
                let known = self.accounts.get_mut(order.account.0 as usize);
                let known = known.ok_or("commission is withdrawn by an account that exists")?;
                Arc::make_mut(known).commission_withdrawn_at = Some(record.at);
            }
        }
        self.settle(archive, op, before, Machine::Conversion(after), record.at)
    }
}
