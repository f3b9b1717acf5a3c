//! Refunds of a recovery: out of its own holds, by the return that the provider reports.

use crate::ledger::charge::reversal::{Givers, blocks_of};
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept};
use crate::ledger::hold::fact::let_go;
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::suspense::{Direction, Float};
use crate::machine::{Verdict, charge, hold};
use crate::money::Amount;

impl FactContext<'_> {
    /// A return takes what the recovery's own holds block, first placed first; what they cannot
    /// give, or was not accepted, waits for a person as any return does that fits nothing.
    pub(super) fn recovery_refunded(
        &self,
        name: &str,
        return_id: Box<str>,
        amount: Amount,
    ) -> Decision {
        match self.refund_steps(name, amount) {
            Ok(steps) => {
                let recovery = name.into();
                let refunded = Event::RecoveryRefunded { recovery, return_id, amount };
                accept(std::iter::once(refunded).chain(steps).collect())
            }
            Err(reason) => {
                let (out, float) = (Direction::Out, Float::Collection);
                self.to_suspense(self.suspense_order(out, float, &return_id, amount), reason)
            }
        }
    }

    fn refund_steps(&self, name: &str, amount: Amount) -> Result<Vec<Event>, Reason> {
        let known = self.recovery(name)?;
        let (op, state) = self.charge().ok_or(Reason::Unmatched)?;
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
        let givers = Givers { charge: op, recovery: Some(name) };
        let mut events = self.credit_returned(givers, state, paid, amount);
        if amount.as_cents() == known.outstanding() {
            self.let_go_rest(givers, &mut events);
        }
        Ok(events)
    }

    /// Lets go of what the holds of a recovery still block after all that was accepted went back.
    fn let_go_rest(&self, givers: Givers<'_>, events: &mut Vec<Event>) {
        for (op, block) in blocks_of(self.state, givers) {
            let before = hold::State::Open(block.clone());
            let after = events.iter().fold(before, |state, event| match event {
                Event::Hold { op: moved, event } if *moved == op => hold::evolve(&state, event),
                _ => state,
            });
            if let Verdict::Applied(rest) = let_go(self.state, op, &after, None) {
                events.extend(rest);
            }
        }
    }
}
