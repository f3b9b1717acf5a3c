//! What may happen to a charge next: written apart from deciding, so that each checks the other.

use super::purchase;
use super::terms::Origin;
use super::{Event, State};
use crate::money::Cents;

/// Tells whether `event` may follow `state`.
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
        ) => arrived.remaining_balance().covers(*amount),
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
                && paid.returnable_balance().covers(*amount)
                && *fee == paid.fee_share_of_return(*amount)
        }
        // What passes the net credited is the fee's (rulings 22), and no block of others gives it.
        (State::Paid(paid), Event::ReturnedTraced { subaccount, amount }) => {
            *subaccount != paid.order.subaccount
                && paid.returnable_balance().covers(*amount)
                && paid.fee_share_of_return(*amount).is_zero()
        }
        (State::Bought(bought), Event::ReturnedTraced { subaccount, amount }) => {
            let credited = state.credited_to();
            credited.is_some_and(|credited| credited != *subaccount)
                && *subaccount != bought.order.subaccount
                && bought.returnable_balance().covers(*amount)
        }
        (_, _) => false,
    }
}
