//! What was reported of a sale's PIX before its time, and the decision that books it (rulings 46).

use crate::id::OpId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::record::event::Event;
use crate::ledger::suspense::waiting::{is_return_of_payment, taken_over, takeover_event};
use crate::machine::Verdict;
use crate::machine::cash_out::{self, Command, Pix, Stage};
use crate::machine::suspense::Order;
use crate::money::{Amount, Balance};

/// The PIX that a claim says was paid.
pub(in crate::ledger) fn pix_of(claim: &Order) -> Pix {
    Pix {
        e2e: claim.outside.clone(),
        paid_at: claim.paid_at,
        receipt_url: None,
        receipt_pdf_url: None,
        verify_url: None,
    }
}

impl FactContext<'_> {
    /// Books what waits in suspense for what `events` make of the order: the PIX that was reported
    /// paid before it could be, so that it is not sent again, and then what came back of it.
    pub(in crate::ledger) fn sale_with_early(
        &self,
        op: OpId,
        mut events: Vec<Event>,
    ) -> Vec<Event> {
        let waits = |order: &Order| order.is_a_payment() || order.is_a_payment_returned();
        if self.state.suspended_about(op, waits).next().is_none() {
            return events;
        }
        let paid = self.paid_before(op, &self.sale_after(op, &events));
        events.extend(paid);
        let back = self.reversed_before(op, &self.sale_after(op, &events));
        events.extend(back);
        events
    }

    /// Returns what an order is after these events of a decision.
    fn sale_after(&self, op: OpId, events: &[Event]) -> cash_out::State {
        self.after().order(op, events).unwrap_or_default()
    }

    fn paid_before(&self, op: OpId, order: &cash_out::State) -> Vec<Event> {
        let sale = order.progress().and_then(|progress| progress.sale);
        let net = sale.map(|sale| sale.deal.net);
        let mut claims = self.state.suspended_about(op, Order::is_a_payment);
        let Some((waiting, claim)) = claims.find(|(_, claim)| Some(claim.amount) == net) else {
            return Vec::new();
        };
        let pix = pix_of(claim);
        let now = self.sale_context(order, None);
        let paid = cash_out::decide(order, Command::Pay(pix), &now);
        match (takeover_event(waiting, claim, op), paid) {
            (Some(ended), Verdict::Applied(steps)) => {
                let steps = steps.into_iter().map(|event| Event::CashOut { op, event });
                std::iter::once(ended).chain(steps).collect()
            }
            _ => Vec::new(),
        }
    }

    fn reversed_before(&self, op: OpId, order: &cash_out::State) -> Vec<Event> {
        let progress = order.progress().filter(|progress| progress.stage == Stage::Completed);
        let left = progress.and_then(|progress| {
            progress.sale?.deal.net.minus(progress.reversed).map(Balance::from)
        });
        let waiting = self.state.suspended_about(op, Order::is_a_payment_returned);
        let waiting = waiting.filter(is_return_of_payment);
        let Some((sum, mut ended)) = left.and_then(|left| taken_over(op, waiting, left)) else {
            return Vec::new();
        };
        let now = self.sale_context(order, None);
        match cash_out::decide(order, Command::Reverse(sum), &now) {
            Verdict::Applied(steps) => {
                ended.extend(steps.into_iter().map(|event| Event::CashOut { op, event }));
                ended
            }
            _ => Vec::new(),
        }
    }
}

impl FactContext<'_> {
    /// The steps of an order that a PIX moves; what waits in suspense of that PIX has found its
    /// reason.
    pub(super) fn moved_by_pix(&self, op: OpId, steps: Vec<cash_out::Event>) -> Decision {
        let Decision { events, outcome } = self.sale_steps(op, steps);
        Decision { events: self.taking_over(op, events), outcome }
    }

    /// Tells whether the PIX was reported of another operation before and waits as a claim, and
    /// pays this order exactly: one money is paid once (rulings 45).
    #[allow(clippy::ref_option)] // Fields of facts are shown by reference.
    pub(super) fn is_order_paid_by_claim(&self, told: &Option<Amount>) -> bool {
        let Some((_, claim)) = self.pix_in_suspense(Order::is_a_payment) else { return false };
        let known = self.sellers_order().and_then(|known| known.sale);
        known.is_some_and(|sale| sale.deal.net == claim.amount)
            && told.is_none_or(|told| claim.amount == told)
            && self.takes(Command::Pay(pix_of(claim)))
    }

    /// Tells whether the return was reported of another operation before and waits, and fits this
    /// order.
    #[allow(clippy::trivially_copy_pass_by_ref)] // Fields of facts are shown by reference.
    pub(super) fn is_reversal_waiting(&self, told: &Amount) -> bool {
        let waits = self.pix_in_suspense(Order::is_a_payment_returned);
        waits.is_some_and(|(_, order)| order.amount == *told)
            && self.sellers_order().is_some()
            && self.takes(Command::Reverse(*told))
    }

    fn sellers_order(&self) -> Option<&cash_out::Progress> {
        let progress = self.cash_out()?.1.progress()?;
        Some(progress).filter(|known| known.order.is_sellers()).map(AsRef::as_ref)
    }

    fn takes(&self, command: Command) -> bool {
        matches!(self.cash_out_verdict(command, None), Some((_, Verdict::Applied(_))))
    }
}
