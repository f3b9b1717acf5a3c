//! Which event of a payout may come next; written apart from the deciding, so that each checks the
//! other.

use super::{Event, State};

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Requested(order)) => order.debited().is_some(),
        (State::Requested(_), Event::Submitted | Event::Stopped) => true,
        (State::UnderReview(_), Event::Cleared) => true,
        (State::Requested(_) | State::Submitted(_), Event::Uncertain) => true,
        (
            State::Requested(order)
            | State::UnderReview(order)
            | State::Submitted(order)
            | State::Uncertain(order),
            Event::Completed { account, amount, fees, .. },
        ) => *account == order.account && *amount == order.amount && *fees == order.fees,
        (
            State::Requested(order)
            | State::UnderReview(order)
            | State::Submitted(order)
            | State::Uncertain(order),
            Event::Failed { subaccount, amount, fees },
        ) => *subaccount == order.subaccount && *amount == order.amount && *fees == order.fees,
        (State::Completed(paid), Event::Returned { subaccount, account, amount, fees }) => {
            *subaccount == paid.order.subaccount
                && *account == paid.order.account
                && paid.left().covers(*amount)
                && *fees == paid.fees_given_back(*amount)
        }
        (_, _) => false,
    }
}
