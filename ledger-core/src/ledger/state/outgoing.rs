//! What operations send: reais, for the day that they count on, and crypto.

use crate::id::{AccountId, ChainId, Token};
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

/// The crypto that an operation expects or sends.
#[derive(Debug, Default)]
pub(in crate::ledger) struct Crypto<'a> {
    /// On which network.
    pub(in crate::ledger) chain: Option<ChainId>,
    /// The transactions that the operation holds, each on its network.
    pub(in crate::ledger) transactions: Vec<(ChainId, &'a str)>,
}

impl<'a> Crypto<'a> {
    /// What is sent once on one network, in the transaction of this hash once it is.
    pub(in crate::ledger) fn on_chain(chain: ChainId, hash: Option<&'a str>) -> Self {
        let transactions = hash.map(|hash| (chain, hash)).into_iter().collect();
        Self { chain: Some(chain), transactions }
    }
}
