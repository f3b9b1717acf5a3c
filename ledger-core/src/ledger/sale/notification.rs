//! What a sale notifies its client of, and what it asks of the world (EVT-05).

use std::sync::Arc;

use crate::ledger::notification::task::Task;
use crate::ledger::notification::topic::Topic;
use crate::machine::cash_out::{self, Event as E, Progress, RefundSource, ReviewReason, Stage};
use crate::machine::refund::Refund;
use crate::terms::Route;

/// Returns what an event of a seller's order tells of: at most two things.
pub(super) fn topics(event: &E, progress: &Progress) -> [Option<Topic>; 2] {
    match event {
        // Whatever its refund waits for, its client learns that it goes back (rulings 52).
        E::RefundDecided { source: RefundSource::Reversal(_), .. } => {
            let waits = progress.refund_waits_for() == Some(cash_out::Waits::Address);
            [Some(Topic::CashOutRefunding), waits.then_some(Topic::RefundAddressAwaited)]
        }
        event => [topic(event, progress), None],
    }
}

fn topic(event: &E, progress: &Progress) -> Option<Topic> {
    match event {
        E::Accepted { .. } => Some(Topic::CashOutAccepted),
        E::Expired => Some(Topic::CashOutExpired),
        E::Failed => Some(Topic::CashOutFailed),
        E::DepositSeen { .. } => detection_topic(progress),
        // Whatever makes an order expire, its client learns of it.
        E::DepositVanished { .. } => {
            (progress.stage == Stage::Expired).then_some(Topic::CashOutExpired)
        }
        E::ReviewOpened(_) | E::KeyRefused(_) => Some(Topic::CashOutUnderReview),
        // The refund that follows speaks for itself.
        E::PaymentUnwound(_) => {
            let waits = progress.stage == Stage::Review(ReviewReason::ReturnAwaited);
            waits.then_some(Topic::CashOutUnderReview)
        }
        // What is sold after it was paid for moves no order.
        E::SellingBegun(_) => {
            (progress.stage == Stage::Secured).then_some(Topic::CashOutProcessing)
        }
        E::PaymentBegun { .. } => {
            let first = matches!(progress.order.route, Route::Fast | Route::Liquid);
            first.then_some(Topic::CashOutProcessing)
        }
        E::PaymentResumed { .. } => Some(Topic::CashOutProcessing),
        // A payment that was tried before goes on.
        E::Cleared { .. } => (progress.attempts.count > 1).then_some(Topic::CashOutProcessing),
        E::Completed { .. } => Some(Topic::CashOutCompleted),
        // The wallet was what a reversal waited for; whether it may be sent is the service's
        // affair.
        E::RefundAddressed(_) if progress.stage == Stage::Completed => {
            Some(Topic::CashOutRefunding)
        }
        E::RefundAllowed if progress.stage == Stage::Completed => None,
        E::RefundDecided { .. } | E::RefundAddressed(_) | E::RefundAllowed => due(progress),
        E::RefundSent { .. } => Some(Topic::CashOutRefunded),
        E::RefundForgone { .. } => {
            (progress.stage == Stage::Failed).then_some(Topic::CashOutFailed)
        }
        // A reversal reads as a refund until it is sent.
        E::RefundLost => (progress.stage != Stage::Completed).then_some(Topic::CashOutUnderReview),
        E::Quoted(_)
        | E::DepositConfirmed { .. }
        | E::DepositConfirming { .. }
        | E::Split { .. }
        | E::OddParted { .. }
        | E::ReviewEnded
        | E::Delayed
        | E::Resumed
        | E::Secured { .. }
        | E::SaleFilled { .. }
        | E::SaleFailed(_)
        | E::Forwarding
        | E::Forwarded { .. }
        | E::SendFailed { .. }
        | E::RetryDue
        | E::PaymentLost
        | E::HandedOver(_)
        | E::TokenKept(_)
        | E::TokenRecovered(_)
        | E::RefundFailed => None,
    }
}

/// A deposit that goes to review at once is reported as that.
fn detection_topic(progress: &Progress) -> Option<Topic> {
    let first = progress.deposits.len() == 1;
    (first && !matches!(progress.stage, Stage::Review(_))).then_some(Topic::DepositDetected)
}

/// How a refund that is due stands: each step is reported once.
fn due(progress: &Progress) -> Option<Topic> {
    Some(match progress.refund_waits_for()? {
        cash_out::Waits::Address => Topic::RefundAddressAwaited,
        cash_out::Waits::Operator => Topic::CashOutUnderReview,
        // One that is held back at once is told by that.
        cash_out::Waits::Evidence => return None,
        cash_out::Waits::Network => Topic::CashOutRefunding,
    })
}

/// Returns what an event of an order asks for, if it is still waited for.
pub(super) fn task(event: &E, progress: &Arc<Progress>) -> Option<Task> {
    match event {
        E::Secured { sale, .. } => Some(Task::Sell(sale.coins)),
        E::PaymentBegun { .. } | E::RetryDue | E::PaymentResumed { .. }
            if progress.stage == Stage::Paying =>
        {
            Some(Task::PaySale { attempt: progress.attempts.count, progress: progress.clone() })
        }
        E::RefundDecided { .. } | E::RefundAddressed(_) | E::RefundAllowed | E::RefundFailed => {
            progress.refund.as_ref().and_then(refund)
        }
        _ => None,
    }
}

/// The refund that is asked for, if one is under way.
pub(super) fn refund(due: &Refund) -> Option<Task> {
    due.is_under_way().then(|| Task::Refund(Box::new(due.clone())))
}
