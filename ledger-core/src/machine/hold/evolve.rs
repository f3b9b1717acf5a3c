//! Remembering what happened to a hold.

use super::{Amounts, End, Event, State, Watch, follows, sum};
use crate::money::Cents;

/// Remembers `event`: returns what `state` becomes by it.
///
/// # Panics
///
/// When `event` cannot follow `state`; replay checks [`follows`] first.
#[must_use]
pub fn evolve(state: &State, event: &Event) -> State {
    assert!(follows(state, event), "{event:?} cannot follow {state:?}");
    match (state, event) {
        (_, Event::Placed { order, from_held, from_available }) => Amounts {
            order: order.clone(),
            from_held: *from_held,
            from_available: *from_available,
            released: Cents::ZERO,
            settled: Cents::ZERO,
            watch: Watch::Running,
        }
        .open_or_closed(),
        (State::Open(open), Event::ToppedUp { amount, .. }) => {
            let mut next = open.clone();
            next.from_available = sum(next.from_available, amount.as_cents());
            next.open_or_closed()
        }
        (State::Open(open), Event::Lapsed) => {
            Amounts { watch: Watch::Over, ..open.clone() }.open_or_closed()
        }
        (State::Open(open), Event::Released { to_held, to_available, end, .. }) => {
            let mut next = open.clone();
            let amount = sum(*to_held, *to_available);
            let available = amount.min(next.from_available);
            next.from_available = next.from_available.less_or_nothing(available);
            next.from_held = next.from_held.less_or_nothing(amount.less_or_nothing(available));
            next.released = sum(next.released, amount);
            if *end == End::Yes {
                next.watch = Watch::Over;
            }
            next.open_or_closed()
        }
        (State::Open(open), Event::Taken { amount, .. } | Event::Returned { amount, .. }) => {
            let mut next = open.clone();
            let held = amount.as_cents().min(next.from_held);
            next.from_held = next.from_held.less_or_nothing(held);
            next.from_available =
                next.from_available.less_or_nothing(amount.as_cents().less_or_nothing(held));
            next.settled = sum(next.settled, amount.as_cents());
            next.open_or_closed()
        }
        (State::Absent | State::Closed(_), _) => {
            unreachable!("follows admits it on open holds only")
        }
    }
}
