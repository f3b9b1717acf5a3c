//! Conversion: custody, or a partner's commission, turned into crypto and delivered.
//!
//! ```text
//! Absent --Request--> Paid --Deliver--> Paid, delivered
//!                       '---GiveUp----> Refunded
//! ```
//!
//! Part A3 (a charge with `fonte: saldo`, already paid) and A16; rulings 36 and 38. A commission
//! withdrawal is one whose money comes from `comm` and which costs no fee. [`decide`] judges,
//! [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use super::Verdict;
use super::charge::Delivery as Target;
use super::delivery::{self, Earned, Parcel};
use crate::accounting::{Account, Entry};
use crate::coin::{Scale, Units};
use crate::id::{AccountId, CustodyId, OpId, Token};
use crate::money::{Amount, Balance, Share};
use crate::terms::{Quote, ServiceFees};
use crate::time::Instant;

/// Whose money is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Source {
    /// A house balance or subaccount's.
    #[n(0)]
    Custody(#[n(0)] CustodyId),
    /// The account's partner commission.
    #[n(1)]
    Commission,
}

/// The terms of a conversion: fixed when requested.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Order {
    /// Whose.
    #[n(0)]
    pub account: AccountId,
    /// Which of its money.
    #[n(1)]
    pub source: Source,
    /// What is converted, in centavos.
    #[n(2)]
    pub amount: Amount,
    /// The fees on top.
    #[n(3)]
    pub fees: ServiceFees,
    /// What is delivered.
    #[n(4)]
    pub parcel: Parcel,
    /// The asset's decimals.
    #[n(5)]
    pub scale: Scale,
    /// The price it was agreed at.
    #[n(6)]
    pub quote: Quote,
    /// What it is worth in millionths of USDT, where that had a price.
    #[n(7)]
    pub usdt: Option<Units>,
    /// Asset, network and wallet.
    #[n(8)]
    pub target: Target,
    /// The memo of the wallet.
    #[n(9)]
    pub memo: Option<Box<str>>,
    /// The withdrawing customer's CPF or CNPJ; none for a commission.
    #[n(10)]
    pub tax_number: Option<Token>,
    /// The client's own id.
    #[n(11)]
    pub external_id: Option<Box<str>>,
    /// When it was requested.
    #[n(12)]
    pub created_at: Instant,
}

/// What someone wants, or what the world reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Convert and deliver.
    Request(Box<Order>),
    /// The delivery moved.
    Deliver(delivery::Command),
    /// The delivery is impossible: everything goes back.
    GiveUp,
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Requested and debited.
    #[n(0)]
    Requested(#[n(0)] Box<Order>),
    /// The delivery moved.
    #[n(1)]
    Delivery {
        /// Whose money it is, for the income it earns.
        #[n(0)]
        source: Source,
        /// How.
        #[n(1)]
        event: delivery::Event,
    },
    /// Impossible: everything went back to where it came from.
    #[n(2)]
    Refunded {
        /// Whose.
        #[n(0)]
        account: AccountId,
        /// Which of its money.
        #[n(1)]
        source: Source,
        /// The principal.
        #[n(2)]
        amount: Amount,
        /// The fees.
        #[n(3)]
        fees: ServiceFees,
        /// What was bought for it and is not after all.
        #[n(4)]
        undone: Option<Parcel>,
    },
}

/// Where the conversion stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Not requested.
    #[default]
    Absent,
    /// Debited; the delivery says the rest.
    Paid(Arc<Standing>),
    /// Everything went back.
    Refunded(Arc<Standing>),
}

/// A conversion with its delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The terms.
    pub order: Arc<Order>,
    /// The delivery.
    pub delivery: delivery::State,
}

/// What the ledger knows of the money when the conversion is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purse {
    /// What may be spent.
    pub spendable: Balance,
    /// The end of the waiting period, while one is running.
    pub waiting_until: Option<Instant>,
    /// The smallest conversion that passes.
    pub minimum: Option<Amount>,
    /// The most that may be debited, if the client set a cap (P:MaxDebited).
    pub cap: Option<Amount>,
}

impl Purse {
    /// What facts are judged with: they spend nothing.
    pub const NOTHING: Self =
        Self { spendable: Balance::ZERO, waiting_until: None, minimum: None, cap: None };
}

/// Why the ledger said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Below what passes.
    BelowMinimum {
        /// The smallest amount that passes; none when none does.
        minimum: Option<Amount>,
    },
    /// More would be debited than the client allows.
    AboveCap {
        /// What would be debited.
        debited: Amount,
    },
    /// The waiting period is running.
    Waiting {
        /// When it ends.
        until: Instant,
    },
    /// Too little is available for amount and fees.
    FundsInsufficient {
        /// What may be spent.
        available: Balance,
    },
    /// The conversion exists already.
    OutOfTurn,
}

/// Judges `command`.
///
/// # Errors
///
/// The [`Refusal`] of a request, in the order of rulings 6; facts are never refused.
pub fn decide(
    state: &State,
    command: Command,
    purse: Purse,
) -> Result<Verdict<Vec<Event>>, Refusal> {
    let verdict = match (state, command) {
        (State::Absent, Command::Request(order)) => Verdict::Applied(vec![request(order, purse)?]),
        (_, Command::Request(_)) => return Err(Refusal::OutOfTurn),
        (State::Paid(standing), Command::Deliver(command)) => deliver(standing, command),
        (State::Paid(standing), Command::GiveUp) if standing.delivery.can_stop() => {
            Verdict::Applied(vec![standing.refunded()])
        }
        (State::Refunded(_), Command::GiveUp) => Verdict::Known,
        (State::Refunded(_), Command::Deliver(command)) => match command.news {
            delivery::News::Fail | delivery::News::Lose => Verdict::Known,
            _ => Verdict::SetAside,
        },
        (_, _) => Verdict::SetAside,
    };
    Ok(verdict)
}

fn request(order: Box<Order>, purse: Purse) -> Result<Event, Refusal> {
    let available = purse.spendable;
    if purse.minimum.is_none_or(|minimum| order.amount < minimum) {
        return Err(Refusal::BelowMinimum { minimum: purse.minimum });
    }
    let Some(debited) = order.debited() else {
        return Err(Refusal::FundsInsufficient { available });
    };
    if purse.cap.is_some_and(|cap| cap < debited) {
        return Err(Refusal::AboveCap { debited });
    }
    if let Some(until) = purse.waiting_until {
        return Err(Refusal::Waiting { until });
    }
    if available.covers(debited) {
        Ok(Event::Requested(order))
    } else {
        Err(Refusal::FundsInsufficient { available })
    }
}

fn deliver(standing: &Standing, command: delivery::Command) -> Verdict<Vec<Event>> {
    let (parcel, earned) = standing.order.agreed();
    let source = standing.order.source;
    match delivery::decide(&standing.delivery, command, parcel, earned) {
        Verdict::Applied(steps) => {
            let events = steps.into_iter().map(|event| Event::Delivery { source, event });
            Verdict::Applied(events.collect())
        }
        Verdict::Known => Verdict::Known,
        Verdict::SetAside => Verdict::SetAside,
    }
}

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Requested(order)) => {
            order.debited().is_some() && order.parcel.cost == order.amount
        }
        (State::Paid(standing), Event::Delivery { source, event }) => {
            *source == standing.order.source
                && delivery::follows(&standing.delivery, event, standing.order.agreed())
        }
        (State::Paid(standing), Event::Refunded { .. }) => {
            standing.delivery.can_stop() && *event == standing.refunded()
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
    match (state, event) {
        (_, Event::Requested(order)) => State::Paid(Arc::new(Standing {
            order: Arc::new(Order::clone(order)),
            delivery: delivery::State::Waiting,
        })),
        (State::Paid(standing), Event::Delivery { event, .. }) => State::Paid(Arc::new(Standing {
            order: Arc::clone(&standing.order),
            delivery: delivery::evolve(&standing.delivery, event, at),
        })),
        (State::Paid(standing), Event::Refunded { .. }) => State::Refunded(Arc::clone(standing)),
        (State::Absent | State::Refunded(_), _) => {
            unreachable!("follows admits it on paid conversions only")
        }
    }
}

/// Accounts for `event` of conversion `op`.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    let flight = Account::ConversionInFlight(op);
    match event {
        Event::Requested(order) => {
            let from = order.source.account(order.account);
            let fees = order.fees.total().expect("follows admits no order whose fees overflow");
            Entry::NONE.principal(from, flight, order.amount).fee(from, flight, fees)
        }
        Event::Delivery { event, .. } => {
            delivery::entry(op, event, flight, Account::ConversionIncome)
        }
        Event::Refunded { account, source, amount, fees, undone } => {
            let to = source.account(*account);
            let fees = fees.total().expect("the same fees as were debited");
            delivery::undone(Entry::NONE, op, *undone, flight)
                .principal(flight, to, *amount)
                .fee(flight, to, fees)
        }
    }
}

impl Source {
    const fn account(self, account: AccountId) -> Account {
        match self {
            Self::Custody(custody) => Account::Available(custody),
            Self::Commission => Account::Commission(account),
        }
    }
}

impl Order {
    /// The full debit: amount and all fees (FEE-33); `None` on overflow.
    #[must_use]
    pub fn debited(&self) -> Option<Amount> {
        self.amount.plus(self.fees.total()?)
    }

    fn agreed(&self) -> (Parcel, Earned) {
        (self.parcel, Earned { account: self.account, fees: self.fees })
    }
}

impl Standing {
    fn refunded(&self) -> Event {
        Event::Refunded {
            account: self.order.account,
            source: self.order.source,
            amount: self.order.amount,
            fees: self.order.fees,
            undone: self.delivery.bought(self.order.parcel),
        }
    }

    /// What stands in flight for it.
    #[must_use]
    pub fn in_flight(&self) -> i64 {
        let fees = self.order.fees.total().map_or(0, Share::cents);
        match self.delivery {
            delivery::State::Waiting => self.order.amount.cents() + fees,
            delivery::State::Sent(_) => 0,
            _ => fees,
        }
    }
}

impl State {
    /// The terms and the delivery, once requested.
    #[must_use]
    pub fn standing(&self) -> Option<&Arc<Standing>> {
        match self {
            Self::Absent => None,
            Self::Paid(standing) | Self::Refunded(standing) => Some(standing),
        }
    }

    /// Whether nothing is in flight.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Absent => false,
            Self::Paid(standing) => standing.delivery.sent().is_some(),
            Self::Refunded(_) => true,
        }
    }
}
