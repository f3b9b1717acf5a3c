//! Sources: where money entered the part of the ledger that owes it to somebody.

use ledger_core::id::{OpId, Seq};

use crate::account::LedgerAccount;

/// A source, by its number in a tracer: an earlier one has a smaller number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// How money came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// It came in from one of our own accounts: a PIX by `prov.pix`, coins by `transit`, a gift of
    /// the house by `rev.deposit`.
    Came,
    /// It was advanced: an account paid it that had nothing left, and fell below zero.
    Advanced,
}

/// One entrance of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// How it came to be.
    pub origin: Origin,
    /// The account that it came out of.
    pub place: LedgerAccount,
    /// The record that booked it.
    pub record: Seq,
    /// The operation that it came by, if it came by one.
    pub op: Option<OpId>,
    /// How much came, in centavos or in the asset's smallest units.
    pub amount: u128,
}
