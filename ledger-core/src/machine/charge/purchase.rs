//! Purchase: a charge whose PIX buys crypto (`destino: cripto`), from its payment on.
//!
//! ```text
//! Paid --Deliver--> Paid ----Deliver--> delivered --Return--> delivered, refunded
//!   |'---Return in part--> Halted --GiveUp--> GivenUp
//!   |'---Halt------------>   '------Resume--> Paid, for what is left
//!   |'---Return--> refunded
//!   '----GiveUp--> GivenUp (refunded, or credited to custody) --Return--> GivenUp
//! ```
//!
//! Parts A1 and A2; rulings 28, 36 and 45. Before its payment it is a charge like any other. What
//! is returned after delivery is borne by the account's house balance up to the net delivered; the
//! rest reverses fee and commission in proportion. While any part of the PIX has gone back, applied
//! or set aside, no delivery is started or tried again; an operator gives up, or lets what is left
//! be delivered at the agreed price and fees in proportion. [`decide`] judges, [`follows`] says
//! what may come next, [`evolve`] remembers, [`entry`] accounts.

use minicbor::{Decode, Encode};

use super::PixPayment;
pub use super::bought::{Bought, End, Rest, Terms};
use crate::accounting::{Account, Entry};
use crate::id::{AccountId, OpId, SubaccountId};
use crate::machine::Verdict;
use crate::machine::delivery::{self, DeliveryTerms};
use crate::money::{Amount, Balance};
use crate::terms::{ServiceFees, Switch};
use crate::time::Instant;

/// What the world reports, or an operator decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The delivery moved.
    Deliver(delivery::Command),
    /// So much went back to the payer.
    Return(Amount),
    /// A return of it is set aside: nothing is sent before somebody has looked.
    Halt,
    /// No more attempts: what is left goes there.
    GiveUp(Remainder),
    /// What is left is delivered.
    Resume,
}

/// Where the money of a delivery given up goes.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Remainder {
    /// Back to the payer, by this return.
    #[n(0)]
    Payer(#[n(0)] Box<str>),
    /// Into custody: to this subaccount.
    #[n(1)]
    Custody(#[n(0)] SubaccountId),
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Paid: the PIX is ours, and was nowhere before.
    #[n(0)]
    Paid {
        /// The PIX that paid it.
        #[n(0)]
        payment: PixPayment,
        /// Tells whether it had waited in suspense.
        #[n(1)]
        from_suspense: Switch,
    },
    /// Paid: what stood in flight was released, or settled by the provider.
    #[n(1)]
    Cleared,
    /// The delivery moved.
    #[n(2)]
    Delivery(#[n(0)] delivery::Event),
    /// Went back to the payer before delivery: the delivery stops.
    #[n(3)]
    ReturnedUndelivered {
        /// Centavos that went back, above zero.
        #[n(0)]
        amount: Amount,
        /// What was bought for it and is not after all.
        #[n(1)]
        undone: Option<DeliveryTerms>,
    },
    /// Went back to the payer after delivery: a forced debit of the house balance (rulings 28).
    #[n(4)]
    ReturnedDelivered {
        /// The account's house balance.
        #[n(0)]
        house: SubaccountId,
        /// Whose commission is reversed.
        #[n(1)]
        account: AccountId,
        /// How much went back.
        #[n(2)]
        amount: Amount,
        /// How much of it reverses the fees, and whose.
        #[n(3)]
        reversed: ServiceFees,
    },
    /// Given up: what was left went elsewhere.
    #[n(5)]
    GivenUp {
        /// Where what was left went.
        #[n(0)]
        to: Remainder,
        /// Centavos that were left.
        #[n(1)]
        amount: Amount,
        /// What was bought for it and is not after all.
        #[n(2)]
        undone: Option<DeliveryTerms>,
    },
    /// Went back to the payer after it was credited to custody instead: a forced debit of that.
    #[n(6)]
    ReturnedCredited {
        /// The subaccount that had been credited.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that went back, above zero.
        #[n(1)]
        amount: Amount,
    },
    /// A return that could not be applied is set aside: the delivery stops (rulings 45).
    #[n(7)]
    Halted {
        /// What was bought for it and is not after all.
        #[n(0)]
        undone: Option<DeliveryTerms>,
    },
    /// What is left is delivered: it is bought anew, and the next attempt may begin (rulings 45).
    #[n(8)]
    Resumed(#[n(0)] Rest),
}

/// Judges `command`; every one of them is a fact. `house` is the account's house balance.
#[must_use]
pub fn decide(bought: &Bought, command: Command) -> Verdict<Vec<Event>> {
    match command {
        Command::Deliver(command) => deliver(bought, command),
        Command::Return(amount) if !bought.returnable_balance().covers(amount) => Verdict::SetAside,
        Command::Return(amount) => return_payment(bought, amount),
        Command::Halt => match (bought.end, bought.can_be_halted()) {
            (None, true) => Verdict::Applied(vec![Event::Halted { undone: bought.undone() }]),
            (Some(End::Halted), _) => Verdict::Known,
            _ => Verdict::SetAside,
        },
        Command::GiveUp(to) => give_up(bought, to),
        Command::Resume => match (bought.end, bought.what_is_left()) {
            (Some(End::Halted), Some(rest)) => Verdict::Applied(vec![Event::Resumed(rest)]),
            (None, _) if bought.rest.is_some() => Verdict::Known,
            _ => Verdict::SetAside,
        },
    }
}

fn deliver(bought: &Bought, command: delivery::Command) -> Verdict<Vec<Event>> {
    if bought.end.is_some() {
        return match command.report {
            delivery::DeliveryReport::Fail | delivery::DeliveryReport::Lose => Verdict::Known,
            _ => Verdict::SetAside,
        };
    }
    let whole = bought.terms().delivery_terms;
    let of_before = |rest: Rest| {
        rest.delivery_terms != whole && command.attempt.is_some_and(|attempt| attempt <= rest.after)
    };
    if let delivery::DeliveryReport::Confirm(hash) = &command.report
        && bought.rest.is_some_and(of_before)
        && bought.delivery.sent_delivery().is_none_or(|sent| sent.hash != *hash)
    {
        // It sent what is not owed any more: not where all of it still is, nor in the transaction
        // that delivered.
        return Verdict::SetAside;
    }
    let (delivery_terms, earned) = bought.agreed_terms();
    match delivery::decide(&bought.delivery, command, delivery_terms, earned) {
        Verdict::Applied(steps) => {
            Verdict::Applied(steps.into_iter().map(Event::Delivery).collect())
        }
        Verdict::Known => Verdict::Known,
        Verdict::SetAside => Verdict::SetAside,
    }
}

fn return_payment(bought: &Bought, amount: Amount) -> Verdict<Vec<Event>> {
    let event = match (&bought.delivery, bought.end) {
        (delivery::State::Sent(_), _) => Event::ReturnedDelivered {
            house: bought.order.subaccount,
            account: bought.order.account,
            amount,
            reversed: bought.fees_reversed(amount),
        },
        (_, Some(End::Credited(subaccount, _))) => Event::ReturnedCredited { subaccount, amount },
        (_, Some(End::Returned)) => return Verdict::SetAside,
        (_, Some(End::Halted)) => Event::ReturnedUndelivered { amount, undone: None },
        (delivery, None) if delivery.can_stop() => {
            Event::ReturnedUndelivered { amount, undone: bought.undone() }
        }
        // An attempt under way counts as unknown (rulings 28).
        (_, None) => return Verdict::SetAside,
    };
    Verdict::Applied(vec![event])
}

fn give_up(bought: &Bought, to: Remainder) -> Verdict<Vec<Event>> {
    let undone = match (bought.end, &to) {
        (Some(End::Returned), Remainder::Payer(_))
        | (Some(End::Credited(..)), Remainder::Custody(_)) => return Verdict::Known,
        (Some(End::Returned | End::Credited(..)), _) => return Verdict::SetAside,
        (Some(End::Halted), _) => None,
        (None, _) if bought.delivery.can_stop() => bought.undone(),
        (None, _) => return Verdict::SetAside,
    };
    let left = bought.returnable_balance().spendable().amount();
    let amount = left.expect("a purchase of which all went back has ended");
    Verdict::Applied(vec![Event::GivenUp { to, amount, undone }])
}

/// Tells whether `event` may follow a purchase that was paid.
#[must_use]
pub fn follows(bought: &Bought, event: &Event) -> bool {
    let stops = |undone: &Option<DeliveryTerms>| match bought.end {
        None => bought.delivery.can_stop() && *undone == bought.undone(),
        Some(End::Halted) => undone.is_none(),
        Some(End::Returned | End::Credited(..)) => false,
    };
    let is_sent = bought.delivery.sent_delivery().is_some();
    match event {
        Event::Paid { .. } | Event::Cleared => false,
        Event::Delivery(event) => {
            bought.end.is_none()
                && delivery::follows(&bought.delivery, event, bought.agreed_terms())
        }
        Event::ReturnedUndelivered { amount, undone } => {
            !is_sent && bought.returnable_balance().covers(*amount) && stops(undone)
        }
        Event::ReturnedDelivered { house, account, amount, reversed } => {
            is_sent
                && (*house, *account) == (bought.order.subaccount, bought.order.account)
                && bought.returnable_balance().covers(*amount)
                && *reversed == bought.fees_reversed(*amount)
        }
        Event::GivenUp { amount, undone, .. } => {
            !is_sent
                && stops(undone)
                && bought.returnable_balance() == Balance::from(amount.as_cents())
        }
        Event::ReturnedCredited { subaccount, amount } => {
            matches!(bought.end, Some(End::Credited(to, _)) if to == *subaccount)
                && bought.returnable_balance().covers(*amount)
        }
        Event::Halted { undone } => bought.can_be_halted() && *undone == bought.undone(),
        Event::Resumed(rest) => bought.end == Some(End::Halted) && bought.leaves(rest),
    }
}

/// Remembers `event`, which happened at `at`.
///
/// # Panics
///
/// When `event` cannot follow; replay checks [`follows`] first.
#[must_use]
pub fn evolve(bought: &Bought, event: &Event, at: Instant) -> Bought {
    assert!(follows(bought, event), "{event:?} cannot follow {bought:?}");
    let mut next = bought.clone();
    match event {
        Event::Paid { .. } | Event::Cleared => unreachable!("they begin a purchase"),
        Event::Delivery(event) => next.delivery = delivery::evolve(&bought.delivery, event, at),
        Event::ReturnedUndelivered { amount, .. } => {
            next.give_back(*amount);
            let is_whole = next.returnable_balance().spendable().is_zero();
            next.end = Some(if is_whole { End::Returned } else { End::Halted });
        }
        Event::ReturnedDelivered { amount, .. } | Event::ReturnedCredited { amount, .. } => {
            next.give_back(*amount);
        }
        Event::GivenUp { to: Remainder::Payer(_), amount, .. } => {
            next.give_back(*amount);
            next.end = Some(End::Returned);
        }
        Event::GivenUp { to: Remainder::Custody(subaccount), amount, .. } => {
            next.end = Some(End::Credited(*subaccount, *amount));
        }
        Event::Halted { .. } => next.end = Some(End::Halted),
        Event::Resumed(rest) => {
            next.end = None;
            next.rest = Some(*rest);
            next.delivery = delivery::State::Retrying(rest.after);
        }
    }
    next
}

/// Accounts for `event` of charge `op`.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    let flight = Account::PixInFlight(op);
    match event {
        Event::Paid { payment, from_suspense } => {
            let from = match from_suspense {
                Switch::On => Account::SuspensePix,
                Switch::Off => Account::ProviderPix,
            };
            Entry::NONE.principal(from, flight, payment.amount)
        }
        Event::Cleared => Entry::NONE,
        Event::Delivery(event) => delivery::entry(op, event, flight, Account::PurchaseIncome),
        Event::ReturnedUndelivered { amount, undone } => {
            delivery::undone(Entry::NONE, op, *undone, flight).principal(
                flight,
                Account::ProviderPix,
                *amount,
            )
        }
        Event::ReturnedDelivered { house, account, amount, reversed } => {
            let available = Account::Available(*house);
            let income = Account::PurchaseIncome;
            let whole = reversed.total().expect("parts of what was earned");
            Entry::FORCED
                .principal(available, Account::ProviderPix, *amount)
                .fee(income, available, whole)
                .fee(Account::Commission(*account), income, reversed.partner)
        }
        Event::GivenUp { to, amount, undone } => {
            let to = match to {
                Remainder::Payer(_) => Account::ProviderPix,
                Remainder::Custody(subaccount) => Account::Available(*subaccount),
            };
            delivery::undone(Entry::NONE, op, *undone, flight).principal(flight, to, *amount)
        }
        Event::ReturnedCredited { subaccount, amount } => {
            Entry::FORCED.principal(Account::Available(*subaccount), Account::ProviderPix, *amount)
        }
        Event::Halted { undone } => delivery::undone(Entry::NONE, op, *undone, flight),
        Event::Resumed(rest) => delivery::entry(
            op,
            &delivery::Event::Begun(rest.delivery_terms),
            flight,
            Account::PurchaseIncome,
        ),
    }
}
