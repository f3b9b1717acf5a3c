//! What the world is asked to do: the tasks of instructions.

use std::sync::Arc;

use crate::coin::Scale;
use crate::machine::refund::{Coins, Refund};
use crate::machine::{cash_out, charge, delivery, payout, wallet};

/// What the world is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Whether both ask for one thing of one operation: they have one idempotency key.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        let attempt = |task: &Self| match task {
            Self::SendPix(_) | Self::Withdraw(_) | Self::Pay(_) | Self::Sell(_) => None,
            Self::Deliver(delivery) => Some(delivery.attempt),
            Self::PaySale { attempt, .. } => Some(*attempt),
            Self::Refund(refund) => Some(refund.attempt),
        };
        core::mem::discriminant(self) == core::mem::discriminant(other)
            && attempt(self) == attempt(other)
    }
}
