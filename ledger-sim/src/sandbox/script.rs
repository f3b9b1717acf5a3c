//! What is reported next of one operation, and when: by its terms, and by where it stands since
//! when.

use ledger_core::id::OpId;
use ledger_core::ledger::{Machine, Operation, State};
use ledger_core::machine::payout;
use serde_json::json;

use super::played::{Played, deliver};
use super::{Step, charges, sales, wallets};

/// Returns what is reported next of an open operation.
pub fn next_step(state: &State, op: OpId) -> Option<Step> {
    next(state, op, state.open(op)?)
}

/// Returns what is reported next of this operation.
pub fn next(state: &State, op: OpId, known: &Operation) -> Option<Step> {
    let played = Played { state, op, since: known.updated_at };
    match &known.machine {
        Machine::Charge(charge) => charges::next(played, charge),
        Machine::Conversion(conversion) => {
            let progress = conversion.progress()?;
            deliver(played, &progress.delivery, None)
        }
        Machine::Payout(payout) => pay(played, payout),
        Machine::CashOut(order) => sales::next(played, order.progress()?),
        Machine::WalletDeposit(deposit) => wallets::deposit(played, deposit),
        Machine::WalletPayment(payment) => wallets::payment(played, payment.progress()?),
        Machine::CryptoWithdrawal(withdrawal) => wallets::withdrawal(played, withdrawal),
        Machine::Transfer(_)
        | Machine::Entry(_)
        | Machine::Hold(_)
        | Machine::Suspense(_)
        | Machine::ErroneousDelivery(_)
        | Machine::Quote(_)
        | Machine::Adjustment(_)
        | Machine::UnmatchedDeposit(_) => None,
    }
}

/// A payout: taken by the provider, and paid.
fn pay(played: Played<'_>, payout: &payout::State) -> Option<Step> {
    Some(match payout {
        payout::State::Requested(_) => played.fact(3, "payout.submitted", "submitted", json!({})),
        payout::State::Submitted(_) => {
            let e2e = played.pix('E', 12);
            played.step(12, "payout.paid", json!({ "e2e": e2e }))
        }
        _ => return None,
    })
}
