//! What the world is asked to do: the tasks of instructions.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use crate::coin::Scale;
use crate::id::Kind;
use crate::machine::refund::{Coins, Refund};
use crate::machine::{cash_out, charge, delivery, payout, wallet};

/// What the world is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// Send the PIX of a payout.
    SendPix(Arc<payout::Order>),
    /// Deliver crypto to a wallet: this attempt.
    Deliver(Box<DeliveryInstruction>),
    /// Sell what was deposited.
    Sell(Coins),
    /// Send the PIX of a sale: this attempt.
    PaySale {
        /// Which attempt, from 1.
        attempt: u32,
        /// The order, with the payee as last corrected.
        progress: Arc<cash_out::Progress>,
    },
    /// Refund crypto to a wallet: this attempt.
    Refund(Box<Refund>),
    /// Fund a withdrawal from a USDT wallet, convert it where that is asked, and send it.
    Withdraw(Arc<wallet::withdrawal::Order>),
    /// Make a payment from a USDT wallet: create and accept its order, and send what it costs.
    Pay(Arc<wallet::payment::Order>),
}

/// The kinds of tasks. Variant numbers are frozen: the journal is read by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum TaskKind {
    /// The PIX of a payout.
    #[n(0)]
    SendPix,
    /// Crypto to a wallet.
    #[n(1)]
    Deliver,
    /// What was deposited is sold.
    #[n(2)]
    Sell,
    /// The PIX of a sale.
    #[n(3)]
    PaySale,
    /// Crypto back to its sender.
    #[n(4)]
    Refund,
    /// A withdrawal from a USDT wallet.
    #[n(5)]
    Withdraw,
    /// A payment from a USDT wallet.
    #[n(6)]
    Pay,
}

/// A delivery to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryInstruction {
    /// Which attempt, from 1: facts about it may carry the number.
    pub attempt: u32,
    /// What is delivered, and what it costs.
    pub delivery_terms: delivery::DeliveryTerms,
    /// The asset's decimals.
    pub scale: Scale,
    /// Asset, network and wallet.
    pub target: charge::Delivery,
    /// The memo of the wallet.
    pub memo: Option<Box<str>>,
}

impl Task {
    /// Returns the task's kind, without its terms.
    #[must_use]
    pub const fn kind(&self) -> TaskKind {
        match self {
            Self::SendPix(_) => TaskKind::SendPix,
            Self::Deliver(_) => TaskKind::Deliver,
            Self::Sell(_) => TaskKind::Sell,
            Self::PaySale { .. } => TaskKind::PaySale,
            Self::Refund(_) => TaskKind::Refund,
            Self::Withdraw(_) => TaskKind::Withdraw,
            Self::Pay(_) => TaskKind::Pay,
        }
    }

    /// Which attempt it is, from 1; a task without attempts is always the first.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        match self {
            Self::SendPix(_) | Self::Withdraw(_) | Self::Pay(_) | Self::Sell(_) => 1,
            Self::Deliver(delivery) => delivery.attempt,
            Self::PaySale { attempt, .. } => *attempt,
            Self::Refund(refund) => refund.attempt,
        }
    }

    /// Tells whether both ask for one thing of one operation: they have one idempotency key.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        (self.kind(), self.attempt()) == (other.kind(), other.attempt())
    }
}

impl TaskKind {
    /// Returns what an idempotency key calls it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::SendPix | Self::PaySale => "send",
            Self::Deliver => "deliver",
            Self::Sell => "sell",
            Self::Refund => "refund",
            Self::Withdraw => "withdraw",
            Self::Pay => "pay",
        }
    }

    /// Tells whether an idempotency key numbers its attempts.
    pub(super) const fn is_numbered(self) -> bool {
        matches!(self, Self::Deliver | Self::PaySale | Self::Refund)
    }

    /// The kind that a key of an operation of this kind calls so.
    pub(super) fn from_word(word: &str, of: Kind) -> Option<Self> {
        Some(match word {
            "send" if of == Kind::CashOut => Self::PaySale,
            "send" => Self::SendPix,
            "deliver" => Self::Deliver,
            "sell" => Self::Sell,
            "refund" => Self::Refund,
            "withdraw" => Self::Withdraw,
            "pay" => Self::Pay,
            _ => return None,
        })
    }
}
