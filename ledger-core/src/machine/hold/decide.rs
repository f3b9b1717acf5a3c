//! Judging what an operator decides about a hold, the ledger composes, or the agenda brings.

use super::{Amounts, Capture, Command, Context, End, Event, Order, State, Watch};
use crate::machine::Verdict;
use crate::money::{Amount, Cents};

/// Judges `command`; every one of them is a fact or the ledger's own.
#[must_use]
pub fn decide(state: &State, command: Command, now: Context) -> Verdict<Event> {
    match (state, command) {
        // Maturity is kept by the charge (rulings 26); a reservation takes all of it or nothing.
        (State::Absent, Command::Place(order)) if order.kind.blocks() => {
            Verdict::Applied(place(order, now))
        }
        (State::Absent, Command::Reserve(order))
            if order.is_reservation() && now.available.covers(order.requested) =>
        {
            let from_available = order.requested.as_cents();
            Verdict::Applied(Event::Placed { order, from_held: Cents::ZERO, from_available })
        }
        (State::Open(open), Command::Capture(Capture { amount, to, note }))
            if open.gives_to_capture(amount, to) =>
        {
            let note = note.or(open.order.note);
            Verdict::Applied(Event::Captured {
                subaccount: open.order.subaccount,
                amount,
                to,
                note,
            })
        }
        (State::Open(open), Command::TopUp) => {
            match open.shortfall().min(now.available.spendable()).amount() {
                Some(amount) if open.watch == Watch::Running => {
                    Verdict::Applied(Event::ToppedUp { subaccount: open.order.subaccount, amount })
                }
                _ => Verdict::Known,
            }
        }
        (State::Open(open), Command::Lapse) if open.watch == Watch::Running => {
            Verdict::Applied(Event::Lapsed)
        }
        // Letting go of more than is blocked contradicts the books; for good ends the watch.
        (State::Open(open), Command::Release(wanted))
            if wanted.is_none_or(|wanted| wanted.as_cents() <= open.blocked_cents()) =>
        {
            Verdict::Applied(release(open, wanted, now.matures))
        }
        (State::Open(open), Command::Take(amount)) if open.gives_to_debit(amount) => {
            Verdict::Applied(Event::Taken { subaccount: open.order.subaccount, amount })
        }
        // No held part of the cause stands on another subaccount than its own.
        (State::Open(open), Command::Return(amount)) if open.gives_to_return(amount) => {
            Verdict::Applied(Event::Returned { subaccount: open.order.subaccount, amount })
        }
        (
            State::Open(_) | State::Closed(_),
            Command::Place(_) | Command::Reserve(_) | Command::Lapse,
        )
        | (State::Closed(_), Command::Release(_) | Command::TopUp) => Verdict::Known,
        (_, _) => Verdict::SetAside,
    }
}

fn place(order: Order, now: Context) -> Event {
    let wanted = order.requested.as_cents();
    let from_held = wanted.min(now.own_part);
    let from_available = wanted.less_or_nothing(from_held).min(now.available.spendable());
    Event::Placed { order, from_held, from_available }
}

fn release(open: &Amounts, wanted: Option<Amount>, matures: Watch) -> Event {
    let amount = wanted.map_or(open.blocked_cents(), Amount::as_cents);
    let from_available = amount.min(open.from_available);
    let from_held = amount.less_or_nothing(from_available);
    let back = match matures {
        Watch::Running => from_held,
        Watch::Over => Cents::ZERO,
    };
    Event::Released {
        subaccount: open.order.subaccount,
        to_held: back,
        to_available: amount.less_or_nothing(back),
        end: if wanted.is_none() { End::Yes } else { End::No },
    }
}
