//! Wallet deposit: USDT or USDC sent to an address of ours, for an account's wallet.
//!
//! ```text
//! Absent --Requested--> Waiting --See--> Confirming --Confirm--> Available --Reverse--> Reversed
//!                         |  '--See, differing--.  '--Doubt--.        ^                     ^
//!                         '--Expire--> Expired --See--> UnderReview --Clear                 |
//! Absent --Find----------------------------------------------'  '--Reject------------------'
//! Reversed, its coins gone --See, Confirm--> UnderReview
//! ```
//!
//! Part A12; rulings 33 and 34; P:DepositReview, P:LateWalletDeposit, P:ReverseSpent. What arrived
//! and belongs to no request is found: it waits for a person like a request under review. Coins
//! that vanished and are mined again are the same deposit's, and wait for a person too. [`decide`]
//! judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

mod arrival;
mod terms;

use std::sync::Arc;

use minicbor::{Decode, Encode};

use crate::accounting::{CoinAccount, Entry};
use crate::coin::Units;
use crate::id::{AccountId, OpId};
use crate::machine::wallet::{into_usdt, out_of_usdt};
use crate::machine::{Verdict, state_machine};
use crate::time::Instant;

pub use arrival::{Arrival, OnChain, State, Timing};
pub use terms::{Doubt, Mark, Order, Origin, Rejection, Transfer};

/// What the world reports, or a person decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Put down what belongs to no request that could take it.
    Find {
        /// What arrived on the network.
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
        /// The API account whose wallet it is for.
        #[n(0)]
        account: AccountId,
        /// What arrived on the network.
        #[n(1)]
        transfer: Transfer,
    },
    /// Something else was seen, or too late.
    #[n(3)]
    Mismatched(#[n(0)] Transfer),
    /// What belongs to no request that could take it was put down.
    #[n(4)]
    Found {
        /// What arrived on the network.
        #[n(0)]
        transfer: Transfer,
        /// The request it named.
        #[n(1)]
        about: Option<OpId>,
    },
    /// Confirmed, and credited.
    #[n(5)]
    Credited {
        /// The API account whose wallet is credited.
        #[n(0)]
        account: AccountId,
        /// What arrived on the network.
        #[n(1)]
        transfer: Transfer,
    },
    /// It no longer counts on being credited.
    #[n(6)]
    Doubted {
        /// The API account whose wallet it is for.
        #[n(0)]
        account: AccountId,
        /// What arrived on the network.
        #[n(1)]
        transfer: Transfer,
        /// Why it is no longer counted on.
        #[n(2)]
        doubt: Doubt,
    },
    /// Confirmed while a person looks at it.
    #[n(7)]
    Settled(#[n(0)] Transfer),
    /// Let in by an operator; what is not credited was sent back.
    #[n(8)]
    Cleared {
        /// The API account whose wallet is credited.
        #[n(0)]
        account: AccountId,
        /// What arrived on the network.
        #[n(1)]
        transfer: Transfer,
        /// How much of it is credited.
        #[n(2)]
        credited: Units,
    },
    /// Kept out by an operator.
    #[n(9)]
    Rejected {
        /// What arrived on the network.
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
        /// The API account whose wallet is debited.
        #[n(0)]
        account: AccountId,
        /// What had arrived on the network.
        #[n(1)]
        transfer: Transfer,
        /// How much of it was credited.
        #[n(2)]
        credited: Units,
    },
    /// Coins that were gone were seen again, in the same transaction.
    #[n(12)]
    MinedAgain(#[n(0)] Transfer),
}

/// Judges what the world reports, or an operator decides.
#[must_use]
pub fn decide(state: &State, command: Command) -> Verdict<Event> {
    match (state, command) {
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
        (state, Command::See(transfer)) if state.has_lost(&transfer) => {
            Verdict::Applied(Event::MinedAgain(transfer))
        }
        (state, Command::See(transfer)) if state.has(&transfer.mark) => Verdict::Known,
        (state, Command::Confirm(mark)) if state.has(&mark) => confirm(state),
        (State::Confirming(arrival), Command::Doubt(mark, doubt))
            if mark == arrival.transfer.mark =>
        {
            match arrival.account() {
                Some(account) => {
                    let transfer = arrival.transfer.clone();
                    Verdict::Applied(Event::Doubted { account, transfer, doubt })
                }
                None => Verdict::SetAside,
            }
        }
        (State::UnderReview(arrival), Command::Doubt(mark, _)) if mark == arrival.transfer.mark => {
            Verdict::Known
        }
        (State::UnderReview(arrival), Command::Clear { account, credited }) => {
            arrival.clearing_event(account, credited).map_or(Verdict::SetAside, Verdict::Applied)
        }
        (State::Available(arrival), Command::Clear { credited, .. })
            if credited.is_none_or(|units| Some(units) == arrival.credited_units()) =>
        {
            Verdict::Known
        }
        (State::UnderReview(arrival), Command::Reject(rejection))
            if rejection.fits(arrival.chain) =>
        {
            let transfer = arrival.transfer.clone();
            Verdict::Applied(Event::Rejected { transfer, rejection })
        }
        (State::Reversed(arrival), Command::Reject(rejection))
            if arrival.credit.is_none() && rejection.was(arrival.chain) =>
        {
            Verdict::Known
        }
        (State::Available(arrival), Command::Reverse) => match arrival.credit {
            Some((account, credited, _)) => {
                let transfer = arrival.transfer.clone();
                Verdict::Applied(Event::Reversed { account, transfer, credited })
            }
            None => Verdict::SetAside,
        },
        (State::Reversed(arrival), Command::Reverse) if arrival.credit.is_some() => Verdict::Known,
        (_, _) => Verdict::SetAside,
    }
}

/// The network confirmed what the deposit has.
fn confirm(state: &State) -> Verdict<Event> {
    match state {
        State::Confirming(arrival) => match arrival.account() {
            Some(account) => {
                Verdict::Applied(Event::Credited { account, transfer: arrival.transfer.clone() })
            }
            None => Verdict::SetAside,
        },
        State::UnderReview(arrival) if arrival.chain == OnChain::Seen => {
            Verdict::Applied(Event::Settled(arrival.transfer.clone()))
        }
        State::Reversed(arrival) if arrival.chain == OnChain::Vanished => {
            Verdict::Applied(Event::Reappeared(arrival.transfer.clone()))
        }
        State::UnderReview(_) | State::Available(_) | State::Reversed(_) => Verdict::Known,
        State::Absent | State::Waiting(_) | State::Expired(_) => Verdict::SetAside,
    }
}

/// Tells whether `event` may follow `state`.
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
            State::Confirming(arrival),
            Event::Credited { account, transfer } | Event::Doubted { account, transfer, .. },
        ) => *transfer == arrival.transfer && arrival.account() == Some(*account),
        (State::UnderReview(arrival), Event::Settled(transfer)) => {
            arrival.chain == OnChain::Seen && *transfer == arrival.transfer
        }
        (State::UnderReview(arrival), Event::Cleared { account, credited, .. }) => {
            arrival.clearing_event(Some(*account), Some(*credited)).as_ref() == Some(event)
        }
        (State::UnderReview(arrival), Event::Rejected { transfer, rejection }) => {
            *transfer == arrival.transfer && rejection.fits(arrival.chain)
        }
        (State::Reversed(arrival), Event::Reappeared(transfer)) => {
            arrival.chain == OnChain::Vanished && *transfer == arrival.transfer
        }
        (state, Event::MinedAgain(transfer)) => state.has_lost(transfer),
        (State::Available(arrival), Event::Reversed { account, transfer, credited }) => {
            let known = arrival.credit.map(|(account, credited, _)| (account, credited));
            *transfer == arrival.transfer && known == Some((*account, *credited))
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
    let arrived = |transfer: &Transfer, about| Arrival {
        order: state.order().cloned(),
        about,
        transfer: transfer.clone(),
        timing: if waits { Timing::InTime } else { Timing::Late },
        chain: OnChain::Seen,
        credit: None,
    };
    let known = || state.arrival().expect("follows admits it where something arrived");
    let moved = |chain, credit| Arc::new(Arrival { chain, credit, ..Arrival::clone(known()) });
    // Its request is over: the amount is anybody's (INV-38).
    let again = |transfer: &Transfer, chain| {
        let (transfer, timing, credit) = (transfer.clone(), Timing::Late, None);
        Arc::new(Arrival { transfer, timing, chain, credit, ..Arrival::clone(known()) })
    };
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
        Event::Settled(_) => State::UnderReview(moved(OnChain::Confirmed, None)),
        Event::Reappeared(transfer) => State::UnderReview(again(transfer, OnChain::Confirmed)),
        Event::MinedAgain(transfer) => State::UnderReview(again(transfer, OnChain::Seen)),
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

/// Accounts for `event`: Part A12, a row an event; rulings 33 and 34.
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
        Event::Mismatched(transfer)
        | Event::Found { transfer, .. }
        | Event::MinedAgain(transfer) => {
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

state_machine! {
    decide: (Command, ()) = |state, command, ()| decide(state, command).into_list();
    evolve: |state, event, at| evolve(state, event, at);
    entry: |_, event| entry(event);
    account: |state| State::account(state);
}
