//! The state machines, one a file, all on one floor plan: terms, command, event, state, refusal,
//! `decide`, `follows`, `evolve`, `entry`.
//!
//! Machines read nothing and know nothing of each other: the ledger hands each the facts it needs.

pub mod agent;
pub mod cash_out;
pub mod charge;
pub mod conversion;
pub mod delivery;
pub mod erroneous_delivery;
pub mod hold;
pub mod payout;
pub mod refund;
pub mod suspense;
pub mod transfer;
pub mod unmatched_deposit;
pub mod wallet;

pub use charge::purchase;

/// What a machine makes of a fact, which is never refused (rulings 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<Event> {
    /// It happened.
    Applied(Event),
    /// A duplicate, or an older report than what is known: nothing happens.
    Known,
    /// It contradicts the books: its money waits for a person.
    SetAside,
}
