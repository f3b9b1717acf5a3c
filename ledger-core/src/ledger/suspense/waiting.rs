//! What waits for a person, found by the operation it names; and the end of its waiting when its
//! reason comes (rulings 45 and 46).

use crate::id::OpId;
use crate::ledger::record::event::Event;
use crate::ledger::registry::Operation;
use crate::ledger::state::State;
use crate::machine::suspense::{self, Order};
use crate::machine::{Verdict, erroneous_delivery};
use crate::money::{Amount, Balance};

impl State {
    /// The open operations that wait for a person and name `about`, in the order they were set
    /// aside.
    pub(in crate::ledger) fn waiting_about(
        &self,
        about: OpId,
    ) -> impl Iterator<Item = (OpId, &Operation)> + '_ {
        let first = (about, OpId::LEAST);
        let own = self.set_aside.range(first..).take_while(move |(named, _)| *named == about);
        own.filter_map(|(_, op)| Some((*op, self.open(*op)?)))
    }

    /// Money in suspense that names `about`.
    pub(in crate::ledger) fn suspended_about(
        &self,
        about: OpId,
        wanted: fn(&Order) -> bool,
    ) -> impl Iterator<Item = (OpId, &Order)> + '_ {
        self.waiting_about(about).filter_map(move |(op, known)| match known.suspense()? {
            suspense::State::Waiting(order) if wanted(order) => Some((op, order)),
            _ => None,
        })
    }

    /// Tells whether a return of what paid `about` waits in suspense.
    pub(in crate::ledger) fn has_return_waiting(&self, about: OpId) -> bool {
        self.suspended_about(about, Order::is_a_deposit_returned).next().is_some()
    }

    /// The open claims on crypto that was sent for `about` without a reason, in the order they were
    /// made.
    pub(in crate::ledger) fn claims_about(
        &self,
        about: OpId,
    ) -> impl Iterator<Item = (OpId, &erroneous_delivery::Order)> + '_ {
        self.waiting_about(about).filter_map(|(op, known)| match known.erroneous_delivery()? {
            erroneous_delivery::State::Waiting(order) => Some((op, order)),
            _ => None,
        })
    }

    /// Tells whether crypto that was sent for `about` without a reason is an open claim.
    pub(in crate::ledger) fn has_claim_open(&self, about: OpId) -> bool {
        self.claims_about(about).next().is_some()
    }
}

/// The end of a claim whose reason has come.
pub(in crate::ledger) fn recovery_event(
    op: OpId,
    claim: &erroneous_delivery::Order,
) -> Option<Event> {
    let open = erroneous_delivery::State::Waiting(claim.clone());
    match erroneous_delivery::decide(
        &open,
        erroneous_delivery::Command::Settle(erroneous_delivery::End::Recovered),
    ) {
        Verdict::Applied(event) => Some(Event::ErroneousDelivery { op, event }),
        Verdict::Known | Verdict::SetAside => None,
    }
}

/// The money that an event puts in suspense, and as what.
pub(in crate::ledger) fn suspended_by(event: &Event) -> Option<(OpId, &Order)> {
    match event {
        Event::Suspense { op, event: suspense::Event::Received(order) } => Some((*op, order)),
        _ => None,
    }
}

/// Tells whether it is a return of a PIX sent: what came in without an id of the world's is none,
/// and has its own number for one.
pub(in crate::ledger) fn is_return_of_payment((op, order): &(OpId, &Order)) -> bool {
    order.is_a_payment_returned() && *order.outside != *format!("{op:?}")
}

/// Tells whether more of what waits was reported paid by PIX than came back of it.
pub(in crate::ledger) fn remains_paid<'a>(
    waiting: impl Iterator<Item = (OpId, &'a Order)>,
) -> bool {
    let sum = waiting.fold(0_i128, |sum, one| match one.1 {
        order if order.is_a_payment() => sum + i128::from(order.amount.cents()),
        order if is_return_of_payment(&one) => sum - i128::from(order.amount.cents()),
        _ => sum,
    });
    sum > 0
}

/// The claim on crypto that an event makes.
pub(in crate::ledger) fn claimed_by(event: &Event) -> Option<&erroneous_delivery::Order> {
    match event {
        Event::ErroneousDelivery { event: erroneous_delivery::Event::Claimed(order), .. } => {
            Some(order)
        }
        _ => None,
    }
}

/// The end of what waits in suspense, for the operation that books it.
pub(in crate::ledger) fn takeover_event(op: OpId, order: &Order, by: OpId) -> Option<Event> {
    let open = suspense::State::Waiting(order.clone());
    match suspense::decide(&open, suspense::Command::TakeOver(by)) {
        Verdict::Applied(event) => Some(Event::Suspense { op, event }),
        Verdict::Known | Verdict::SetAside => None,
    }
}

/// Of the returns that wait, in the order they were reported, those that fit together into what is
/// left: their sum, and the end of their waiting for the operation that books it.
pub(in crate::ledger) fn taken_over<'a>(
    by: OpId,
    waiting: impl Iterator<Item = (OpId, &'a Order)>,
    left: Balance,
) -> Option<(Amount, Vec<Event>)> {
    let mut sum: Option<Amount> = None;
    let mut ended = Vec::new();
    for (op, order) in waiting {
        let more = sum.map_or(Some(order.amount), |sum| sum.plus(order.amount.as_cents()));
        let Some(more) = more.filter(|more| left.covers(*more)) else { continue };
        if let Some(event) = takeover_event(op, order, by) {
            sum = Some(more);
            ended.push(event);
        }
    }
    Some((sum?, ended))
}
