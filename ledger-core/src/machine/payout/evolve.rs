//! Remembering what happened to a payout.

use std::sync::Arc;

use super::{Completed, Event, Order, State, follows};
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
    match event {
        Event::Requested(order) => State::Requested(Arc::new(Order::clone(order))),
        Event::Stopped => State::UnderReview(state.known_order()),
        Event::Cleared => State::Requested(state.known_order()),
        Event::Submitted => State::Submitted(state.known_order()),
        Event::Uncertain => State::Uncertain(state.known_order()),
        Event::Failed { .. } => State::Failed(state.known_order()),
        Event::Completed { e2e, .. } => State::Completed(Arc::new(Completed {
            order: state.known_order(),
            e2e: e2e.clone(),
            completed_at: at,
            returned: Cents::ZERO,
        })),
        Event::Returned { amount, .. } => match state {
            State::Completed(paid) => paid.after_return(*amount),
            _ => unreachable!("follows admits it on a completed payout only"),
        },
    }
}
