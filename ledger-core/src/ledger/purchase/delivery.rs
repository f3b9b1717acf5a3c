//! Facts about purchases, conversions and their deliveries.

use super::delivery_step::hash_of;
use super::fact::GiveUpTo;
use crate::id::{OpId, SubaccountId};
use crate::ledger::account::opening::resolve;
use crate::ledger::charge::fact::books;
use crate::ledger::charge::reversal::{self, Back, Givers};
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::early_report::EarlyReport;
use crate::ledger::record::event::Event;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::charge::{self, PixPayment};
use crate::machine::delivery::{self, DeliveryReport, DeliveryTerms};
use crate::machine::purchase::{Bought, Remainder};
use crate::machine::{Verdict, conversion, erroneous_delivery, purchase};
use crate::money::{Amount, Balance, Cents};

impl FactContext<'_> {
    /// A report of a delivery: of a purchase, a conversion, or a commission withdrawal. A PIX that
    /// only this report names is booked, whatever becomes of the report.
    pub(in crate::ledger) fn delivery(
        &self,
        command: delivery::Command,
        payment: Option<&PixPayment>,
    ) -> Decision {
        let known = self.charge();
        let contradicted = known.and_then(|(_, state)| self.payment_contradicted(state, payment));
        let payment = payment.filter(|_| self.lookup.pix_seen.is_none());
        let mut decision = match (self.conversion(), self.charge()) {
            _ if self.is_settled_claim() => already_known(),
            (Some((op, state)), _) => {
                let hash = hash_of(&command);
                self.conversion_moves(op, state, conversion::Command::Deliver(command), hash)
            }
            (None, Some((op, state))) => self.purchase_moves(op, state, command, payment),
            (None, None) => self.aside(Reason::Unmatched),
        };
        if let Some(payment) = payment
            && !decision.events.iter().any(|event| books(event, payment))
        {
            let reason = self.unpayable(payment);
            let Decision { events, outcome } =
                self.to_suspense(self.unplaced_payment(payment), reason);
            decision.events.extend(events);
            // The answer names the PIX that waits, unless it names a claim.
            if !matches!(decision.outcome, Outcome::SetAside(Some(_))) {
                decision.outcome = outcome;
            }
        }
        match (contradicted, &decision.outcome) {
            (None, _) | (_, Outcome::SetAside(_)) => decision,
            // What was sent has left, whatever is told of its PIX.
            (Some(reason), _) => self.waits(decision.events, None, reason),
        }
    }

    /// That a purchase was sent implies that it was paid and released (rulings 8).
    fn purchase_moves(
        &self,
        op: OpId,
        state: &charge::State,
        command: delivery::Command,
        payment: Option<&PixPayment>,
    ) -> Decision {
        let Some(delivery_terms) =
            state.order().and_then(|order| Some(order.purchase.as_ref()?.delivery_terms))
        else {
            return self.aside(Reason::OutOfTurn);
        };
        let hash = hash_of(&command);
        let attempt = command.attempt;
        let unpaid = !matches!(state, charge::State::Bought(_));
        // Before the payment no attempt is under way: without a number it is the first.
        let report = attempt.or(unpaid.then_some(1));
        let report = report.and_then(|attempt| EarlyReport::of_attempt(attempt, &command.report));
        let mut events = Vec::new();
        let bought = match state {
            charge::State::Bought(bought) => Some(Bought::clone(bought)),
            _ if hash.is_none() => None,
            _ => self.implied_payment(state, payment, &mut events),
        };
        let Some(bought) = bought else {
            return self.erroneous_or_kept((op, delivery_terms), hash, report);
        };
        // An attempt of before a part went back sent what was agreed then.
        let rest = bought.rest.filter(|rest| attempt.is_none_or(|attempt| rest.after < attempt));
        let delivery_terms = rest.map_or(delivery_terms, |rest| rest.delivery_terms);
        match purchase::decide(&bought, purchase::Command::Deliver(command)) {
            Verdict::Applied(steps) => {
                events.extend(steps.into_iter().map(charge::Event::Purchase));
                let events = events.into_iter().map(|event| Event::Charge { op, event });
                let events = self.claim_taken_over().into_iter().chain(events).collect();
                accept(self.with_early(op, state, events))
            }
            Verdict::Known => already_known(),
            Verdict::SetAside => self.erroneous_or_kept((op, delivery_terms), hash, report),
        }
    }

    /// What a purchase is once it is paid, by steps that are added to `events`.
    fn implied_payment(
        &self,
        state: &charge::State,
        payment: Option<&PixPayment>,
        events: &mut Vec<charge::Event>,
    ) -> Option<Bought> {
        let mut state = state.clone();
        for _ in 0..2 {
            let command = match &state {
                charge::State::Pending(_) | charge::State::Expired(_) => {
                    let payment = payment.filter(|_| self.lookup.pix_seen.is_none())?;
                    charge::Command::Receive(payment.clone())
                }
                charge::State::UnderReview(_) => charge::Command::Settle,
                charge::State::Delayed(_) => charge::Command::Release,
                _ => break,
            };
            let now = self.charge_context(&state);
            let Verdict::Applied(event) = charge::decide(&state, command, now) else { return None };
            state = charge::evolve(&state, &event, self.at);
            events.push(event);
        }
        match &state {
            charge::State::Bought(bought) => Some(Bought::clone(bought)),
            _ => None,
        }
    }

    /// What was sent without reason is a claim on whoever received it, once a transaction.
    fn erroneous_delivery(
        &self,
        about: OpId,
        delivery_terms: DeliveryTerms,
        hash: Option<Box<str>>,
    ) -> Decision {
        let (Some(hash), Some(units)) = (hash, delivery_terms.delivered_units()) else {
            return self.aside(self.delivery_reason());
        };
        let DeliveryTerms { asset, chain, .. } = delivery_terms;
        let order = erroneous_delivery::Order { asset, chain, units, about, hash, again: None };
        let mut decision = self.claim_delivery(order, Reason::NotDue);
        if let (Some((op, charge)), None) = (self.charge(), self.lookup.claimed) {
            // What may begin next would be sent for the same money: a person looks first.
            self.halt(op, charge, &mut decision.events);
        }
        decision
    }

    /// What was sent without reason is a claim; what began before its reason is kept.
    fn erroneous_or_kept(
        &self,
        (about, delivery_terms): (OpId, DeliveryTerms),
        hash: Option<Box<str>>,
        report: Option<EarlyReport>,
    ) -> Decision {
        match hash {
            Some(hash) => self.erroneous_delivery(about, delivery_terms, Some(hash)),
            None => self.keep_early(report, self.delivery_reason()),
        }
    }

    fn conversion_moves(
        &self,
        op: OpId,
        state: &conversion::State,
        command: conversion::Command,
        hash: Option<Box<str>>,
    ) -> Decision {
        let report = match &command {
            conversion::Command::Deliver(delivery::Command { attempt: Some(attempt), report }) => {
                EarlyReport::of_attempt(*attempt, report)
            }
            _ => None,
        };
        match (conversion::decide(state, command), state.progress()) {
            (Verdict::Applied(steps), _) => {
                let steps = self.conversion_with_reports(op, state, steps);
                let events = steps.into_iter().map(|event| Event::Conversion { op, event });
                accept(self.claim_taken_over().into_iter().chain(events).collect())
            }
            (Verdict::Known, _) => already_known(),
            (Verdict::SetAside, Some(progress)) => {
                self.erroneous_or_kept((op, progress.order.delivery_terms), hash, report)
            }
            (Verdict::SetAside, None) => self.aside(self.unfit()),
        }
    }

    /// An operator found out what became of an attempt. One that may have left was not sent only
    /// by evidence of that (rulings 70).
    pub(in crate::ledger) fn delivery_found_out(
        &self,
        sent: Option<Box<str>>,
        decided_by: OperatorDecision,
    ) -> Decision {
        if sent.is_none() && decided_by.evidence.is_none() && self.has_attempt_open() {
            return self.aside(Reason::OutcomeUnknown);
        }
        let report = sent.map_or(DeliveryReport::Fail, DeliveryReport::Confirm);
        // Of the last attempt that began: none of what is left may have, since a part went back.
        let attempt = self.delivery_state().map(delivery::State::attempt);
        let attempt = attempt.filter(|last| *last > 0);
        self.delivery(delivery::Command { attempt, report }, None)
    }

    /// No more attempts (rulings 36).
    pub(in crate::ledger) fn given_up(&self, to: GiveUpTo) -> Decision {
        if let Some((op, state)) = self.conversion() {
            return match to {
                GiveUpTo::Custody => {
                    self.conversion_moves(op, state, conversion::Command::GiveUp, None)
                }
                GiveUpTo::Payer(_) => self.aside(Reason::OutOfTurn),
            };
        }
        let Some((op, charge::State::Bought(bought))) = self.charge() else {
            return self.aside(self.delivery_reason());
        };
        let mut events = Vec::new();
        let to = match to {
            GiveUpTo::Payer(return_id) => Remainder::Payer(return_id),
            GiveUpTo::Custody => {
                let customer = bought.terms().customer.clone();
                let account = bought.order.account;
                let known = match customer {
                    None => Some(bought.order.subaccount),
                    Some(_) => self.lookup.subaccounts[0],
                };
                Remainder::Custody(resolve(self.state, account, known, customer, &mut events))
            }
        };
        let returned = matches!(to, Remainder::Payer(_));
        match purchase::decide(bought, purchase::Command::GiveUp(to)) {
            // What went back is not there to be given up: somebody attaches it first (rulings 45).
            Verdict::Applied(_) if self.has_fitting_return(op, bought.returnable_balance()) => {
                self.aside(Reason::OutcomeUnknown)
            }
            // Who has the crypto gets no price of it as well: somebody settles the claim first.
            Verdict::Applied(_) if self.state.has_claim_open(op) => {
                self.aside(Reason::OutcomeUnknown)
            }
            // One return is one return (rulings 8).
            Verdict::Applied(_) if returned && self.lookup.pix_seen.is_some() => {
                self.aside(Reason::IdTaken)
            }
            Verdict::Applied(steps) => {
                for event in steps.into_iter().map(charge::Event::Purchase) {
                    let subaccount = bought.order.subaccount;
                    if returned {
                        events.extend(reversal::of_uncredited(self.state, op, subaccount, event));
                    } else {
                        events.push(Event::Charge { op, event });
                    }
                }
                accept(events)
            }
            // It was given up by another return.
            Verdict::Known if returned && self.lookup.pix_seen.is_none() => {
                self.aside(Reason::OutOfTurn)
            }
            Verdict::Known => already_known(),
            Verdict::SetAside => self.aside(self.delivery_reason()),
        }
    }

    /// What is left of a purchase is delivered, by an operator's decision (rulings 45).
    pub(in crate::ledger) fn resume_delivery(&self) -> Decision {
        let Some((op, charge::State::Bought(bought))) = self.charge() else {
            return self.aside(self.after_payment_reason());
        };
        if self.state.has_return_waiting(op) || self.state.has_claim_open(op) {
            // More may be gone, or crypto was sent for it already: somebody finds out first.
            return self.aside(Reason::OutcomeUnknown);
        }
        match purchase::decide(bought, purchase::Command::Resume) {
            Verdict::Applied(steps) => {
                let steps = steps.into_iter().map(charge::Event::Purchase);
                let events = steps.map(|event| Event::Charge { op, event }).collect();
                let (_, charge) = self.charge().expect("found above");
                accept(self.with_early(op, charge, events))
            }
            Verdict::Known => already_known(),
            Verdict::SetAside => self.aside(Reason::OutOfTurn),
        }
    }

    /// A PIX that bought crypto went back to its payer, in part or whole (rulings 28).
    pub(in crate::ledger) fn purchase_returned(
        &self,
        op: OpId,
        bought: &Bought,
        amount: Amount,
    ) -> Option<Vec<Event>> {
        let Verdict::Applied(steps) = purchase::decide(bought, purchase::Command::Return(amount))
        else {
            return None;
        };
        let whole = bought.returnable_balance() == Balance::from(amount.as_cents());
        let mut events = Vec::new();
        for step in steps {
            let back = match &step {
                purchase::Event::ReturnedDelivered { house, amount, reversed, .. } => {
                    let fee = reversed.total().expect("parts of what was earned");
                    Some(Back { subaccount: *house, amount: *amount, fee, own: None, whole })
                }
                purchase::Event::ReturnedCredited { subaccount, amount } => {
                    events.extend(self.custody_returned(op, bought, *subaccount, *amount));
                    if whole {
                        let all = Givers::all(op);
                        reversal::end_blocks(self.state, all, *subaccount, &mut events);
                    }
                    continue;
                }
                _ => None,
            };
            let event = charge::Event::Purchase(step);
            match back {
                Some(back) => {
                    let bearer = back.subaccount;
                    events.extend(reversal::of_return(self.state, Givers::all(op), back, event));
                    if whole {
                        reversal::end_blocks(self.state, Givers::all(op), bearer, &mut events);
                    }
                }
                None if whole => {
                    let subaccount = bought.order.subaccount;
                    events.extend(reversal::of_uncredited(self.state, op, subaccount, event));
                }
                None => events.push(Event::Charge { op, event }),
            }
        }
        Some(events)
    }

    /// What was credited to custody instead of delivered goes back: blocks where it went on to give
    /// first (rulings 81), then the subaccount that was credited. Blocks placed before it was
    /// credited stand on the house, and give nothing.
    fn custody_returned(
        &self,
        op: OpId,
        bought: &Bought,
        bearer: SubaccountId,
        amount: Amount,
    ) -> Vec<Event> {
        let bearers = [bearer, bought.order.subaccount];
        let givers = Givers::all(op);
        let (mut events, given) =
            reversal::of_traced(self.state, givers, bearers, amount.as_cents());
        if let Some(rest) = amount.as_cents().less_or_nothing(given).amount() {
            let step = purchase::Event::ReturnedCredited { subaccount: bearer, amount: rest };
            let fee = Cents::ZERO;
            // Ends of blocks follow: nothing of a purchase stands in a held part.
            let back = Back { subaccount: bearer, amount: rest, fee, own: None, whole: false };
            let event = charge::Event::Purchase(step);
            events.extend(reversal::of_return(self.state, givers, back, event));
        }
        events
    }

    /// A claim on crypto that was sent in error ends.
    pub(in crate::ledger) fn erroneous_delivery_settled(
        &self,
        end: erroneous_delivery::End,
    ) -> Decision {
        let named = self.lookup.operation.as_ref();
        let Some((op, state)) =
            named.and_then(|(op, known)| Some((*op, known.erroneous_delivery()?)))
        else {
            return self.aside(Reason::Unmatched);
        };
        match erroneous_delivery::decide(state, erroneous_delivery::Command::Settle(end)) {
            Verdict::Applied(event) => match self.forgone(&event) {
                Some(forgone) => {
                    let settled = Event::ErroneousDelivery { op, event };
                    accept(std::iter::once(settled).chain(forgone).collect())
                }
                None => self.aside(Reason::OutcomeUnknown),
            },
            Verdict::Known => already_known(),
            Verdict::SetAside => self.aside(Reason::OutOfTurn),
        }
    }

    pub(super) fn conversion(&self) -> Option<(OpId, &conversion::State)> {
        let (op, known) = self.lookup.operation.as_ref()?;
        Some((*op, known.conversion()?))
    }
}
