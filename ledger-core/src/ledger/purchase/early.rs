//! What was reported of a delivery before its time, and what stops one that may begin (rulings 45
//! and 46).

use crate::id::OpId;
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::record::event::Event;
use crate::ledger::suspense::waiting::{claimed_by, recovery_event, suspended_by};
use crate::machine::delivery::{self, DeliveryReport};
use crate::machine::purchase::Bought;
use crate::machine::suspense::Order;
use crate::machine::{Verdict, charge, purchase};
use crate::money::Balance;

impl FactContext<'_> {
    /// Tells whether a return waits that fits what is left: journals of before have some.
    pub(in crate::ledger) fn has_fitting_return(&self, op: OpId, left: Balance) -> bool {
        let mut waiting = self.state.suspended_about(op, Order::is_a_deposit_returned);
        waiting.any(|(_, order)| left.covers(order.amount))
    }

    /// Stops a delivery that may begin while a return of its money waits in suspense, or crypto
    /// that was sent for it is a claim (rulings 45).
    pub(in crate::ledger) fn halt(
        &self,
        op: OpId,
        charge: &charge::State,
        events: &mut Vec<Event>,
    ) {
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

    /// Returns what these events bring with them: a delivery reported before its payment, reports
    /// of attempts, the returns that they make possible, and the halt of a delivery for which one,
    /// or a claim, waits.
    pub(in crate::ledger) fn with_early(
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

    /// A purchase just paid whose crypto was reported sent before: the claim ends, and it is
    /// delivered.
    pub(in crate::ledger) fn sent_before(&self, op: OpId, bought: &Bought) -> Vec<Event> {
        let Some((claim, order)) = self.state.claims_about(op).next() else { return Vec::new() };
        let report = DeliveryReport::Confirm(order.hash.clone());
        let command = purchase::Command::Deliver(delivery::Command { attempt: None, report });
        match (recovery_event(claim, order), purchase::decide(bought, command)) {
            (Some(ended), Verdict::Applied(steps)) => {
                let steps = steps.into_iter().map(charge::Event::Purchase);
                let steps = steps.map(|event| Event::Charge { op, event });
                std::iter::once(ended).chain(steps).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Books the reports of attempts that were reported before these began.
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
}

/// Tells whether the event puts aside what makes a delivery of `about` doubtful: a return of its
/// money, or crypto that was sent for it.
fn doubts(event: &Event, about: OpId) -> bool {
    let returned = |order: &Order| order.about == Some(about) && order.is_a_deposit_returned();
    suspended_by(event).is_some_and(|(_, order)| returned(order))
        || claimed_by(event).is_some_and(|claim| claim.about == about)
}
