//! Which event of a hold may come next; written apart from the deciding, so that each checks the
//! other.

use super::{End, Event, Kind, State, Watch};
use crate::money::Cents;

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Placed { order, from_held, from_available }) => {
            from_held.plus(*from_available).is_some_and(|sum| sum <= order.requested.as_cents())
                && order.kind != Kind::Maturity
        }
        (State::Open(open), Event::ToppedUp { subaccount, amount }) => {
            *subaccount == open.order.subaccount
                && open.watch == Watch::Running
                && amount.as_cents() <= open.shortfall()
        }
        (State::Open(open), Event::Lapsed) => open.watch == Watch::Running,
        (State::Open(open), Event::Released { subaccount, to_held, to_available, end }) => {
            // What came from available goes first: what goes back to held is the rest or nothing.
            let split = |sum: Cents| {
                let rest = sum.less_or_nothing(open.from_available);
                to_held.is_zero() || *to_held == rest
            };
            let whole = |sum: Cents| match end {
                End::Yes => sum == open.blocked(),
                End::No => !sum.is_zero() && sum <= open.blocked(),
            };
            *subaccount == open.order.subaccount
                && to_held.plus(*to_available).is_some_and(|sum| split(sum) && whole(sum))
        }
        (State::Open(open), Event::Taken { subaccount, amount }) => {
            *subaccount == open.order.subaccount && amount.as_cents() <= open.blocked()
        }
        (State::Open(open), Event::Returned { subaccount, amount }) => {
            *subaccount == open.order.subaccount && open.gives_to_return(*amount)
        }
        (_, _) => false,
    }
}
