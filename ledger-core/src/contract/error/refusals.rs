//! The ledger's refusals as problems of the wire: one code each, with its numbers (ERR-12).

use serde_json::json;

use super::{Action, Code, Problem};
use crate::contract::agent::view::incomplete;
use crate::contract::charge::offer;
use crate::contract::sale::body;
use crate::contract::transfer::group::of_leg;
use crate::contract::wallet;
use crate::ledger::{Bounds, Field, Malformed, Refusal};

impl From<Refusal> for Problem {
    #[allow(clippy::too_many_lines)] // The table of refusals, one arm each.
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::IdentityDiverges { fields, .. } => {
                let names: Vec<_> = fields.into_iter().map(Field::name).collect();
                let detail =
                    format!("this external_id was used with another {}", names.join(", another "));
                Self::new(Code::ExternalIdDiverges, detail).with("campos_divergentes", json!(names))
            }
            Refusal::Malformed { field, why } => malformed_field(field, why),
            Refusal::Leg { leg, refusal } => of_leg(leg, *refusal),
            Refusal::CustodyDisabled => {
                Self::new(Code::CustodyDisabled, "custody is not enabled for this key")
            }
            Refusal::PayoutsDisabled => {
                Self::new(Code::PayoutsDisabled, "payouts are not enabled for this key")
            }
            Refusal::CashInPaused => {
                Self::new(Code::CashInUnavailable, "no charges are issued for now")
            }
            Refusal::ConversionsPaused => {
                Self::new(Code::WithdrawalUnavailable, "no withdrawals in crypto for now")
            }
            Refusal::KeyNotOwned => {
                Self::new(Code::PayoutRefused, "pix_key does not belong to tax_number")
            }
            Refusal::KeyUnproven => Self::new(
                Code::PayoutRefused,
                "nobody looked up whether pix_key belongs to tax_number: supplied.owner tells",
            ),
            Refusal::QrMissing => {
                Self::new(Code::ProviderSilent, "the provider supplied no QR code; nothing changed")
            }
            // Repeating does not mend it: somebody has to set it (rulings 48).
            Refusal::TariffUnknown => {
                Self::new(Code::RateUnavailable, "the provider's tariff is not known")
                    .asking_for(Action::CallSupport)
            }
            Refusal::RateUnavailable => {
                Self::new(Code::RateUnavailable, "the asset has no price now")
            }
            Refusal::SameParty => {
                Self::new(Code::SameParty, "source and destination are the same balance")
            }
            Refusal::CatalogueMissing => {
                Self::new(Code::CatalogueUnavailable, "there is no catalogue yet")
            }
            Refusal::PairUnknown => {
                Self::new(Code::AssetInvalid, "the catalogue has no such asset and chain")
            }
            Refusal::CodeOnLiquid => Self::new(
                Code::AssetInvalid,
                "a br_code is not paid from this asset: sell it to pix_key, or pay the br_code from another",
            ),
            Refusal::PairNotDeliverable => {
                Self::new(Code::NetworkUnavailable, "this asset is not delivered on this chain")
            }
            Refusal::AddressMissing => Self::new(
                Code::AddressRequired,
                "payout_address is required: the key has no settlement_address on this chain",
            ),
            Refusal::AddressInvalid => {
                Self::new(Code::AddressInvalid, "the address is none of its chain")
            }
            Refusal::MemoMissing => {
                Self::new(Code::MemoRequired, "this chain needs payout_tag, the wallet's memo")
            }
            Refusal::BelowMinimum { minimum: Some(minimum) } => {
                let cents = minimum.cents();
                let detail = format!("the smallest amount that passes is {cents} centavos");
                Self::new(Code::BelowMinimum, detail).with("minimo_estimado_cents", cents.into())
            }
            Refusal::BelowMinimum { minimum: None } => {
                Self::new(Code::BelowMinimum, "under these terms no amount leaves enough")
            }
            Refusal::AboveMaximum { maximum } => {
                let cents = maximum.cents();
                let detail = format!("the largest amount that passes is {cents} centavos");
                Self::new(Code::AboveMaximum, detail)
                    .with("limits", json!({ "max_amount_cents": cents }))
            }
            Refusal::PayerLimit { allowance } => {
                let cents = allowance.most.cents();
                let detail = format!("this payer may pay {cents} centavos now");
                Self::new(Code::PayerLimit, detail)
                    .with("stage", offer::stage(allowance.stage).into())
                    .with("payer_limits", offer::payer_limits(&allowance))
            }
            Refusal::HoldNotAllowed { allowance } => {
                let problem = |whose: &str| {
                    let detail = format!("{whose} would hold this charge, and allow_hold is false");
                    Self::new(Code::PayerLimit, detail)
                };
                match allowance {
                    Some(allowance) => problem("the payer's limits")
                        .with("stage", offer::stage(allowance.stage).into())
                        .with("payer_limits", offer::payer_limits(&allowance)),
                    None => problem("the account's own retention (retencao_acima_cents)"),
                }
            }
            Refusal::PayerBlocked => Self::new(Code::PayerBlocked, "this payer may not pay"),
            Refusal::PayerRefused { reference } => {
                Self::new(Code::PayerRefused, "the provider refused this payer")
                    .with("provider_reference", (&*reference).into())
            }
            Refusal::DailyCeiling { until } => {
                Self::new(Code::DailyLimit, "more than this key may move in a day")
                    .with("libera_em", until.to_string().into())
            }
            Refusal::AboveCap { debited } => {
                let cents = debited.cents();
                let detail = format!("{cents} centavos would be debited, above max_debited_cents");
                Self::new(Code::FeeChanged, detail).with("debited_cents", cents.into())
            }
            Refusal::WithdrawnLately { until, wait } => {
                let seconds = wait.micros().div_ceil(1_000_000);
                let detail = format!("commission may be withdrawn again at {until}");
                Self::new(Code::CommissionInterval, detail)
                    .with("retry_after_seconds", seconds.into())
                    .with("libera_em", until.to_string().into())
            }
            Refusal::Waiting { until } => {
                let detail = format!("the first deposit blocks withdrawals until {until}");
                Self::new(Code::WaitingFirstDeposit, detail)
                    .with("libera_em", until.to_string().into())
            }
            Refusal::FundsInsufficient { available } => {
                let cents = available.cents();
                let detail = format!("{cents} centavos may be spent");
                Self::new(Code::FundsInsufficient, detail).with("disponivel_cents", cents.into())
            }
            Refusal::MandateExceeded { most, until } => {
                let cents = most.cents();
                let detail = match until {
                    None => format!("the agent's mandate lets an operation send {cents} centavos"),
                    Some(_) => {
                        format!("the agent's mandate leaves {cents} centavos of the day to send")
                    }
                };
                let problem = Self::new(Code::MandateExceeded, detail)
                    .with("limits", json!({ "max_amount_cents": cents }));
                match until {
                    Some(until) => problem.with("libera_em", until.to_string().into()),
                    None => problem,
                }
            }
            Refusal::CounterpartyNotAllowed => Self::new(
                Code::CounterpartyNotAllowed,
                "the agent's mandate names who may receive, and this is somebody else",
            ),
            Refusal::AgentSuspended => {
                Self::new(Code::NotPermitted, "policy has stopped this agent")
                    .with("status", "suspended".into())
            }
            // Of a call the key is looked up before, and answered so.
            Refusal::AccountMoves => Self::new(
                Code::Paused,
                "this account is on its way from one ledger to another, or has left: ask again",
            ),
            Refusal::AccountUnknown => Self::new(Code::KeyUnknown, "there is no such account"),
            Refusal::AgentUnknown => {
                Self::new(Code::NotPermitted, "this key belongs to no agent of the mesh")
            }
            Refusal::NotInProduction => {
                Self::new(Code::NotPermitted, "only an agent in production may do this")
            }
            Refusal::RequirementsMissing { missing } => incomplete(&missing),
            Refusal::KeyTaken => {
                Self::new(Code::RequestInvalid, "the key that was supplied is in use already")
            }
            Refusal::JumpTooFar { latest } => {
                let detail = format!("at lies too far ahead; the latest that passes is {latest}");
                Self::new(Code::RequestInvalid, detail)
            }
            Refusal::Wallet(refusal) => wallet::problem(refusal),
            // Which of the two it is goes by what keys the ledger makes (P:KeyRateCode).
            Refusal::TooManyKeys { until, wait } => {
                let seconds = wait.micros().div_ceil(1_000_000);
                let detail = format!("no more keys for this address until {until}");
                Self::new(Code::RateLimit, detail).with("retry_after_seconds", seconds.into())
            }
            Refusal::TooManyTestKeys { until, wait } => {
                let seconds = wait.micros().div_ceil(1_000_000);
                let detail = format!("no more test keys for this address until {until}");
                Self::new(Code::TestKeyLimit, detail).with("retry_after_seconds", seconds.into())
            }
            Refusal::SecretUsed => {
                Self::new(Code::Conflict, "this entropy was used before: it must be fresh")
                    .asking_for(Action::Correct)
            }
            Refusal::SecretMissing => Self::new(
                Code::FormatInvalid,
                "supplied must bring entropy of 64 hex digits: a secret is made of it",
            ),
            Refusal::PartnerShare { most } => {
                let detail = format!("a partner's share is 0 to {most}, and leaves something");
                Self::new(Code::ValueInvalid, detail)
            }
            Refusal::Uncountable => {
                Self::new(Code::AmountInvalid, "the balance would be larger than can be counted")
            }
            Refusal::NotFound => Self::new(Code::NotFound, "there is nothing of this id"),
            Refusal::OutOfTurn => {
                Self::new(Code::StateInvalid, "the present state admits no such step")
            }
            Refusal::SalesPaused => {
                Self::new(Code::CashOutUnavailable, "no sales are quoted or accepted for now")
            }
            Refusal::CodesPaused => {
                Self::new(Code::CodeUnavailable, "no sales to a Copia e Cola for now")
            }
            Refusal::CodeWithoutAmount => {
                Self::new(Code::CodeWithoutAmount, "br_code asks for no fixed amount")
            }
            Refusal::NetworkUnavailable => {
                Self::new(Code::NetworkUnavailable, "this network takes no deposits for now")
            }
            Refusal::PayeeDocumentMissing => Self::new(
                Code::TaxNumberRequired,
                "payee_tax_number is required: pix_key is no CPF or CNPJ",
            ),
            Refusal::SaleOutOfRange { bound, limits } => {
                let (code, detail) = match bound {
                    Bounds::Below => (Code::BelowMinimum, "valor mínimo: less than may be sold"),
                    Bounds::Above => (Code::AboveMaximum, "valor máximo: more than may be sold"),
                };
                Self::new(code, detail).with("limits", body::limits(&limits))
            }
            Refusal::RecipientCeiling { limits } => {
                let cents = limits.most_now.cents();
                let detail = format!("this recipient may have {cents} centavos more today");
                Self::new(Code::RecipientLimit, detail).with("limits", body::limits(&limits))
            }
            Refusal::QuoteExpired => {
                Self::new(Code::QuoteExpired, "the quote is no longer good: ask for another")
            }
            Refusal::SettlerUnavailable => Self::new(
                Code::SettlerUnavailable,
                "no deposit address could be had: accept the same order again",
            )
            .with("retry_after_seconds", 120.into()),
            Refusal::RefundAddressInvalid => Self::new(
                Code::RefundAddressInvalid,
                "refund_address is no wallet of the deposit's network",
            ),
            Refusal::RefundAddressFixed => {
                Self::new(Code::RefundAddressFixed, "another refund_address stands already")
            }
        }
    }
}

/// A field of this name that is malformed.
#[must_use]
pub fn malformed_field(name: &str, why: Malformed) -> Problem {
    let code = match why {
        Malformed::Missing => Code::FieldsRequired,
        Malformed::Webhook => Code::WebhookUrlInvalid,
        Malformed::Amount => Code::AmountInvalid,
        Malformed::Empty
        | Malformed::TooLong(_)
        | Malformed::ControlCharacter
        | Malformed::Supplied(_)
        | Malformed::House
        | Malformed::LookAlike
        | Malformed::Legs
        | Malformed::EndToEnd
        | Malformed::Reference
        | Malformed::Word
        | Malformed::Wallet
        | Malformed::AccountName
        | Malformed::UnitName
        | Malformed::EntryLegs(_)
        | Malformed::LegTwice
        | Malformed::Template(_)
        | Malformed::Unbalanced { .. }
        | Malformed::Unlearned => Code::FormatInvalid,
    };
    Problem::new(code, format!("{name} {why}"))
}
