//! Refunds of a recovery: out of its own holds, by the return that the provider reports.

use crate::ledger::charge::reversal::Givers;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::suspense::waiting::{taken_over, takeover_event};
use crate::machine::charge;
use crate::machine::suspense::{Direction, Float, Order};
use crate::money::{Amount, Balance, Cents};

impl FactContext<'_> {
    /// A return takes what the recovery's own holds block, its bearer's first, then first placed
    /// first; what they cannot give, or was not accepted, waits for a person as any return does
    /// that fits nothing.
    pub(super) fn recovery_refunded(
        &self,
        name: &str,
        return_id: &str,
        amount: Amount,
    ) -> Decision {
        match self.refund_events(name, (return_id, amount), &[]) {
            Ok(refunded) => accept(self.with_refunds(refunded)),
            Err(reason) => {
                let (out, float) = (Direction::Out, Float::Collection);
                let claim = self.suspense_order(out, float, return_id, amount);
                self.return_waits(Order { recovery: Some(name.into()), ..claim }, reason)
            }
        }
    }

    /// Returns the refund of a recovery, what goes back by it, and what its holds let go of then,
    /// after the events of the same decision before.
    fn refund_events(
        &self,
        name: &str,
        (return_id, amount): (&str, Amount),
        before: &[Event],
    ) -> Result<Vec<Event>, Reason> {
        let known = self.recovery(name)?.after(name, before);
        let (op, state) = self.charge().ok_or(Reason::Unmatched)?;
        let state = &self.charge_after(op, state, before);
        let charge::State::Paid(paid) = state else { return Err(self.unreturnable(amount)) };
        if known.accepted.is_none() {
            return Err(Reason::TooEarly);
        }
        let principal = amount.minus(paid.fee_share_of_return(amount));
        let principal = principal.ok_or(Reason::AmountExceeds)?;
        let fits = paid.returnable_balance().covers(amount)
            && amount.as_cents() <= known.outstanding()
            && principal <= known.blocked;
        if !fits {
            return Err(Reason::AmountExceeds);
        }
        let givers = Givers { charge: op, recovery: Some(name), before };
        let (recovery, return_id) = (name.into(), return_id.into());
        let mut events = vec![Event::RecoveryRefunded { recovery, return_id, amount }];
        events.extend(self.credit_returned(givers, state, paid, amount));
        let after: Vec<Event> = before.iter().chain(&events).cloned().collect();
        let keep = known.outstanding().less_or_nothing(amount.as_cents());
        events.extend(self.let_go_beyond(Givers { before: &after, ..givers }, keep));
        Ok(events)
    }

    /// Returns the sum of the returns that wait for a recovery and fit what it claims.
    pub(super) fn returned_early(&self, name: &str, claimed: Amount) -> Cents {
        let Some((op, charge::State::Paid(paid))) = self.charge() else { return Cents::ZERO };
        let waiting = self.state.suspended_about(op, Order::is_a_deposit_returned);
        let own = waiting.filter(|(_, order)| self.recovery_of(order) == Some(name));
        let left = paid.returnable_balance().min(Balance::from(claimed.as_cents()));
        taken_over(op, own, left).map_or(Cents::ZERO, |(sum, _)| sum.as_cents())
    }

    /// Returns these events and the refunds that they make possible: each return that waits for a
    /// recovery of the charge, in the order they were reported, as far as its holds can give it.
    pub(super) fn with_refunds(&self, mut events: Vec<Event>) -> Vec<Event> {
        let about = self.about.into_iter();
        let waiting =
            about.flat_map(|op| self.state.suspended_about(op, Order::is_a_deposit_returned));
        for (op, order) in waiting {
            let Some(name) = self.recovery_of(order) else { continue };
            let refund = self.refund_events(name, (&order.outside, order.amount), &events);
            let ended = self.about.and_then(|charge| takeover_event(op, order, charge));
            if let (Ok(refund), Some(ended)) = (refund, ended) {
                events.push(ended);
                events.extend(refund);
            }
        }
        events
    }

    /// Returns the recovery that a return is of: the one that it names; where it names none, the
    /// only one of its charge of which anything may still go back.
    fn recovery_of<'a>(&'a self, order: &'a Order) -> Option<&'a str> {
        let mut open = self.state.recoveries().filter(|(_, it)| {
            order.recovery.is_none() && Some(it.cause) == self.about && !it.outstanding().is_zero()
        });
        match (&order.recovery, open.next(), open.next()) {
            (Some(name), ..) => Some(name),
            (None, Some((name, _)), None) => Some(name),
            _ => None,
        }
    }
}
