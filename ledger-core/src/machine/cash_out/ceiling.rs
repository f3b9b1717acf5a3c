//! The ceilings on what one recipient is paid, and on what an agent lets itself send, judged for
//! the whole amount in every decision that lets a PIX go (rulings 14 and 44).

use minicbor::{Decode, Encode};

use super::terms::Payee;
use crate::id::Token;
use crate::money::{Amount, Balance, Cents};
use crate::terms::{Excess, Mandate};

/// What an order may pay; its own share, as far as it counts already, is not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ceilings {
    /// What everybody whom it counts may have by it on the day it counts on, in centavos.
    pub room: Cents,
    /// What one order may pay one recipient at most, in centavos.
    pub most: Cents,
    /// What binds the account, where it is an agent's that has set a mandate.
    pub bound: Option<Bound>,
}

/// A mandate, with what is used of the day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The mandate that the agent has set.
    pub mandate: Mandate,
    /// What others of the day send, in centavos.
    pub used: Cents,
}

impl Bound {
    /// What of the mandate stands against so much for this recipient.
    ///
    /// # Errors
    ///
    /// The first [`Excess`].
    pub fn admits(&self, amount: Amount, recipient: Option<Token>) -> Result<(), Excess> {
        self.mandate.admits(amount, self.used, recipient)
    }
}

impl Ceilings {
    /// Nothing bounds it: what the world has done already is not judged.
    #[must_use]
    pub fn none() -> Self {
        let all = Balance::new(i64::MAX).spendable();
        Self { room: all, most: all, bound: None }
    }

    /// Why `net` may not be paid, if it may not: the mandate first (rulings 6).
    pub(super) fn against(&self, payee: &Payee, net: Amount) -> Option<ReviewReason> {
        let recipient = payee.counterparty();
        if let Some(Err(excess)) = self.bound.as_ref().map(|bound| bound.admits(net, recipient)) {
            return Some(match excess {
                Excess::Operation { .. } => ReviewReason::MandateOperation,
                Excess::Day { .. } => ReviewReason::MandateDay,
                Excess::Counterparty => ReviewReason::MandateRecipient,
            });
        }
        if self.most < net.as_cents() {
            return Some(ReviewReason::RecipientOrder);
        }
        (self.room < net.as_cents()).then_some(ReviewReason::RecipientDay)
    }
}

/// Why an order waits for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum ReviewReason {
    /// Another token or network (COUT-43), or later than a revival allows (COUT-44).
    #[n(0)]
    Strange,
    /// Too little for the least payment, or for the code (P:DepositVariance).
    #[n(1)]
    Short,
    /// More than the largest payment.
    #[n(2)]
    TooMuch,
    /// No price to count a revived or cleared deposit at.
    #[n(3)]
    Unpriced,
    /// The provider refused the PIX key after the sale (COUT-39).
    #[n(4)]
    KeyRefused,
    /// An operator took a payment whose outcome is unknown.
    #[n(5)]
    Stopped,
    /// Nobody knows what became of the swap.
    #[n(6)]
    SaleLost,
    /// The token is at the provider, and its return is not confirmed (COUT-50).
    #[n(7)]
    ReturnAwaited,
    /// The recipient may not have so much on the day the order was accepted (rulings 44).
    #[n(8)]
    RecipientDay,
    /// More than a recipient may have in a whole day, by this order alone (rulings 44).
    #[n(9)]
    RecipientOrder,
    /// More than the agent's mandate lets one operation send (rulings 44).
    #[n(10)]
    MandateOperation,
    /// More than the agent's mandate leaves of the day (rulings 44).
    #[n(11)]
    MandateDay,
    /// The agent's mandate names who may receive, and this is somebody else (rulings 44).
    #[n(12)]
    MandateRecipient,
}

impl ReviewReason {
    /// Says why, in a few English words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Strange => "another token or network, or too late",
            Self::Short => "too little arrived",
            Self::TooMuch => "above the largest payment",
            Self::Unpriced => "no price",
            Self::KeyRefused => "PIX key refused",
            Self::Stopped => "payment of unknown outcome",
            Self::SaleLost => "swap of unknown outcome",
            Self::ReturnAwaited => "return awaited from the provider",
            Self::RecipientDay => "recipient's limit of the day",
            Self::RecipientOrder => "recipient's limit of one order",
            Self::MandateOperation => "mandate's limit of one operation",
            Self::MandateDay => "mandate's limit of the day",
            Self::MandateRecipient => "a recipient outside the mandate",
        }
    }

    /// Tells whether a deposit of the order's own token adds to what waits for a person, while
    /// nothing of it was sold (rulings 67).
    #[must_use]
    pub(super) const fn takes_more(self) -> bool {
        self.is_ceiling() || matches!(self, Self::Short | Self::TooMuch | Self::Unpriced)
    }

    /// Tells whether it may not be paid because of what was paid besides, or of what an agent lets
    /// itself send: judged again whenever it is cleared.
    #[must_use]
    pub const fn is_ceiling(self) -> bool {
        match self {
            Self::RecipientDay
            | Self::RecipientOrder
            | Self::MandateOperation
            | Self::MandateDay
            | Self::MandateRecipient => true,
            Self::Strange
            | Self::Short
            | Self::TooMuch
            | Self::Unpriced
            | Self::KeyRefused
            | Self::Stopped
            | Self::SaleLost
            | Self::ReturnAwaited => false,
        }
    }
}
