//! What waits for a person when an audit closes, by operation.

use ledger_core::coin::Units;
use ledger_core::id::AssetId;
use ledger_core::ledger::Machine;
use ledger_core::machine::cash_out::{ReviewReason, Stage, Waits};
use ledger_core::machine::suspense::Direction;
use ledger_core::machine::wallet::{deposit, payment, withdrawal};
use ledger_core::machine::{charge, conversion, delivery, erroneous_delivery, payout, suspense};
use ledger_core::money::Balance;
use ledger_core::time::Instant;

use super::reais;

/// Why an operation waits for a person, and for how much.
#[derive(Clone, Debug)]
pub struct Waiting {
    what: What,
    sum: WaitingSum,
    /// For how many hours it is overdue; none of what has no date of its own.
    pub(super) overdue: Option<u64>,
}

/// Why it waits.
#[derive(Clone, Copy, Debug)]
enum What {
    Named(&'static str),
    /// A sale whose reason is one of several.
    SaleUnderReview(ReviewReason),
}

/// How much it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WaitingSum {
    /// Centavos.
    Reais(i64),
    /// An amount of crypto.
    Crypto {
        /// Which; none: the asset of USDT wallets.
        asset: Option<AssetId>,
        /// Its smallest units.
        units: u128,
        /// Both, as it is shown.
        text: String,
    },
}

/// What an operation waits for, if a person should know: `unknown payout po_...: 50.00, 3 h old`.
#[must_use]
pub fn waits(machine: &Machine, id: &str, age: u64, now: Instant) -> Option<String> {
    let waiting = waiting(machine, now)?;
    let (what, sum) = (waiting.why(), waiting.sum.text());
    Some(match waiting.overdue {
        Some(late) => format!("{what} {id}: {sum}, {late} h overdue"),
        None => format!("{what} {id}: {sum}, {age} h old"),
    })
}

/// What an operation waits for, if a person should know.
pub(super) fn waiting(machine: &Machine, now: Instant) -> Option<Waiting> {
    let crypto = |what, asset, units: Units| {
        let text = format!("{units} units");
        Waiting::of(What::Named(what), WaitingSum::Crypto { asset, units: units.get(), text })
    };
    Some(match machine {
        Machine::Charge(charge::State::Delayed(arrived)) => {
            let until = arrived.until.filter(|until| *until < now)?;
            let held = in_reais("provider hold", arrived.left());
            Waiting { overdue: Some(now.since(until).whole_hours()), ..held }
        }
        Machine::Charge(charge::State::UnderReview(arrived)) => {
            in_reais("PIX under review", arrived.left())
        }
        Machine::Charge(charge::State::Bought(bought)) => match (bought.end, &bought.delivery) {
            (Some(_), _) => in_reais("halted purchase", bought.left()),
            (None, delivery::State::Unknown(_)) => in_reais("unknown delivery", bought.left()),
            (None, _) => return None,
        },
        Machine::Conversion(conversion::State::Paid(progress)) => match progress.delivery {
            delivery::State::Unknown(_) => {
                in_reais("unknown delivery", progress.order.amount.as_cents().into())
            }
            _ => return None,
        },
        Machine::Payout(payout::State::Uncertain(order)) => {
            in_reais("unknown payout", order.amount.as_cents().into())
        }
        Machine::Payout(payout::State::UnderReview(order)) => {
            in_reais("stopped payout", order.amount.as_cents().into())
        }
        Machine::Suspense(suspense::State::Waiting(order)) => {
            let what = match order.direction {
                Direction::In => "suspense",
                Direction::Out => "claim on the provider",
            };
            in_reais(what, order.amount.as_cents().into())
        }
        Machine::ErroneousDelivery(erroneous_delivery::State::Waiting(order)) => {
            crypto("claim on crypto", Some(order.asset), order.units)
        }
        Machine::CashOut(state) => {
            let progress = state.progress()?;
            let what = match (progress.stage, progress.refund_waits_for()) {
                (Stage::Review(reason), _) => What::SaleUnderReview(reason),
                (Stage::Refunding, Some(Waits::Address)) => What::Named("refund without a wallet"),
                (Stage::Refunding, Some(Waits::Operator)) => What::Named("refund for an operator"),
                (Stage::Refunding, Some(Waits::Evidence)) => What::Named("unknown refund"),
                (Stage::Paying, _) if progress.attempts.lost.is_on() => What::Named("unknown sale"),
                _ => return None,
            };
            let coins = progress.order.coins;
            let sum = coins.units.text(progress.order.scale);
            let text = format!("{sum} {}", progress.order.asset_name);
            let (asset, units) = (Some(coins.asset), coins.units.get());
            Waiting::of(what, WaitingSum::Crypto { asset, units, text })
        }
        Machine::UnmatchedDeposit(state) => {
            let order = state.order()?;
            let waits = state.refund().is_none_or(|refund| !refund.is_under_way());
            let coins = order.deposit.coins;
            if !waits {
                return None;
            }
            crypto("crypto nobody takes", Some(coins.asset), coins.units)
        }
        Machine::WalletDeposit(deposit::State::UnderReview(progress)) => {
            crypto("wallet deposit under review", None, progress.transfer.units)
        }
        Machine::WalletPayment(payment::State::Known(progress)) => {
            let what = match progress.stage {
                payment::Stage::UnderReview => "wallet payment under review",
                payment::Stage::FailedAfterSend if progress.is_reserved() => "reserve to decide on",
                _ => return None,
            };
            crypto(what, None, progress.order.reserved)
        }
        Machine::CryptoWithdrawal(withdrawal::State::UnderReview(progress)) => {
            crypto("wallet withdrawal under review", None, progress.order.terms.amount)
        }
        _ => return None,
    })
}

fn in_reais(what: &'static str, sum: Balance) -> Waiting {
    Waiting::of(What::Named(what), WaitingSum::Reais(sum.cents()))
}

impl Waiting {
    const fn of(what: What, sum: WaitingSum) -> Self {
        Self { what, sum, overdue: None }
    }

    /// Finds why the operation of this machine waits at `now`, if a person should know.
    #[must_use]
    pub fn find(machine: &Machine, now: Instant) -> Option<Self> {
        waiting(machine, now)
    }

    /// Says why, in a few English words.
    #[must_use]
    pub fn why(&self) -> String {
        match &self.what {
            What::Named(name) => (*name).to_owned(),
            What::SaleUnderReview(reason) => format!("sale under review ({reason:?})"),
        }
    }

    /// How much it is about.
    #[must_use]
    pub const fn sum(&self) -> &WaitingSum {
        &self.sum
    }

    /// Whether nobody knows what came of it.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        matches!(self.what, What::Named(name) if name.starts_with("unknown "))
    }
}

impl WaitingSum {
    /// The amount as it is shown: reais with two decimals, crypto with what it is.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Reais(cents) => reais((*cents).into()),
            Self::Crypto { text, .. } => text.clone(),
        }
    }
}
