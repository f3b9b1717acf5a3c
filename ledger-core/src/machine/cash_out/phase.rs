//! The phases of a cash-out order as its client reads them, and when it entered each.

use super::ceiling::ReviewReason;
use super::{Liquidation, Progress, Stage, Waits};
use crate::terms::Route;
use crate::time::Instant;

/// One of the contract's eighteen states (COUT-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // Each is the state of COUT-02 that the contract writes in capitals.
pub enum Phase {
    QuoteCreated,
    AwaitingDeposit,
    DepositDetected,
    DepositConfirmed,
    Selling,
    Sold,
    Forwarding,
    PayingOut,
    Completed,
    ManualReview,
    RefundingCrypto,
    Refunded,
    Expired,
    Failed,
    Delayed,
    AwaitingRefundAddress,
    Processing,
    Refunding,
}

/// A phase with the instant at which the order entered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entered {
    /// The phase that it entered then.
    pub phase: Phase,
    /// When: the instant of the record.
    pub at: Instant,
}

impl Progress {
    /// The phase it is in.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if self.delayed.is_on() {
            return Phase::Delayed;
        }
        match self.stage {
            Stage::Quoted => Phase::QuoteCreated,
            Stage::Awaiting => Phase::AwaitingDeposit,
            Stage::Expired => Phase::Expired,
            Stage::Failed => Phase::Failed,
            Stage::Detected => Phase::DepositDetected,
            Stage::Secured => match self.liquidation {
                Liquidation::None => Phase::DepositConfirmed,
                Liquidation::Selling(_) | Liquidation::Lost(_) => Phase::Selling,
                Liquidation::Sold(_) | Liquidation::Done => Phase::Sold,
                Liquidation::Forwarding(_) => Phase::Forwarding,
            },
            Stage::Paying => match self.order.route {
                Route::Fast | Route::Liquid => Phase::Processing,
                Route::Dex | Route::Convert => Phase::PayingOut,
            },
            Stage::Completed => self.reversal_phase().unwrap_or(Phase::Completed),
            Stage::Review(_) => Phase::ManualReview,
            Stage::Refunding => match self.refund_waits_for() {
                None => Phase::Refunded,
                Some(Waits::Address) => Phase::AwaitingRefundAddress,
                Some(Waits::Operator | Waits::Evidence) => Phase::ManualReview,
                Some(Waits::Network) => self.refunding(),
            },
        }
    }

    /// How a completed order reads whose PIX came back, until what that bought is sent (rulings
    /// 52): a missing wallet is asked for, and everything else is the service's own affair.
    fn reversal_phase(&self) -> Option<Phase> {
        Some(match self.refund_waits_for()? {
            Waits::Address => Phase::AwaitingRefundAddress,
            Waits::Operator | Waits::Evidence | Waits::Network => self.refunding(),
        })
    }

    fn refunding(&self) -> Phase {
        match self.order.route {
            Route::Liquid => Phase::Refunding,
            Route::Fast | Route::Dex | Route::Convert => Phase::RefundingCrypto,
        }
    }

    /// Writes down that it is in another phase than before.
    pub(super) fn enter(&mut self, at: Instant) {
        let phase = self.phase();
        if self.entered.last().is_none_or(|last| last.phase != phase) {
            self.entered.push(Entered { phase, at });
        }
    }

    /// Tells whether all that it held goes back, so that nothing is earned by it.
    #[must_use]
    pub fn earns_nothing(&self) -> bool {
        let unpaid = self.pix.is_none() && self.given_back.is_none();
        let goes_back =
            self.refund.is_some() || self.stage == Stage::Review(ReviewReason::ReturnAwaited);
        unpaid && goes_back
    }
}
