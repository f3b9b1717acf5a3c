//! Where a payout stands after an event.

use crate::id::OpId;
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::state::State;
use crate::machine::payout;

impl State {
    pub(in crate::ledger) fn payout(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &payout::Event,
    ) -> Result<(), &'static str> {
        self.moves::<payout::State>(archive, record.at, (op, event), |ledger, before, _| {
            match event {
                payout::Event::Requested(order) => {
                    if let Some(usage) = ledger.usage.get_mut(order.account.0 as usize) {
                        usage.pay_out(order.amount, record.at);
                    }
                }
                payout::Event::Failed { amount, .. } => {
                    if let Some(order) = before.order()
                        && let Some(usage) = ledger.usage.get_mut(order.account.0 as usize)
                    {
                        usage.unpay(*amount, order.created_at);
                    }
                }
                _ => {}
            }
            Ok(())
        })
    }
}
