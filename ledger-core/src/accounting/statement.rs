//! Statement rows: the legs on a subaccount's custody accounts (rulings 19, STM-21).

use super::entry::Nature;
use crate::id::{OpId, Seq, Token};
use crate::money::Balance;
use crate::time::Instant;

macro_rules! row_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)*) => {
        /// What a statement row tells of (STM-22).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RowKind {
            $($(#[$doc])* $kind,)*
        }

        impl RowKind {
            /// The name that tables have for it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// The kind of this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                [$(Self::$kind),*].into_iter().find(|kind| kind.name() == name)
            }
        }
    };
}

row_kinds! {
    /// A PIX deposit.
    Deposit = "deposit",
    /// A PIX payout.
    Payout = "payout",
    /// A transfer received.
    TransferIn = "transfer_in",
    /// A transfer sent.
    TransferOut = "transfer_out",
    /// A refund or return: a separate row, never netted into the original (STM-17).
    Reversal = "reversal",
    /// A fee corrected without a principal (STM-16).
    FeeAdjustment = "fee_adjustment",
    /// A negative balance written off (rulings 29).
    WriteOff = "write_off",
    /// A conversion into crypto.
    Conversion = "conversion",
    /// Partner commission earned: a row of the commission's own ledger (COM-03).
    CommissionEarned = "commission_earned",
    /// Partner commission taken back with the fee it came from.
    CommissionReversed = "commission_reversed",
    /// Partner commission withdrawn.
    CommissionWithdrawn = "commission_withdrawn",
    /// A withdrawal of commission that came to nothing.
    CommissionRestored = "commission_restored",
    /// Taken by a court's order (rulings 21).
    CourtOrder = "court_order",
    /// Carried to another ledger with its account, or come from there.
    Carried = "carried",
    /// Posted by an entry of a product, or captured of a reservation.
    Entry = "entry",
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
