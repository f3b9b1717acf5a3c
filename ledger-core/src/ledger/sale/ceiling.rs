//! What an order may pay, judged in every decision that lets a PIX go (rulings 14 and 44).

use crate::id::OpId;
use crate::ledger::registry::Machine;
use crate::ledger::state::State;
use crate::ledger::state::outgoing::Outgoing;
use crate::machine::cash_out::{self, Ceilings, Funding, Payee};
use crate::money::Cents;
use crate::time::Instant;

impl State {
    /// Returns what an order may pay as the books know it at `now`: on the day it was accepted, or
    /// on that of `now` where it is about to be.
    pub(in crate::ledger) fn ceilings(
        &self,
        op: OpId,
        order: &cash_out::State,
        now: Instant,
    ) -> Ceilings {
        let payee = order.progress().map(|known| known.payee);
        payee.map_or_else(Ceilings::none, |payee| self.ceilings_of((op, order), &payee, now))
    }

    /// The same, where its PIX would go to `payee`.
    pub(in crate::ledger) fn ceilings_of(
        &self,
        (op, order): (OpId, &cash_out::State),
        payee: &Payee,
        now: Instant,
    ) -> Ceilings {
        let Some(known) = order.progress() else { return Ceilings::none() };
        let then = known.accepted.as_ref().map_or(now, |accepted| accepted.at);
        let own = self.open(op).and_then(|operation| operation.cash_out()?.progress());
        let own = own.map(|own| (&own.payee, own.counted));
        // What a larger deposit pays beyond that was not reserved when it was accepted.
        let quoted = known.order.deal.net.as_cents();
        let reserved = own.map_or(Cents::ZERO, |(_, cents)| cents.min(quoted));
        let bound = match known.order.funding {
            Funding::Seller => {
                let sent = self.outgoing(op);
                self.bound(known.order.account, then, sent)
            }
            // The payment counts itself, on the day it was asked for; it is judged where its order
            // is to pay, and not where that is accepted.
            Funding::Wallet(payment) => {
                let sent = self.outgoing(payment).filter(|_| known.accepted.is_some());
                sent.and_then(|sent| self.bound(sent.account, sent.at, Some(sent)))
            }
        };
        Ceilings {
            room: self.room_of(payee, then, own.map(|own| (own, reserved))),
            most: self.policy.sale_limits().recipient_daily.as_cents().max(reserved),
            bound,
        }
    }

    /// Returns what an open operation sends, as far as it counts.
    pub(in crate::ledger) fn outgoing(&self, op: OpId) -> Option<Outgoing> {
        self.open(op).map(|known| &known.machine).and_then(Machine::outgoing)
    }
}
