//! The wallet's refusals as problems of the wire.

use serde_json::json;

use super::{reais, signed_usdt, six};
use crate::contract::error::{Code, Problem};
use crate::ledger::Field;
use crate::ledger::wallet::Refusal;

/// The code of a refusal, with its numbers.
#[must_use]
pub fn problem(refusal: Refusal) -> Problem {
    match refusal {
        Refusal::NotGranted => {
            Problem::new(Code::WalletNotGranted, "the USDT wallet is not granted to this key")
        }
        Refusal::Unavailable => {
            Problem::new(Code::WalletUnavailable, "the USDT wallet does not operate now")
        }
        Refusal::AddressMissing => {
            let detail = "the provider supplied no deposit address; nothing changed";
            Problem::new(Code::WalletUnavailable, detail)
        }
        Refusal::AddressInvalid => {
            let detail = "supplied.address is no address of the network; nothing changed";
            Problem::new(Code::FormatInvalid, detail)
        }
        Refusal::NetworkUnavailable => {
            Problem::new(Code::NetworkUnavailable, "the wallet does not take this network now")
        }
        Refusal::DepositBelowMinimum { least } => {
            let least = six(least);
            let detail = format!("the smallest deposit is {least} USDT");
            Problem::new(Code::BelowMinimum, detail).with("min_usdt", least.into())
        }
        Refusal::PaymentsUnavailable => {
            Problem::new(Code::PaymentsUnavailable, "no such payments from wallets for now")
        }
        Refusal::PaymentBelowMinimum { least } => {
            let detail = format!("the smallest payment is {} reais", reais(least));
            Problem::new(Code::BelowMinimum, detail)
                .with("minimo_estimado_cents", least.cents().into())
        }
        Refusal::QuoteRefused => {
            Problem::new(Code::QuoteRefused, "this payment is not quoted; nothing changed")
        }
        Refusal::WithdrawalsUnavailable => {
            Problem::new(Code::WithdrawalUnavailable, "no withdrawals from wallets for now")
        }
        Refusal::WithdrawalBelowMinimum { least: Some(least) } => {
            let least = six(least);
            let detail = format!("of less than {least} USDT nothing would arrive");
            Problem::new(Code::BelowMinimum, detail).with("min_usdt", least.into())
        }
        Refusal::WithdrawalBelowMinimum { least: None } => {
            Problem::new(Code::BelowMinimum, "under these fees nothing would arrive of any amount")
        }
        Refusal::QuoteUnknown => {
            Problem::new(Code::QuoteRefused, "there is no such quote to use; ask for another")
        }
        Refusal::QuoteExpired => {
            Problem::new(Code::QuoteExpired, "the quote has expired; ask for another")
        }
        Refusal::QuoteDiffers { fields } => {
            let names: Vec<_> = fields.into_iter().map(Field::name).collect();
            let detail = format!("the quote has another {}", names.join(", another "));
            Problem::new(Code::QuoteDiffers, detail).with("campos_divergentes", json!(names))
        }
        Refusal::FundsInsufficient { available } => {
            let available = signed_usdt(available);
            let detail = format!("{available} USDT may be spent");
            Problem::new(Code::FundsInsufficient, detail).with("available", available.into())
        }
        Refusal::TooManyOpen => Problem::new(
            Code::TooManyOpen,
            "too many deposit requests are open; wait until one is paid or expires",
        ),
    }
}
