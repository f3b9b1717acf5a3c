//! What people decide about money in suspense.

use super::waiting::taken;
use crate::id::OpId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, applied, known};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::suspense::{self, Float};
use crate::machine::{Verdict, charge};

impl FactContext<'_> {
    pub(in crate::ledger) fn suspense_attached(&self, charge: Option<OpId>) -> Decision {
        let Some((op, state)) = self.suspense() else { return self.aside(Reason::Unmatched) };
        let Some(charge) = charge else { return self.aside(Reason::Unmatched) };
        if let suspense::State::Waiting(order) = state
            && order.is_a_deposit_returned()
        {
            return self.return_attached((op, order), charge);
        }
        let event = match suspense::decide(state, suspense::Command::Attach(charge)) {
            Verdict::Applied(event) => event,
            Verdict::Known => return known(),
            Verdict::SetAside => return self.aside(Reason::OutOfTurn),
        };
        let suspense::State::Waiting(order) = state else { return self.aside(Reason::OutOfTurn) };
        let named = self.lookup.charge.as_ref().and_then(|(_, known)| known.charge());
        let Some(target) = named.filter(|_| order.float == Float::Collection) else {
            return self.aside(match named {
                None => Reason::Unmatched,
                Some(_) => Reason::OutOfTurn,
            });
        };
        let payment = charge::PixPayment {
            e2e: order.outside.clone(),
            amount: order.amount,
            paid_at: order.paid_at,
        };
        let fits = target.order().is_none_or(|order| order.can_take(&payment));
        let now = self.charge_context(target);
        match charge::decide(target, charge::Command::Attach(payment), now) {
            Verdict::Applied(credited) => {
                let events = vec![
                    Event::Suspense { op, event },
                    Event::Charge { op: charge, event: credited },
                ];
                applied(self.with_early(charge, target, events))
            }
            _ if !fits => self.aside(Reason::AmountDiffers),
            _ => self.aside(Reason::OutOfTurn),
        }
    }

    /// A return that was set aside is of this charge, which books it.
    fn return_attached(&self, (op, order): (OpId, &suspense::Order), charge: OpId) -> Decision {
        let named = self.lookup.charge.as_ref().and_then(|(_, known)| known.charge());
        let Some(target) = named else { return self.aside(Reason::Unmatched) };
        let steps = self.return_steps(charge, target, order.amount);
        match (taken(op, order, charge), steps) {
            (Some(taken), Some(steps)) => applied(std::iter::once(taken).chain(steps).collect()),
            _ => self.aside(Reason::AmountExceeds),
        }
    }

    pub(in crate::ledger) fn suspense_returned(&self) -> Decision {
        let Some((op, state)) = self.suspense() else { return self.aside(Reason::Unmatched) };
        match suspense::decide(state, suspense::Command::Return) {
            Verdict::Applied(event) => applied(vec![Event::Suspense { op, event }]),
            Verdict::Known => known(),
            Verdict::SetAside => self.aside(Reason::OutOfTurn),
        }
    }
}
