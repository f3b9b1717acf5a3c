//! What was set aside before its time, and the decision that books it (rulings 45 and 46).
//!
//! A return may be told before its payment, or while a delivery is under way: its money waits in
//! suspense under the operation it names. The decision that makes it possible books it in the same
//! record, so that nothing that went back is ever spendable, and nothing is delivered for it.

use super::aside::SetAsideReason as Reason;
use super::debit::{self, Back};
use super::decision::Decision;
use super::event::Event;
use super::fact::Case;
use super::operation::Machine;
use super::report::EarlyReport;
use super::state::State;
use crate::id::{OpId, Seq};
use crate::machine::charge::{self, Command};
use crate::machine::delivery::{self, News};
use crate::machine::purchase::{self, Bought};
use crate::machine::suspense::{self, Order};
use crate::machine::{Verdict, conversion, payout, stray};
use crate::money::{Amount, Balance};

impl State {
    /// The open operations that wait for a person and name `about`, in the order they were set aside.
    fn waiting_about(&self, about: OpId) -> impl Iterator<Item = (OpId, &Machine)> + '_ {
        let first = (about, OpId::new(crate::id::Kind::Charge, Seq::default()));
        let own = self.set_aside.range(first..).take_while(move |(named, _)| *named == about);
        own.filter_map(|(_, op)| Some((*op, &self.open(*op)?.machine)))
    }

    /// Money in suspense that names `about`.
    pub(super) fn suspended_about(
        &self,
        about: OpId,
        wanted: fn(&Order) -> bool,
    ) -> impl Iterator<Item = (OpId, &Order)> + '_ {
        self.waiting_about(about).filter_map(move |(op, machine)| match machine {
            Machine::Suspense(suspense::State::Waiting(order)) if wanted(order) => {
                Some((op, order))
            }
            _ => None,
        })
    }

    /// Whether a return of what paid `about` waits in suspense.
    pub(super) fn has_return_waiting(&self, about: OpId) -> bool {
        self.suspended_about(about, Order::is_a_deposit_returned).next().is_some()
    }

    /// The open claims on crypto that was sent for `about` without a reason, in the order they were
    /// made.
    pub(super) fn claims_about(
        &self,
        about: OpId,
    ) -> impl Iterator<Item = (OpId, &stray::Order)> + '_ {
        self.waiting_about(about).filter_map(|(op, machine)| match machine {
            Machine::Stray(stray::State::Waiting(order)) => Some((op, order)),
            _ => None,
        })
    }

    /// Whether crypto that was sent for `about` without a reason is an open claim.
    pub(super) fn has_claim_open(&self, about: OpId) -> bool {
        self.claims_about(about).next().is_some()
    }
}

/// The end of a claim whose reason has come.
pub(super) fn ended(op: OpId, claim: &stray::Order) -> Option<Event> {
    let open = stray::State::Waiting(claim.clone());
    match stray::decide(&open, stray::Command::Settle(stray::End::Recovered)) {
        Verdict::Applied(event) => Some(Event::Stray { op, event }),
        Verdict::Known | Verdict::SetAside => None,
    }
}

/// What waits for a person, and the operation it names.
pub(super) fn waits_about(machine: &Machine) -> Option<OpId> {
    match machine {
        Machine::Suspense(suspense::State::Waiting(order)) => order.about,
        Machine::Stray(stray::State::Waiting(order)) => Some(order.about),
        _ => None,
    }
}

impl Case<'_> {
    /// Whether a return waits that fits what is left: journals of before have some.
    pub(super) fn has_fitting_return(&self, op: OpId, left: Balance) -> bool {
        let mut waiting = self.state.suspended_about(op, Order::is_a_deposit_returned);
        waiting.any(|(_, order)| left.covers(order.amount))
    }

    /// What a charge is after these events of a decision.
    pub(super) fn charge_after(
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

    /// What a return of so much makes of a charge; none where it contradicts the books.
    pub(super) fn return_steps(
        &self,
        op: OpId,
        charge: &charge::State,
        amount: Amount,
    ) -> Option<Vec<Event>> {
        if let charge::State::Bought(bought) = charge {
            return self.purchase_returned(op, bought, amount);
        }
        let now = self.charge_circumstances(charge);
        let verdict = charge::decide(charge, Command::Return(amount), now);
        let Ok(Verdict::Applied(event)) = verdict else { return None };
        Some(match charge {
            charge::State::Paid(paid) => {
                let back = Back {
                    custody: paid.order.custody,
                    amount,
                    fee: paid.fee_share_of_return(amount),
                    own: Some(paid.held),
                    whole: paid.left() == Balance::from(amount.share()),
                };
                debit::of_return(self.state, op, back, event)
            }
            charge::State::Delayed(arrived) | charge::State::UnderReview(arrived)
                if arrived.left() == Balance::from(amount.share()) =>
            {
                debit::of_uncredited(self.state, op, arrived.order.custody, event)
            }
            _ => vec![Event::Charge { op, event }],
        })
    }

    /// Books the returns of a charge that were set aside and fit what is left of it, in the order they
    /// were told, as one return; suspense has found its reason. Gives the charge after it.
    pub(super) fn book_returns(
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

    /// Stops a delivery that may begin while a return of its money waits in suspense, or crypto that
    /// was sent for it is a claim (rulings 45).
    pub(super) fn halt(&self, op: OpId, charge: &charge::State, events: &mut Vec<Event>) {
        let charge::State::Bought(bought) = charge else { return };
        let ended = |waiting: OpId| events.iter().any(|event| event.op() == Some(waiting));
        let returned = self.state.suspended_about(op, Order::is_a_deposit_returned);
        let sent = self.state.claims_about(op);
        let mut waiting = returned.map(|(it, _)| it).chain(sent.map(|(it, _)| it));
        if !waiting.any(|it| !ended(it)) && !events.iter().any(|event| doubts(event, op)) {
            return;
        }
        if let Verdict::Applied(steps) = purchase::decide(bought, purchase::Command::Halt) {
            let steps = steps.into_iter().map(charge::Event::Purchase);
            events.extend(steps.map(|event| Event::Charge { op, event }));
        }
    }

    /// What these events bring with them: a delivery told before its payment, reports of attempts, the
    /// returns that they make possible, and the halt of a delivery for which one, or a claim, waits.
    pub(super) fn with_early(
        &self,
        op: OpId,
        charge: &charge::State,
        mut events: Vec<Event>,
    ) -> Vec<Event> {
        if self.state.waiting_about(op).next().is_some() {
            let paid = matches!(charge, charge::State::Bought(_));
            let after = self.charge_after(op, charge, &events);
            if let (false, charge::State::Bought(bought)) = (paid, &after) {
                events.extend(self.sent_before(op, bought));
            }
        }
        self.book_reports(op, charge, &mut events);
        if self.state.has_return_waiting(op) || self.state.has_claim_open(op) {
            let after = self.charge_after(op, charge, &events);
            let after = self.book_returns(op, after, &mut events);
            self.halt(op, &after, &mut events);
        }
        events
    }

    /// A purchase just paid whose crypto was told sent before: the claim ends, and it is delivered.
    fn sent_before(&self, op: OpId, bought: &Bought) -> Vec<Event> {
        let Some((claim, order)) = self.state.claims_about(op).next() else { return Vec::new() };
        let news = News::Confirm(order.hash.clone());
        let command = purchase::Command::Deliver(delivery::Command { attempt: None, news });
        match (ended(claim, order), purchase::decide(bought, command)) {
            (Some(ended), Verdict::Applied(steps)) => {
                let steps = steps.into_iter().map(charge::Event::Purchase);
                let steps = steps.map(|event| Event::Charge { op, event });
                std::iter::once(ended).chain(steps).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Books the reports of attempts that were told before these began.
    fn book_reports(&self, op: OpId, charge: &charge::State, events: &mut Vec<Event>) {
        let mut kept = self.state.early_reports(op).to_vec();
        while !kept.is_empty() {
            let charge::State::Bought(bought) = self.charge_after(op, charge, events) else {
                return;
            };
            let next = kept.iter().enumerate().find_map(|(place, report)| {
                let command = purchase::Command::Deliver(report.of_delivery()?);
                match purchase::decide(&bought, command) {
                    Verdict::Applied(steps) => Some((place, steps)),
                    Verdict::Known | Verdict::SetAside => None,
                }
            });
            let Some((place, steps)) = next else { return };
            kept.remove(place);
            let steps = steps.into_iter().map(charge::Event::Purchase);
            events.extend(steps.map(|event| Event::Charge { op, event }));
        }
    }

    /// The same of a conversion.
    pub(super) fn conversion_with_reports(
        &self,
        op: OpId,
        before: &conversion::State,
        steps: Vec<conversion::Event>,
    ) -> Vec<conversion::Event> {
        let evolve = |state: conversion::State, step: &conversion::Event| {
            conversion::evolve(&state, step, self.at)
        };
        let (mut all, mut kept) = (steps, self.state.early_reports(op).to_vec());
        while !kept.is_empty() {
            let state = all.iter().fold(before.clone(), evolve);
            let next = kept.iter().enumerate().find_map(|(place, report)| {
                let command = conversion::Command::Deliver(report.of_delivery()?);
                match conversion::decide(&state, command, conversion::Purse::NOTHING) {
                    Ok(Verdict::Applied(steps)) => Some((place, steps)),
                    _ => None,
                }
            });
            let Some((place, steps)) = next else { break };
            kept.remove(place);
            all.extend(steps);
        }
        all
    }

    /// A report is set aside; of what may still begin, it is kept until that does.
    pub(super) fn kept_aside(&self, report: Option<EarlyReport>, reason: Reason) -> Decision {
        let named = self.found.operation.as_ref();
        match (named, report) {
            (Some((op, known)), Some(report)) if report.is_early(&known.machine) => {
                let kept = vec![Event::ReportKept { op: *op, report }];
                self.waits(kept, None, Reason::TooEarly)
            }
            (_, _) => self.aside(reason),
        }
    }

    /// A PIX arrives for a charge: what went back of it before is neither credited nor bought with
    /// (rulings 22: the credit is what is left, and the fee at most that).
    pub(super) fn arrives(
        &self,
        op: OpId,
        charge: &charge::State,
        event: charge::Event,
    ) -> Vec<Event> {
        let seen = match &event {
            charge::Event::Credited { receipt, credit }
                if credit.origin == charge::Origin::Provider =>
            {
                Some(receipt)
            }
            charge::Event::Purchase(purchase::Event::Paid { receipt, from_suspense })
                if !from_suspense.is_on() =>
            {
                Some(receipt)
            }
            _ => None,
        };
        // What was sent already is delivered, whatever went back.
        let returned = self.state.has_return_waiting(op) && !self.state.has_claim_open(op);
        let Some(receipt) = seen.filter(|_| returned) else {
            return self.with_early(op, charge, vec![Event::Charge { op, event }]);
        };
        let first = charge::Event::UnderReview { receipt: receipt.clone() };
        let arrived = charge::evolve(charge, &first, self.at);
        let mut events = vec![Event::Charge { op, event: first }];
        self.book_returns(op, arrived, &mut events);
        if events.len() == 1 {
            return self.with_early(op, charge, vec![Event::Charge { op, event }]);
        }
        self.cleared(op, charge, events, Command::Settle)
    }

    /// A payout moves; what was reported while it was stopped is booked when it goes on, and what came
    /// back before it was told paid with its payment.
    pub(super) fn payout_with_early(&self, op: OpId, event: payout::Event) -> Vec<Event> {
        let known = self.found.operation.as_ref().and_then(|(_, known)| known.payout());
        let mut after = known.map(|before| payout::evolve(before, &event, self.at));
        let mut events = vec![Event::Payout { op, event }];
        for report in self.state.early_reports(op) {
            let Some((state, command)) = after.as_ref().zip(report.of_payout()) else { continue };
            let verdict = payout::decide(state, command, payout::Source::NOTHING);
            if let Ok(Verdict::Applied(event)) = verdict {
                after = Some(payout::evolve(state, &event, self.at));
                events.push(Event::Payout { op, event });
            }
        }
        let Some(payout::State::Completed(paid)) = &after else { return events };
        let waiting = self.state.suspended_about(op, Order::is_a_payment_returned);
        let Some((sum, ended)) = taken_over(op, waiting, paid.left()) else { return events };
        let completed = payout::State::Completed(paid.clone());
        let command = payout::Command::Return(sum);
        let verdict = payout::decide(&completed, command, payout::Source::NOTHING);
        if let Ok(Verdict::Applied(event)) = verdict {
            events.extend(ended);
            events.push(Event::Payout { op, event });
        }
        events
    }

    /// What a charge whose PIX arrived becomes by the provider's word after these events, unless all
    /// of it went back.
    pub(super) fn cleared(
        &self,
        op: OpId,
        charge: &charge::State,
        mut events: Vec<Event>,
        command: Command,
    ) -> Vec<Event> {
        let arrived = self.charge_after(op, charge, &events);
        let now = self.charge_circumstances(&arrived);
        match charge::decide(&arrived, command, now) {
            Ok(Verdict::Applied(event)) => {
                events.push(Event::Charge { op, event });
                self.with_early(op, charge, events)
            }
            _ => events,
        }
    }
}

/// The end of what waits in suspense, for the operation that books it.
pub(super) fn taken(op: OpId, order: &Order, by: OpId) -> Option<Event> {
    let open = suspense::State::Waiting(order.clone());
    match suspense::decide(&open, suspense::Command::TakeOver(by)) {
        Verdict::Applied(event) => Some(Event::Suspense { op, event }),
        Verdict::Known | Verdict::SetAside => None,
    }
}

/// Of the returns that wait, in the order they were told, those that fit together into what is left:
/// their sum, and the end of their waiting for the operation that books it.
pub(super) fn taken_over<'a>(
    by: OpId,
    waiting: impl Iterator<Item = (OpId, &'a Order)>,
    left: Balance,
) -> Option<(Amount, Vec<Event>)> {
    let mut sum: Option<Amount> = None;
    let mut ended = Vec::new();
    for (op, order) in waiting {
        let more = sum.map_or(Some(order.amount), |sum| sum.plus(order.amount.share()));
        let Some(more) = more.filter(|more| left.covers(*more)) else { continue };
        if let Some(event) = taken(op, order, by) {
            sum = Some(more);
            ended.push(event);
        }
    }
    Some((sum?, ended))
}

/// Whether the event puts aside what makes a delivery of `about` doubtful: a return of its money, or
/// crypto that was sent for it.
fn doubts(event: &Event, about: OpId) -> bool {
    match event {
        Event::Suspense { event: suspense::Event::Received(order), .. } => {
            order.about == Some(about) && order.is_a_deposit_returned()
        }
        Event::Stray { event: stray::Event::Claimed(order), .. } => order.about == about,
        _ => false,
    }
}

/// What could still go back of a charge.
fn left_of(charge: &charge::State) -> Balance {
    match charge {
        charge::State::UnderReview(arrived) | charge::State::Delayed(arrived) => arrived.left(),
        charge::State::Paid(paid) => paid.left(),
        charge::State::Bought(bought) => bought.left(),
        _ => Balance::ZERO,
    }
}
