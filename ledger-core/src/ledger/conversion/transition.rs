//! Where a conversion stands after an event.

use std::sync::Arc;

use crate::id::{Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::state::State;
use crate::machine::conversion;

impl State {
    pub(in crate::ledger) fn conversion(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &conversion::Event,
    ) -> Result<(), &'static str> {
        self.moves::<conversion::State>(archive, record.at, (op, event), |ledger, _, _| {
            let conversion::Event::Requested(order) = event else { return Ok(()) };
            let of_commission = order.source == conversion::FundingSource::Commission;
            if of_commission != (op.kind() == Kind::CommissionWithdrawal) {
                return Err("a conversion is named after what it takes from");
            }
            if of_commission {
                let known = ledger.accounts.get_mut(order.account.0 as usize);
                let known = known.ok_or("commission is withdrawn by an account that exists")?;
                Arc::make_mut(known).commission_withdrawn_at = Some(record.at);
            }
            Ok(())
        })
    }
}
