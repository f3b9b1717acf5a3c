//! Where a payout stands after an event.

use crate::id::{Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::record::Record;
use crate::ledger::state::State;
use crate::ledger::state::operation::{Machine, Operation};
use crate::machine::payout;

impl State {
    pub(in crate::ledger) fn payout(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        op: OpId,
        event: &payout::Event,
    ) -> Result<(), &'static str> {
        let before = self.current(archive, op);
        let absent = payout::State::Absent;
        let state = before.as_ref().and_then(Operation::payout).unwrap_or(&absent);
        if op.kind() != Kind::Payout || !payout::follows(state, event) {
            return Err("the payout is not where this could happen to it");
        }
        let after = payout::evolve(state, event, record.at);
        match event {
            payout::Event::Requested(order) => {
                if let Some(usage) = self.usage.get_mut(order.account.0 as usize) {
                    usage.pay_out(order.amount, record.at);
                }
            }
            payout::Event::Failed { amount, .. } => {
                if let Some(order) = state.order()
                    && let Some(usage) = self.usage.get_mut(order.account.0 as usize)
                {
                    usage.unpay(*amount, order.created_at);
                }
            }
            _ => {}
        }
        self.settle(archive, op, before, Machine::Payout(after), record.at)
    }
}
