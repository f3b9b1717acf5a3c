//! Unmatched deposit: crypto received that no order takes: a surplus, a deposit after the payment
//! began, one that matched nothing.
//!
//! ```text
//! Absent --Receive--> Waiting --Confirm--> Waiting, confirmed --DecideRefund--> Refunding
//!    |                   '--Vanish, Lose--> Vanished
//!    '----Split--> Refunding --Refund--> Refunding, and sent at last
//!    '----Parted--> Waiting, as its order had it
//! ```
//!
//! Rulings 1, 2, 32 and P:MultipleDeposits. It stands in `susp.crypto` until its refund is decided:
//! by itself once it is confirmed, where its order named a wallet; otherwise by an operator.
//! [`decide`] judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`]
//! accounts.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use super::cash_out::Deposit;
use super::refund::{Coins, Refund, RefundReport, RefundStatus};
use super::{Verdict, state_machine};
use crate::accounting::{CoinAccount, Entry};
use crate::coin::Units;
use crate::id::{AccountId, OpId};
use crate::terms::Switch;

/// What was received, and what for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// What arrived, as its network shows it.
    #[n(0)]
    pub deposit: Deposit,
    /// The order it was sent for, if it named one.
    #[n(1)]
    pub about: Option<OpId>,
    /// Whose order that is.
    #[n(2)]
    pub account: Option<AccountId>,
    /// The wallet that order's customer confirmed, on the same network.
    #[n(3)]
    pub to: Option<Box<str>>,
    /// The largest refund without an operator; none where only an operator decides.
    #[n(4)]
    pub refund_alone: Option<Units>,
    /// Which sighting of its transaction this is, where it vanished before.
    #[n(5)]
    pub sighting: Option<u32>,
}

/// What the world reports, or an operator decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// It arrived, and is not confirmed yet.
    Receive(Box<Order>),
    /// It is what a code did not cost: confirmed already, and due.
    Split(Box<Order>),
    /// It is confirmed.
    Confirm,
    /// It vanished before that.
    Vanish,
    /// It goes back to this wallet, or to the one known.
    DecideRefund(Option<Box<str>>),
    /// What became of the refund.
    Refund(RefundReport),
    /// It is lost for good.
    Lose,
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// It arrived, and stands in `susp.crypto`.
    #[n(0)]
    Received(#[n(0)] Box<Order>),
    /// An order split it off; the order's own event booked it.
    #[n(1)]
    SplitOff(#[n(0)] Box<Order>),
    /// It is confirmed.
    #[n(2)]
    Confirmed(#[n(0)] Coins),
    /// It vanished before that.
    #[n(3)]
    Vanished(#[n(0)] Coins),
    /// It goes back.
    #[n(4)]
    RefundDecided {
        /// All that was deposited, in its own asset.
        #[n(0)]
        coins: Coins,
        /// Where to, if that is known.
        #[n(1)]
        to: Option<Box<str>>,
        /// Tells whether it may be sent.
        #[n(2)]
        allowed: Switch,
    },
    /// An operator named the wallet of a refund that is due, and allowed it.
    #[n(5)]
    RefundAllowed {
        /// The wallet that it goes to.
        #[n(0)]
        to: Box<str>,
    },
    /// It went back.
    #[n(6)]
    RefundSent {
        /// All that was due back.
        #[n(0)]
        coins: Coins,
        /// In which transaction.
        #[n(1)]
        hash: Box<str>,
    },
    /// It definitely did not: another attempt follows.
    #[n(7)]
    RefundFailed,
    /// Nobody knows whether it did.
    #[n(8)]
    RefundLost,
    /// An order that went on without it had it in suspense, where it stays (rulings 67).
    #[n(9)]
    Parted {
        /// What it is of.
        #[n(0)]
        order: Box<Order>,
        /// Tells whether it is confirmed.
        #[n(1)]
        confirmed: Switch,
    },
    /// It is lost for good, after it was confirmed: nobody gets it.
    #[n(10)]
    Forgone {
        /// All that was deposited, in its own asset.
        #[n(0)]
        coins: Coins,
        /// Tells whether it was due back; else it waited in suspense.
        #[n(1)]
        due: Switch,
    },
}

/// Where the unmatched deposit stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing arrived under this id.
    #[default]
    Absent,
    /// In suspense; and whether it is confirmed.
    Waiting(Arc<Order>, Switch),
    /// It vanished before it was confirmed, or for good.
    Vanished(Arc<Order>),
    /// Due back, or gone back.
    Refunding(Arc<Order>, Refund),
}

/// Judges `command`; every one of them is a fact.
#[must_use]
pub fn decide(state: &State, command: Command) -> Verdict<Vec<Event>> {
    let one = |event| Verdict::Applied(vec![event]);
    match (state, command) {
        (State::Absent, Command::Receive(order)) => one(Event::Received(order)),
        (State::Absent, Command::Split(order)) => one(Event::SplitOff(order)),
        (State::Waiting(order, Switch::Off), Command::Confirm) => {
            let coins = order.deposit.coins;
            let mut events = vec![Event::Confirmed(coins)];
            if let (Some(to), Some(_)) = (&order.to, order.refund_alone) {
                let (to, allowed) = (Some(to.clone()), order.alone());
                events.push(Event::RefundDecided { coins, to, allowed });
            }
            Verdict::Applied(events)
        }
        (State::Waiting(_, Switch::On) | State::Refunding(..), Command::Confirm)
        | (State::Vanished(_), Command::Vanish) => Verdict::Known,
        (State::Waiting(order, Switch::Off), Command::Vanish) => {
            one(Event::Vanished(order.deposit.coins))
        }
        (State::Waiting(order, Switch::On), Command::DecideRefund(to)) => {
            let coins = order.deposit.coins;
            // The wallet that a customer confirmed stands (P:RefundImmutable).
            let differs = !order.may_go_to(to.as_deref());
            match to.or_else(|| order.to.clone()) {
                None => Verdict::SetAside,
                Some(_) if differs => Verdict::SetAside,
                to => one(Event::RefundDecided { coins, to, allowed: Switch::On }),
            }
        }
        (State::Refunding(_, refund), Command::DecideRefund(to)) => allow(refund, to),
        (State::Refunding(_, refund), Command::Refund(report)) => decide_report(refund, report),
        (State::Waiting(order, Switch::On), Command::Lose) => {
            one(Event::Forgone { coins: order.deposit.coins, due: Switch::Off })
        }
        // What was sent back already is our loss.
        (State::Refunding(_, refund), Command::Lose) if refund.sent_hash().is_none() => {
            one(Event::Forgone { coins: refund.coins, due: Switch::On })
        }
        (State::Refunding(..) | State::Vanished(_), Command::Lose) => Verdict::Known,
        (_, _) => Verdict::SetAside,
    }
}

/// An operator allows a refund that is due, and names its wallet where none was.
fn allow(refund: &Refund, to: Option<Box<str>>) -> Verdict<Vec<Event>> {
    let differs = matches!((&refund.to, &to), (Some(known), Some(to)) if known != to);
    match to.or_else(|| refund.to.clone()) {
        _ if refund.status != RefundStatus::Due || differs => Verdict::SetAside,
        _ if refund.is_under_way() => Verdict::Known,
        Some(to) => Verdict::Applied(vec![Event::RefundAllowed { to }]),
        None => Verdict::SetAside,
    }
}

fn decide_report(refund: &Refund, report: RefundReport) -> Verdict<Vec<Event>> {
    let coins = refund.coins;
    let open = refund.is_under_way() || refund.status == RefundStatus::Lost;
    match report {
        RefundReport::Sent(hash) if refund.sent_hash() == Some(&*hash) => Verdict::Known,
        RefundReport::Sent(hash) if open => {
            Verdict::Applied(vec![Event::RefundSent { coins, hash }])
        }
        RefundReport::Failed if open => Verdict::Applied(vec![Event::RefundFailed]),
        RefundReport::Lost if refund.is_under_way() => Verdict::Applied(vec![Event::RefundLost]),
        RefundReport::Lost if refund.status == RefundStatus::Lost => Verdict::Known,
        _ => Verdict::SetAside,
    }
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Received(_)) => true,
        (State::Absent, Event::SplitOff(order) | Event::Parted { order, .. }) => {
            order.about.is_some()
        }
        (State::Waiting(order, Switch::Off), Event::Confirmed(coins) | Event::Vanished(coins)) => {
            order.deposit.coins == *coins
        }
        (State::Waiting(order, Switch::On), Event::RefundDecided { coins, to, .. }) => {
            order.deposit.coins == *coins && to.is_some() && order.may_go_to(to.as_deref())
        }
        (State::Refunding(_, refund), Event::RefundAllowed { to }) => {
            let same = refund.to.as_ref().is_none_or(|known| known == to);
            refund.status == RefundStatus::Due && !refund.is_under_way() && same
        }
        (State::Refunding(_, refund), Event::RefundSent { coins, .. }) => {
            refund.coins == *coins && (refund.is_under_way() || refund.status == RefundStatus::Lost)
        }
        (State::Refunding(_, refund), Event::RefundFailed) => {
            refund.is_under_way() || refund.status == RefundStatus::Lost
        }
        (State::Refunding(_, refund), Event::RefundLost) => refund.is_under_way(),
        (State::Waiting(order, Switch::On), Event::Forgone { coins, due: Switch::Off }) => {
            order.deposit.coins == *coins
        }
        (State::Refunding(_, refund), Event::Forgone { coins, due: Switch::On }) => {
            refund.coins == *coins && refund.sent_hash().is_none()
        }
        (_, _) => false,
    }
}

/// Remembers `event`: returns what `state` becomes by it.
///
/// # Panics
///
/// When `event` cannot follow `state`; replay checks [`follows`] first.
#[must_use]
pub fn evolve(state: &State, event: &Event) -> State {
    assert!(follows(state, event), "{event:?} cannot follow {state:?}");
    let order = || Arc::clone(state.order().expect("follows admits it on receipts only"));
    let refund = |change: &dyn Fn(Refund) -> Refund| match state {
        State::Refunding(order, refund) => {
            State::Refunding(Arc::clone(order), change(refund.clone()))
        }
        _ => unreachable!("follows admits it on refunds only"),
    };
    match event {
        Event::Received(order) => State::Waiting(Arc::new(order.as_ref().clone()), Switch::Off),
        Event::SplitOff(order) => {
            let order = Arc::new(order.as_ref().clone());
            let refund = Refund::due(order.deposit.coins, order.to.clone(), order.alone());
            State::Refunding(order, refund)
        }
        Event::Parted { order, confirmed } => {
            State::Waiting(Arc::new(order.as_ref().clone()), *confirmed)
        }
        Event::Confirmed(_) => State::Waiting(order(), Switch::On),
        Event::Vanished(_) | Event::Forgone { .. } => State::Vanished(order()),
        Event::RefundDecided { coins, to, allowed } => {
            State::Refunding(order(), Refund::due(*coins, to.clone(), *allowed))
        }
        Event::RefundAllowed { to } => {
            refund(&|known| Refund { to: Some(to.clone()), allowed: Switch::On, ..known })
        }
        Event::RefundSent { hash, .. } => {
            refund(&|known| Refund { status: RefundStatus::Sent(hash.clone()), ..known })
        }
        Event::RefundFailed => refund(&|known| Refund {
            status: RefundStatus::Due,
            attempt: known.attempt + 1,
            ..known
        }),
        Event::RefundLost => refund(&|known| Refund { status: RefundStatus::Lost, ..known }),
    }
}

/// Accounts for `event` of unmatched deposit `op`.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    let (due, suspense) = (CoinAccount::RefundDue(op), CoinAccount::Suspense);
    let moved =
        |coins: Coins, debit, credit| Entry::NONE.coins(coins.asset, debit, credit, coins.units);
    match event {
        Event::Received(order) => {
            let coins = order.deposit.coins;
            moved(coins, CoinAccount::Transit(coins.chain), suspense)
        }
        Event::Confirmed(coins) => {
            moved(*coins, CoinAccount::Treasury(coins.chain), CoinAccount::Transit(coins.chain))
        }
        Event::Vanished(coins) => moved(*coins, suspense, CoinAccount::Transit(coins.chain)),
        Event::RefundDecided { coins, .. } => moved(*coins, suspense, due),
        Event::RefundSent { coins, .. } => moved(*coins, due, CoinAccount::Treasury(coins.chain)),
        Event::Forgone { coins, due: Switch::On } => moved(*coins, due, CoinAccount::Loss),
        Event::Forgone { coins, due: Switch::Off } => moved(*coins, suspense, CoinAccount::Loss),
        Event::SplitOff(_)
        | Event::Parted { .. }
        | Event::RefundAllowed { .. }
        | Event::RefundFailed
        | Event::RefundLost => Entry::NONE,
    }
}

impl Order {
    /// Tells whether this is no other wallet than the one its order's customer confirmed.
    fn may_go_to(&self, named: Option<&str>) -> bool {
        self.to.as_deref().zip(named).is_none_or(|(known, named)| known == named)
    }

    /// Tells whether it is refunded without an operator.
    fn alone(&self) -> Switch {
        let small = self.refund_alone.is_some_and(|most| self.deposit.coins.units <= most);
        if small { Switch::On } else { Switch::Off }
    }
}

state_machine! {
    decide: (Command, ()) = |state, command, ()| decide(state, command);
    evolve: |state, event, _| evolve(state, event);
    entry: |op, event| entry(op, event);
    account: |state| state.order().and_then(|order| order.account);
}

impl State {
    /// Returns what was received, once something was.
    #[must_use]
    pub const fn order(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Absent => None,
            Self::Waiting(order, _) | Self::Vanished(order) | Self::Refunding(order, _) => {
                Some(order)
            }
        }
    }

    /// Tells whether what was received is in the stock, or was: it is no longer only seen.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        matches!(self, Self::Waiting(_, Switch::On) | Self::Refunding(..))
    }

    /// The refund, once it is due.
    #[must_use]
    pub const fn refund(&self) -> Option<&Refund> {
        let Self::Refunding(_, refund) = self else { return None };
        Some(refund)
    }

    /// Returns what stands in suspense for it.
    #[must_use]
    pub fn in_suspense(&self) -> Option<Coins> {
        let Self::Waiting(order, _) = self else { return None };
        Some(order.deposit.coins)
    }

    /// Returns what is to be refunded and was not sent.
    #[must_use]
    pub fn to_refund(&self) -> Option<Coins> {
        self.refund().filter(|refund| refund.sent_hash().is_none()).map(|refund| refund.coins)
    }

    /// Tells whether nobody waits for it.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let refunded = self.refund().is_some_and(|refund| refund.sent_hash().is_some());
        refunded || matches!(self, Self::Vanished(_))
    }
}
