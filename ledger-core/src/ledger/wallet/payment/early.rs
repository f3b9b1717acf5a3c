//! What was reported of a payment before its time, and the step that books it (rulings 46).
//!
//! Coins that left before the order was accepted are a claim until it is; a PIX reported paid
//! before anything left is a claim until something did. Nobody is asked to pay it again.

use super::with_order::Pair;
use crate::ledger::sale::early_payment::pix_of;
use crate::ledger::suspense::waiting::{recovery_event, takeover_event};
use crate::machine::erroneous_delivery;
use crate::machine::suspense::Order;
use crate::machine::wallet::payment::{Command, Stage};

impl Pair<'_> {
    /// Books what was reported early of a payment that stood so `before`: at which stage, and
    /// whether anything was sent.
    pub(in crate::ledger::wallet) fn with_early(&mut self, before: Option<(Stage, bool)>) {
        let Some((stage, was_sent)) = before else { return };
        if self.progress().stage == Stage::Accepted && stage != Stage::Accepted {
            self.or_as_before(Self::sent_before);
        }
        if self.progress().sent.is_some() && !was_sent && !self.payment.has_ended() {
            self.or_as_before(Self::paid_before);
        }
    }

    /// Takes all of these steps, or none.
    fn or_as_before(&mut self, steps: fn(&mut Self) -> Option<()>) {
        let (payment, order, known_paid) =
            (self.payment.clone(), self.order.clone(), self.known_paid);
        let known = self.events.len();
        if steps(self).is_none() {
            (self.payment, self.order, self.known_paid) = (payment, order, known_paid);
            self.events.truncate(known);
        }
    }

    /// What left before the order was accepted funds it, where it is as much as the order costs; of
    /// a claim on the estimate where nobody reported how much left.
    fn sent_before(&mut self) -> Option<()> {
        let (_, cost) = self.progress().cashout?;
        let estimate = self.progress().order.estimate;
        let funds = |claim: &erroneous_delivery::Order| {
            claim.units == estimate || claim.units >= cost.units
        };
        let unused = &self.case.lookup.sent_early;
        let mut claims = self.case.state.claims_about(self.op);
        let (op, claim) = claims.find(|(op, claim)| unused.contains(op) && funds(claim))?;
        let left = Some(claim.units).filter(|units| *units != estimate);
        self.events.push(recovery_event(op, claim)?);
        self.send(claim.hash.clone(), left)
    }

    /// The PIX that was reported paid before anything was sent for it.
    fn paid_before(&mut self) -> Option<()> {
        let (net, state) = (self.progress().order.net, self.case.state);
        let names = [Some(self.op), self.order.as_ref().map(|(order, _)| *order)];
        let claims = names.into_iter().flatten();
        let claims = claims.flat_map(|op| state.suspended_about(op, Order::is_a_payment));
        let fits = claims.filter(|(_, claim)| claim.amount == net);
        let (op, claim) = fits.min_by_key(|(op, _)| *op)?;
        let (cashout, _) = self.order.as_ref()?;
        self.events.push(takeover_event(op, claim, *cashout)?);
        let pix = pix_of(claim);
        self.pays(pix.clone(), Command::Pay(pix))
    }
}
