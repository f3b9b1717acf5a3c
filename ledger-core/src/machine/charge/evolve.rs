//! How a charge stands after what happened.

use std::sync::Arc;

use super::purchase::{self, Bought};
use super::terms::Order;
use super::{Arrived, Event, Paid, State, follows};
use crate::money::Cents;
use crate::time::Instant;

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
        Event::ReturnedTraced { amount, .. } if let State::Bought(bought) = state => {
            State::Bought(Arc::new(bought.after_traced_return(*amount)))
        }
        Event::Returned { amount, .. } | Event::ReturnedTraced { amount, .. } => {
            let after = paid(&|paid| {
                paid.returned = paid.returned.plus(amount.as_cents()).expect("at most the gross");
            });
            after.refunded_when_empty()
        }
    }
}
