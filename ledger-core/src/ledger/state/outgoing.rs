//! What operations send, for the day that it counts on.

use crate::id::{AccountId, Token};
use crate::money::Amount;
use crate::time::Instant;

/// Reais that leave by an operation of an account, as long as it has not come to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The account whose operation it is.
    pub account: AccountId,
    /// How many centavos; fees are not counted.
    pub amount: Amount,
    /// Who receives it, or withdraws it: a CPF or CNPJ, where one is known.
    pub counterparty: Option<Token>,
    /// When it was created, or a sale accepted: it counts for that day.
    pub at: Instant,
}

/// A PIX that may still be let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ledger) struct Unsent {
    /// On whose day it counts.
    pub(in crate::ledger) account: AccountId,
    /// At which instant of that day.
    pub(in crate::ledger) at: Instant,
    /// Until when the operation may be revived, where it may.
    pub(in crate::ledger) until: Option<Instant>,
}
