//! Reports that came before what they are of: kept on their operation until that comes (rulings
//! 46).

use minicbor::{Decode, Encode};

use crate::ledger::state::operation::Machine;
use crate::machine::delivery::{self, DeliveryReport};
use crate::machine::purchase::End;
use crate::machine::{charge, conversion, payout};

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

    /// A report of a payout, where it moves no money.
    pub(in crate::ledger) const fn of_a_payout(command: &payout::Command) -> Option<Self> {
        match command {
            payout::Command::Submit => Some(Self::Payout(PayoutReport::Submitted)),
            payout::Command::Lose => Some(Self::Payout(PayoutReport::Unknown)),
            _ => None,
        }
    }

    /// What it says of a delivery.
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

    /// What it says of a payout.
    pub(in crate::ledger) const fn of_payout(self) -> Option<payout::Command> {
        match self {
            Self::Payout(PayoutReport::Submitted) => Some(payout::Command::Submit),
            Self::Payout(PayoutReport::Unknown) => Some(payout::Command::Lose),
            Self::Delivery { .. } => None,
        }
    }

    /// Whether what it is of may still begin.
    pub(in crate::ledger) fn is_early(self, machine: &Machine) -> bool {
        match (self, machine) {
            (Self::Delivery { attempt, .. }, Machine::Charge(charge)) => match charge {
                charge::State::Pending(order)
                | charge::State::Expired(order)
                | charge::State::Failed(order) => order.purchase.is_some() && attempt > 0,
                charge::State::UnderReview(arrived) | charge::State::Delayed(arrived) => {
                    arrived.order.purchase.is_some() && attempt > 0
                }
                charge::State::Bought(bought) => match bought.end {
                    None => is_after(attempt, &bought.delivery),
                    // The first attempt was asked for when it was paid.
                    Some(End::Halted) => attempt > 1 && is_after(attempt, &bought.delivery),
                    Some(End::Returned | End::Credited(..)) => false,
                },
                charge::State::Absent | charge::State::Paid(_) | charge::State::Refunded(_) => {
                    false
                }
            },
            (Self::Delivery { attempt, .. }, Machine::Conversion(conversion)) => match conversion {
                conversion::State::Paid(known) => is_after(attempt, &known.delivery),
                conversion::State::Absent | conversion::State::Refunded(_) => false,
            },
            (Self::Payout(_), Machine::Payout(state)) => {
                matches!(state, payout::State::UnderReview(_))
            }
            (_, _) => false,
        }
    }
}

/// Whether this attempt comes after the last one that began, and may still.
fn is_after(attempt: u32, delivery: &delivery::State) -> bool {
    delivery.sent().is_none() && delivery.attempt() < attempt
}
