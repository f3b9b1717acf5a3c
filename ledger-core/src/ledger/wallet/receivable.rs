//! What left the stock for a payment that cannot take it (rulings 1).

use crate::coin::Units;
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::erroneous_delivery;

impl FactContext<'_> {
    /// A payment that was reported sent moved, or what left is a claim: as much as was reported, or
    /// what its order costs or was estimated to.
    pub(super) fn or_erroneous(
        &self,
        moved: Decision,
        sent: Option<(Box<str>, Option<Units>)>,
    ) -> Decision {
        let Some((hash, left)) = sent else { return moved };
        if moved.outcome != Outcome::SetAside(None) {
            return self.claim_ended(moved);
        }
        let named = self.lookup.operation.as_ref();
        let known = named.and_then(|(op, known)| Some((*op, known.wallet_payment()?.progress()?)));
        let Some((about, progress)) = known else { return moved };
        // What funded the payment did not go astray, whatever stands against going on with it.
        if progress.sent.as_ref() == Some(&hash) {
            return moved;
        }
        let order = &progress.order;
        let cost = progress.cashout.map(|(_, cost)| cost.units);
        let units = left.or(cost).unwrap_or(order.estimate);
        let (asset, chain) = (order.usdt, order.chain);
        self.claim_delivery(
            erroneous_delivery::Order { asset, chain, units, about, hash },
            Reason::NotDue,
        )
    }
}
