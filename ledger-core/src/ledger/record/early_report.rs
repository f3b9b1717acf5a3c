//! Reports that came before what they are of: kept on their operation until that comes (rulings
//! 46).

use minicbor::{Decode, Encode};

use crate::machine::delivery::{self, DeliveryReport};

/// A report of what has not begun, by what is known; it moves no money by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum EarlyReport {
    /// Of an attempt to deliver, from 1.
    #[n(0)]
    Delivery {
        /// Its number; the first attempt is number 1.
        #[n(0)]
        attempt: u32,
        /// What became of it.
        #[n(1)]
        outcome: AttemptOutcome,
    },
    /// Of a payout that was stopped before it was sent.
    #[n(1)]
    Payout(#[n(0)] PayoutReport),
}

/// What became of an attempt, as far as it moves no coins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum AttemptOutcome {
    /// It began; what came of it is not known yet.
    #[n(0)]
    Begun,
    /// It was accepted by whoever sends it.
    #[n(1)]
    Accepted,
    /// It definitely failed.
    #[n(2)]
    Failed,
    /// Nobody knows whether it was sent.
    #[n(3)]
    Unknown,
}

/// What became of a payout, as far as it moves no money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum PayoutReport {
    /// The provider took it.
    #[n(0)]
    Submitted,
    /// Nobody knows whether it was paid.
    #[n(1)]
    Unknown,
}

impl EarlyReport {
    /// A report of this attempt; none of what sent coins, which is a claim.
    pub(in crate::ledger) const fn of_attempt(
        attempt: u32,
        report: &DeliveryReport,
    ) -> Option<Self> {
        let outcome = match report {
            DeliveryReport::Begin => AttemptOutcome::Begun,
            DeliveryReport::Accept => AttemptOutcome::Accepted,
            DeliveryReport::Fail => AttemptOutcome::Failed,
            DeliveryReport::Lose => AttemptOutcome::Unknown,
            DeliveryReport::Confirm(_) => return None,
        };
        Some(Self::Delivery { attempt, outcome })
    }

    /// Returns what it says of a delivery.
    pub(in crate::ledger) const fn of_delivery(self) -> Option<delivery::Command> {
        let Self::Delivery { attempt, outcome } = self else { return None };
        let report = match outcome {
            AttemptOutcome::Begun => DeliveryReport::Begin,
            AttemptOutcome::Accepted => DeliveryReport::Accept,
            AttemptOutcome::Failed => DeliveryReport::Fail,
            AttemptOutcome::Unknown => DeliveryReport::Lose,
        };
        Some(delivery::Command { attempt: Some(attempt), report })
    }
}
