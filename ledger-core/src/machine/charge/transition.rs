//! What may come next, and what is remembered of it.

use std::sync::Arc;

use super::purchase::{self, Bought};
use super::terms::{Order, Origin};
use super::{Arrived, Event, Paid, State};
use crate::money::Cents;
use crate::time::Instant;

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Requested(order)) => order.created_at <= order.expires_at,
        (State::Pending(_), Event::Expired | Event::Failed) => true,
        (State::Pending(order) | State::Expired(order), Event::Delayed { payment, .. }) => {
            order.retention_hours.is_some() && order.is_paid_by(payment)
        }
        (State::Pending(order) | State::Expired(order), Event::UnderReview { payment }) => {
            order.is_paid_by(payment)
        }
        (State::UnderReview(_), Event::Withheld { .. }) => true,
        (State::Pending(order) | State::Expired(order), Event::Purchase(event)) => match event {
            purchase::Event::Paid { payment, from_suspense } => {
                let in_time = order.is_paid_by(payment) && order.retention_hours.is_none();
                order.purchase.is_some()
                    && order.can_take(payment)
                    && (from_suspense.is_on() || in_time)
            }
            _ => false,
        },
        (State::Failed(order), Event::Purchase(event)) => match event {
            purchase::Event::Paid { payment, from_suspense } => {
                order.purchase.is_some() && order.can_take(payment) && from_suspense.is_on()
            }
            _ => false,
        },
        (State::UnderReview(arrived) | State::Delayed(arrived), Event::Purchase(event)) => {
            arrived.order.purchase.is_some() && *event == purchase::Event::Cleared
        }
        (State::Bought(bought), Event::Purchase(event)) => purchase::follows(bought, event),
        (State::Pending(order) | State::Expired(order), Event::Credited { payment, credit }) => {
            let exact = order.is_paid_by(payment) && order.retention_hours.is_none();
            let booked = match credit.origin {
                Origin::Provider => exact,
                Origin::Suspense => true,
                Origin::Flight => false,
            };
            order.purchase.is_none()
                && booked
                && credit.is_sound(order, payment, Cents::ZERO, order.credits_at_once())
        }
        (State::Failed(order), Event::Credited { payment, credit }) => {
            order.purchase.is_none()
                && credit.origin == Origin::Suspense
                && credit.is_sound(order, payment, Cents::ZERO, order.credits_at_once())
        }
        (
            State::UnderReview(arrived) | State::Delayed(arrived),
            Event::Credited { payment, credit },
        ) => {
            arrived.order.purchase.is_none()
                && credit.origin == Origin::Flight
                && *payment == arrived.payment
                && credit.is_sound(
                    &arrived.order,
                    payment,
                    arrived.returned,
                    arrived.credits_at_once(),
                )
        }
        (
            State::UnderReview(arrived) | State::Delayed(arrived),
            Event::ReturnedUncredited { amount },
        ) => arrived.left().covers(*amount),
        (State::Paid(paid), Event::Matured { subaccount, amount }) => {
            *subaccount == paid.order.subaccount
                && *amount == paid.held
                && paid.settled_at.is_none()
        }
        (State::Paid(paid), Event::PartTaken { subaccount, amount, .. }) => {
            *subaccount == paid.order.subaccount && amount.as_cents() <= paid.held
        }
        (State::Paid(paid), Event::PartRestored { subaccount, amount }) => {
            let held = paid.held.plus(amount.as_cents());
            *subaccount == paid.order.subaccount
                && paid.settled_at.is_none()
                && held.is_some_and(|held| held <= paid.credit.net())
        }
        (State::Paid(paid), Event::Returned { subaccount, amount, fee }) => {
            *subaccount == paid.order.subaccount
                && paid.left().covers(*amount)
                && *fee == paid.fee_share_of_return(*amount)
        }
        (_, _) => false,
    }
}

/// Remembers `event`, which happened at `at`.
///
/// # Panics
///
/// When `event` cannot follow `state`; replay checks [`follows`] first.
#[must_use]
pub fn evolve(state: &State, event: &Event, at: Instant) -> State {
    assert!(follows(state, event), "{event:?} cannot follow {state:?}");
    let paid = |change: &dyn Fn(&mut Paid)| match state {
        State::Paid(paid) => {
            let mut paid = Paid::clone(paid);
            change(&mut paid);
            paid
        }
        _ => unreachable!("follows admits it on a paid charge only"),
    };
    match event {
        Event::Requested(order) => State::Pending(Arc::new(Order::clone(order))),
        Event::Expired => State::Expired(state.known_order()),
        Event::Failed => State::Failed(state.known_order()),
        Event::Delayed { payment, until } => State::Delayed(Arc::new(Arrived {
            order: state.known_order(),
            payment: payment.clone(),
            until: Some(*until),
            returned: Cents::ZERO,
        })),
        Event::UnderReview { payment } => State::UnderReview(Arc::new(Arrived {
            order: state.known_order(),
            payment: payment.clone(),
            until: None,
            returned: Cents::ZERO,
        })),
        Event::Withheld { until } => match state {
            State::UnderReview(arrived) => {
                State::Delayed(Arc::new(Arrived { until: Some(*until), ..Arrived::clone(arrived) }))
            }
            _ => unreachable!("follows admits it on a charge under review only"),
        },
        Event::Purchase(event) => State::Bought(Arc::new(match (state, event) {
            (State::Bought(bought), event) => purchase::evolve(bought, event, at),
            (State::UnderReview(arrived) | State::Delayed(arrived), _) => {
                let order = Arc::clone(&arrived.order);
                Bought::new(order, arrived.payment.clone(), arrived.returned)
            }
            (_, purchase::Event::Paid { payment, .. }) => {
                Bought::new(state.known_order(), payment.clone(), Cents::ZERO)
            }
            _ => unreachable!("follows admits nothing else before a purchase is paid"),
        })),
        Event::Credited { payment, credit } => State::Paid(Arc::new(Paid {
            order: state.known_order(),
            payment: payment.clone(),
            credit: credit.clone(),
            held: credit.available_at.map_or(Cents::ZERO, |_| credit.net()),
            settled_at: if credit.available_at.is_none() { Some(at) } else { None },
            returned: Cents::ZERO,
        })),
        Event::Matured { .. } => State::Paid(Arc::new(paid(&|paid| {
            paid.held = Cents::ZERO;
            paid.settled_at = Some(at);
        }))),
        Event::PartTaken { amount, .. } => State::Paid(Arc::new(paid(&|paid| {
            paid.held = paid.held.less_or_nothing(amount.as_cents());
        }))),
        Event::PartRestored { amount, .. } => State::Paid(Arc::new(paid(&|paid| {
            paid.held = paid.held.plus(amount.as_cents()).expect("at most the credit itself");
        }))),
        Event::ReturnedUncredited { amount } => match state {
            State::Delayed(arrived) => arrived.after_return(*amount, State::Delayed),
            State::UnderReview(arrived) => arrived.after_return(*amount, State::UnderReview),
            _ => unreachable!("follows admits it on a charge that arrived only"),
        },
        Event::Returned { amount, .. } => {
            let after = paid(&|paid| {
                paid.returned = paid.returned.plus(amount.as_cents()).expect("at most the gross");
            });
            after.refunded_when_empty()
        }
    }
}
