//! Hold: money of a subaccount that it may not spend, blocked for a cause.
//!
//! ```text
//! Absent --Place--> Open --TopUp, Take, Return, Release in part, Lapse--> Open
//!                     '--Release--> Closed
//! Absent --Reserve--> Open --Capture, Release in part--> Open
//!                       '--Release, Capture of the rest--> Closed
//! ```
//!
//! Rulings 23 and 26. A block takes its own deposit's held part first, then what is available; for
//! what is short it keeps watching until its deadline. The held part itself moves with the charge's
//! own events, and so does what a block on another subaccount gives to the return of its cause
//! (rulings 81); here only what came from available moves. Maturity is kept by the charge: its held
//! part and its date. A reservation takes the whole from available or is none; only captures and
//! releases take from it (P:Reservations). [`decide`] judges, [`follows`] says what may come next,
//! [`evolve`] remembers, [`entry`] accounts.

mod amounts;
mod decide;
mod terms;

use minicbor::{Decode, Encode};

use super::state_machine;
use crate::accounting::{Account, Entry};
use crate::id::{SubaccountId, Token};
use crate::money::{Amount, Balance, Cents};

use amounts::sum;
pub use amounts::{Amounts, Watch};
pub use decide::decide;
pub use terms::{Kind, Order};

/// What an operator decides, the ledger composes, or the agenda brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Block what is requested, as far as there is money.
    Place(Order),
    /// Reserve what is requested, all of it or nothing.
    Reserve(Order),
    /// Take part of a reservation for what it was made for.
    Capture(Capture),
    /// Take more of what is short, now that there is more available.
    TopUp,
    /// Stop watching for what is short.
    Lapse,
    /// Let go: of so much, or of everything and for good.
    Release(Option<Amount>),
    /// A forced debit for the same cause takes so much of it.
    Take(Amount),
    /// The return of a cause that another subaccount was credited takes so much of it (rulings 81).
    Return(Amount),
}

/// A part of a reservation, and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// How much, in centavos: at most what is left.
    pub amount: Amount,
    /// The account that is credited.
    pub to: Account,
    /// The service's own description; none: that of the reservation.
    pub note: Option<Token>,
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Blocked, as far as there was money.
    #[n(0)]
    Placed {
        /// The terms on which it was placed.
        #[n(0)]
        order: Order,
        /// What the charge's held part gave, by an event of its own.
        #[n(1)]
        from_held: Cents,
        /// What available gave.
        #[n(2)]
        from_available: Cents,
    },
    /// More was blocked.
    #[n(1)]
    ToppedUp {
        /// The subaccount whose money is blocked.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that available gave, at most what was short.
        #[n(1)]
        amount: Amount,
    },
    /// It no longer watches for what is short.
    #[n(2)]
    Lapsed,
    /// Let go, in part or for good.
    #[n(3)]
    Released {
        /// The subaccount whose money was blocked.
        #[n(0)]
        subaccount: SubaccountId,
        /// What went back to the charge's held part, by an event of its own.
        #[n(1)]
        to_held: Cents,
        /// What went to available.
        #[n(2)]
        to_available: Cents,
        /// Tells whether that is the end of it.
        #[n(3)]
        end: End,
    },
    /// Given to a forced debit of the same cause.
    #[n(4)]
    Taken {
        /// The subaccount whose money was blocked.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that the debit took, at most what was blocked.
        #[n(1)]
        amount: Amount,
    },
    /// Went back to the payer of its cause, by an event of the charge: the money had gone on from
    /// the subaccount that was credited (rulings 81).
    #[n(5)]
    Returned {
        /// The subaccount whose money was blocked.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that went back, at most what was blocked.
        #[n(1)]
        amount: Amount,
    },
    /// A part of a reservation went to what it was made for.
    #[n(6)]
    Captured {
        /// The subaccount whose money was reserved.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that were captured, at most what was left.
        #[n(1)]
        amount: Amount,
        /// The account that is credited.
        #[n(2)]
        to: Account,
        /// The service's own description of the capture, or else of the reservation.
        #[n(3)]
        note: Option<Token>,
    },
}

/// Tells whether a release ends the hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum End {
    /// The rest stays blocked, and what is short stays watched.
    #[n(0)]
    No,
    /// Over for good.
    #[n(1)]
    Yes,
}

/// Where the hold stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No hold was placed under this id.
    #[default]
    Absent,
    /// Blocking, or watching.
    Open(Amounts),
    /// Nothing is blocked or watched for any more.
    Closed(Amounts),
}

/// What the ledger knows of the subaccount when the hold is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// What is available.
    pub available: Balance,
    /// What of the cause's own credit is still held.
    pub own_part: Cents,
    /// Tells whether the cause's credit has yet to mature, so that its held part can take money
    /// back.
    pub matures: Watch,
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Placed { order, from_held, from_available }) => {
            let requested = order.requested.as_cents();
            let whole = from_held.is_zero() && *from_available == requested;
            from_held.plus(*from_available).is_some_and(|sum| sum <= requested)
                && (order.kind.blocks() || order.is_reservation() && whole)
        }
        (State::Open(open), Event::ToppedUp { subaccount, amount }) => {
            *subaccount == open.order.subaccount
                && open.watch == Watch::Running
                && amount.as_cents() <= open.shortfall()
        }
        (State::Open(open), Event::Lapsed) => open.watch == Watch::Running,
        (State::Open(open), Event::Released { subaccount, to_held, to_available, end }) => {
            // What came from available goes first: what goes back to held is the rest or nothing.
            let split = |sum: Cents| {
                let rest = sum.less_or_nothing(open.from_available);
                to_held.is_zero() || *to_held == rest
            };
            let whole = |sum: Cents| match end {
                End::Yes => sum == open.blocked_cents(),
                End::No => !sum.is_zero() && sum <= open.blocked_cents(),
            };
            *subaccount == open.order.subaccount
                && to_held.plus(*to_available).is_some_and(|sum| split(sum) && whole(sum))
        }
        (State::Open(open), Event::Taken { subaccount, amount }) => {
            *subaccount == open.order.subaccount && open.gives_to_debit(*amount)
        }
        (State::Open(open), Event::Captured { subaccount, amount, to, .. }) => {
            *subaccount == open.order.subaccount && open.gives_to_capture(*amount, *to)
        }
        (State::Open(open), Event::Returned { subaccount, amount }) => {
            *subaccount == open.order.subaccount && open.gives_to_return(*amount)
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
        (_, Event::Placed { order, from_held, from_available }) => Amounts {
            order: order.clone(),
            from_held: *from_held,
            from_available: *from_available,
            released: Cents::ZERO,
            settled: Cents::ZERO,
            watch: Watch::Running,
        }
        .open_or_closed(),
        (State::Open(open), Event::ToppedUp { amount, .. }) => {
            let mut next = open.clone();
            next.from_available = sum(next.from_available, amount.as_cents());
            next.open_or_closed()
        }
        (State::Open(open), Event::Lapsed) => {
            Amounts { watch: Watch::Over, ..open.clone() }.open_or_closed()
        }
        (State::Open(open), Event::Released { to_held, to_available, end, .. }) => {
            let mut next = open.clone();
            let amount = sum(*to_held, *to_available);
            let available = amount.min(next.from_available);
            next.from_available = next.from_available.less_or_nothing(available);
            next.from_held = next.from_held.less_or_nothing(amount.less_or_nothing(available));
            next.released = sum(next.released, amount);
            if *end == End::Yes {
                next.watch = Watch::Over;
            }
            next.open_or_closed()
        }
        (
            State::Open(open),
            Event::Taken { amount, .. }
            | Event::Returned { amount, .. }
            | Event::Captured { amount, .. },
        ) => {
            let mut next = open.clone();
            let held = amount.as_cents().min(next.from_held);
            next.from_held = next.from_held.less_or_nothing(held);
            next.from_available =
                next.from_available.less_or_nothing(amount.as_cents().less_or_nothing(held));
            next.settled = sum(next.settled, amount.as_cents());
            next.open_or_closed()
        }
        (State::Absent | State::Closed(_), _) => {
            unreachable!("follows admits it on open holds only")
        }
    }
}

/// Accounts for `event`.
#[must_use]
pub fn entry(event: &Event) -> Entry {
    let moved = |subaccount: SubaccountId, as_cents: Cents| {
        Entry::NONE.shift(Account::Available(subaccount), Account::Frozen(subaccount), as_cents)
    };
    let freed = |subaccount: SubaccountId, as_cents: Cents| {
        Entry::NONE.shift(Account::Frozen(subaccount), Account::Available(subaccount), as_cents)
    };
    match event {
        Event::Placed { order, from_available, .. } => moved(order.subaccount, *from_available),
        Event::ToppedUp { subaccount, amount } => moved(*subaccount, amount.as_cents()),
        // The charge's own event sends what went back.
        Event::Lapsed | Event::Returned { .. } => Entry::NONE,
        Event::Released { subaccount, to_available, .. } => freed(*subaccount, *to_available),
        Event::Taken { subaccount, amount } => freed(*subaccount, amount.as_cents()),
        Event::Captured { subaccount, amount, to, .. } => {
            Entry::NONE.principal(Account::Frozen(*subaccount), *to, *amount)
        }
    }
}

state_machine! {
    decide: (Command, Context) = |state, command, now| decide(state, command, now).into_list();
    evolve: |state, event, _| evolve(state, event);
    entry: |_, event| entry(event);
    account: |_| None;
}

impl State {
    /// The amounts, once placed.
    #[must_use]
    pub fn amounts(&self) -> Option<&Amounts> {
        match self {
            Self::Absent => None,
            Self::Open(amounts) | Self::Closed(amounts) => Some(amounts),
        }
    }

    /// Tells whether nothing is blocked and nothing is watched for.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
}
