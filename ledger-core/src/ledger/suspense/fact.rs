//! What people and courts decide about money in suspense, and claims on whoever received crypto
//! without a reason (rulings 1; DESIGN.md, "Why does crypto sent without reason become a claim?").

use super::waiting::takeover_event;
use crate::id::{Kind, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::charge::reversal;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known, attribute};
use crate::ledger::decision::lookup::{Lookup, operation};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::Scope;
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::machine::suspense::{self, Direction, Float};
use crate::machine::{Verdict, charge, erroneous_delivery, hold};
use crate::money::Amount;

facts! {
    /// What is reported of money that waits for a person.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// An operator gives a PIX in suspense to a charge.
        Attached { suspense: Option<OpId>, charge: Option<OpId>, decided_by: OperatorDecision }
            is FactKind::SuspenseAttached, about *suspense;
        /// What stood in suspense went back.
        Returned {
            suspense: Option<OpId>,
            return_id: Option<Box<str>>,
            decided_by: OperatorDecision,
        }
            is FactKind::SuspenseReturned,
            about *suspense,
            pix return_id.as_deref().map(|id| (Scope::ReturnedDeposit, id));
        /// A court takes money from a subaccount; a block may have been placed for it.
        CourtOrdered {
            account: Box<str>,
            customer: Option<Box<str>>,
            hold: Option<OpId>,
            amount: Amount,
            decided_by: OperatorDecision,
        } is FactKind::CourtOrdered, about *hold, of Some((account, customer.as_deref()));
    }
}

impl Lookup {
    /// Looks up the charge that suspense is attached to.
    pub(in crate::ledger) fn add_suspense(
        &mut self,
        (state, archive): (&State, &impl Archive),
        fact: &Fact,
    ) {
        if let Fact::Attached { charge: Some(op), .. } = fact {
            self.charge = operation(state, archive, *op);
        }
    }
}

impl FactContext<'_> {
    /// A fact about suspense.
    pub(in crate::ledger) fn decide_suspense(&self, fact: &Fact) -> Decision {
        match *fact {
            Fact::Attached { charge, decided_by, .. } => {
                attribute(self.suspense_attached(charge), decided_by)
            }
            Fact::Returned { ref return_id, decided_by, .. } => {
                attribute(self.suspense_returned(return_id.clone()), decided_by)
            }
            Fact::CourtOrdered { hold, amount, decided_by, .. } => {
                attribute(self.court_ordered(hold, amount), decided_by)
            }
        }
    }
}

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
            Verdict::Known => return already_known(),
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
        // What went back of the charge it was reported for may be of it (rulings 46).
        let told = order.about.filter(|told| *told != charge);
        if told.is_some_and(|told| self.has_fitting_return(told, order.amount.as_cents().into())) {
            return self.aside(Reason::OutcomeUnknown);
        }
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
                accept(self.with_early(charge, target, events))
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
        match (takeover_event(op, order, charge), steps) {
            (Some(taken), Some(steps)) => accept(std::iter::once(taken).chain(steps).collect()),
            _ => self.aside(Reason::AmountExceeds),
        }
    }

    /// Lets what waited go back, by the return named if one is; one return is one return
    /// (rulings 8).
    pub(in crate::ledger) fn suspense_returned(&self, return_id: Option<Box<str>>) -> Decision {
        let Some((op, state)) = self.suspense() else { return self.aside(Reason::Unmatched) };
        let command = return_id.map_or(suspense::Command::Return, suspense::Command::SendBack);
        match suspense::decide(state, command) {
            Verdict::Applied(_) if self.lookup.pix_seen.is_some() => self.aside(Reason::IdTaken),
            Verdict::Applied(event) => accept(vec![Event::Suspense { op, event }]),
            Verdict::Known => already_known(),
            Verdict::SetAside => self.aside(Reason::OutOfTurn),
        }
    }
}

impl FactContext<'_> {
    /// A court takes money from a subaccount: from the block named, from held parts, and from
    /// available, which may become negative (rulings 21); it waits until somebody says where it
    /// went.
    pub(in crate::ledger) fn court_ordered(&self, hold: Option<OpId>, amount: Amount) -> Decision {
        let Some(subaccount) = self.lookup.subaccounts[0] else {
            return self.aside(Reason::Unmatched);
        };
        let block = match (hold, &self.lookup.operation) {
            (None, _) => None,
            (Some(_), Some((op, known))) => match known.hold() {
                Some(hold::State::Open(open))
                    if open.order.subaccount == subaccount && open.order.kind.blocks() =>
                {
                    Some((*op, open))
                }
                _ => return self.aside(Reason::OutOfTurn),
            },
            (Some(_), None) => return self.aside(Reason::Unmatched),
        };
        let order = suspense::Order {
            amount,
            direction: Direction::In,
            float: Float::Court,
            about: hold,
            outside: "".into(),
            paid_at: self.at,
            recovery: None,
        };
        let command = suspense::Command::Take(order, subaccount);
        let Verdict::Applied(event) = suspense::decide(&suspense::State::Absent, command) else {
            return self.aside(Reason::OutOfTurn);
        };
        let op = self.next_suspense();
        let mut events = reversal::of_order(self.state, subaccount, block, amount);
        events.push(Event::Suspense { op, event });
        Decision { events, outcome: Outcome::Applied(Some(op)) }
    }
}

impl FactContext<'_> {
    /// The money in suspense that the decision would create.
    pub(in crate::ledger) const fn next_suspense(&self) -> OpId {
        OpId::new(Kind::Suspense, self.state.seq.next())
    }

    /// A PIX that nothing takes waits in suspense, or is a claim on the provider.
    pub(in crate::ledger) fn to_suspense(
        &self,
        order: suspense::Order,
        reason: Reason,
    ) -> Decision {
        let op = self.next_suspense();
        let event = suspense::Event::Received(order);
        self.waits(vec![Event::Suspense { op, event }], Some(op), reason)
    }

    /// A claim on whoever received what left, once a transaction and operation.
    pub(in crate::ledger) fn claim_delivery(
        &self,
        order: erroneous_delivery::Order,
        reason: Reason,
    ) -> Decision {
        if self.lookup.claimed.is_some() && order.again.is_none() {
            return already_known();
        }
        let op = OpId::new(Kind::ErroneousDelivery, self.state.seq.next());
        let events =
            vec![Event::ErroneousDelivery { op, event: erroneous_delivery::Event::Claimed(order) }];
        self.waits(events, Some(op), reason)
    }

    /// Judges the report of a transaction: where it moved its operation, a claim
    /// that was made of the same transaction before ends, so that the coins leave the stock once.
    pub(in crate::ledger) fn claim_ended(&self, mut moved: Decision) -> Decision {
        if let Outcome::Applied(_) = moved.outcome {
            moved.events.splice(0..0, self.claim_taken_over());
        }
        moved
    }

    /// The money in suspense that is of the PIX named, where it still waits.
    pub(in crate::ledger) fn pix_in_suspense(
        &self,
        wanted: fn(&suspense::Order) -> bool,
    ) -> Option<(OpId, &suspense::Order)> {
        let op = OpId::new(Kind::Suspense, self.lookup.pix_seen?);
        match self.state.open(op)?.suspense()? {
            suspense::State::Waiting(order) if wanted(order) => Some((op, order)),
            _ => None,
        }
    }

    /// Tells whether the transaction reported was a claim that is settled: it is counted.
    pub(in crate::ledger) fn is_settled_claim(&self) -> bool {
        let claim = self.lookup.claimed.map(|seq| OpId::new(Kind::ErroneousDelivery, seq));
        claim.is_some_and(|claim| self.state.open(claim).is_none())
    }

    /// What was sent before there was a reason, now that there is one: the claim ends.
    pub(in crate::ledger) fn claim_taken_over(&self) -> Option<Event> {
        let op = OpId::new(Kind::ErroneousDelivery, self.lookup.claimed?);
        let claim = self.state.open(op)?.erroneous_delivery()?;
        match erroneous_delivery::decide(
            claim,
            erroneous_delivery::Command::Settle(erroneous_delivery::End::Recovered),
        ) {
            Verdict::Applied(event) => Some(Event::ErroneousDelivery { op, event }),
            Verdict::Known | Verdict::SetAside => None,
        }
    }
}
