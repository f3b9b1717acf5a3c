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
