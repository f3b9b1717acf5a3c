//! Statements of accounts outside, as evidence: whose, of which period, and what they sum to.

use minicbor::{Decode, Encode};

use crate::coin::Units;
use crate::id::EvidenceHash;
use crate::time::Instant;

/// Who keeps the accounts that a statement is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum StatementSource {
    /// The PIX provider.
    #[n(0)]
    Provider,
    /// A network of coins.
    #[n(1)]
    Chain,
    /// An exchange at which coins are bought and sold.
    #[n(2)]
    Exchange,
}

impl StatementSource {
    /// Every source, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Provider, Self::Chain, Self::Exchange];

    /// The word that facts have for it: `provider`, `chain` or `exchange`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Chain => "chain",
            Self::Exchange => "exchange",
        }
    }
}

/// A statement that was received: the file stands elsewhere, under its hash.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ReceivedStatement {
    /// The SHA-256 of the file's bytes.
    #[n(0)]
    pub sha256: EvidenceHash,
    /// Who keeps the accounts.
    #[n(1)]
    pub source: StatementSource,
    /// Whose statement it is, as the file says.
    #[n(2)]
    pub origin: Box<str>,
    /// The first instant that it is of.
    #[n(3)]
    pub begins: Instant,
    /// The last instant that it is of.
    #[n(4)]
    pub ends: Instant,
    /// When it was made.
    #[n(5)]
    pub made_at: Option<Instant>,
    /// The sums of each account.
    #[n(6)]
    pub totals: Vec<StatementTotal>,
}

/// The sums of one account of a statement, each in units of 18 decimals; nothing stands for zero.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StatementTotal {
    /// The account, by the name that matching gives it.
    #[n(0)]
    pub account: Box<str>,
    /// Its balance before the first movement.
    #[n(1)]
    pub opening: Option<Units>,
    /// Its balance after the last.
    #[n(2)]
    pub closing: Option<Units>,
    /// The sum of what came in.
    #[n(3)]
    pub incoming: Option<Units>,
    /// The sum of what left.
    #[n(4)]
    pub outgoing: Option<Units>,
    /// How many movements it has.
    #[n(5)]
    pub movements: u64,
}
