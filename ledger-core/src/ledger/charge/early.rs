//! What went back of a charge before its payment was reported, and the decision that books it
//! (rulings
//! 45 and 46).

use super::reversal::{self, Back, Givers};
use crate::id::OpId;
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::record::event::Event;
use crate::ledger::suspense::waiting::taken_over;
use crate::machine::charge::{self, Command};
use crate::machine::suspense::Order;
use crate::machine::{Verdict, purchase};
use crate::money::{Amount, Balance};

impl FactContext<'_> {
    /// Returns what a charge is after these events of a decision.
    pub(in crate::ledger) fn charge_after(
        &self,
        op: OpId,
        charge: &charge::State,
        events: &[Event],
    ) -> charge::State {
        events.iter().fold(charge.clone(), |state, event| match event {
            Event::Charge { op: moved, event } if *moved == op => {
                charge::evolve(&state, event, self.at)
            }
            _ => state,
        })
    }

    /// Returns what a return of so much makes of a charge; none where it contradicts the books.
    pub(in crate::ledger) fn return_steps(
        &self,
        op: OpId,
        charge: &charge::State,
        amount: Amount,
    ) -> Option<Vec<Event>> {
        if let charge::State::Bought(bought) = charge {
            return self.purchase_returned(op, bought, amount);
        }
        let now = self.charge_context(charge);
        let verdict = charge::decide(charge, Command::Return(amount), now);
        let Verdict::Applied(event) = verdict else { return None };
        Some(match charge {
            charge::State::Paid(paid) => {
                self.credit_returned(Givers::all(op), charge, paid, amount)
            }
            charge::State::Delayed(arrived) | charge::State::UnderReview(arrived)
                if arrived.remaining_balance() == Balance::from(amount.as_cents()) =>
            {
                reversal::of_uncredited(self.state, op, arrived.order.subaccount, event)
            }
            _ => vec![Event::Charge { op, event }],
        })
    }

    /// What was credited to custody goes back: blocks where it went on to give first, and the rest
    /// is borne by the subaccount that was credited (rulings 22, 23 and 81).
    pub(in crate::ledger) fn credit_returned(
        &self,
        givers: Givers<'_>,
        charge: &charge::State,
        paid: &charge::Paid,
        amount: Amount,
    ) -> Vec<Event> {
        let op = givers.charge;
        let bearer = paid.order.subaccount;
        let principal = amount.minus(paid.fee_share_of_return(amount));
        let need = principal.expect("the fee's share is part of the return");
        let (mut events, given) = reversal::of_traced(self.state, givers, [bearer; 2], need);
        let whole = paid.returnable_balance() == Balance::from(amount.as_cents());
        if let Some(rest) = amount.as_cents().less_or_nothing(given).amount() {
            let after = self.charge_after(op, charge, &events);
            let now = self.charge_context(&after);
            let rest_returned = charge::decide(&after, Command::Return(rest), now);
            let Verdict::Applied(event @ charge::Event::Returned { fee, .. }) = rest_returned
            else {
                unreachable!("a part of what may go back may go back")
            };
            let back = Back { subaccount: bearer, amount: rest, fee, own: Some(paid.held), whole };
            events.extend(reversal::of_return(self.state, givers, back, event));
        } else if whole {
            // A charge that ends leaves nothing in its held part.
            events.splice(0..0, reversal::part_taken(op, bearer, paid.held));
        }
        if whole {
            reversal::end_blocks(self.state, givers, bearer, &mut events);
        }
        events
    }

    /// Books the returns of a charge that were set aside and fit what is left of it, in the order
    /// they were reported, as one return; suspense has found its reason. Gives the charge after it.
    pub(in crate::ledger) fn book_returns(
        &self,
        op: OpId,
        charge: charge::State,
        events: &mut Vec<Event>,
    ) -> charge::State {
        let booked = |op: OpId| events.iter().any(|event| event.op() == Some(op));
        let waiting = self.state.suspended_about(op, Order::is_a_deposit_returned);
        let Some((sum, ended)) =
            taken_over(op, waiting.filter(|(waiting, _)| !booked(*waiting)), left_of(&charge))
        else {
            return charge;
        };
        let Some(steps) = self.return_steps(op, &charge, sum) else { return charge };
        let after = self.charge_after(op, &charge, &steps);
        events.extend(ended);
        events.extend(steps);
        after
    }

    /// A PIX arrives for a charge: what went back of it before is neither credited nor bought with
    /// (rulings 22: the credit is what is left, and the fee at most that).
    pub(in crate::ledger) fn arrives(
        &self,
        op: OpId,
        charge: &charge::State,
        event: charge::Event,
    ) -> Vec<Event> {
        let seen = match &event {
            charge::Event::Credited { payment, credit }
                if credit.origin == charge::Origin::Provider =>
            {
                Some(payment)
            }
            charge::Event::Purchase(purchase::Event::Paid { payment, from_suspense })
                if !from_suspense.is_on() =>
            {
                Some(payment)
            }
            _ => None,
        };
        // What was sent already is delivered, whatever went back.
        let returned = self.state.has_return_waiting(op) && !self.state.has_claim_open(op);
        let Some(payment) = seen.filter(|_| returned) else {
            return self.with_early(op, charge, vec![Event::Charge { op, event }]);
        };
        let first = charge::Event::UnderReview { payment: payment.clone() };
        let arrived = charge::evolve(charge, &first, self.at);
        let mut events = vec![Event::Charge { op, event: first }];
        self.book_returns(op, arrived, &mut events);
        if events.len() == 1 {
            return self.with_early(op, charge, vec![Event::Charge { op, event }]);
        }
        self.clear_arrival(op, charge, events, Command::Settle)
    }

    /// Returns what a charge whose PIX arrived becomes by the provider's word after these events,
    /// unless all of it went back.
    pub(in crate::ledger) fn clear_arrival(
        &self,
        op: OpId,
        charge: &charge::State,
        mut events: Vec<Event>,
        command: Command,
    ) -> Vec<Event> {
        let arrived = self.charge_after(op, charge, &events);
        let now = self.charge_context(&arrived);
        match charge::decide(&arrived, command, now) {
            Verdict::Applied(event) => {
                events.push(Event::Charge { op, event });
                self.with_early(op, charge, events)
            }
            _ => events,
        }
    }
}

/// Returns what could still go back of a charge.
fn left_of(charge: &charge::State) -> Balance {
    match charge {
        charge::State::UnderReview(arrived) | charge::State::Delayed(arrived) => {
            arrived.remaining_balance()
        }
        charge::State::Paid(paid) => paid.returnable_balance(),
        charge::State::Bought(bought) => bought.returnable_balance(),
        _ => Balance::ZERO,
    }
}
