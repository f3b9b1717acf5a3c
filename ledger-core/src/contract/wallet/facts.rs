//! Facts about wallets, read by their shapes.

use serde_json::Value;

use super::requests;
use crate::coin::{Scale, Units};
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{account, decided_by, end_to_end};
use crate::contract::input::fields::{Fields, missing};
use crate::id::{AssetId, ChainId};
use crate::ledger::wallet::{
    DepositFinding, DepositRequest, Fact, PaymentFinding, Step, WithdrawalReport,
};
use crate::ledger::{self, FactKind, State};
use crate::machine::cash_out::Pix;
use crate::machine::wallet::deposit::{Doubt, Mark, Rejection, Transfer};
use crate::machine::wallet::payment::{Adjudication, FailureReason, Finding};
use crate::machine::wallet::withdrawal::{self, Sent};
use crate::money::{Amount, Bps};
use crate::terms::{Stablecoin, Switch, WalletNetwork, WalletSettings};
use crate::time::{Instant, Span};

/// The most networks one fact may name.
const MOST_NETWORKS: usize = 100;

/// Reads a fact about wallets; none when the kind is of another part of the ledger.
///
/// # Errors
///
/// A [`Problem`] naming the field.
#[allow(clippy::too_many_lines)] // The table of wallets' facts, one arm each.
pub fn read(
    kind: FactKind,
    fields: &mut Fields<'_>,
    state: &State,
    at: Instant,
) -> Result<Option<ledger::Fact>, Problem> {
    let fact = match kind {
        FactKind::WalletConfigured => Fact::Configured(settings(fields, state)?),
        FactKind::WalletDepositAssigned => Fact::DepositAssigned {
            account: account(fields)?,
            request: DepositRequest {
                amount: requests::usdt(fields, "amount")?.ok_or_else(|| missing("amount"))?,
                network: fields.text("network", 32)?.unwrap_or("polygon").into(),
                address: Some(fields.needed("address", 128)?.into()),
            },
            decided_by: decided_by(fields)?,
        },
        FactKind::WalletDepositSeen => Fact::DepositSeen {
            deposit: match fields.value("deposit_id") {
                Some(_) => fields.operation("deposit_id")?,
                None => None,
            },
            address: fields.text("address", 128)?.map(Into::into),
            transfer: transfer(fields, state)?,
        },
        FactKind::WalletDepositConfirmed => Fact::DepositConfirmed {
            deposit: fields.operation("deposit_id")?,
            mark: mark(fields)?,
            transfer: match ["asset", "network", "amount"].map(|name| fields.value(name)) {
                [None, None, None] => None,
                _ => Some(transfer(fields, state)?),
            },
        },
        FactKind::WalletDepositDoubted => Fact::DepositDoubted {
            deposit: fields.operation("deposit_id")?,
            mark: mark(fields)?,
            doubt: match fields.needed("cause", 16)? {
                "reorg" => Doubt::Reorganisation,
                "compliance" => Doubt::Compliance,
                _ => return Err(wrong("cause", "must be reorg or compliance")),
            },
        },
        FactKind::WalletDepositJudged => Fact::DepositJudged {
            deposit: fields.operation("deposit_id")?,
            finding: finding(fields)?,
            decided_by: decided_by(fields)?,
        },
        FactKind::WalletDepositReversed => Fact::DepositReversed {
            deposit: fields.operation("deposit_id")?,
            decided_by: decided_by(fields)?,
        },
        FactKind::CryptoWithdrawalStarted => withdrawn(fields, WithdrawalReport::Begin)?,
        FactKind::CryptoWithdrawalFunded => withdrawn(fields, WithdrawalReport::Fund)?,
        FactKind::CryptoWithdrawalConverted => {
            let obtained = requests::usdt(fields, "obtained")?;
            withdrawn(
                fields,
                WithdrawalReport::Convert(obtained.ok_or_else(|| missing("obtained"))?),
            )?
        }
        FactKind::CryptoWithdrawalSent => withdrawn(fields, WithdrawalReport::Send(sent(fields)?))?,
        FactKind::CryptoWithdrawalUnknown => withdrawn(fields, WithdrawalReport::Lose)?,
        FactKind::CryptoWithdrawalEvidence => {
            fields.needed("evidence", 255)?;
            Fact::WithdrawalEvidence {
                withdrawal: fields.operation("withdrawal_id")?,
                finding: match fields.needed("outcome", 16)? {
                    "resumed" => withdrawal::Finding::Resumed,
                    "completed" => withdrawal::Finding::Completed(sent(fields)?),
                    "failed" => withdrawal::Finding::Failed,
                    _ => return Err(wrong("outcome", "must be resumed, completed or failed")),
                },
                decided_by: decided_by(fields)?,
            }
        }
        FactKind::WalletPaymentStarted => {
            let step = match fields.needed("step", 16)? {
                "order_created" => Step::Order,
                "accepted" => Step::Accept(fields.needed("address", 128)?.into()),
                "started" => Step::Begin,
                _ => return Err(wrong("step", "must be order_created, accepted or started")),
            };
            payment(fields, step)?
        }
        FactKind::WalletPaymentSent => {
            let step = Step::Send(mark(fields)?.hash, requests::usdt(fields, "amount")?);
            payment(fields, step)?
        }
        FactKind::WalletPaymentConfirmed => payment(fields, Step::Confirm)?,
        FactKind::WalletPaymentPaid => payment(fields, Step::Pay(pix(fields, at)?))?,
        FactKind::WalletPaymentFailed => {
            let reason = match fields.text("error", 32)? {
                None | Some("provedor_indisponivel") => FailureReason::Provider,
                Some("pix_key_invalida") => FailureReason::Key,
                Some("limite_diario_recebedor") => FailureReason::Ceiling,
                Some("cotacao_recusada") => FailureReason::Cost,
                Some(_) => {
                    return Err(wrong(
                        "error",
                        "must be provedor_indisponivel, pix_key_invalida, limite_diario_recebedor \
                         or cotacao_recusada",
                    ));
                }
            };
            payment(fields, Step::Fail(reason))?
        }
        FactKind::WalletPaymentUnknown => payment(fields, Step::Lose)?,
        FactKind::WalletPaymentResolved => Fact::PaymentResolved {
            payment: fields.operation("payment_id")?,
            finding: resolved(fields, at)?,
            decided_by: decided_by(fields)?,
        },
        _ => return Ok(None),
    };
    Ok(Some(ledger::Fact::Wallet(Box::new(fact))))
}

fn payment(fields: &Fields<'_>, step: Step) -> Result<Fact, Problem> {
    Ok(Fact::Payment { payment: fields.operation("payment_id")?, step })
}

fn pix(fields: &Fields<'_>, at: Instant) -> Result<Pix, Problem> {
    Ok(Pix {
        e2e: end_to_end(fields, "e2e")?,
        paid_at: fields.instant_if("paid_at")?.unwrap_or(at),
        receipt_url: fields.text("receipt_url", 512)?.map(Into::into),
        receipt_pdf_url: None,
        verify_url: None,
    })
}

/// What an operator found out of a payment under review, or decides of a reserve that is kept.
fn resolved(fields: &Fields<'_>, at: Instant) -> Result<PaymentFinding, Problem> {
    Ok(match fields.needed("outcome", 24)? {
        "sent" => PaymentFinding::Found(Finding::Sent(mark(fields)?.hash)),
        "paid" => PaymentFinding::Found(Finding::Paid(pix(fields, at)?)),
        "failed" => PaymentFinding::Found(Finding::Failed),
        "return" => PaymentFinding::Decided(Adjudication::Return(
            fields.switch_if("coins_lost")?.unwrap_or(Switch::Off),
        )),
        "consume_paid" => PaymentFinding::Decided(Adjudication::Paid(pix(fields, at)?)),
        "consume_lost" => PaymentFinding::Decided(Adjudication::Lost),
        _ => {
            return Err(wrong(
                "outcome",
                "must be sent, paid or failed; of a reserve: return, consume_paid or consume_lost",
            ));
        }
    })
}

fn withdrawn(fields: &Fields<'_>, report: WithdrawalReport) -> Result<Fact, Problem> {
    Ok(Fact::Withdrawal { withdrawal: fields.operation("withdrawal_id")?, report })
}

fn sent(fields: &Fields<'_>) -> Result<Sent, Problem> {
    let received = requests::usdt(fields, "received")?;
    Ok(Sent {
        hash: mark(fields)?.hash,
        received: received.ok_or_else(|| missing("received"))?,
        network_fee: requests::usdt(fields, "network_fee")?,
    })
}

fn finding(fields: &Fields<'_>) -> Result<DepositFinding, Problem> {
    let finding = match fields.needed("outcome", 16)? {
        "cleared" => {
            return Ok(DepositFinding::Cleared {
                account: fields.text("account", 80)?.map(Into::into),
                credited: requests::usdt(fields, "credited")?,
            });
        }
        "returned" => DepositFinding::Rejected(Rejection::Returned),
        "vanished" => DepositFinding::Rejected(Rejection::Vanished),
        _ => return Err(wrong("outcome", "must be cleared, returned or vanished")),
    };
    match ["account", "credited"].into_iter().find(|name| fields.value(name).is_some()) {
        Some(name) => Err(wrong(name, "has no meaning unless the outcome is cleared")),
        None => Ok(finding),
    }
}

fn transfer(fields: &Fields<'_>, state: &State) -> Result<Transfer, Problem> {
    let (asset, scale) = asset(fields, state)?;
    let chain = chain(fields, state)?;
    let units = Units::parse(fields.needed("amount", 40)?, scale).ok_or_else(|| {
        let most = scale.decimals();
        wrong("amount", &format!("must be a decimal string above zero, of at most {most} decimals"))
    })?;
    let usdt = state.wallet_settings().and_then(|settings| settings.at_par(asset));
    Ok(Transfer { asset, chain, units, mark: mark(fields)?, usdt })
}

/// An asset by its name in either case: the wallet's words are upper case, the catalogue's lower.
fn asset(fields: &Fields<'_>, state: &State) -> Result<(AssetId, Scale), Problem> {
    let name = fields.needed("asset", 32)?.to_lowercase();
    let known = state.catalogue.asset(&name);
    known.ok_or_else(|| wrong("asset", "was never on the catalogue"))
}

fn chain(fields: &Fields<'_>, state: &State) -> Result<ChainId, Problem> {
    let known = state.catalogue.chain(fields.needed("network", 32)?);
    known.ok_or_else(|| wrong("network", "was never on the catalogue"))
}

/// A transaction and the place in it. The hexadecimal digits of a hash are one hash in either case.
fn mark(fields: &Fields<'_>) -> Result<Mark, Problem> {
    let hash = fields.needed("tx_hash", 128)?;
    let hash = if hash.starts_with("0x") { hash.to_ascii_lowercase() } else { hash.to_owned() };
    let index = fields.whole_if("output_index", u16::MAX)?.unwrap_or(0);
    Ok(Mark { hash: hash.into(), index: index.into() })
}

/// `wallet.configured`: what is not named stays; at first, what is published.
fn settings(fields: &Fields<'_>, state: &State) -> Result<WalletSettings, Problem> {
    let current = match state.wallet_settings() {
        Some(known) => known.clone(),
        None => published(state)?,
    };
    let on = |name: &str, now: Switch| Ok::<_, Problem>(fields.switch_if(name)?.unwrap_or(now));
    let whole = |name: &str, now: u16| match fields.whole_if(name, 10_000)? {
        Some(0) => Err(wrong(name, "must be above zero")),
        other => Ok(other.unwrap_or(now)),
    };
    let bps = |name: &str, now: Bps| Ok::<_, Problem>(fields.bps_if(name)?.unwrap_or(now));
    let usdc = usdc(state)?;
    let seconds = match fields.whole_if("quote_seconds", u16::MAX)? {
        Some(0) => return Err(wrong("quote_seconds", "must be above zero")),
        other => other.map(|seconds| Span::seconds(seconds.into())),
    };
    let settings = WalletSettings {
        usdt: current.usdt,
        usdc,
        networks: match fields.value("networks") {
            Some(Value::Array(items)) if items.len() <= MOST_NETWORKS => {
                networks(fields, items, state, usdc)?
            }
            Some(_) => return Err(wrong("networks", "must be an array of at most 100 objects")),
            None => current.networks,
        },
        enabled: on("enabled", current.enabled)?,
        payments: on("payments_enabled", current.payments)?,
        by_key: on("pix_key", current.by_key)?,
        by_code: on("br_code", current.by_code)?,
        withdrawals: on("withdrawals_enabled", current.withdrawals)?,
        document_required: on("recipient_document_required", current.document_required)?,
        least_deposit: requests::usdt(fields, "min_deposit")?.unwrap_or(current.least_deposit),
        least_payment: requests::brl(fields, "min_payment_brl")?.unwrap_or(current.least_payment),
        payment_fee: fee(fields, "withdrawal_fee", current.payment_fee)?,
        deposit_hours: whole("deposit_validity_hours", current.deposit_hours)?,
        open_deposits: whole("open_deposits_max", current.open_deposits)?,
        quote_validity: seconds.unwrap_or(current.quote_validity),
        tolerance: bps("tolerance_bps", current.tolerance)?,
        conversion_fee: bps("conversion_fee_bps", current.conversion_fee)?,
        strict_buffer: on("strict_buffer", current.strict_buffer)?,
    };
    if settings.networks.is_empty() { Err(missing("networks")) } else { Ok(settings) }
}

/// The settings a wallet begins with.
fn published(state: &State) -> Result<WalletSettings, Problem> {
    let usdt = stablecoin(state, Stablecoin::Usdt)?;
    let usdt = usdt.ok_or_else(|| wrong("networks", "need usdt on the catalogue first"))?;
    Ok(WalletSettings {
        usdt,
        usdc: None,
        networks: Vec::new(),
        enabled: Switch::On,
        payments: Switch::On,
        by_key: Switch::On,
        by_code: Switch::On,
        withdrawals: Switch::On,
        document_required: Switch::Off,
        least_deposit: Units::new(1_000_000).expect("one USDT"),
        least_payment: Amount::new(600).expect("six reais"),
        payment_fee: None,
        deposit_hours: 1,
        open_deposits: 5,
        quote_validity: Span::seconds(300),
        tolerance: Bps::new(50).expect("below the whole"),
        conversion_fee: Bps::default(),
        strict_buffer: Switch::Off,
    })
}

fn usdc(state: &State) -> Result<Option<AssetId>, Problem> {
    stablecoin(state, Stablecoin::Usdc)
}

/// A token's number; it is counted in millionths, or it cannot be taken one to one.
fn stablecoin(state: &State, coin: Stablecoin) -> Result<Option<AssetId>, Problem> {
    match state.catalogue.asset(&coin.name().to_lowercase()) {
        None => Ok(None),
        Some((asset, Scale::SIX)) => Ok(Some(asset)),
        Some(_) => Err(wrong("networks", "need usdt and usdc of six decimals on the catalogue")),
    }
}

/// The fields of one network.
const NETWORK: [&str; 6] =
    ["network", "name", "assets", "eta_minutes", "withdrawals", "network_fee"];

fn networks(
    fields: &Fields<'_>,
    items: &[Value],
    state: &State,
    usdc: Option<AssetId>,
) -> Result<Vec<WalletNetwork>, Problem> {
    let mut networks: Vec<WalletNetwork> = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let read = Fields::of(item, fields.tokens(), fields.ledger())
            .and_then(|item| network(&item, state, usdc));
        let read = read.map_err(|problem| Problem {
            detail: format!("networks[{index}]: {}", problem.detail),
            ..problem
        })?;
        if networks.iter().any(|known| known.chain == read.chain) {
            return Err(wrong(&format!("networks[{index}].network"), "stands twice"));
        }
        networks.push(read);
    }
    Ok(networks)
}

fn network(
    item: &Fields<'_>,
    state: &State,
    usdc: Option<AssetId>,
) -> Result<WalletNetwork, Problem> {
    item.only(&NETWORK)?;
    let name = item.needed("network", 32)?;
    let chain = chain(item, state)?;
    let coins = match item.value("assets") {
        None => vec![Stablecoin::Usdt],
        Some(Value::Array(names)) => coins(names, usdc)?,
        Some(_) => return Err(wrong("assets", "must be an array of USDT and USDC")),
    };
    Ok(WalletNetwork {
        chain,
        name: name.into(),
        title: item.text("name", 64)?.unwrap_or(name).into(),
        coins,
        eta_minutes: item.whole_if("eta_minutes", u16::MAX)?,
        withdrawals: item.switch_if("withdrawals")?.unwrap_or(Switch::On),
        network_fee: fee(item, "network_fee", None)?,
    })
}

fn coins(names: &[Value], usdc: Option<AssetId>) -> Result<Vec<Stablecoin>, Problem> {
    let mut coins = Vec::new();
    for name in names {
        let coin = name.as_str().and_then(Stablecoin::parse);
        let coin = coin.ok_or_else(|| wrong("assets", "must be an array of USDT and USDC"))?;
        if coin == Stablecoin::Usdc && usdc.is_none() {
            return Err(wrong("assets", "name USDC, which was never on the catalogue"));
        }
        if coins.contains(&coin) {
            return Err(wrong("assets", "name a token twice"));
        }
        coins.push(coin);
    }
    if coins.is_empty() { Err(wrong("assets", "must not be empty")) } else { Ok(coins) }
}

/// A fee of a network, where zero takes it away.
fn fee(fields: &Fields<'_>, name: &str, now: Option<Units>) -> Result<Option<Units>, Problem> {
    let Some(text) = fields.text(name, 40)? else { return Ok(now) };
    let zero = text.starts_with('0') && text.bytes().all(|b| matches!(b, b'0' | b'.'));
    if zero { Ok(None) } else { requests::usdt(fields, name) }
}
