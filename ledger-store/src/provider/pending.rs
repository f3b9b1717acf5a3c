//! Whether an instruction still stands, or was answered or called off meanwhile.
//!
//! An instruction is carried out only while it stands: a payout that was stopped, a delivery whose
//! money went back, an attempt that failed and is followed by another are never sent late. One that
//! may be under way already stands, so that whoever carried it out is asked again, by the same
//! idempotency key, what came of it.

use ledger_core::contract::{Vault, Views};
use ledger_core::id::OpId;
use ledger_core::ledger::{Archive, Machine};
use ledger_core::machine::cash_out::{self, Liquidation, Stage};
use ledger_core::machine::refund::Refund;
use ledger_core::machine::{charge, delivery, payout, unmatched_deposit, wallet};

use super::order::Task;

/// Whether `task`, asked for by the operation `op`, is still to be carried out.
pub(super) fn is_pending<A: Archive, V: Vault>(
    views: &Views<'_, A, V>,
    op: OpId,
    task: &Task,
) -> bool {
    let Some(operation) = views.operation(op) else { return false };
    match (task, &operation.machine) {
        (Task::SendPix(_), Machine::Payout(state)) => matches!(
            state,
            payout::State::Requested(_) | payout::State::Submitted(_) | payout::State::Uncertain(_)
        ),
        (Task::SendPix(order), Machine::CashOut(state)) => {
            state.progress().is_some_and(|known| is_paying(known, order.attempt))
        }
        (Task::Deliver(order), Machine::Charge(charge::State::Bought(bought))) => {
            bought.end.is_none() && is_delivering(&bought.delivery, order.attempt)
        }
        (Task::Deliver(order), Machine::Conversion(state)) => {
            state.progress().is_some_and(|known| is_delivering(&known.delivery, order.attempt))
        }
        (Task::Sell(_), Machine::CashOut(state)) => {
            state.progress().is_some_and(|known| is_selling(known))
        }
        (Task::Refund(order), Machine::CashOut(state)) => {
            let refund = state.progress().and_then(|known| known.refund.as_ref());
            refund.is_some_and(|refund| is_refunding(refund, order.attempt))
        }
        (Task::Refund(order), Machine::UnmatchedDeposit(state)) => match state {
            unmatched_deposit::State::Refunding(_, refund) => is_refunding(refund, order.attempt),
            _ => false,
        },
        (Task::Withdraw(_), Machine::CryptoWithdrawal(state)) => {
            matches!(state, wallet::withdrawal::State::UnderWay(_))
        }
        (Task::Pay(_), Machine::WalletPayment(state)) => {
            use wallet::payment::Stage as At;
            state.progress().is_some_and(|known| match known.stage {
                At::Reserved | At::Ordered | At::Accepted | At::Sending | At::Sent => true,
                At::UnderReview | At::Completed | At::Failed | At::FailedAfterSend => false,
            })
        }
        (_, _) => false,
    }
}

/// This attempt of the PIX is asked for, or its outcome is not known yet.
fn is_paying(known: &cash_out::Progress, attempt: u32) -> bool {
    let tried = known.attempts;
    known.stage == Stage::Paying && tried.count == attempt && tried.retry_at.is_none()
}

fn is_delivering(known: &delivery::State, attempt: u32) -> bool {
    use delivery::State as At;
    match known {
        At::Waiting => attempt == 1,
        At::Retrying(failed) => failed.checked_add(1) == Some(attempt),
        At::Sending(current) | At::Accepted(current) | At::Unknown(current) => *current == attempt,
        At::Sent(_) => false,
    }
}

/// What an order is paid from may be sold after its end, too: it is ours then. What goes back to
/// the seller is not sold.
fn is_selling(known: &cash_out::Progress) -> bool {
    let kept = match known.stage {
        Stage::Secured | Stage::Paying | Stage::Completed | Stage::Review(_) => true,
        Stage::Quoted
        | Stage::Awaiting
        | Stage::Detected
        | Stage::Refunding
        | Stage::Expired
        | Stage::Failed => false,
    };
    let unsold = match known.liquidation {
        Liquidation::None | Liquidation::Selling(_) | Liquidation::Lost(_) => true,
        Liquidation::Sold(_) | Liquidation::Forwarding(_) | Liquidation::Done => false,
    };
    kept && unsold && known.sale.is_some()
}

/// A refund whose outcome is unknown is a person's, and is not sent again.
fn is_refunding(known: &Refund, attempt: u32) -> bool {
    known.is_under_way() && known.attempt == attempt
}
