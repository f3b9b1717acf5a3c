//! Steps: what one event of a record moves, as flows between parts of accounts.

use ledger_core::id::{OpId, Seq};

use crate::account::Slot;
use crate::lots::SourceId;

/// An amount that leaves one part of an account for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The account debited.
    pub from: Slot,
    /// The account credited.
    pub to: Slot,
    /// How much, in centavos or in the asset's smallest units; above zero.
    pub amount: u128,
}

/// Tells which money of a step a trace begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Begins {
    /// The trace begins with no money of the step.
    #[default]
    Nothing,
    /// Money that comes in from an account of what is owned: a PIX, a deposit of coins.
    Incoming,
    /// All that the step's operation brings; where it brought nothing yet, all that it takes and
    /// had not put there itself.
    Drawn,
}

/// The flows of one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the record that has the event.
    pub record: Seq,
    /// The event within the record, from 0.
    pub event: u16,
    /// The operation that the event is of.
    pub op: Option<OpId>,
    /// The operation whose money is taken first where it stands in an account: the cause of a hold,
    /// or the operation itself, where it takes back.
    pub prefers: Option<OpId>,
    /// The money that a trace begins with.
    pub begins: Begins,
    /// In the order of the entry.
    pub flows: Vec<Flow>,
}

/// How a lot came to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Taken {
    /// It stood there.
    Stood,
    /// It came in from one of our own accounts, as a new source.
    Came,
    /// It came out of an exchange for what the same operation put in, of another commodity.
    Exchanged,
    /// Nothing stood there: it was advanced, as a new source.
    Advanced,
}

/// One lot on its way, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The number of the record that moved it.
    pub record: Seq,
    /// The event within the record, from 0.
    pub event: u16,
    /// The operation that moved it.
    pub op: Option<OpId>,
    /// The source that the lot came from.
    pub source: SourceId,
    /// How it came to be taken.
    pub taken: Taken,
    /// Tells whether the trace follows it.
    pub traced: bool,
    /// Tells whether the trace begins with it here.
    pub begins: bool,
    /// Where it left.
    pub from: Slot,
    /// Where it went.
    pub to: Slot,
    /// The advance that it made good, where its account stood below zero; it went no further.
    pub covers: Option<SourceId>,
    /// How much, in centavos or in the asset's smallest units.
    pub amount: u128,
}
