//! Conversion: custody, or a partner's commission, turned into crypto and delivered.
//!
//! ```text
//! Absent --Requested--> Paid --Deliver--> Paid, delivered
//!                         '---GiveUp----> Refunded
//! ```
//!
//! Part A3 (a charge with `fonte: saldo`, already paid) and A16; rulings 36 and 38. A commission
//! withdrawal is one whose money comes from `comm` and which costs no fee. [`decide`] judges,
//! [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use super::charge::Delivery as Target;
use super::delivery::{self, DeliveryTerms, Earned};
use super::{Verdict, state_machine};
use crate::accounting::{Account, Entry};
use crate::coin::{Scale, Units};
use crate::id::{AccountId, OpId, SubaccountId, Token};
use crate::money::{Amount, Cents};
use crate::terms::{Quote, ServiceFees};
use crate::time::Instant;

/// Whose money is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum FundingSource {
    /// A house balance or subaccount's.
    #[n(0)]
    Custody(#[n(0)] SubaccountId),
    /// The account's partner commission.
    #[n(1)]
    Commission,
}

/// The terms of a conversion: fixed when requested.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The API account that asked; the partner's part of the fees is its commission.
    #[n(0)]
    pub account: AccountId,
    /// Which of its money.
    #[n(1)]
    pub source: FundingSource,
    /// What is converted, in centavos.
    #[n(2)]
    pub amount: Amount,
    /// The fees on top.
    #[n(3)]
    pub fees: ServiceFees,
    /// What is delivered.
    #[n(4)]
    pub delivery_terms: DeliveryTerms,
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

/// What the world reports, or an operator decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
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
        source: FundingSource,
        /// What the delivery did, as an event of its own.
        #[n(1)]
        event: delivery::Event,
    },
    /// Impossible: everything went back to where it came from.
    #[n(2)]
    Refunded {
        /// The API account that asked for it.
        #[n(0)]
        account: AccountId,
        /// Which of its money.
        #[n(1)]
        source: FundingSource,
        /// Centavos of the principal given back.
        #[n(2)]
        amount: Amount,
        /// The fees given back, all that were debited.
        #[n(3)]
        fees: ServiceFees,
        /// What was bought for it and is not after all.
        #[n(4)]
        undone: Option<DeliveryTerms>,
    },
}

/// Where the conversion stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No conversion was requested under this id.
    #[default]
    Absent,
    /// Debited; the delivery says the rest.
    Paid(Arc<Progress>),
    /// Everything went back.
    Refunded(Arc<Progress>),
}

/// A conversion with its delivery.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// The terms on which it was requested.
    pub order: Arc<Order>,
    /// How its delivery stands.
    pub delivery: delivery::State,
}

/// Judges what the world reports. Whether a conversion may be requested, its slice of the ledger
/// says.
#[must_use]
pub fn decide(state: &State, command: Command) -> Verdict<Vec<Event>> {
    match (state, command) {
        (State::Paid(progress), Command::Deliver(command)) => deliver(progress, command),
        (State::Paid(progress), Command::GiveUp) if progress.delivery.can_stop() => {
            Verdict::Applied(vec![progress.refund_event()])
        }
        (State::Refunded(_), Command::GiveUp) => Verdict::Known,
        (State::Refunded(_), Command::Deliver(command)) => match command.report {
            delivery::DeliveryReport::Fail | delivery::DeliveryReport::Lose => Verdict::Known,
            _ => Verdict::SetAside,
        },
        (_, _) => Verdict::SetAside,
    }
}

fn deliver(progress: &Progress, command: delivery::Command) -> Verdict<Vec<Event>> {
    let (delivery_terms, earned) = progress.order.agreed_terms();
    let source = progress.order.source;
    match delivery::decide(&progress.delivery, command, delivery_terms, earned) {
        Verdict::Applied(steps) => {
            let events = steps.into_iter().map(|event| Event::Delivery { source, event });
            Verdict::Applied(events.collect())
        }
        Verdict::Known => Verdict::Known,
        Verdict::SetAside => Verdict::SetAside,
    }
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Requested(order)) => {
            order.total_debit().is_some() && order.delivery_terms.cost == order.amount
        }
        (State::Paid(progress), Event::Delivery { source, event }) => {
            *source == progress.order.source
                && delivery::follows(&progress.delivery, event, progress.order.agreed_terms())
        }
        (State::Paid(progress), Event::Refunded { .. }) => {
            progress.delivery.can_stop() && *event == progress.refund_event()
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
        (_, Event::Requested(order)) => State::Paid(Arc::new(Progress {
            order: Arc::new(Order::clone(order)),
            delivery: delivery::State::Waiting,
        })),
        (State::Paid(progress), Event::Delivery { event, .. }) => State::Paid(Arc::new(Progress {
            order: Arc::clone(&progress.order),
            delivery: delivery::evolve(&progress.delivery, event, at),
        })),
        (State::Paid(progress), Event::Refunded { .. }) => State::Refunded(Arc::clone(progress)),
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

impl FundingSource {
    const fn account(self, account: AccountId) -> Account {
        match self {
            Self::Custody(subaccount) => Account::Available(subaccount),
            Self::Commission => Account::Commission(account),
        }
    }
}

impl Order {
    /// The full debit: amount and all fees (FEE-33); `None` on overflow.
    #[must_use]
    pub fn total_debit(&self) -> Option<Amount> {
        self.amount.plus(self.fees.total()?)
    }

    fn agreed_terms(&self) -> (DeliveryTerms, Earned) {
        (self.delivery_terms, Earned { account: self.account, fees: self.fees })
    }
}

impl Progress {
    fn refund_event(&self) -> Event {
        Event::Refunded {
            account: self.order.account,
            source: self.order.source,
            amount: self.order.amount,
            fees: self.order.fees,
            undone: self.delivery.bought_terms(self.order.delivery_terms),
        }
    }

    /// Returns what stands in flight for it.
    #[must_use]
    pub fn in_flight(&self) -> i64 {
        let fees = self.order.fees.total().map_or(0, Cents::cents);
        match self.delivery {
            delivery::State::Waiting => self.order.amount.cents() + fees,
            delivery::State::Sent(_) => 0,
            _ => fees,
        }
    }
}

state_machine! {
    decide: (Command, ()) = |state, command, ()| decide(state, command);
    evolve: |state, event, at| evolve(state, event, at);
    entry: |op, event| entry(op, event);
    account: |state| state.progress().map(|progress| progress.order.account);
}

impl State {
    /// The terms and the delivery, once requested.
    #[must_use]
    pub fn progress(&self) -> Option<&Arc<Progress>> {
        match self {
            Self::Absent => None,
            Self::Paid(progress) | Self::Refunded(progress) => Some(progress),
        }
    }

    /// Tells whether nothing is in flight.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Absent => false,
            Self::Paid(progress) => progress.delivery.sent_delivery().is_some(),
            Self::Refunded(_) => true,
        }
    }
}
