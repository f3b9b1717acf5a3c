//! Statement rows: the legs on a subaccount's custody accounts (rulings 19, STM-21).

use super::entry::Nature;
use crate::id::{OpId, Seq, Token};
use crate::money::Balance;
use crate::time::Instant;

/// What a statement row tells of (STM-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKind {
    /// A PIX deposit.
    Deposit,
    /// A PIX payout.
    Payout,
    /// A transfer received.
    TransferIn,
    /// A transfer sent.
    TransferOut,
    /// A refund or return: a separate row, never netted into the original (STM-17).
    Reversal,
    /// A fee corrected without a principal (STM-16).
    FeeAdjustment,
    /// A negative balance written off (rulings 29).
    WriteOff,
    /// A conversion into crypto.
    Conversion,
    /// Partner commission earned: a row of the commission's own ledger (COM-03).
    CommissionEarned,
    /// Partner commission taken back with the fee it came from.
    CommissionReversed,
    /// Partner commission withdrawn.
    CommissionWithdrawn,
    /// A withdrawal of commission that came to nothing.
    CommissionRestored,
    /// Taken by a court's order (rulings 21).
    CourtOrder,
    /// Carried to another ledger with its account, or come from there.
    Carried,
}

/// One line of a subaccount's statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The record that posted it.
    pub seq: Seq,
    /// The event within the record; rows of one event are one row of the operations view.
    pub event: u16,
    /// When it was posted.
    pub at: Instant,
    /// The operation it belongs to.
    pub op: OpId,
    /// What it tells of.
    pub kind: RowKind,
    /// Principal or fee; never a shift.
    pub nature: Nature,
    /// Centavos: below zero where they left the subaccount.
    pub value: Balance,
    /// The subaccount's balance after it, available and blocked together.
    pub balance_after: Balance,
    /// The client's own description, if it gave one.
    pub note: Option<Token>,
}
