//! Wallet deposit: USDT or USDC sent to an address of ours, for an account's wallet.
//!
//! ```text
//! Absent --Request--> Waiting --See--> Confirming --Confirm--> Available --Reverse--> Reversed
//!                       |  '--See, differing--.  '--Doubt--.        ^                     ^
//!                       '--Expire--> Expired --See--> UnderReview --Clear                 |
//! Absent --Find---------------------------------------------'  '--Reject------------------'
//! ```
//!
//! Part A12; rulings 33 and 34; P:DepositReview, P:LateWalletDeposit, P:ReverseSpent. What arrived
//! and belongs to no request is found: it waits for a person like a request under review.
//! [`decide`] judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use super::{into_usdt, out_of_usdt};
use crate::accounting::{CoinAccount, Entry};
use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId, OpId};
use crate::machine::Verdict;
use crate::terms::Stablecoin;
use crate::time::Instant;

/// Who made the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Origin {
    /// The client.
    #[n(0)]
    Request,
    /// An operator, for the client.
    #[n(1)]
    Support,
}

/// The terms of a request: fixed when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Order {
    /// Whose wallet.
    #[n(0)]
    pub account: AccountId,
    /// On which network.
    #[n(1)]
    pub chain: ChainId,
    /// The network's name.
    #[n(2)]
    pub network: Box<str>,
    /// The network's name for people.
    #[n(3)]
    pub title: Box<str>,
    /// The tokens taken, with their numbers.
    #[n(4)]
    pub accepted: Vec<(Stablecoin, AssetId)>,
    /// Where to send.
    #[n(5)]
    pub address: Box<str>,
    /// What was asked for.
    #[n(6)]
    pub requested: Units,
    /// What must be sent: the trailing decimals identify the request (P:DepositSuffix).
    #[n(7)]
    pub amount: Units,
    /// Who made it.
    #[n(8)]
    pub origin: Origin,
    /// When it was made.
    #[n(9)]
    pub created_at: Instant,
    /// When it expires.
    #[n(10)]
    pub expires_at: Instant,
}

/// What arrived on a network.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Transfer {
    /// Which token.
    #[n(0)]
    pub asset: AssetId,
    /// On which network.
    #[n(1)]
    pub chain: ChainId,
    /// How much, in the token's smallest units.
    #[n(2)]
    pub units: Units,
    /// The transaction and the place of the output in it.
    #[n(3)]
    pub mark: Mark,
    /// USDT's number where the token is worth one USDT; none for any other token.
    #[n(4)]
    pub usdt: Option<AssetId>,
}

/// A transaction, and the place of an output in it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Mark {
    /// The transaction.
    #[n(0)]
    pub hash: Box<str>,
    /// The output, or the place among the transaction's transfers.
    #[n(1)]
    pub index: u32,
}

/// Why a transfer that was seen is no longer counted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Doubt {
    /// The network reorganised: it may vanish.
    #[n(0)]
    Reorganisation,
    /// Compliance looks at it.
    #[n(1)]
    Compliance,
}

/// How a rejected transfer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Rejection {
    /// It was sent back.
    #[n(0)]
    Returned,
    /// It vanished from the network.
    #[n(1)]
    Vanished,
}

/// What someone wants, or what the world reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Wait for a deposit.
    Request(Box<Order>),
    /// Put down what belongs to no request that could take it.
    Find {
        /// What arrived.
        transfer: Transfer,
        /// The request it named.
        about: Option<OpId>,
    },
    /// The deadline passed.
    Expire,
    /// A transfer was seen.
    See(Transfer),
    /// The network confirmed the transfer of this mark.
    Confirm(Mark),
    /// The transfer is in doubt.
    Doubt(Mark, Doubt),
    /// An operator lets it in: for this account, with so much of it.
    Clear {
        /// For whom, where no request says it.
        account: Option<AccountId>,
        /// How much; none for all of it.
        credited: Option<Units>,
    },
    /// An operator keeps it out.
    Reject(Rejection),
    /// What was credited is undone.
    Reverse,
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Waiting for a deposit.
    #[n(0)]
    Requested(#[n(0)] Box<Order>),
    /// Nothing came in time.
    #[n(1)]
    Expired,
    /// Exactly what was asked for was seen.
    #[n(2)]
    Seen {
        /// Whose wallet.
        #[n(0)]
        account: AccountId,
        /// What arrived.
        #[n(1)]
        transfer: Transfer,
    },
    /// Something else was seen, or too late.
    #[n(3)]
    Mismatched(#[n(0)] Transfer),
    /// What belongs to no request that could take it was put down.
    #[n(4)]
    Found {
        /// What arrived.
        #[n(0)]
        transfer: Transfer,
        /// The request it named.
        #[n(1)]
        about: Option<OpId>,
    },
    /// Confirmed, and credited.
    #[n(5)]
    Credited {
        /// Whose wallet.
        #[n(0)]
        account: AccountId,
        /// What arrived.
        #[n(1)]
        transfer: Transfer,
    },
    /// It no longer counts on being credited.
    #[n(6)]
    Doubted {
        /// Whose wallet.
        #[n(0)]
        account: AccountId,
        /// What arrived.
        #[n(1)]
        transfer: Transfer,
        /// Why.
        #[n(2)]
        doubt: Doubt,
    },
    /// Confirmed while a person looks at it.
    #[n(7)]
    Settled(#[n(0)] Transfer),
    /// Let in by an operator; what is not credited was sent back.
    #[n(8)]
    Cleared {
        /// Whose wallet.
        #[n(0)]
        account: AccountId,
        /// What arrived.
        #[n(1)]
        transfer: Transfer,
        /// How much of it is credited.
        #[n(2)]
        credited: Units,
    },
    /// Kept out by an operator.
    #[n(9)]
    Rejected {
        /// What arrived.
        #[n(0)]
        transfer: Transfer,
        /// How it ended.
        #[n(1)]
        rejection: Rejection,
    },
    /// What had vanished is there, and confirmed.
    #[n(10)]
    Reappeared(#[n(0)] Transfer),
    /// What was credited is undone: a forced debit.
    #[n(11)]
    Reversed {
        /// Whose wallet.
        #[n(0)]
        account: AccountId,
        /// What arrived.
        #[n(1)]
        transfer: Transfer,
        /// How much of it was credited.
        #[n(2)]
        credited: Units,
    },
}

/// Where the deposit stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Not requested.
    #[default]
    Absent,
    /// `waiting`
    Waiting(Arc<Order>),
    /// `expired`
    Expired(Arc<Order>),
    /// `confirming`
    Confirming(Arc<Standing>),
    /// `under_review`
    UnderReview(Arc<Standing>),
    /// `available`
    Available(Arc<Standing>),
    /// `reversed`
    Reversed(Arc<Standing>),
}

/// A deposit for which something arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The request, where there is one.
    pub order: Option<Arc<Order>>,
    /// The request that what was found had named.
    pub about: Option<OpId>,
    /// What arrived.
    pub transfer: Transfer,
    /// Whether it came before the request expired.
    pub timing: Timing,
    /// Whether the network confirmed it.
    pub chain: OnChain,
    /// Whose wallet was credited, with how much and when.
    pub credit: Option<(AccountId, Units, Instant)>,
}

/// Whether a transfer came before its request expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Before.
    InTime,
    /// After, or there was no request.
    Late,
}

/// What the network says of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnChain {
    /// Seen.
    Seen,
    /// Confirmed.
    Confirmed,
    /// Gone.
    Vanished,
}

/// What the ledger knows when a request is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circumstances {
    /// The smallest deposit.
    pub least: Units,
    /// How many requests of the account are open.
    pub open: usize,
    /// How many may be.
    pub most_open: u16,
}

/// Why the ledger said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Below the smallest deposit.
    BelowMinimum {
        /// The smallest.
        least: Units,
    },
    /// As many requests are open as may be.
    TooManyOpen,
    /// The deposit exists already.
    OutOfTurn,
}

/// Judges `command`; only a request may be refused.
///
/// # Errors
///
/// The [`Refusal`] of a request, in the order of rulings 6.
pub fn decide(state: &State, command: Command, now: Circumstances) -> Decided {
    let verdict = match (state, command) {
        (State::Absent, Command::Request(order)) => return request(order, now),
        (_, Command::Request(_)) => return Err(Refusal::OutOfTurn),
        (State::Absent, Command::Find { transfer, about }) => {
            Verdict::Applied(Event::Found { transfer, about })
        }
        (State::Waiting(_), Command::Expire) => Verdict::Applied(Event::Expired),
        (State::Waiting(order), Command::See(transfer)) if order.expects(&transfer) => {
            Verdict::Applied(Event::Seen { account: order.account, transfer })
        }
        (State::Waiting(_) | State::Expired(_), Command::See(transfer)) => {
            Verdict::Applied(Event::Mismatched(transfer))
        }
        (state, Command::See(transfer)) if state.has(&transfer.mark) => Verdict::Known,
        (state, Command::Confirm(mark)) if state.has(&mark) => confirm(state),
        (State::Confirming(standing), Command::Doubt(mark, doubt))
            if mark == standing.transfer.mark =>
        {
            match standing.account() {
                Some(account) => {
                    let transfer = standing.transfer.clone();
                    Verdict::Applied(Event::Doubted { account, transfer, doubt })
                }
                None => Verdict::SetAside,
            }
        }
        (State::UnderReview(standing), Command::Doubt(mark, _))
            if mark == standing.transfer.mark =>
        {
            Verdict::Known
        }
        (State::UnderReview(standing), Command::Clear { account, credited }) => {
            standing.cleared(account, credited).map_or(Verdict::SetAside, Verdict::Applied)
        }
        (State::Available(standing), Command::Clear { credited, .. })
            if credited.is_none_or(|units| Some(units) == standing.credited()) =>
        {
            Verdict::Known
        }
        (State::UnderReview(standing), Command::Reject(rejection))
            if rejection.fits(standing.chain) =>
        {
            let transfer = standing.transfer.clone();
            Verdict::Applied(Event::Rejected { transfer, rejection })
        }
        (State::Reversed(standing), Command::Reject(rejection))
            if standing.credit.is_none() && rejection.was(standing.chain) =>
        {
            Verdict::Known
        }
        (State::Available(standing), Command::Reverse) => match standing.credit {
            Some((account, credited, _)) => {
                let transfer = standing.transfer.clone();
                Verdict::Applied(Event::Reversed { account, transfer, credited })
            }
            None => Verdict::SetAside,
        },
        (State::Reversed(standing), Command::Reverse) if standing.credit.is_some() => {
            Verdict::Known
        }
        (_, _) => Verdict::SetAside,
    };
    Ok(verdict)
}

/// What a command comes to.
pub type Decided = Result<Verdict<Event>, Refusal>;

fn request(order: Box<Order>, now: Circumstances) -> Decided {
    if order.requested < now.least {
        Err(Refusal::BelowMinimum { least: now.least })
    } else if usize::from(now.most_open) <= now.open && order.origin == Origin::Request {
        Err(Refusal::TooManyOpen)
    } else {
        Ok(Verdict::Applied(Event::Requested(order)))
    }
}

/// The network confirmed what the deposit has.
fn confirm(state: &State) -> Verdict<Event> {
    match state {
        State::Confirming(standing) => match standing.account() {
            Some(account) => {
                Verdict::Applied(Event::Credited { account, transfer: standing.transfer.clone() })
            }
            None => Verdict::SetAside,
        },
        State::UnderReview(standing) if standing.chain == OnChain::Seen => {
            Verdict::Applied(Event::Settled(standing.transfer.clone()))
        }
        State::Reversed(standing) if standing.chain == OnChain::Vanished => {
            Verdict::Applied(Event::Reappeared(standing.transfer.clone()))
        }
        State::UnderReview(_) | State::Available(_) | State::Reversed(_) => Verdict::Known,
        State::Absent | State::Waiting(_) | State::Expired(_) => Verdict::SetAside,
    }
}

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Requested(order)) => {
            order.requested < order.amount && order.created_at < order.expires_at
        }
        (State::Absent, Event::Found { .. }) | (State::Waiting(_), Event::Expired) => true,
        (State::Waiting(order), Event::Seen { account, transfer }) => {
            *account == order.account && order.expects(transfer)
        }
        (State::Waiting(order), Event::Mismatched(transfer)) => !order.expects(transfer),
        (State::Expired(_), Event::Mismatched(_)) => true,
        (
            State::Confirming(standing),
            Event::Credited { account, transfer } | Event::Doubted { account, transfer, .. },
        ) => *transfer == standing.transfer && standing.account() == Some(*account),
        (State::UnderReview(standing), Event::Settled(transfer)) => {
            standing.chain == OnChain::Seen && *transfer == standing.transfer
        }
        (State::UnderReview(standing), Event::Cleared { account, credited, .. }) => {
            standing.cleared(Some(*account), Some(*credited)).as_ref() == Some(event)
        }
        (State::UnderReview(standing), Event::Rejected { transfer, rejection }) => {
            *transfer == standing.transfer && rejection.fits(standing.chain)
        }
        (State::Reversed(standing), Event::Reappeared(transfer)) => {
            standing.chain == OnChain::Vanished && *transfer == standing.transfer
        }
        (State::Available(standing), Event::Reversed { account, transfer, credited }) => {
            let known = standing.credit.map(|(account, credited, _)| (account, credited));
            *transfer == standing.transfer && known == Some((*account, *credited))
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
    let waits = matches!(state, State::Waiting(_));
    let arrived = |transfer: &Transfer, about| Standing {
        order: state.order().cloned(),
        about,
        transfer: transfer.clone(),
        timing: if waits { Timing::InTime } else { Timing::Late },
        chain: OnChain::Seen,
        credit: None,
    };
    let known = || state.standing().expect("follows admits it where something arrived");
    let moved = |chain, credit| Arc::new(Standing { chain, credit, ..Standing::clone(known()) });
    match event {
        Event::Requested(order) => State::Waiting(Arc::new(Order::clone(order))),
        Event::Expired => {
            State::Expired(Arc::clone(state.order().expect("follows admits it while waiting")))
        }
        Event::Seen { transfer, .. } => State::Confirming(Arc::new(arrived(transfer, None))),
        Event::Mismatched(transfer) => State::UnderReview(Arc::new(arrived(transfer, None))),
        Event::Found { transfer, about } => State::UnderReview(Arc::new(arrived(transfer, *about))),
        Event::Credited { account, transfer } => {
            State::Available(moved(OnChain::Confirmed, Some((*account, transfer.units, at))))
        }
        Event::Doubted { .. } => State::UnderReview(Arc::clone(known())),
        Event::Settled(_) | Event::Reappeared(_) => {
            State::UnderReview(moved(OnChain::Confirmed, None))
        }
        Event::Cleared { account, credited, .. } => {
            State::Available(moved(OnChain::Confirmed, Some((*account, *credited, at))))
        }
        Event::Rejected { rejection: Rejection::Returned, .. } => {
            State::Reversed(moved(OnChain::Confirmed, None))
        }
        Event::Rejected { rejection: Rejection::Vanished, .. } => {
            State::Reversed(moved(OnChain::Vanished, None))
        }
        Event::Reversed { .. } => State::Reversed(Arc::clone(known())),
    }
}

/// Accounts for `event`.
#[must_use]
pub fn entry(event: &Event) -> Entry {
    use CoinAccount::{Suspense, Transit, Treasury, WalletAvailable, WalletConfirming};
    let none = || Entry::NONE;
    match event {
        Event::Requested(_) | Event::Expired => Entry::NONE,
        Event::Seen { account, transfer } => {
            let (from, to) = (Transit(transfer.chain), WalletConfirming(*account));
            into_usdt(none(), transfer.pair(), from, to, transfer.units)
        }
        Event::Mismatched(transfer) | Event::Found { transfer, .. } => {
            none().coins(transfer.asset, Transit(transfer.chain), Suspense, transfer.units)
        }
        Event::Credited { account, transfer } => {
            let Transfer { asset, chain, units, .. } = *transfer;
            let usdt = transfer.pair().1;
            let entry = none().coins(asset, Treasury(chain), Transit(chain), units);
            entry.coins(usdt, WalletConfirming(*account), WalletAvailable(*account), units)
        }
        Event::Doubted { account, transfer, .. } => {
            let from = WalletConfirming(*account);
            out_of_usdt(none(), transfer.pair(), from, Suspense, transfer.units)
        }
        Event::Settled(transfer) => {
            let (to, from) = (Treasury(transfer.chain), Transit(transfer.chain));
            none().coins(transfer.asset, to, from, transfer.units)
        }
        Event::Cleared { account, transfer, credited } => {
            let to = WalletAvailable(*account);
            let entry = into_usdt(none(), transfer.pair(), Suspense, to, *credited);
            let back = transfer.units.minus(Some(*credited));
            entry.coins(transfer.asset, Suspense, Treasury(transfer.chain), back)
        }
        Event::Rejected { transfer, rejection } => {
            let to = match rejection {
                Rejection::Returned => Treasury(transfer.chain),
                Rejection::Vanished => Transit(transfer.chain),
            };
            none().coins(transfer.asset, Suspense, to, transfer.units)
        }
        Event::Reappeared(transfer) => {
            none().coins(transfer.asset, Treasury(transfer.chain), Suspense, transfer.units)
        }
        Event::Reversed { account, transfer, credited } => {
            let (from, to) = (WalletAvailable(*account), Treasury(transfer.chain));
            out_of_usdt(Entry::FORCED, transfer.pair(), from, to, *credited)
        }
    }
}

impl Order {
    /// Whether this is the transfer that was asked for, to the millionth.
    #[must_use]
    pub fn expects(&self, transfer: &Transfer) -> bool {
        let taken = self.accepted.iter().any(|(_, asset)| *asset == transfer.asset);
        taken
            && transfer.usdt.is_some()
            && transfer.chain == self.chain
            && transfer.units == self.amount
    }
}

impl Transfer {
    /// The token, and the USDT it is worth one to one.
    fn pair(&self) -> (AssetId, AssetId) {
        (self.asset, self.usdt.unwrap_or(self.asset))
    }
}

impl Rejection {
    /// Only what is there goes back, and only what is not there yet can vanish.
    const fn fits(self, chain: OnChain) -> bool {
        matches!(
            (self, chain),
            (Self::Returned, OnChain::Confirmed) | (Self::Vanished, OnChain::Seen)
        )
    }

    const fn was(self, chain: OnChain) -> bool {
        matches!(
            (self, chain),
            (Self::Returned, OnChain::Confirmed) | (Self::Vanished, OnChain::Vanished)
        )
    }
}

impl Standing {
    /// Whose wallet it is for, where anybody said.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        let credited = self.credit.map(|(account, _, _)| account);
        credited.or_else(|| self.order.as_ref().map(|order| order.account))
    }

    /// What was credited.
    #[must_use]
    pub fn credited(&self) -> Option<Units> {
        self.credit.map(|(_, credited, _)| credited)
    }

    /// What letting it in is: once it is confirmed, of a token worth one USDT, for one account, and
    /// at most what arrived.
    fn cleared(&self, account: Option<AccountId>, credited: Option<Units>) -> Option<Event> {
        let account = match (self.account(), account) {
            (Some(known), Some(named)) if known != named => return None,
            (known, named) => known.or(named)?,
        };
        let credited = credited.unwrap_or(self.transfer.units);
        let fits = self.chain == OnChain::Confirmed && credited <= self.transfer.units;
        let transfer = self.transfer.clone();
        let event = Event::Cleared { account, transfer, credited };
        (fits && self.transfer.usdt.is_some()).then_some(event)
    }
}

impl State {
    /// The request, once made.
    #[must_use]
    pub fn order(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Absent => None,
            Self::Waiting(order) | Self::Expired(order) => Some(order),
            Self::Confirming(standing)
            | Self::UnderReview(standing)
            | Self::Available(standing)
            | Self::Reversed(standing) => standing.order.as_ref(),
        }
    }

    /// What arrived, once something did.
    #[must_use]
    pub fn standing(&self) -> Option<&Arc<Standing>> {
        match self {
            Self::Absent | Self::Waiting(_) | Self::Expired(_) => None,
            Self::Confirming(standing)
            | Self::UnderReview(standing)
            | Self::Available(standing)
            | Self::Reversed(standing) => Some(standing),
        }
    }

    /// Whose wallet it is for, where anybody said.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        let ordered = self.order().map(|order| order.account);
        ordered.or_else(|| self.standing().and_then(|standing| standing.account()))
    }

    /// The request, while it is open and its amount is its own: what comes late leaves the amount to
    /// others (INV-38).
    #[must_use]
    pub fn awaits(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Waiting(order) => Some(order),
            Self::Confirming(standing) | Self::UnderReview(standing)
                if standing.timing == Timing::InTime =>
            {
                standing.order.as_ref()
            }
            _ => None,
        }
    }

    /// Whether what arrived is this transfer.
    #[must_use]
    pub fn has(&self, mark: &Mark) -> bool {
        self.standing().is_some_and(|standing| standing.transfer.mark == *mark)
    }

    /// Whether nobody waits any more.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self, Self::Expired(_) | Self::Available(_) | Self::Reversed(_))
    }
}
