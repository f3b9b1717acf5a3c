//! Delivery: crypto bought, on its way to the customer's wallet (`settlement_status`).
//!
//! ```text
//! Waiting --Begin--> Sending --Accept--> Accepted
//!                     |  |  '--Lose----> Unknown (also from Accepted)
//!                     |  '-----Fail----> Retrying (also from Accepted, Unknown) --Begin--> Sending
//!                     '-----Confirm----> Sent (also from Accepted, Unknown, Retrying)
//! ```
//!
//! Part A2; CIN-50 to CIN-62. Purchases, conversions and commission withdrawals each carry one.
//! Attempts are numbered, so that a late report of an attempt that is over is `Known`; a fact that
//! implies an attempt begins it (rulings 8). Nothing but evidence ends `Unknown`. [`decide`]
//! judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

use minicbor::{Decode, Encode};

use super::Verdict;
use crate::accounting::{Account, CoinAccount, Entry};
use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId, OpId};
use crate::money::Amount;
use crate::terms::ServiceFees;
use crate::time::Instant;

/// What is delivered, and what it costs: frozen when it was agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct DeliveryTerms {
    /// The asset, by its number in this ledger.
    #[n(0)]
    pub asset: AssetId,
    /// On which network.
    #[n(1)]
    pub chain: ChainId,
    /// What it costs in centavos, net of fees.
    #[n(2)]
    pub cost: Amount,
    /// What that buys, in the asset's smallest units.
    #[n(3)]
    pub units: Units,
    /// What the network takes of it.
    #[n(4)]
    pub network_fee: Option<Units>,
}

/// Who pays for it and who earns by it: given by the operation that carries the delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Earned {
    /// Whose commission the partner's part is.
    #[n(0)]
    pub account: AccountId,
    /// The fees, by who earns them.
    #[n(1)]
    pub fees: ServiceFees,
}

/// What the world reports of an attempt; without a number, of the one under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Which attempt, from 1.
    pub attempt: Option<u32>,
    /// What became of it.
    pub report: DeliveryReport,
}

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryReport {
    /// It began; whether it leaves is not known yet.
    Begin,
    /// The exchange or provider accepted it; there is no hash yet.
    Accept,
    /// It was sent, in this transaction.
    Confirm(Box<str>),
    /// It definitely was not sent.
    Fail,
    /// Nobody knows whether it was sent.
    Lose,
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// The first attempt began: the crypto is bought.
    #[n(0)]
    Begun(#[n(0)] DeliveryTerms),
    /// Another attempt began.
    #[n(1)]
    BegunAgain {
        /// Its number; the first attempt is number 1.
        #[n(0)]
        attempt: u32,
    },
    /// Accepted by whoever sends it.
    #[n(2)]
    Accepted,
    /// The attempt definitely failed; another may begin.
    #[n(3)]
    Failed,
    /// The outcome is unknown.
    #[n(4)]
    Unknown,
    /// Delivered; the fees are earned.
    #[n(5)]
    Sent {
        /// What was delivered.
        #[n(0)]
        delivery_terms: DeliveryTerms,
        /// What was earned by it.
        #[n(1)]
        earned: Earned,
        /// The transaction's hash on its network.
        #[n(2)]
        hash: Box<str>,
        /// The attempt that was reported sent, where another is the last that began.
        #[n(3)]
        attempt: Option<u32>,
    },
}

/// Where the delivery stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No attempt has begun yet.
    #[default]
    Waiting,
    /// This attempt is under way.
    Sending(u32),
    /// This attempt was accepted.
    Accepted(u32),
    /// The outcome of this attempt is unknown.
    Unknown(u32),
    /// This attempt definitely failed; the next may begin.
    Retrying(u32),
    /// Delivered; no attempt follows.
    Sent(Box<Sent>),
}

/// A delivery that was made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sent {
    /// The transaction's hash on its network.
    pub hash: Box<str>,
    /// When we learnt of it.
    pub at: Instant,
    /// By which attempt.
    pub attempt: u32,
}

/// Judges what the world reports; the steps it implies come with it.
#[must_use]
pub fn decide(
    state: &State,
    command: Command,
    delivery_terms: DeliveryTerms,
    earned: Earned,
) -> Verdict<Vec<Event>> {
    use State::{Accepted, Retrying, Sending, Sent, Unknown, Waiting};
    use Verdict::{Applied, Known, SetAside};
    let (current, is_open) = match state {
        Waiting => (0, false),
        Sending(n) | Accepted(n) | Unknown(n) => (*n, true),
        Retrying(n) => (*n, false),
        Sent(sent) => {
            return match command.report {
                DeliveryReport::Confirm(hash) if hash == sent.hash => Known,
                // A second transaction, or a failure of what was delivered: somebody must look.
                DeliveryReport::Confirm(_) => SetAside,
                DeliveryReport::Fail if command.attempt.is_none_or(|n| n == sent.attempt) => {
                    SetAside
                }
                DeliveryReport::Fail => Known,
                // A later attempt may send it again.
                _ if command.attempt.is_some_and(|n| sent.attempt < n) => SetAside,
                _ => Known,
            };
        }
    };
    // Without a number: the attempt under way; or the next, where this report can only be of that.
    let begins = matches!(command.report, DeliveryReport::Begin) || matches!(state, Waiting);
    let meant = command.attempt.unwrap_or(if is_open || !begins {
        current
    } else {
        current.saturating_add(1)
    });
    if let DeliveryReport::Confirm(hash) = command.report {
        // What was delivered was delivered, whichever attempt it was.
        let attempt = command.attempt.filter(|n| *n > 0 && *n != current.max(1));
        let sent = Event::Sent { delivery_terms, earned, hash, attempt };
        return Applied(match state {
            Waiting => vec![Event::Begun(delivery_terms), sent],
            _ => vec![sent],
        });
    }
    let over = meant < current || (meant == current && !is_open);
    let next = current.checked_add(1).is_some_and(|next| meant == next);
    if over {
        return Known;
    }
    if !is_open && next {
        let begun = match state {
            Waiting => Event::Begun(delivery_terms),
            _ => Event::BegunAgain { attempt: meant },
        };
        let then = match command.report {
            DeliveryReport::Begin => None,
            DeliveryReport::Accept => Some(Event::Accepted),
            DeliveryReport::Fail => Some(Event::Failed),
            DeliveryReport::Lose | DeliveryReport::Confirm(_) => Some(Event::Unknown),
        };
        return Applied(std::iter::once(begun).chain(then).collect());
    }
    match (state, command.report) {
        _ if meant != current => SetAside,
        (Sending(_), DeliveryReport::Accept) => Applied(vec![Event::Accepted]),
        (Sending(_) | Accepted(_) | Unknown(_), DeliveryReport::Fail) => {
            Applied(vec![Event::Failed])
        }
        (Sending(_) | Accepted(_), DeliveryReport::Lose) => Applied(vec![Event::Unknown]),
        (_, _) => Known,
    }
}

/// Tells whether `event` may follow `state`, when this delivery was agreed.
#[must_use]
pub fn follows(state: &State, event: &Event, agreed: (DeliveryTerms, Earned)) -> bool {
    use State::{Accepted, Retrying, Sending, Unknown};
    match (state, event) {
        (State::Waiting, Event::Begun(delivery_terms)) => *delivery_terms == agreed.0,
        (Retrying(last), Event::BegunAgain { attempt }) => last.checked_add(1) == Some(*attempt),
        (Sending(_), Event::Accepted) => true,
        (Sending(_) | Accepted(_) | Unknown(_), Event::Failed) => true,
        (Sending(_) | Accepted(_), Event::Unknown) => true,
        (
            Sending(_) | Accepted(_) | Unknown(_) | Retrying(_),
            Event::Sent { delivery_terms, earned, attempt, .. },
        ) => {
            (*delivery_terms, *earned) == agreed
                && attempt.is_none_or(|told| told > 0 && told != state.attempt())
        }
        (_, _) => false,
    }
}

/// Remembers `event`, which happened at `at`; [`follows`] was checked before.
///
/// # Panics
///
/// When `event` cannot follow `state`.
#[must_use]
pub fn evolve(state: &State, event: &Event, at: Instant) -> State {
    let attempt = state.attempt();
    match event {
        Event::Begun(_) => State::Sending(1),
        Event::BegunAgain { attempt } => State::Sending(*attempt),
        Event::Accepted => State::Accepted(attempt),
        Event::Failed => State::Retrying(attempt),
        Event::Unknown => State::Unknown(attempt),
        Event::Sent { hash, attempt: reported, .. } => {
            let attempt = reported.unwrap_or(attempt);
            State::Sent(Box::new(Sent { hash: hash.clone(), at, attempt }))
        }
    }
}

/// Accounts for `event` of operation `op`, whose money stands in `flight` and whose house fee is
/// earned as `income`.
#[must_use]
pub fn entry(op: OpId, event: &Event, flight: Account, income: Account) -> Entry {
    match event {
        Event::Begun(delivery_terms) => {
            Entry::NONE.principal(flight, Account::Fx, delivery_terms.cost).coins(
                delivery_terms.asset,
                CoinAccount::Fx,
                CoinAccount::DeliveryInFlight(op),
                delivery_terms.units,
            )
        }
        Event::BegunAgain { .. } | Event::Accepted | Event::Failed | Event::Unknown => Entry::NONE,
        Event::Sent { delivery_terms, earned, .. } => {
            let owed = CoinAccount::DeliveryInFlight(op);
            let stock = CoinAccount::Treasury(delivery_terms.chain);
            Entry::NONE
                .fee(flight, income, earned.fees.house)
                .fee(flight, Account::Commission(earned.account), earned.fees.partner)
                .coins(delivery_terms.asset, owed, stock, delivery_terms.delivered_units())
                .coins(delivery_terms.asset, owed, CoinAccount::Gas, delivery_terms.network_fee)
        }
    }
}

/// The reverse of what [`Event::Begun`] booked: the crypto is not bought after all.
#[must_use]
pub fn undone(
    entry: Entry,
    op: OpId,
    delivery_terms: Option<DeliveryTerms>,
    flight: Account,
) -> Entry {
    match delivery_terms {
        None => entry,
        Some(delivery_terms) => entry.principal(Account::Fx, flight, delivery_terms.cost).coins(
            delivery_terms.asset,
            CoinAccount::DeliveryInFlight(op),
            CoinAccount::Fx,
            delivery_terms.units,
        ),
    }
}

impl DeliveryTerms {
    /// Returns what reaches the wallet.
    #[must_use]
    pub const fn delivered_units(&self) -> Option<Units> {
        self.units.minus(self.network_fee)
    }
}

impl State {
    /// Tells whether only a report takes it further.
    #[must_use]
    pub const fn is_awaited(&self) -> bool {
        !matches!(self, Self::Unknown(_) | Self::Sent(_))
    }

    /// The number of the last attempt; zero before the first.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        match self {
            Self::Waiting => 0,
            Self::Sending(n) | Self::Accepted(n) | Self::Unknown(n) | Self::Retrying(n) => *n,
            Self::Sent(sent) => sent.attempt,
        }
    }

    /// Tells whether it can be given up: nothing was sent, or the last attempt definitely failed
    /// (rulings 36). An attempt under way counts as unknown.
    #[must_use]
    pub const fn can_stop(&self) -> bool {
        matches!(self, Self::Waiting | Self::Retrying(_))
    }

    /// Returns what giving it up has to undo: the crypto, once it was bought.
    #[must_use]
    pub fn bought_terms(&self, delivery_terms: DeliveryTerms) -> Option<DeliveryTerms> {
        (*self != Self::Waiting).then_some(delivery_terms)
    }

    /// The delivery made, if it was.
    #[must_use]
    pub fn sent_delivery(&self) -> Option<&Sent> {
        match self {
            Self::Sent(sent) => Some(sent),
            _ => None,
        }
    }
}
