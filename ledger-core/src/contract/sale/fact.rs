//! Facts about sales, read by their shapes.

use super::body;
use crate::coin::{Scale, Units};
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{decided_by, end_to_end};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::input::units::units;
use crate::contract::purchase::fact;
use crate::ledger::{Fact, FactKind, SaleReport, State};
use crate::machine::cash_out::{Command, CorrectedKey, Deposit, Pix, Proceeds};
use crate::machine::refund::{Coins, RefundReport};
use crate::time::Instant;

/// Reads the body of a fact about a sale.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn read(
    kind: FactKind,
    fields: &mut Fields<'_>,
    state: &State,
    at: Instant,
) -> Result<Fact, Problem> {
    let order = match (fields.value("receipt_id"), fields.value("cashout_id")) {
        (Some(_), Some(_)) => return Err(wrong("receipt_id", "contradicts cashout_id")),
        (Some(_), None) => fields.operation("receipt_id")?,
        (None, Some(_)) => fields.operation("cashout_id")?,
        (None, None) if kind == FactKind::DepositSeen || kind == FactKind::DepositConfirmed => None,
        (None, None) if kind == FactKind::DepositVanished => None,
        (None, None) => return Err(missing("cashout_id")),
    };
    let report = match kind {
        FactKind::DepositSeen => SaleReport::Seen(deposit(fields, state, at)?),
        FactKind::DepositConfirmed => SaleReport::Confirmed {
            hash: transaction(fields)?,
            deposit: match fields.value("amount") {
                Some(_) => Some(deposit(fields, state, at)?),
                None => None,
            },
        },
        FactKind::DepositVanished => SaleReport::Vanished(transaction(fields)?),
        FactKind::CashOutPaid => SaleReport::Paid {
            pix: Pix {
                e2e: end_to_end(fields, "e2e")?,
                paid_at: fields.instant_if("paid_at")?.unwrap_or(at),
                receipt_url: fields.text("receipt_url", 512)?.map(Into::into),
                receipt_pdf_url: fields.text("receipt_pdf_url", 512)?.map(Into::into),
                verify_url: fields.text("verify_url", 512)?.map(Into::into),
            },
            amount: fields.amount_if("amount_cents")?,
        },
        FactKind::CashOutReversed => SaleReport::Reversed {
            return_id: end_to_end(fields, "return_id")?,
            amount: fields.amount("amount_cents")?,
        },
        FactKind::TokenReturned => {
            let scale =
                order.and_then(|op| state.open(op)?.cash_out()?.progress().map(|s| s.order.scale));
            let scale = scale.or(Scale::new(8)).unwrap_or(Scale::SIX);
            SaleReport::TokenReturned(units(fields, "amount", scale)?)
        }
        FactKind::CashOutStopped => SaleReport::Stopped(decided_by(fields)?),
        FactKind::CashOutCleared => {
            let key = match fields.value("pix_key") {
                Some(_) => {
                    let key = body::pix_key(fields, &state.policy)?;
                    let token = fields.keep(fields.tokens().pix_key(&key));
                    Some(CorrectedKey { token, kind: Some(key.kind()) })
                }
                None => None,
            };
            SaleReport::Cleared { pix_key: key, decided_by: decided_by(fields)? }
        }
        FactKind::RefundDecided => {
            let to = fields.text("refund_address", 128)?.map(Into::into);
            let decided_by = match fields.value("actor") {
                Some(_) => Some(decided_by(fields)?),
                None => None,
            };
            if to.is_some() && decided_by.is_none() {
                return Err(wrong("refund_address", "is an operator's to name: actor is missing"));
            }
            SaleReport::RefundDecided { to, decided_by }
        }
        FactKind::RefundSent => SaleReport::Refund(RefundReport::Sent(fact::hash(fields)?)),
        FactKind::RefundFailed => SaleReport::Refund(RefundReport::Failed),
        FactKind::RefundUnknown => SaleReport::Refund(RefundReport::Lost),
        kind => SaleReport::Moved(moved(kind, fields, state)?),
    };
    Ok(Fact::Sale { order, report })
}

fn moved(kind: FactKind, fields: &Fields<'_>, state: &State) -> Result<Command, Problem> {
    Ok(match kind {
        FactKind::SaleStarted => Command::StartSale,
        FactKind::SaleFilled => Command::Fill(proceeds(fields, state)?),
        FactKind::SaleFailed => Command::FailSale,
        FactKind::SaleUnknown => Command::LoseSale,
        FactKind::SaleForwarding => Command::Forward,
        FactKind::SaleForwarded => Command::Arrive(fields.amount("amount_cents")?),
        FactKind::CashOutDelayed => Command::Delay,
        FactKind::CashOutResumed => Command::Resume,
        FactKind::PaymentStarted => Command::StartPayment,
        FactKind::SendFailed => Command::FailSend,
        FactKind::PaymentImpossible => Command::GiveUpPayment,
        FactKind::KeyRefused => Command::RefuseKey(fields.amount("returned_cents")?),
        FactKind::PaymentUnknown => Command::LosePayment,
        FactKind::TokenHandedOver => Command::HandOver,
        FactKind::CashOutCancelled => Command::Cancel,
        other => unreachable!("{other:?} is read elsewhere"),
    })
}

/// What a swap gave: crypto, or reais.
fn proceeds(fields: &Fields<'_>, state: &State) -> Result<Proceeds, Problem> {
    match (fields.amount_if("amount_cents")?, fields.value("asset")) {
        (Some(_), Some(_)) => Err(wrong("amount_cents", "contradicts asset")),
        (Some(amount), None) => Ok(Proceeds::Reais(amount)),
        (None, _) => Ok(Proceeds::Coins(coins(fields, state)?)),
    }
}

fn coins(fields: &Fields<'_>, state: &State) -> Result<Coins, Problem> {
    let known = state.catalogue.asset(fields.needed("asset", 32)?);
    let (asset, scale) = known.ok_or_else(|| wrong("asset", "was never on a catalogue"))?;
    let chain = state.catalogue.chain(fields.needed("network", 32)?);
    let chain = chain.ok_or_else(|| wrong("network", "was never on a catalogue"))?;
    let units: Units = units(fields, "amount", scale)?;
    Ok(Coins { asset, chain, units })
}

fn deposit(fields: &Fields<'_>, state: &State, at: Instant) -> Result<Deposit, Problem> {
    let seen_at = fields.instant_if("seen_at")?.unwrap_or(at);
    if at < seen_at {
        return Err(wrong("seen_at", "must not lie ahead of at"));
    }
    Ok(Deposit {
        coins: coins(fields, state)?,
        hash: transaction(fields)?,
        from: fields.text("from", 128)?.map(Into::into),
        seen_at,
        confirmations: fields.whole_if("confirmations", u16::MAX)?,
    })
}

/// The transaction, with the output's number where it has several.
fn transaction(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    let hash = fields.needed("tx_hash", 128)?;
    Ok(match fields.whole_if("output", u16::MAX)? {
        Some(output) => format!("{hash}#{output}").into(),
        None => hash.into(),
    })
}
