//! What the world reports of payouts.

use crate::id::OpId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known, attribute};
use crate::ledger::record::early_report::{EarlyReport, PayoutReport};
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::record::{ExternalId, Scope};
use crate::ledger::suspense::waiting::{taken_over, takeover_event};
use crate::machine::suspense::{Direction, Float, Order};
use crate::machine::{Verdict, payout};
use crate::money::Amount;

facts! {
    /// What is reported of payouts.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// The provider took a payout.
        Submitted { payout: Option<OpId> } is FactKind::PayoutSubmitted, about *payout;
        /// A payout was paid; the amount matters only when no payout is known by that id.
        Paid { payout: Option<OpId>, e2e: Box<str>, amount: Option<Amount> }
            is FactKind::PayoutPaid,
            about *payout,
            outside Some(ExternalId::new(Scope::SentPix, e2e)),
            pix Some((Scope::SentPix, e2e)),
            anew is_paid_by_claim(amount);
        /// A payout was definitely not paid.
        Refused { payout: Option<OpId> } is FactKind::PayoutRefused, about *payout;
        /// A payout's outcome is unknown.
        Unknown { payout: Option<OpId> } is FactKind::PayoutUnknown, about *payout;
        /// A paid payout came back, in part or whole.
        Returned { payout: Option<OpId>, return_id: Box<str>, amount: Amount }
            is FactKind::PayoutReturned,
            about *payout,
            outside Some(ExternalId::new(Scope::ReturnedPayout, return_id)),
            pix Some((Scope::ReturnedPayout, return_id)),
            anew is_return_waiting(amount);
        /// An operator found out what became of a payout: paid by this PIX, or not paid.
        Evidence { payout: Option<OpId>, paid: Option<Box<str>>, decided_by: OperatorDecision }
            is FactKind::PayoutEvidence,
            about *payout,
            pix paid.as_deref().map(|e2e| (Scope::SentPix, e2e));
        /// Compliance stops a payout before it is sent.
        Stopped { payout: Option<OpId>, decided_by: OperatorDecision }
            is FactKind::PayoutStopped, about *payout;
        /// Compliance lets a payout go on.
        Cleared { payout: Option<OpId>, decided_by: OperatorDecision }
            is FactKind::PayoutCleared, about *payout;
    }
}

impl FactContext<'_> {
    /// A fact about a payout.
    pub(in crate::ledger) fn decide_payout(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Submitted { .. } => self.payout_moves(payout::Command::Submit),
            Fact::Paid { e2e, amount, .. } => self.pay_payout(&e2e, amount),
            Fact::Refused { .. } => self.payout_moves(payout::Command::Refuse),
            Fact::Unknown { .. } => self.payout_moves(payout::Command::Lose),
            Fact::Returned { return_id, amount, .. } => self.came_back(&return_id, amount),
            Fact::Evidence { paid, decided_by, .. } => {
                let found_out = match paid {
                    Some(e2e) => self.found_paid(&e2e),
                    None => self.payout_judged(payout::Command::Refuse, decided_by),
                };
                attribute(found_out, decided_by)
            }
            Fact::Stopped { decided_by, .. } => {
                attribute(self.payout_judged(payout::Command::Stop, decided_by), decided_by)
            }
            Fact::Cleared { decided_by, .. } => attribute(self.payout_cleared(), decided_by),
        }
    }
}

impl FactContext<'_> {
    pub(in crate::ledger) fn payout_moves(&self, command: payout::Command) -> Decision {
        let report = EarlyReport::of_a_payout(&command);
        match self.payout_verdict(command) {
            Some((op, Verdict::Applied(event))) => accept(self.payout_with_early(op, event)),
            Some((_, Verdict::Known)) => already_known(),
            Some((_, Verdict::SetAside)) | None => self.keep_early(report, self.unfit()),
        }
    }

    /// A person stops a payout, or finds that it was not paid. Once it may have been sent, that
    /// takes evidence (rulings 36 and 70).
    fn payout_judged(&self, command: payout::Command, decided_by: OperatorDecision) -> Decision {
        let moves = matches!(self.payout_verdict(command.clone()), Some((_, Verdict::Applied(_))));
        if moves && decided_by.evidence.is_none() && self.may_have_left() {
            return self.aside(Reason::OutcomeUnknown);
        }
        self.payout_moves(command)
    }

    /// Tells whether the PIX of the payout may have been sent: it was handed out, or is at the
    /// provider.
    fn may_have_left(&self) -> bool {
        self.payout().is_some_and(|(op, state)| match state {
            payout::State::Submitted(_) | payout::State::Uncertain(_) => true,
            _ => self.state.has_handed_out(op),
        })
    }

    /// A payout that was stopped goes on, unless its agent's mandate has come to stand against it
    /// (rulings 44).
    pub(in crate::ledger) fn payout_cleared(&self) -> Decision {
        let stopped =
            self.payout().filter(|(_, state)| matches!(state, payout::State::UnderReview(_)));
        let sent = stopped.and_then(|(op, _)| self.state.outgoing(op));
        let admitted = sent.is_none_or(|sent| {
            let bound = self.state.bound(sent.account, sent.at, Some(sent));
            bound.is_none_or(|bound| bound.admits(sent.amount, sent.counterparty).is_ok())
        });
        if admitted {
            self.payout_moves(payout::Command::Clear)
        } else {
            self.aside(Reason::AmountExceeds)
        }
    }

    pub(in crate::ledger) fn pay_payout(&self, e2e: &str, amount: Option<Amount>) -> Decision {
        let ordered = self.payout().and_then(|(_, state)| state.order()).map(|order| order.amount);
        let contradicts =
            matches!((ordered, amount), (Some(ordered), Some(paid)) if ordered != paid);
        match self.payout_verdict(payout::Command::Pay(e2e.into())) {
            Some((op, Verdict::Applied(event))) if !contradicts => {
                accept(self.taking_over(op, self.payout_with_early(op, event)))
            }
            Some((_, Verdict::Known)) => already_known(),
            Some(_) | None => match amount.or(ordered) {
                Some(amount) => {
                    let claim = self.suspense_order(Direction::Out, Float::Payout, e2e, amount);
                    self.to_suspense(claim, self.unpaid(contradicts))
                }
                None => self.aside(self.unpaid(contradicts)),
            },
        }
    }

    /// Evidence that a PIX paid this payout; one PIX pays one payout.
    pub(in crate::ledger) fn found_paid(&self, e2e: &str) -> Decision {
        let paid_by_it = match self.payout() {
            Some((_, payout::State::Completed(paid) | payout::State::Returned(paid))) => {
                *paid.e2e == *e2e
            }
            _ => false,
        };
        let claimed = self.pix_in_suspense(Order::is_a_payment).is_some()
            && self.payout().is_some_and(|(_, state)| !state.has_ended());
        if self.lookup.pix_seen.is_none() || paid_by_it || claimed {
            self.pay_payout(e2e, None)
        } else {
            self.aside(Reason::IdTaken)
        }
    }

    pub(in crate::ledger) fn came_back(&self, return_id: &str, amount: Amount) -> Decision {
        match self.payout_verdict(payout::Command::Return(amount)) {
            Some((op, Verdict::Applied(event))) => {
                accept(self.taking_over(op, vec![Event::Payout { op, event }]))
            }
            Some((_, Verdict::Known)) => already_known(),
            Some((_, Verdict::SetAside)) | None => {
                let came = self.suspense_order(Direction::In, Float::Payout, return_id, amount);
                let mut decision = self.to_suspense(came, self.not_come_back());
                decision.events.extend(self.payout().and_then(|(op, state)| doubt(op, state)));
                decision
            }
        }
    }

    /// Tells whether the PIX was reported of another payout before and waits as a claim, and pays
    /// this one exactly: one money is paid once (rulings 45).
    #[allow(clippy::ref_option)] // Fields of facts are shown by reference.
    fn is_paid_by_claim(&self, told: &Option<Amount>) -> bool {
        let claim = self.pix_in_suspense(Order::is_a_payment).map(|(_, claim)| claim.amount);
        let open = self.payout().filter(|(_, state)| !state.has_ended());
        let ordered = open.and_then(|(_, state)| state.order()).map(|order| order.amount);
        claim.is_some() && claim == ordered && told.is_none_or(|told| claim == Some(told))
    }

    /// Tells whether the return was reported of another payout before and waits, and fits this one.
    #[allow(clippy::trivially_copy_pass_by_ref)] // Fields of facts are shown by reference.
    fn is_return_waiting(&self, told: &Amount) -> bool {
        let waits = self.pix_in_suspense(Order::is_a_payment_returned);
        let verdict = self.payout_verdict(payout::Command::Return(*told));
        waits.is_some_and(|(_, order)| order.amount == *told)
            && matches!(verdict, Some((_, Verdict::Applied(_))))
    }

    /// An operation moves by a PIX; what waits in suspense of that PIX has found its reason.
    pub(in crate::ledger) fn taking_over(&self, op: OpId, mut events: Vec<Event>) -> Vec<Event> {
        let waits = |order: &Order| order.is_a_payment() || order.is_a_payment_returned();
        let ended =
            self.pix_in_suspense(waits).and_then(|(it, order)| takeover_event(it, order, op));
        events.splice(0..0, ended);
        events
    }

    fn payout_verdict(&self, command: payout::Command) -> Option<(OpId, Verdict<payout::Event>)> {
        let (op, state) = self.payout()?;
        Some((op, payout::decide(state, command)))
    }
}

impl FactContext<'_> {
    /// A payout moves; what was reported while it was stopped is booked when it goes on, and what
    /// came back before it was reported paid with its payment.
    pub(in crate::ledger) fn payout_with_early(
        &self,
        op: OpId,
        event: payout::Event,
    ) -> Vec<Event> {
        let known = self.lookup.operation.as_ref().and_then(|(_, known)| known.payout());
        let mut after = known.map(|before| payout::evolve(before, &event, self.at));
        let mut events = vec![Event::Payout { op, event }];
        for report in self.state.early_reports(op) {
            let Some((state, command)) = after.as_ref().zip(report.of_payout()) else { continue };
            if let Verdict::Applied(event) = payout::decide(state, command) {
                after = Some(payout::evolve(state, &event, self.at));
                events.push(Event::Payout { op, event });
            }
        }
        let waiting = self.state.suspended_about(op, Order::is_a_payment_returned);
        let mut waiting = waiting.peekable();
        let Some(payout::State::Completed(paid)) = &after else {
            let returned = waiting.peek().and(after.as_ref());
            events.extend(returned.and_then(|state| doubt(op, state)));
            return events;
        };
        let most = paid.returnable_balance();
        let Some((sum, ended)) = taken_over(op, waiting, most) else { return events };
        let completed = payout::State::Completed(paid.clone());
        let command = payout::Command::Return(sum);
        if let Verdict::Applied(event) = payout::decide(&completed, command) {
            events.extend(ended);
            events.push(Event::Payout { op, event });
        }
        events
    }
}

/// A payout of which something came back was sent, although nobody reported it: nobody is
/// handed its PIX before evidence of what became of it (rulings 45).
fn doubt(op: OpId, state: &payout::State) -> Option<Event> {
    match (state, payout::decide(state, payout::Command::Lose)) {
        (payout::State::Requested(_), Verdict::Applied(event)) => Some(Event::Payout { op, event }),
        (_, _) => None,
    }
}

impl EarlyReport {
    /// A report of a payout, where it moves no money.
    const fn of_a_payout(command: &payout::Command) -> Option<Self> {
        match command {
            payout::Command::Submit => Some(Self::Payout(PayoutReport::Submitted)),
            payout::Command::Lose => Some(Self::Payout(PayoutReport::Unknown)),
            _ => None,
        }
    }

    /// Returns what it says of a payout.
    const fn of_payout(self) -> Option<payout::Command> {
        match self {
            Self::Payout(PayoutReport::Submitted) => Some(payout::Command::Submit),
            Self::Payout(PayoutReport::Unknown) => Some(payout::Command::Lose),
            Self::Delivery { .. } => None,
        }
    }
}
