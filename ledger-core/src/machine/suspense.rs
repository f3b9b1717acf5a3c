//! Suspense: money that matched nothing and waits for a person.
//!
//! ```text
//! Absent --Receive--> Waiting --Attach----> Attached
//!        --Take-----> Waiting --Return, SendBack--> Returned
//!                     Waiting --TakeOver--> Attached
//! ```
//!
//! Part A16; rulings 1, 2, 45 and 46; P:MispaidPix, P:SecondPix. Money in stands in `susp.pix`;
//! money that left and matched nothing is a claim in `recv.prov`; money a court takes from a
//! subaccount stands in `susp.pix` until an operator says where it went (rulings 21). [`decide`]
//! judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

use minicbor::{Decode, Encode};

use super::{Verdict, state_machine};
use crate::accounting::{Account, Entry};
use crate::id::{OpId, SubaccountId};
use crate::money::Amount;
use crate::time::Instant;

/// Tells whether the money came in or went out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Direction {
    /// It came in: we owe it to somebody.
    #[n(0)]
    In,
    /// It went out: the provider owes it to us.
    #[n(1)]
    Out,
}

/// Which of the provider's floats it touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Float {
    /// `prov.pix`, where charges are paid.
    #[n(0)]
    Collection,
    /// `prov.pay`, from which payouts are sent.
    #[n(1)]
    Payout,
    /// None: a court took it from a subaccount; it leaves through `prov.pix`.
    #[n(2)]
    Court,
}

/// What waits, and why.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// How much, in centavos.
    #[n(0)]
    pub amount: Amount,
    /// In or out.
    #[n(1)]
    pub direction: Direction,
    /// Through which float.
    #[n(2)]
    pub float: Float,
    /// The operation it named, if it named one.
    #[n(3)]
    pub about: Option<OpId>,
    /// The id the world gave it: end-to-end id or return id.
    #[n(4)]
    pub outside: Box<str>,
    /// When it was paid, by the provider's clock.
    #[n(5)]
    pub paid_at: Instant,
    /// The recovery that a return named, if it named one.
    #[n(6)]
    pub recovery: Option<Box<str>>,
}

/// What the world reports, or an operator decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Put it aside.
    Receive(Order),
    /// A court takes it from this subaccount.
    Take(Order, SubaccountId),
    /// It belongs to this charge.
    Attach(OpId),
    /// It went back: to the payer when it came in, to us when it went out.
    Return,
    /// It went back so, by the return of this id.
    SendBack(Box<str>),
    /// It was reported of this operation before its time, which books it now.
    TakeOver(OpId),
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Put aside: in `susp.pix`, or as a claim in `recv.prov`.
    #[n(0)]
    Received(#[n(0)] Order),
    /// Given to a charge, whose credit books it.
    #[n(1)]
    Attached(#[n(0)] OpId),
    /// Gone back: to the payer when it came in, to us when it went out.
    #[n(2)]
    Returned(#[n(0)] Order),
    /// Taken from a subaccount by a court's order: a forced debit.
    #[n(3)]
    Ordered {
        /// What waits from now on.
        #[n(0)]
        order: Order,
        /// Whose it was.
        #[n(1)]
        subaccount: SubaccountId,
    },
    /// What was reported of an operation before its time is booked by it: a PIX that it sent, a
    /// return of one that it sent or received (rulings 45 and 46).
    #[n(4)]
    TakenOver {
        /// What waited until then.
        #[n(0)]
        order: Order,
        /// The operation that books it now.
        #[n(1)]
        by: OpId,
    },
    /// Gone back, by the PIX that took it there: a return of what came in, or of what went out.
    #[n(5)]
    SentBack {
        /// What waited until then.
        #[n(0)]
        order: Order,
        /// The id of the return.
        #[n(1)]
        return_id: Box<str>,
    },
}

/// Where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing was put aside.
    #[default]
    Absent,
    /// Waiting for a person.
    Waiting(Order),
    /// Given to a charge, or taken over by what it paid.
    Attached(Order, OpId),
    /// Gone back to where it came from.
    Returned(Order),
}

/// Judges `command`; every one of them is a fact.
#[must_use]
pub fn decide(state: &State, command: Command) -> Verdict<Event> {
    match (state, command) {
        (State::Absent, Command::Receive(order)) if order.float != Float::Court => {
            Verdict::Applied(Event::Received(order))
        }
        (State::Absent, Command::Take(order, subaccount)) if order.is_of_a_court() => {
            Verdict::Applied(Event::Ordered { order, subaccount })
        }
        (State::Waiting(order), Command::Attach(charge)) if order.is_a_pix_received() => {
            Verdict::Applied(Event::Attached(charge))
        }
        (State::Waiting(order), Command::Return) => {
            Verdict::Applied(Event::Returned(order.clone()))
        }
        (State::Waiting(order), Command::SendBack(return_id)) => {
            Verdict::Applied(Event::SentBack { order: order.clone(), return_id })
        }
        (State::Waiting(order), Command::TakeOver(by)) if order.may_come_early() => {
            Verdict::Applied(Event::TakenOver { order: order.clone(), by })
        }
        (
            State::Waiting(_) | State::Attached(..) | State::Returned(_),
            Command::Receive(_) | Command::Take(..),
        )
        | (State::Returned(_), Command::Return | Command::SendBack(_)) => Verdict::Known,
        (State::Attached(_, attached), Command::Attach(charge)) if *attached == charge => {
            Verdict::Known
        }
        (_, _) => Verdict::SetAside,
    }
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Received(order)) => order.float != Float::Court,
        (State::Absent, Event::Ordered { order, .. }) => order.is_of_a_court(),
        (State::Waiting(order), Event::Attached(_)) => order.is_a_pix_received(),
        (State::Waiting(waiting), Event::Returned(order) | Event::SentBack { order, .. }) => {
            waiting == order
        }
        (State::Waiting(waiting), Event::TakenOver { order, .. }) => {
            waiting == order && order.may_come_early()
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
    match (state, event) {
        (_, Event::Received(order) | Event::Ordered { order, .. }) => State::Waiting(order.clone()),
        (_, Event::Returned(order) | Event::SentBack { order, .. }) => {
            State::Returned(order.clone())
        }
        (_, Event::TakenOver { order, by }) => State::Attached(order.clone(), *by),
        (State::Waiting(order), Event::Attached(charge)) => State::Attached(order.clone(), *charge),
        (_, Event::Attached(_)) => unreachable!("follows admits it on waiting money only"),
    }
}

/// Accounts for `event`. An attachment is booked by the charge's own credit.
///
/// ```
/// use ledger_core::accounting::Account;
/// # use ledger_core::machine::suspense::{Command, Direction, Event, Float, Order, State};
/// use ledger_core::machine::Verdict;
/// use ledger_core::machine::suspense::{decide, entry};
/// use ledger_core::{money::Amount, time::Instant};
///
/// let (amount, paid_at) = (Amount::new(10_000).expect("it is above zero"), Instant::default());
/// let (direction, float) = (Direction::In, Float::Collection);
/// let (about, outside, recovery) = (None, "E1".into(), None);
/// let order = Order { amount, direction, float, about, outside, paid_at, recovery };
/// let received = decide(&State::Absent, Command::Receive(order.clone()));
/// assert_eq!(received, Verdict::Applied(Event::Received(order.clone())));
/// assert_eq!(entry(&Event::Received(order)).net_credit(Account::SuspensePix), 10_000);
/// ```
#[must_use]
pub fn entry(event: &Event) -> Entry {
    match event {
        Event::Received(order) => {
            let (debit, credit) = order.legs();
            Entry::NONE.principal(debit, credit, order.amount)
        }
        Event::Ordered { order, subaccount } => {
            let available = Account::Available(*subaccount);
            Entry::FORCED.principal(available, Account::SuspensePix, order.amount)
        }
        Event::Attached(_) => Entry::NONE,
        Event::Returned(order) | Event::SentBack { order, .. } | Event::TakenOver { order, .. } => {
            let (debit, credit) = order.legs();
            Entry::NONE.principal(credit, debit, order.amount)
        }
    }
}

impl Order {
    fn is_a_pix_received(&self) -> bool {
        self.direction == Direction::In && self.float != Float::Court
    }

    /// Tells whether an operation may book it after all: anything but a PIX received, which is
    /// attached.
    fn may_come_early(&self) -> bool {
        !self.is_of_a_court() && (self.direction, self.float) != (Direction::In, Float::Collection)
    }

    /// Tells whether it is a PIX received that went back to its payer.
    #[must_use]
    pub fn is_a_deposit_returned(&self) -> bool {
        (self.direction, self.float) == (Direction::Out, Float::Collection)
    }

    /// Tells whether it is a PIX sent that came back.
    #[must_use]
    pub fn is_a_payment_returned(&self) -> bool {
        (self.direction, self.float) == (Direction::In, Float::Payout)
    }

    /// Tells whether it is a PIX that was sent.
    #[must_use]
    pub fn is_a_payment(&self) -> bool {
        (self.direction, self.float) == (Direction::Out, Float::Payout)
    }

    fn is_of_a_court(&self) -> bool {
        self.direction == Direction::In && self.float == Float::Court
    }

    fn legs(&self) -> (Account, Account) {
        let float = match self.float {
            Float::Collection | Float::Court => Account::ProviderPix,
            Float::Payout => Account::ProviderPay,
        };
        match self.direction {
            Direction::In => (float, Account::SuspensePix),
            Direction::Out => (Account::ProviderClaim, float),
        }
    }
}

state_machine! {
    decide: (Command, ()) = |state, command, ()| decide(state, command).into_list();
    evolve: |state, event, _| evolve(state, event);
    entry: |_, event| entry(event);
    account: |_| None;
}

impl State {
    /// Tells whether nobody needs to look at it any more.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Absent | Self::Waiting(_) => false,
            Self::Attached(..) | Self::Returned(_) => true,
        }
    }
}
