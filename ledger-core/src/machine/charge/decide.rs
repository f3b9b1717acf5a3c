//! What is judged of a charge: what the world reports, and what time brings.

use super::purchase;
use super::terms::{Credit, Order, Origin, PixPayment};
use super::{Arrived, Command, Context, Event, State};
use crate::machine::Verdict;
use crate::money::Amount;
use crate::terms::Switch;
use crate::time::Span;

/// For how long a provider is taken to hold what it did not announce it would.
const WITHHELD_HOURS: u16 = 24;

/// Judges what the world reports. Whether a charge may be requested, its slice of the ledger says.
#[must_use]
pub fn decide(state: &State, command: Command, now: Context) -> Verdict<Event> {
    use Verdict::{Applied, Known, SetAside};
    match (state, command) {
        (State::Pending(order) | State::Expired(order), Command::Receive(payment))
            if order.is_paid_by(&payment) =>
        {
            Applied(receive(order, payment, now))
        }
        (State::Pending(order) | State::Expired(order), Command::See(payment))
            if order.is_paid_by(&payment) =>
        {
            Applied(Event::UnderReview { payment })
        }
        (
            State::Pending(order) | State::Expired(order) | State::Failed(order),
            Command::Attach(payment),
        ) if order.can_take(&payment) => Applied(match order.purchase {
            Some(_) => {
                let from_suspense = Switch::On;
                Event::Purchase(purchase::Event::Paid { payment, from_suspense })
            }
            None => {
                let booked = (payment.amount, order.credits_at_once());
                credit(order, payment, Origin::Suspense, booked, now)
            }
        }),

        (State::Delayed(arrived), Command::Release)
        | (State::UnderReview(arrived), Command::Settle) => Applied(clear(arrived, now)),
        (State::UnderReview(arrived), Command::Withhold(until)) => {
            let hours = arrived.order.retention_hours.unwrap_or(WITHHELD_HOURS);
            let until = until.unwrap_or_else(|| now.at.after(Span::hours(hours.into())));
            Applied(Event::Withheld { until })
        }
        (State::Delayed(arrived), Command::Withhold(until))
            if until.is_none() || until == arrived.until =>
        {
            Known
        }
        (
            State::Paid(_) | State::Bought(_),
            Command::Release | Command::Settle | Command::Withhold(_),
        ) => Known,
        (State::Refunded(refunded), Command::Release | Command::Settle)
            if refunded.credit.is_some() =>
        {
            Known
        }

        (State::Pending(_), Command::Cancel) => Applied(Event::Failed),
        (State::Expired(_) | State::Failed(_), Command::Cancel) => Known,

        (State::Pending(_), Command::Expire) => Applied(Event::Expired),
        (State::Paid(paid), Command::Mature) if paid.settled_at.is_none() => {
            Applied(Event::Matured { subaccount: paid.order.subaccount, amount: paid.held })
        }

        (State::Delayed(arrived) | State::UnderReview(arrived), Command::Return(amount))
            if arrived.remaining_balance().covers(amount) =>
        {
            Applied(Event::ReturnedUncredited { amount })
        }
        (State::Paid(paid), Command::Return(amount))
            if paid.returnable_balance().covers(amount) =>
        {
            Applied(Event::Returned {
                subaccount: paid.order.subaccount,
                amount,
                fee: paid.fee_share_of_return(amount),
            })
        }

        // Facts that fit nothing: their money, if any, waits for a person.
        (_, _) => SetAside,
    }
}

fn receive(order: &Order, payment: PixPayment, now: Context) -> Event {
    match (order.retention_hours, &order.purchase) {
        (Some(hours), _) => {
            Event::Delayed { payment, until: now.at.after(Span::hours(hours.into())) }
        }
        (None, Some(_)) => {
            Event::Purchase(purchase::Event::Paid { payment, from_suspense: Switch::Off })
        }
        (None, None) => {
            let booked = (payment.amount, order.credits_at_once());
            credit(order, payment, Origin::Provider, booked, now)
        }
    }
}

fn clear(arrived: &Arrived, now: Context) -> Event {
    if arrived.order.purchase.is_some() {
        return Event::Purchase(purchase::Event::Cleared);
    }
    let gross = arrived.remaining_balance().spendable().amount();
    let gross = gross.expect("a charge returned in full is Refunded");
    let booked = (gross, arrived.credits_at_once());
    credit(&arrived.order, arrived.payment.clone(), Origin::Flight, booked, now)
}

fn credit(
    order: &Order,
    payment: PixPayment,
    origin: Origin,
    (gross, at_once): (Amount, bool),
    now: Context,
) -> Event {
    let fee = order.fee.on(payment.amount).unwrap_or(gross.as_cents()).min(gross.as_cents());
    let wait = Span::hours(order.waiting_hours.into());
    // The day of the payment decides, not the day of its report (rulings 69): what is reported
    // after that day is over is available at once.
    let released = payment.released_at(now.at);
    let starts_wait = now.first_deposit.is_on() && order.waiting_hours > 0;
    let credit = Credit {
        subaccount: order.subaccount,
        origin,
        gross,
        fee,
        available_at: Some(released).filter(|released| !at_once && now.at < *released),
        waiting_until: starts_wait.then(|| now.at.after(wait)),
        booked_at: now.at,
    };
    Event::Credited { payment, credit }
}
