//! The state machines, one a file, or a folder where it is large, all on one floor plan: terms,
//! command, event, state, `decide`, `follows`, `evolve`, `entry`.
//!
//! Machines read nothing and know nothing of each other: the ledger hands each the facts it needs.

pub mod agent;
pub mod cash_out;
pub mod charge;
pub mod conversion;
pub mod delivery;
pub mod entry;
pub mod erroneous_delivery;
pub mod hold;
pub mod payout;
pub mod refund;
pub mod suspense;
pub mod transfer;
pub mod unmatched_deposit;
pub mod wallet;

use std::fmt::Debug;

pub use charge::purchase;

use crate::accounting::Entry;
use crate::id::{AccountId, OpId};
use crate::time::Instant;

/// What every machine has, whatever it is of: state, replay, archive and books need no more of it.
///
/// Each machine's module has the same as plain functions; how it decides is its own, since each is
/// told other things.
///
/// ```
/// use ledger_core::machine::{StateMachine, suspense};
///
/// let absent = suspense::State::default();
/// assert!(!absent.has_ended() && StateMachine::account(&absent).is_none());
/// ```
pub trait StateMachine: Clone + Debug + Default + PartialEq {
    /// The reports of the world, and people's decisions. The ledger judges what clients ask for: it
    /// knows their balances.
    type Command: Debug;
    /// The facts that only the ledger knows when a command is judged; for most there are none.
    type Facts;
    /// What happens to it.
    type Event: Debug;

    /// Judges a command: what happens by it, which is to be recorded before it counts.
    fn decide(&self, command: Self::Command, facts: Self::Facts) -> Verdict<Vec<Self::Event>>;

    /// Tells whether `event` may follow: written apart from how it was decided, so that each checks
    /// the other.
    fn follows(&self, event: &Self::Event) -> bool;

    /// The state after `event`, which happened at `at`.
    ///
    /// # Panics
    ///
    /// When `event` may not follow.
    #[must_use]
    fn evolve(&self, event: &Self::Event, at: Instant) -> Self;

    /// Returns what `event` of operation `op` posts: a function of these alone.
    #[must_use]
    fn entry(op: OpId, event: &Self::Event) -> Entry;

    /// Tells whether nothing is in flight and nobody is waited for: it may leave the memory of the
    /// open ones.
    #[must_use]
    fn has_ended(&self) -> bool;

    /// The API account it belongs to, if it belongs to one.
    #[must_use]
    fn account(&self) -> Option<AccountId>;
}

/// Implements [`StateMachine`] for the `State` of a machine by the functions of its module: what
/// `decide`, `evolve` and `entry` are handed, and the account.
macro_rules! state_machine {
    (
        decide: ($command:ty, $facts:ty)
            = |$judged:pat_param, $asked:pat_param, $known:pat_param| $decide:expr;
        evolve: |$state:pat_param, $event:pat_param, $at:pat_param| $evolve:expr;
        entry: |$op:pat_param, $posted:pat_param| $entry:expr;
        account: |$owned:pat_param| $account:expr;
    ) => {
        impl $crate::machine::StateMachine for State {
            type Command = $command;
            type Facts = $facts;
            type Event = Event;

            fn decide(
                &self,
                command: $command,
                facts: $facts,
            ) -> $crate::machine::Verdict<Vec<Event>> {
                let ($judged, $asked, $known) = (self, command, facts);
                $decide
            }

            fn follows(&self, event: &Event) -> bool {
                follows(self, event)
            }

            fn evolve(&self, event: &Event, at: $crate::time::Instant) -> Self {
                let ($state, $event, $at) = (self, event, at);
                $evolve
            }

            fn entry(op: $crate::id::OpId, event: &Event) -> $crate::accounting::Entry {
                let ($op, $posted) = (op, event);
                $entry
            }

            fn has_ended(&self) -> bool {
                Self::has_ended(self)
            }

            fn account(&self) -> Option<$crate::id::AccountId> {
                let $owned = self;
                $account
            }
        }
    };
}
use state_machine;

/// What a machine makes of a fact, which is never refused (rulings 1).
///
/// ```
/// use ledger_core::machine::{Verdict, payout};
///
/// // Nobody asked for this payout, and yet it was paid: that waits for a person.
/// let paid = payout::Command::Pay("E9040088820210128000800123873170".into());
/// assert_eq!(payout::decide(&payout::State::Absent, paid), Verdict::SetAside);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<Event> {
    /// It happened: what it carries is to be recorded.
    Applied(Event),
    /// A duplicate, or an older report than what is known: nothing happens.
    Known,
    /// It contradicts the books: its money waits for a person.
    SetAside,
}

impl<Event> Verdict<Event> {
    /// The same, of a list of one event.
    #[must_use]
    pub fn into_list(self) -> Verdict<Vec<Event>> {
        match self {
            Self::Applied(event) => Verdict::Applied(vec![event]),
            Self::Known => Verdict::Known,
            Self::SetAside => Verdict::SetAside,
        }
    }
}
