//! What waits for a person when an audit closes, by operation.

use ledger_core::ledger::Machine;
use ledger_core::machine::cash_out::{Stage, Waits};
use ledger_core::machine::suspense::Direction;
use ledger_core::machine::wallet::{deposit, payment, withdrawal};
use ledger_core::machine::{charge, conversion, delivery, erroneous_delivery, payout, suspense};
use ledger_core::time::Instant;

use super::reais;

/// What an operation waits for, if a person should know: `unknown payout po_...: 50.00, 3 h old`.
#[must_use]
pub fn waits(machine: &Machine, id: &str, age: u64, now: Instant) -> Option<String> {
    match machine {
        Machine::Charge(charge::State::Delayed(arrived)) => {
            let until = arrived.until.filter(|until| *until < now)?;
            let sum = reais(arrived.left().cents().into());
            let late = now.since(until).whole_hours();
            Some(format!("provider hold {id}: {sum}, {late} h overdue"))
        }
        Machine::Charge(charge::State::UnderReview(arrived)) => {
            let sum = reais(arrived.left().cents().into());
            Some(format!("PIX under review {id}: {sum}, {age} h old"))
        }
        Machine::Charge(charge::State::Bought(bought)) => {
            let sum = reais(bought.left().cents().into());
            match (bought.end, &bought.delivery) {
                (Some(_), _) => Some(format!("halted purchase {id}: {sum}, {age} h old")),
                (None, delivery::State::Unknown(_)) => {
                    Some(format!("unknown delivery {id}: {sum}, {age} h old"))
                }
                (None, _) => None,
            }
        }
        Machine::Conversion(conversion::State::Paid(progress)) => match progress.delivery {
            delivery::State::Unknown(_) => {
                let sum = reais(progress.order.amount.cents().into());
                Some(format!("unknown delivery {id}: {sum}, {age} h old"))
            }
            _ => None,
        },
        Machine::Payout(payout::State::Uncertain(order)) => {
            let sum = reais(order.amount.cents().into());
            Some(format!("unknown payout {id}: {sum}, {age} h old"))
        }
        Machine::Payout(payout::State::UnderReview(order)) => {
            let sum = reais(order.amount.cents().into());
            Some(format!("stopped payout {id}: {sum}, {age} h old"))
        }
        Machine::Suspense(suspense::State::Waiting(order)) => {
            let what = match order.direction {
                Direction::In => "suspense",
                Direction::Out => "claim on the provider",
            };
            let sum = reais(order.amount.cents().into());
            Some(format!("{what} {id}: {sum}, {age} h old"))
        }
        Machine::ErroneousDelivery(erroneous_delivery::State::Waiting(order)) => {
            Some(format!("claim on crypto {id}: {} units, {age} h old", order.units))
        }
        Machine::CashOut(state) => {
            let progress = state.progress()?;
            let sum = progress.order.coins.units.text(progress.order.scale);
            let asset = &progress.order.asset_name;
            let what = match (progress.stage, progress.refund_waits_for()) {
                (Stage::Review(reason), _) => format!("sale under review ({reason:?})"),
                (Stage::Refunding, Some(Waits::Address)) => "refund without a wallet".to_owned(),
                (Stage::Refunding, Some(Waits::Operator)) => "refund for an operator".to_owned(),
                (Stage::Refunding, Some(Waits::Evidence)) => "unknown refund".to_owned(),
                (Stage::Paying, _) if progress.attempts.lost.is_on() => "unknown sale".to_owned(),
                _ => return None,
            };
            Some(format!("{what} {id}: {sum} {asset}, {age} h old"))
        }
        Machine::UnmatchedDeposit(state) => {
            let order = state.order()?;
            let waits = state.refund().is_none_or(|refund| !refund.is_under_way());
            let units = order.deposit.coins.units;
            waits.then(|| format!("crypto nobody takes {id}: {units} units, {age} h old"))
        }
        Machine::WalletDeposit(deposit::State::UnderReview(progress)) => {
            let units = progress.transfer.units;
            Some(format!("wallet deposit under review {id}: {units} units, {age} h old"))
        }
        Machine::WalletPayment(payment::State::Known(progress)) => {
            let what = match progress.stage {
                payment::Stage::UnderReview => "wallet payment under review",
                payment::Stage::FailedAfterSend if progress.is_reserved() => "reserve to decide on",
                _ => return None,
            };
            let units = progress.order.reserved;
            Some(format!("{what} {id}: {units} units, {age} h old"))
        }
        Machine::CryptoWithdrawal(withdrawal::State::UnderReview(progress)) => {
            let units = progress.order.terms.amount;
            Some(format!("wallet withdrawal under review {id}: {units} units, {age} h old"))
        }
        _ => None,
    }
}
