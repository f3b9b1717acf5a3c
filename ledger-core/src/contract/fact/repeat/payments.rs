//! Fields of charges, payouts and deliveries, as events tell them.

use super::recorded::FirstReport;
use super::text::{FieldText, cents, token, word};
use crate::ledger::charge::Fact as ChargeFact;
use crate::ledger::recovery::Fact as RecoveryFact;
use crate::ledger::{Archive, Event, Fact, FactKind};
use crate::machine::charge::{self, PixPayment};
use crate::machine::purchase::{self, Remainder};
use crate::machine::{conversion, delivery, payout, suspense};
use crate::terms::Review;

impl<A: Archive> FirstReport<'_, A> {
    /// Fields of charges, payouts and deliveries.
    pub(super) fn pix_fields(&self) -> Vec<FieldText> {
        let events = &self.record.events;
        let told = |event| [pix_event_fields(event), self.waiting_fields(event)].concat();
        let traced = |event: &&Event| {
            matches!(event, Event::Charge { event: charge::Event::ReturnedTraced { .. }, .. })
        };
        if !events.iter().any(|event| traced(&event)) {
            return events.iter().flat_map(told).collect();
        }
        // One return, of which blocks on several subaccounts gave a part each (rulings 81).
        let returned: i64 = events.iter().filter_map(sent_back).sum();
        let others = events.iter().filter(|event| sent_back(event).is_none());
        others.flat_map(told).chain([cents("amount_cents", returned)]).collect()
    }

    /// Fields of one return of a deposit, by whichever fact and for whichever recovery it was told.
    pub(super) fn return_fields(&self) -> Vec<FieldText> {
        let (Fact::Charge(ChargeFact::PixReturned { return_id: id, .. })
        | Fact::Recovery(RecoveryFact::Refunded { return_id: id, .. })) = self.fact.bare()
        else {
            return Vec::new();
        };
        let is_refund = |event: &Event| {
            matches!(event, Event::SetAside { fact: FactKind::RecoveryRefunded, .. })
        };
        let own = self.record.events.iter().find_map(|event| match event {
            Event::RecoveryRefunded { recovery, return_id, amount } if return_id == id => {
                Some((Some(recovery), *amount))
            }
            Event::Suspense { event: suspense::Event::Received(order), .. }
                if order.outside == *id =>
            {
                Some((order.recovery.as_ref(), order.amount))
            }
            _ => None,
        });
        let recovery = own.and_then(|(recovery, _)| recovery);
        // A record of before does not tell the recovery of a refund that waits.
        let told = recovery.is_some() || !self.record.events.iter().any(is_refund);
        let mut fields = match own {
            Some((_, amount)) => vec![cents("amount_cents", amount.cents())],
            None => self.pix_fields(),
        };
        fields.extend(told.then(|| ("recovery_id", recovery.map(|name| (**name).to_owned()))));
        fields
    }

    /// Tells whether the record is of a PIX that was seen and not received yet.
    pub(super) fn is_of_seen_pix(&self) -> bool {
        let seen = |event: &Event| {
            let Event::Charge { event, .. } = event else { return false };
            matches!(event, charge::Event::UnderReview { .. })
        };
        self.record.events.iter().any(seen)
    }
}

/// Fields of a payer who is reviewed.
pub(super) fn payer_fields(fact: &Fact) -> Vec<FieldText> {
    let Fact::Charge(ChargeFact::PayerReviewed { payer, .. }) = fact.bare() else {
        return Vec::new();
    };
    vec![("payer_tax_number", Some(token(*payer)))]
}

/// The word for a finding about a payer.
fn finding(review: Review) -> FieldText {
    let found = match review {
        Review::Identified => "identified",
        Review::Blocked => "blocked",
        Review::Unknown => "unknown",
    };
    word("finding", found)
}

fn pix_event_fields(event: &Event) -> Vec<FieldText> {
    match event {
        Event::Charge { event, .. } => charge_fields(event),
        Event::PayerReviewed { payer, review } => {
            vec![("payer_tax_number", Some(token(*payer))), finding(*review)]
        }
        Event::Payout { event, .. } => match event {
            payout::Event::Completed { amount, e2e, .. } => vec![
                cents("amount_cents", amount.cents()),
                word("e2e", e2e),
                word("outcome", "paid"),
            ],
            payout::Event::Failed { .. } => vec![word("outcome", "not_paid")],
            payout::Event::Returned { amount, .. } => vec![cents("amount_cents", amount.cents())],
            _ => Vec::new(),
        },
        Event::Conversion { event, .. } => match event {
            conversion::Event::Delivery { event, .. } => delivery_fields(event),
            conversion::Event::Refunded { .. } => vec![word("to", "saldo")],
            conversion::Event::Requested(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn charge_fields(event: &charge::Event) -> Vec<FieldText> {
    match event {
        charge::Event::Delayed { payment, .. }
        | charge::Event::UnderReview { payment }
        | charge::Event::Credited { payment, .. }
        | charge::Event::Purchase(purchase::Event::Paid { payment, .. }) => pix_received(payment),
        charge::Event::Withheld { until } => vec![("until", Some(until.to_string()))],
        charge::Event::ReturnedUncredited { amount }
        | charge::Event::Returned { amount, .. }
        | charge::Event::Purchase(
            purchase::Event::ReturnedUndelivered { amount, .. }
            | purchase::Event::ReturnedDelivered { amount, .. }
            | purchase::Event::ReturnedCredited { amount, .. },
        ) => vec![cents("amount_cents", amount.cents())],
        charge::Event::Purchase(purchase::Event::Delivery(event)) => delivery_fields(event),
        charge::Event::Purchase(purchase::Event::GivenUp { to, amount, .. }) => match to {
            Remainder::Payer(return_id) => vec![
                word("to", "pagador"),
                word("return_id", return_id),
                cents("amount_cents", amount.cents()),
            ],
            Remainder::Custody(_) => vec![word("to", "saldo")],
        },
        _ => Vec::new(),
    }
}

/// No event says which attempt a report named.
fn delivery_fields(event: &delivery::Event) -> Vec<FieldText> {
    match event {
        delivery::Event::Failed => vec![word("outcome", "not_sent")],
        delivery::Event::Sent { hash, .. } => vec![word("outcome", "sent"), word("tx_hash", hash)],
        delivery::Event::Begun(_)
        | delivery::Event::BegunAgain { .. }
        | delivery::Event::Accepted
        | delivery::Event::Unknown => Vec::new(),
    }
}

/// The centavos that one event says went back of a deposit.
fn sent_back(event: &Event) -> Option<i64> {
    let Event::Charge { event, .. } = event else { return None };
    match event {
        charge::Event::Returned { amount, .. }
        | charge::Event::ReturnedTraced { amount, .. }
        | charge::Event::Purchase(purchase::Event::ReturnedCredited { amount, .. }) => {
            Some(amount.cents())
        }
        _ => None,
    }
}

fn pix_received(pix: &PixPayment) -> Vec<FieldText> {
    vec![
        word("e2e", &pix.e2e),
        cents("amount_cents", pix.amount.cents()),
        ("paid_at", Some(pix.paid_at.to_string())),
    ]
}

pub(super) fn is_charge(event: &Event, is: fn(&charge::Event) -> bool) -> bool {
    matches!(event, Event::Charge { event, .. } if is(event))
}

pub(super) fn is_purchase(event: &Event, is: fn(&purchase::Event) -> bool) -> bool {
    matches!(event, Event::Charge { event: charge::Event::Purchase(event), .. } if is(event))
}

pub(super) fn is_delivery(event: &Event, is: fn(&delivery::Event) -> bool) -> bool {
    match event {
        Event::Conversion { event: conversion::Event::Delivery { event, .. }, .. }
        | Event::Charge {
            event: charge::Event::Purchase(purchase::Event::Delivery(event)), ..
        } => is(event),
        _ => false,
    }
}
