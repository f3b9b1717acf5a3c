//! What an agent allows itself to send: a ceiling an operation, a ceiling a day, and to whom.

use minicbor::{Decode, Encode};

use crate::id::Token;
use crate::money::{Amount, Cents};

/// An agent's own bounds; they only tighten what the platform allows (AGT-13).
///
/// ```
/// use ledger_core::money::{Amount, Cents};
/// use ledger_core::terms::{Excess, Mandate};
///
/// let most = Cents::new(50_000).expect("it is not negative");
/// let mandate = Mandate::new(Some(most), None, Vec::new());
/// let amount = |cents| Amount::new(cents).expect("it is above zero");
/// assert_eq!(mandate.admits(amount(50_000), Cents::ZERO, None), Ok(()));
/// assert_eq!(mandate.admits(amount(50_001), Cents::ZERO, None), Err(Excess::Operation { most }));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Mandate {
    /// The most one operation may send. None: what the platform allows; zero: nothing.
    #[n(0)]
    pub per_operation: Option<Cents>,
    /// The most a day of Brasília may send. None: what the platform allows; zero: nothing.
    #[n(1)]
    pub daily: Option<Cents>,
    /// The documents that may receive, in order, each once. None at all: everybody.
    #[n(2)]
    pub counterparties: Vec<Token>,
}

/// What of a mandate stands against an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// More than one operation may send.
    Operation {
        /// The most it may.
        most: Cents,
    },
    /// More than is left of the day.
    Day {
        /// What is left.
        left: Cents,
    },
    /// The recipient is none of those allowed.
    Counterparty,
}

impl Mandate {
    /// A mandate whose list of counterparties is in order and names each once, so that equal lists
    /// are equal mandates.
    #[must_use]
    pub fn new(
        per_operation: Option<Cents>,
        daily: Option<Cents>,
        mut counterparties: Vec<Token>,
    ) -> Self {
        counterparties.sort_unstable();
        counterparties.dedup();
        Self { per_operation, daily, counterparties }
    }

    /// Judges an operation that would send `amount` to `counterparty`, where `used` was sent on the
    /// same day: ceilings first, then the recipient. Bounds are inclusive.
    ///
    /// # Errors
    ///
    /// The first [`Excess`].
    pub fn admits(
        &self,
        amount: Amount,
        used: Cents,
        counterparty: Option<Token>,
    ) -> Result<(), Excess> {
        if let Some(most) = self.per_operation.filter(|most| *most < amount.as_cents()) {
            return Err(Excess::Operation { most });
        }
        let left = self.daily.map(|most| most.less_or_nothing(used));
        if let Some(left) = left.filter(|left| *left < amount.as_cents()) {
            return Err(Excess::Day { left });
        }
        let named = |token: Token| self.counterparties.binary_search(&token).is_ok();
        if self.counterparties.is_empty() || counterparty.is_some_and(named) {
            Ok(())
        } else {
            Err(Excess::Counterparty)
        }
    }

    /// The most that one operation may send, given what the platform allows: the lower of the two
    /// (INV-42).
    #[must_use]
    pub fn ceiling(&self, platform: Amount) -> Cents {
        self.per_operation.map_or(platform.as_cents(), |most| most.min(platform.as_cents()))
    }
}
