//! The ceilings on what one recipient is paid, and on what an agent lets itself send, judged for
//! the whole amount in every decision that lets a PIX go (rulings 14 and 44).

use super::event::ReviewReason;
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
