//! Charge: a PIX collected into a custody balance (`destino: saldo`).
//!
//! ```text
//! Absent --Request--> Pending --Receive--> Paid ----Return----> Refunded
//!                      |  |  '--Receive--> Delayed --Release--> Paid
//!                      |  '----Cancel----> Failed    '-Return-> Refunded
//!                      '-------Expire----> Expired --Receive--> Paid, Delayed
//! ```
//!
//! Parts A1 and A4; CIN-24 to CIN-73 for custody; rulings 13, 21 to 23, 27.
//! What was credited may stand in the held bucket until it matures; a hold or a forced debit may
//! take that part before.
//! [`decide`] judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

mod standing;
mod terms;

use std::sync::Arc;

use minicbor::{Decode, Encode};

pub use standing::{Delayed, Paid, Refunded};
pub use terms::{Credit, Delivery, Into, Order, Origin, Qr, Receipt};

use super::Verdict;
use crate::accounting::{Account, Entry};
use crate::id::{CustodyId, OpId};
use crate::money::{Amount, Share};
use crate::terms::Switch;
use crate::time::{Instant, Span};

/// What someone wants, or what the world reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Issue the charge.
    Request(Order),
    /// A PIX arrived for it.
    Receive(Receipt),
    /// An operator attached a PIX from suspense.
    Attach(Receipt),
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

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Issued.
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
        /// The PIX.
        #[n(0)]
        receipt: Receipt,
        /// When the provider means to release it.
        #[n(1)]
        until: Instant,
    },
    /// Paid and booked to the subaccount.
    #[n(4)]
    Credited {
        /// The PIX.
        #[n(0)]
        receipt: Receipt,
        /// What was booked.
        #[n(1)]
        credit: Credit,
    },
    /// The held part became available; zero when nothing was left of it.
    #[n(5)]
    Matured {
        /// The subaccount.
        #[n(0)]
        custody: CustodyId,
        /// How much.
        #[n(1)]
        amount: Share,
    },
    /// Part of the held credit was taken before it matured.
    #[n(6)]
    PartTaken {
        /// The subaccount.
        #[n(0)]
        custody: CustodyId,
        /// How much.
        #[n(1)]
        amount: Amount,
        /// To where.
        #[n(2)]
        into: Into,
    },
    /// A block gave back what it had taken of the held credit.
    #[n(7)]
    PartRestored {
        /// The subaccount.
        #[n(0)]
        custody: CustodyId,
        /// How much.
        #[n(1)]
        amount: Amount,
    },
    /// Went back to the payer before it was credited.
    #[n(8)]
    ReturnedUncredited {
        /// How much.
        #[n(0)]
        amount: Amount,
    },
    /// Went back to the payer after it was credited: a forced debit (rulings 21).
    #[n(9)]
    Returned {
        /// The subaccount.
        #[n(0)]
        custody: CustodyId,
        /// How much went back.
        #[n(1)]
        amount: Amount,
        /// How much of it reverses the deposit fee (rulings 22).
        #[n(2)]
        fee: Share,
    },
}

/// Where the charge stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Not issued.
    #[default]
    Absent,
    /// Issued, not paid.
    Pending(Arc<Order>),
    /// Not paid in time.
    Expired(Arc<Order>),
    /// Cancelled before payment.
    Failed(Arc<Order>),
    /// Paid, held at the provider.
    Delayed(Arc<Delayed>),
    /// Paid and booked.
    Paid(Arc<Paid>),
    /// Returned to the payer, the whole of it.
    Refunded(Arc<Refunded>),
}

/// What the ledger knows when the charge is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circumstances {
    /// When the command takes effect.
    pub at: Instant,
    /// Whether a credit now would be the first PIX deposit of a subaccount (P:CarenciaScope).
    pub first_deposit: Switch,
    /// The smallest and largest charge now.
    pub range: (Amount, Amount),
}

/// Why the ledger said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Below what passes.
    BelowMinimum {
        /// The smallest amount that passes.
        minimum: Amount,
    },
    /// Above what passes.
    AboveMaximum {
        /// The largest amount that passes.
        maximum: Amount,
    },
    /// It would be held, and the client allows no hold.
    HoldNotAllowed,
    /// The charge exists already.
    OutOfTurn,
}

/// Judges `command`.
///
/// # Errors
///
/// The [`Refusal`] of a request; facts are never refused (rulings 1).
pub fn decide(
    state: &State,
    command: Command,
    now: Circumstances,
) -> Result<Verdict<Event>, Refusal> {
    use Verdict::{Applied, Known, SetAside};
    let verdict = match (state, command) {
        (State::Absent, Command::Request(order)) => Applied(request(order, now)?),
        (_, Command::Request(_)) => return Err(Refusal::OutOfTurn),

        (State::Pending(order) | State::Expired(order), Command::Receive(receipt))
            if order.is_paid_by(&receipt) =>
        {
            Applied(receive(order, receipt, now))
        }
        (
            State::Pending(order) | State::Expired(order) | State::Failed(order),
            Command::Attach(receipt),
        ) => {
            let gross = receipt.amount;
            Applied(credit(order, receipt, Origin::Suspense, gross, now))
        }

        (State::Delayed(delayed), Command::Release) => Applied(release(delayed, now)),
        (State::Paid(_), Command::Release) => Known,
        (State::Refunded(refunded), Command::Release) if refunded.credit.is_some() => Known,

        (State::Pending(_), Command::Cancel) => Applied(Event::Failed),
        (State::Expired(_) | State::Failed(_), Command::Cancel) => Known,

        (State::Pending(_), Command::Expire) => Applied(Event::Expired),
        (State::Paid(paid), Command::Mature) if paid.settled_at.is_none() => {
            Applied(Event::Matured { custody: paid.order.custody, amount: paid.held })
        }

        (State::Delayed(delayed), Command::Return(amount)) if delayed.left().covers(amount) => {
            Applied(Event::ReturnedUncredited { amount })
        }
        (State::Paid(paid), Command::Return(amount)) if paid.left().covers(amount) => {
            Applied(Event::Returned {
                custody: paid.order.custody,
                amount,
                fee: paid.fee_share_of_return(amount),
            })
        }

        // Facts that fit nothing: their money, if any, waits for a person.
        (_, _) => SetAside,
    };
    Ok(verdict)
}

fn request(order: Order, now: Circumstances) -> Result<Event, Refusal> {
    let (minimum, maximum) = now.range;
    if order.amount < minimum {
        Err(Refusal::BelowMinimum { minimum })
    } else if maximum < order.amount {
        Err(Refusal::AboveMaximum { maximum })
    } else if order.retention_hours.is_some() && order.allow_hold == Switch::Off {
        Err(Refusal::HoldNotAllowed)
    } else {
        Ok(Event::Requested(Box::new(order)))
    }
}

fn receive(order: &Order, receipt: Receipt, now: Circumstances) -> Event {
    match order.retention_hours {
        Some(hours) => Event::Delayed { receipt, until: now.at.after(Span::hours(hours.into())) },
        None => {
            let gross = receipt.amount;
            credit(order, receipt, Origin::Provider, gross, now)
        }
    }
}

fn release(delayed: &Delayed, now: Circumstances) -> Event {
    let gross = delayed.left().spendable().amount();
    let gross = gross.expect("a charge returned in full is Refunded, not Delayed");
    credit(&delayed.order, delayed.receipt.clone(), Origin::Flight, gross, now)
}

fn credit(
    order: &Order,
    receipt: Receipt,
    origin: Origin,
    gross: Amount,
    now: Circumstances,
) -> Event {
    let fee = order.fee.on(receipt.amount).unwrap_or(gross.share()).min(gross.share());
    let at_once = order.credits_at_once();
    let wait = Span::hours(order.waiting_hours.into());
    let starts_wait = now.first_deposit.is_on() && order.waiting_hours > 0;
    let credit = Credit {
        custody: order.custody,
        origin,
        gross,
        fee,
        available_at: (!at_once).then(|| now.at.next_day_in_brasilia()),
        waiting_until: starts_wait.then(|| now.at.after(wait)),
        booked_at: now.at,
    };
    Event::Credited { receipt, credit }
}

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Requested(order)) => order.created_at <= order.expires_at,
        (State::Pending(_), Event::Expired | Event::Failed) => true,
        (State::Pending(order) | State::Expired(order), Event::Delayed { receipt, .. }) => {
            order.retention_hours.is_some() && order.is_paid_by(receipt)
        }
        (State::Pending(order) | State::Expired(order), Event::Credited { receipt, credit }) => {
            let exact = order.is_paid_by(receipt) && order.retention_hours.is_none();
            let booked = match credit.origin {
                Origin::Provider => exact,
                Origin::Suspense => true,
                Origin::Flight => false,
            };
            booked && credit.is_sound(order, receipt, Share::ZERO)
        }
        (State::Failed(order), Event::Credited { receipt, credit }) => {
            credit.origin == Origin::Suspense && credit.is_sound(order, receipt, Share::ZERO)
        }
        (State::Delayed(delayed), Event::Credited { receipt, credit }) => {
            credit.origin == Origin::Flight
                && *receipt == delayed.receipt
                && credit.is_sound(&delayed.order, receipt, delayed.returned)
        }
        (State::Delayed(delayed), Event::ReturnedUncredited { amount }) => {
            delayed.left().covers(*amount)
        }
        (State::Paid(paid), Event::Matured { custody, amount }) => {
            *custody == paid.order.custody && *amount == paid.held && paid.settled_at.is_none()
        }
        (State::Paid(paid), Event::PartTaken { custody, amount, .. }) => {
            *custody == paid.order.custody && amount.share() <= paid.held
        }
        (State::Paid(paid), Event::PartRestored { custody, amount }) => {
            let held = paid.held.plus(amount.share());
            *custody == paid.order.custody
                && paid.settled_at.is_none()
                && held.is_some_and(|held| held <= paid.credit.net())
        }
        (State::Paid(paid), Event::Returned { custody, amount, fee }) => {
            *custody == paid.order.custody
                && paid.left().covers(*amount)
                && *fee == paid.fee_share_of_return(*amount)
        }
        (_, _) => false,
    }
}

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
        Event::Delayed { receipt, until } => State::Delayed(Arc::new(Delayed {
            order: state.known_order(),
            receipt: receipt.clone(),
            until: *until,
            returned: Share::ZERO,
        })),
        Event::Credited { receipt, credit } => State::Paid(Arc::new(Paid {
            order: state.known_order(),
            receipt: receipt.clone(),
            credit: credit.clone(),
            held: credit.available_at.map_or(Share::ZERO, |_| credit.net()),
            settled_at: if credit.available_at.is_none() { Some(at) } else { None },
            returned: Share::ZERO,
        })),
        Event::Matured { .. } => State::Paid(Arc::new(paid(&|paid| {
            paid.held = Share::ZERO;
            paid.settled_at = Some(at);
        }))),
        Event::PartTaken { amount, .. } => State::Paid(Arc::new(paid(&|paid| {
            paid.held = paid.held.less_or_nothing(amount.share());
        }))),
        Event::PartRestored { amount, .. } => State::Paid(Arc::new(paid(&|paid| {
            paid.held = paid.held.plus(amount.share()).expect("at most the credit itself");
        }))),
        Event::ReturnedUncredited { amount } => match state {
            State::Delayed(delayed) => Delayed::after_return(delayed, *amount),
            _ => unreachable!("follows admits it on a delayed charge only"),
        },
        Event::Returned { amount, .. } => {
            let after = paid(&|paid| {
                paid.returned = paid.returned.plus(amount.share()).expect("at most the gross");
            });
            after.refunded_when_empty()
        }
    }
}

/// Accounts for `event` of charge `op`.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    match event {
        Event::Requested(_) | Event::Expired | Event::Failed => Entry::NONE,
        Event::Delayed { receipt, .. } => {
            Entry::NONE.principal(Account::ProviderPix, Account::PixInFlight(op), receipt.amount)
        }
        Event::Credited { credit, .. } => {
            let from = match credit.origin {
                Origin::Provider => Account::ProviderPix,
                Origin::Flight => Account::PixInFlight(op),
                Origin::Suspense => Account::SuspensePix,
            };
            let to = match credit.available_at {
                Some(_) => Account::Held(credit.custody),
                None => Account::Available(credit.custody),
            };
            Entry::NONE.principal(from, to, credit.gross).fee(
                to,
                Account::DepositIncome,
                credit.fee,
            )
        }
        Event::Matured { custody, amount } => {
            Entry::NONE.shift(Account::Held(*custody), Account::Available(*custody), *amount)
        }
        Event::PartTaken { custody, amount, into } => {
            let to = match into {
                Into::Available => Account::Available(*custody),
                Into::Frozen => Account::Frozen(*custody),
            };
            Entry::NONE.shift(Account::Held(*custody), to, *amount)
        }
        Event::PartRestored { custody, amount } => {
            Entry::NONE.shift(Account::Frozen(*custody), Account::Held(*custody), *amount)
        }
        Event::ReturnedUncredited { amount } => {
            Entry::NONE.principal(Account::PixInFlight(op), Account::ProviderPix, *amount)
        }
        Event::Returned { custody, amount, fee } => {
            let available = Account::Available(*custody);
            Entry::FORCED.principal(available, Account::ProviderPix, *amount).fee(
                Account::DepositIncome,
                available,
                *fee,
            )
        }
    }
}

impl State {
    /// The terms, once requested.
    #[must_use]
    pub fn order(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Absent => None,
            Self::Pending(order) | Self::Expired(order) | Self::Failed(order) => Some(order),
            Self::Delayed(delayed) => Some(&delayed.order),
            Self::Paid(paid) => Some(&paid.order),
            Self::Refunded(refunded) => Some(&refunded.order),
        }
    }

    /// Whether nothing is due and nothing of it is held: it may leave the memory of the open ones.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Absent | Self::Pending(_) | Self::Delayed(_) => false,
            Self::Expired(_) | Self::Failed(_) | Self::Refunded(_) => true,
            Self::Paid(paid) => paid.settled_at.is_some(),
        }
    }

    fn known_order(&self) -> Arc<Order> {
        Arc::clone(self.order().expect("follows admits no event but Requested on an absent charge"))
    }
}
