//! What the state counts of a conversion beside it.

use std::sync::Arc;

use crate::id::Kind;
use crate::ledger::state::State;
use crate::ledger::state::apply::{Applied, Moved};
use crate::machine::conversion;

impl Applied for conversion::State {
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        let conversion::Event::Requested(order) = moved.event else { return Ok(()) };
        let of_commission = order.source == conversion::FundingSource::Commission;
        if of_commission != (moved.op.kind() == Kind::CommissionWithdrawal) {
            return Err("a conversion is named after what it takes from");
        }
        if of_commission {
            let known = state.accounts.get_mut(order.account.0 as usize);
            let known = known.ok_or("commission is withdrawn by an account that exists")?;
            Arc::make_mut(known).commission_withdrawn_at = Some(moved.at);
        }
        Ok(())
    }
}
