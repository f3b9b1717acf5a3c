//! What the state counts of a payout beside it.

use crate::ledger::state::State;
use crate::ledger::state::apply::{Applied, Moved};
use crate::machine::payout;

impl Applied for payout::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        match moved.event {
            payout::Event::Requested(order) => {
                if let Some(usage) = state.usage.get_mut(order.account.0 as usize) {
                    usage.pay_out(order.amount, moved.at);
                }
            }
            payout::Event::Failed { amount, .. } => {
                if let Some(order) = moved.before.order()
                    && let Some(usage) = state.usage.get_mut(order.account.0 as usize)
                {
                    usage.unpay(*amount, order.created_at);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
