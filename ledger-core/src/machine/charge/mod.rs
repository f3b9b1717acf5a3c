//! Charge: a PIX collected, into a custody balance (`destino: saldo`) or for a purchase (`cripto`).
//!
//! ```text
//! Absent --Requested--> Pending --Receive--> Paid --Mature--> Paid --Return--> Refunded
//!                        | | |'---See------> UnderReview --Settle--> Paid
//!                        | | |                 |   '----Withhold---> Delayed
//!                        | | '----Receive--> Delayed --Release-----> Paid
//!                        | '------Cancel---> Failed  '--Return-----> Refunded (also UnderReview)
//!                        '--------Expire---> Expired --See, Receive--> as from Pending
//! Pending, Expired, Failed --Attach--> Paid, or Bought
//! Pending, Expired --Receive--> Bought, where it buys crypto
//! ```
//!
//! Parts A1 and A4; CIN-24 to CIN-73; rulings 13, 21 to 23, 27. A purchase is `Bought` where a
//! custody charge is `Paid`, and goes on in [`purchase`]. What was credited may stand in the held
//! bucket until it matures; a hold or a forced debit may take that part before. [`decide`] judges,
//! [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

mod bought;
mod entries;
mod paid;
pub mod purchase;
mod terms;
mod transition;

use crate::accounting::Entry;
use crate::machine::StateMachine;
use std::sync::Arc;

use minicbor::{Decode, Encode};

pub use entries::entry;
pub use paid::{Arrived, Paid, Refunded};
pub use terms::{Credit, Delivery, Into, Order, Origin, PixPayment, Qr};
pub use transition::{evolve, follows};

use super::Verdict;
use crate::id::{AccountId, OpId, SubaccountId};
use crate::money::{Amount, Cents};
use crate::terms::Switch;
use crate::time::{Instant, Span};
use purchase::Bought;

/// For how long a provider is taken to hold what it did not announce it would.
const WITHHELD_HOURS: u16 = 24;

/// What the world reports, or time brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A PIX was seen for it, which the provider has not settled yet.
    See(PixPayment),
    /// The provider settled the PIX that was seen.
    Settle,
    /// The provider holds the PIX that was seen, until then if it said so.
    Withhold(Option<Instant>),
    /// A PIX arrived for it.
    Receive(PixPayment),
    /// An operator attached a PIX from suspense.
    Attach(PixPayment),
    /// The provider released what it held.
    Release,
    /// The provider cancelled it, or failed, before payment.
    Cancel,
    /// Its deadline passed.
    Expire,
    /// Its credit's day came.
    Mature,
    /// So much of it went back to the payer.
    Return(Amount),
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Issued: it can be paid from now on.
    #[n(0)]
    Requested(#[n(0)] Box<Order>),
    /// Not paid in time.
    #[n(1)]
    Expired,
    /// Cancelled before payment.
    #[n(2)]
    Failed,
    /// Paid, and held at the provider.
    #[n(3)]
    Delayed {
        /// The PIX that is held.
        #[n(0)]
        payment: PixPayment,
        /// When the provider means to release it.
        #[n(1)]
        until: Instant,
    },
    /// Paid and booked to the subaccount.
    #[n(4)]
    Credited {
        /// The PIX that paid it.
        #[n(0)]
        payment: PixPayment,
        /// What was booked.
        #[n(1)]
        credit: Credit,
    },
    /// The held part became available; zero when nothing was left of it.
    #[n(5)]
    Matured {
        /// The subaccount whose held part it was.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that moved from held to available.
        #[n(1)]
        amount: Cents,
    },
    /// Part of the held credit was taken before it matured.
    #[n(6)]
    PartTaken {
        /// The subaccount whose held part it was.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that left the held part.
        #[n(1)]
        amount: Amount,
        /// Whether available or frozen took it.
        #[n(2)]
        into: Into,
    },
    /// A block gave back what it had taken of the held credit.
    #[n(7)]
    PartRestored {
        /// The subaccount whose block it was.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that moved from frozen to held.
        #[n(1)]
        amount: Amount,
    },
    /// Went back to the payer before it was credited.
    #[n(8)]
    ReturnedUncredited {
        /// Centavos that left what is in flight.
        #[n(0)]
        amount: Amount,
    },
    /// Went back to the payer after it was credited: a forced debit (rulings 21).
    #[n(9)]
    Returned {
        /// The subaccount debited, below zero if it must be.
        #[n(0)]
        subaccount: SubaccountId,
        /// How much went back.
        #[n(1)]
        amount: Amount,
        /// How much of it reverses the deposit fee (rulings 22).
        #[n(2)]
        fee: Cents,
    },
    /// A PIX was seen and not settled yet: `under_review`.
    #[n(10)]
    UnderReview {
        /// The PIX that was seen.
        #[n(0)]
        payment: PixPayment,
    },
    /// The PIX that was seen is held at the provider.
    #[n(11)]
    Withheld {
        /// When the provider means to release it.
        #[n(0)]
        until: Instant,
    },
    /// A purchase moved.
    #[n(12)]
    Purchase(#[n(0)] purchase::Event),
}

/// Where the charge stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// No charge was issued under this id.
    #[default]
    Absent,
    /// Issued, not paid.
    Pending(Arc<Order>),
    /// Not paid in time.
    Expired(Arc<Order>),
    /// Cancelled before payment.
    Failed(Arc<Order>),
    /// A PIX was seen; the provider's settlement is in transit (CIN-57).
    UnderReview(Arc<Arrived>),
    /// Paid, held at the provider.
    Delayed(Arc<Arrived>),
    /// Paid and booked to custody.
    Paid(Arc<Paid>),
    /// Paid, and buying crypto.
    Bought(Arc<Bought>),
    /// Returned to the payer, the whole of it.
    Refunded(Arc<Refunded>),
}

/// What the ledger knows when the charge is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// When the command takes effect.
    pub at: Instant,
    /// Whether a credit now would be the first PIX deposit of a subaccount (P:CarenciaScope).
    pub first_deposit: Switch,
}

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
        (State::Delayed(_), Command::Withhold(_)) => Known,
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
            if arrived.left().covers(amount) =>
        {
            Applied(Event::ReturnedUncredited { amount })
        }
        (State::Paid(paid), Command::Return(amount)) if paid.left().covers(amount) => {
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
    let gross = arrived.left().spendable().amount();
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
    let starts_wait = now.first_deposit.is_on() && order.waiting_hours > 0;
    let credit = Credit {
        subaccount: order.subaccount,
        origin,
        gross,
        fee,
        available_at: (!at_once).then(|| now.at.next_day_in_brasilia()),
        waiting_until: starts_wait.then(|| now.at.after(wait)),
        booked_at: now.at,
    };
    Event::Credited { payment, credit }
}

impl StateMachine for State {
    type Event = Event;

    fn follows(&self, event: &Event) -> bool {
        follows(self, event)
    }

    fn evolve(&self, event: &Event, at: Instant) -> Self {
        evolve(self, event, at)
    }

    fn entry(op: OpId, event: &Event) -> Entry {
        entry(op, event)
    }

    fn has_ended(&self) -> bool {
        Self::has_ended(self)
    }

    fn account(&self) -> Option<AccountId> {
        self.order().map(|order| order.account)
    }
}

impl State {
    /// The terms, once requested.
    #[must_use]
    pub fn order(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Absent => None,
            Self::Pending(order) | Self::Expired(order) | Self::Failed(order) => Some(order),
            Self::UnderReview(arrived) | Self::Delayed(arrived) => Some(&arrived.order),
            Self::Paid(paid) => Some(&paid.order),
            Self::Bought(bought) => Some(&bought.order),
            Self::Refunded(refunded) => Some(&refunded.order),
        }
    }

    /// Whether nothing is due and nothing of it is held: it may leave the memory of the open ones.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Absent | Self::Pending(_) | Self::UnderReview(_) | Self::Delayed(_) => false,
            Self::Expired(_) | Self::Failed(_) | Self::Refunded(_) => true,
            Self::Paid(paid) => paid.settled_at.is_some(),
            Self::Bought(bought) => bought.has_ended(),
        }
    }

    fn known_order(&self) -> Arc<Order> {
        Arc::clone(self.order().expect("follows admits no event but Requested on an absent charge"))
    }
}
