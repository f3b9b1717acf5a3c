//! Answers about charges: a PIX collected.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use super::status::{ChargeStatus, SettlementStatus};
use crate::value::{Amount, Cents, OperationId};
use ledger_core::time::Instant;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// What `POST /cashin/charge` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Charge {
    /// The id of the charge.
    #[serde(rename = "cashin_id")]
    pub id: OperationId,
    /// How the charge stands.
    pub status: ChargeStatus,
    /// What the payer pays, or what is converted.
    #[serde(rename = "amount_cents", with = "super::plain")]
    pub amount: Amount,
    /// The asset that is delivered.
    pub asset: String,
    /// The network that it is delivered on.
    pub chain: String,
    /// The wallet that it is delivered to.
    #[serde(rename = "payout_address")]
    pub address: Option<String>,
    /// The Copia e Cola code to pay.
    pub qr_copypaste: Option<String>,
    /// Where the code is shown as a picture.
    pub qr_image_url: Option<String>,
    /// When the code can no longer be paid.
    #[serde(with = "super::plain")]
    pub expires_at: Option<Instant>,
    /// Whether the provider holds the PIX before it counts.
    pub held: bool,
    /// How long the provider holds it.
    pub held_hours: Option<u64>,
    /// When the provider releases it.
    #[serde(with = "super::plain")]
    pub delay_until: Option<Instant>,
    /// When a hold of ours ends.
    #[serde(rename = "liberar_em", with = "super::plain")]
    pub available_at: Option<Instant>,
    /// How long a hold of ours lasts.
    pub hold_hours: Option<u64>,
    /// The account's own id of it.
    pub external_id: Option<String>,
    /// When it was created.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
}

/// What `POST /cashin/preview` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChargePreview {
    /// The asset that would be delivered.
    pub asset: String,
    /// The network that it would be delivered on.
    pub chain: String,
    /// What would be delivered.
    #[serde(with = "super::plain")]
    pub amount: Option<Decimal>,
    /// The least that the network delivers.
    #[serde(with = "super::plain")]
    pub network_min: Decimal,
    /// What the network takes.
    #[serde(with = "super::plain")]
    pub withdraw_fee: Decimal,
    /// The least that such a charge is of.
    #[serde(rename = "min_brl_cents", with = "super::plain")]
    pub min_brl: Option<Cents>,
    /// How long delivery takes, in words.
    pub eta: Option<String>,
    /// The whole fee, the partner's share included.
    pub admin_fee_bps: Option<u16>,
    /// The service's share of the fee.
    pub house_fee_bps: u16,
    /// The partner's share of the fee.
    pub partner_fee_bps: u16,
    /// The fixed part of the fee.
    #[serde(rename = "admin_fee_fixed_cents", with = "super::plain")]
    pub admin_fee_fixed: Cents,
    /// All fees of this charge.
    #[serde(rename = "fee_total_cents", with = "super::plain")]
    pub fee_total: Option<Cents>,
    /// What is left to buy the asset with.
    #[serde(rename = "net_cents", with = "super::plain")]
    pub net: Cents,
    /// The price of one USDT.
    #[serde(with = "super::plain")]
    pub brl_per_usdt: Option<Decimal>,
    /// What would be delivered, in USDT.
    #[serde(with = "super::plain")]
    pub usdt_amount: Option<Decimal>,
}

/// What `destination` of [`ChargeDetail`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ChargeDestination {
    /// `saldo`.
    #[serde(rename = "saldo")]
    Balance,
    /// `cripto`.
    #[serde(rename = "cripto")]
    Crypto,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `source` of [`ChargeDetail`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ChargeSource {
    /// `pix`.
    #[serde(rename = "pix")]
    Pix,
    /// `saldo`.
    #[serde(rename = "saldo")]
    Balance,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `GET /cashin/{cashin_id}/status` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChargeDetail {
    /// The id of the charge.
    #[serde(rename = "cashin_id")]
    pub id: OperationId,
    /// How the charge stands.
    pub status: ChargeStatus,
    /// What the payer pays, or what is converted.
    #[serde(rename = "amount_cents", with = "super::plain")]
    pub amount: Amount,
    /// The asset that is delivered.
    pub asset: String,
    /// The network that it is delivered on.
    pub chain: String,
    /// The wallet that it is delivered to.
    #[serde(rename = "payout_address")]
    pub address: Option<String>,
    /// The Copia e Cola code to pay.
    pub qr_copypaste: Option<String>,
    /// Where the code is shown as a picture.
    pub qr_image_url: Option<String>,
    /// When the code can no longer be paid.
    #[serde(with = "super::plain")]
    pub expires_at: Option<Instant>,
    /// Whether the provider holds the PIX before it counts.
    pub held: bool,
    /// How long the provider holds it.
    pub held_hours: Option<u64>,
    /// When the provider releases it.
    #[serde(with = "super::plain")]
    pub delay_until: Option<Instant>,
    /// When a hold of ours ends.
    #[serde(rename = "liberar_em", with = "super::plain")]
    pub available_at: Option<Instant>,
    /// How long a hold of ours lasts.
    pub hold_hours: Option<u64>,
    /// The account's own id of it.
    pub external_id: Option<String>,
    /// When it was created.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// How far settlement got.
    pub settlement_status: SettlementStatus,
    /// What was received, before fees.
    #[serde(rename = "depix_received_cents", with = "super::plain")]
    pub depix_received: Option<Cents>,
    /// What is delivered, in USDT.
    #[serde(with = "super::plain")]
    pub usdt_amount: Option<Decimal>,
    /// The transaction that delivered it.
    pub settlement_tx_hash: Option<String>,
    /// Where that transaction is shown.
    pub settlement_tx_url: Option<String>,
    /// The end-to-end id of the PIX.
    #[serde(rename = "e2e")]
    pub end_to_end_id: Option<String>,
    /// Who paid.
    pub payer_name: Option<String>,
    /// The payer's CPF or CNPJ, masked.
    #[serde(rename = "payer_tax_number")]
    pub payer_document: Option<String>,
    /// What the PIX becomes.
    #[serde(rename = "destino")]
    pub destination: ChargeDestination,
    /// The subaccount; null is the house.
    #[serde(rename = "customer_ref")]
    pub customer: Option<String>,
    /// What paid for it.
    #[serde(rename = "fonte")]
    pub source: ChargeSource,
    /// When it was paid.
    #[serde(with = "super::plain")]
    pub paid_at: Option<Instant>,
    /// When it was settled.
    #[serde(with = "super::plain")]
    pub settled_at: Option<Instant>,
    /// The fees of a conversion.
    #[serde(rename = "fee_cents", with = "super::plain")]
    pub fee: Option<Cents>,
    /// What a conversion took from the balance.
    #[serde(rename = "debited_cents", with = "super::plain")]
    pub debited: Option<Amount>,
    /// What is delivered, in the asset.
    #[serde(
        rename = "amount",
        with = "super::plain",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub units: Option<Decimal>,
    /// What was given back.
    #[serde(
        rename = "returned_cents",
        with = "super::plain",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub returned: Option<Cents>,
    /// The CPF or CNPJ of whoever paid, masked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid_by_tax_number: Option<String>,
    /// Whether another paid than the charge names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payer_differs: Option<bool>,
}

/// What `GET /cashin/charges` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Charges {
    /// The charges of this external id.
    pub charges: Vec<ChargeDetail>,
}

/// Of [`ChargeCatalogue`]: pairs delivered by our own settlement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Listing {
    /// The asset.
    pub asset: String,
    /// The network.
    pub chain: String,
    /// The least that is delivered.
    #[serde(rename = "minBuyAmount", with = "super::plain")]
    pub min_buy_amount: Decimal,
    /// What the network takes.
    #[serde(rename = "withdrawFee", with = "super::plain")]
    pub withdraw_fee: Decimal,
    /// Whether it is delivered at present.
    #[serde(rename = "entregavel")]
    pub deliverable: bool,
    /// Whether a wallet needs a memo.
    #[serde(rename = "memoRequired")]
    pub memo_required: bool,
    /// How long delivery takes, in words.
    pub eta: Option<String>,
    /// How long delivery takes.
    #[serde(rename = "etaSeconds")]
    pub eta_seconds: Option<u64>,
}

/// Of [`ChargeCatalogue`]: pairs offered no longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DroppedListing {
    /// The asset.
    pub asset: String,
    /// The network.
    pub chain: String,
}

/// Of [`ChargeCatalogue`]: how many pairs of each there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CatalogueTotals {
    /// How many are delivered by our own settlement.
    pub instant: u64,
    /// How many are delivered through an exchange.
    pub convert: u64,
    /// How many are delivered on Liquid.
    pub liquid: u64,
    /// How many are offered no longer.
    pub dropped: u64,
    /// How many are delivered at present.
    #[serde(rename = "entregaveis")]
    pub deliverable: u64,
}

/// What `GET /cashin/catalog` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChargeCatalogue {
    /// When the catalogue was last changed.
    #[serde(rename = "updatedAt", with = "super::plain")]
    pub updated_at: Instant,
    /// Pairs delivered by our own settlement.
    pub instant: Vec<Listing>,
    /// Pairs delivered through an exchange.
    pub convert: Vec<Listing>,
    /// Pairs delivered on Liquid.
    pub liquid: Vec<Listing>,
    /// Pairs offered no longer.
    pub dropped: Vec<DroppedListing>,
    /// How many pairs of each there are.
    pub totals: CatalogueTotals,
}

/// What `stage` of [`ChargeLimits`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum PayerStage {
    /// `provider_first_qr`.
    #[serde(rename = "provider_first_qr")]
    ProviderFirstQr,
    /// `first_transaction`.
    #[serde(rename = "first_transaction")]
    FirstTransaction,
    /// `first_24h`.
    #[serde(rename = "first_24h")]
    First24h,
    /// `mature`.
    #[serde(rename = "mature")]
    Mature,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// Of [`ChargeLimits`]: what may be paid held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HeldQr {
    /// The most that a held charge is of.
    #[serde(rename = "max_amount_cents", with = "super::plain")]
    pub max_amount: Cents,
    /// What of it is used.
    #[serde(rename = "used_cents", with = "super::plain")]
    pub used: Cents,
    /// What of it is left.
    #[serde(rename = "available_cents", with = "super::plain")]
    pub available: Cents,
    /// How long the provider holds it.
    pub hold_hours: u64,
}

/// Of [`ChargeLimits`]: the bands, as they are for everybody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PayerLadder {
    /// At once, before the first payment.
    #[serde(rename = "first_transaction_cents", with = "super::plain")]
    pub first_transaction: Cents,
    /// At once, within 24 hours of it.
    #[serde(rename = "first_24h_cents", with = "super::plain")]
    pub first_24h: Cents,
    /// At once, a day, later on.
    #[serde(rename = "mature_day_cents", with = "super::plain")]
    pub mature_day: Cents,
    /// The most in a day, held by the provider.
    #[serde(rename = "held_max_cents", with = "super::plain")]
    pub held_max: Cents,
    /// How long the provider holds it.
    pub hold_hours: u64,
}

/// Of [`ChargeLimits`]: the next stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NextStage {
    /// The next stage.
    pub stage: PayerStage,
    /// What it lets through at once.
    #[serde(rename = "limit_cents", with = "super::plain")]
    pub limit: Cents,
    /// When it begins.
    #[serde(rename = "quando", with = "super::plain")]
    pub at: Option<Instant>,
}

/// What `GET /cashin/limits` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChargeLimits {
    /// Where the payer stands.
    pub stage: Option<PayerStage>,
    /// What may be paid without being held.
    #[serde(rename = "instant_available_cents", with = "super::plain")]
    pub instant_available: Option<Cents>,
    /// What may be paid at all.
    #[serde(rename = "max_amount_cents", with = "super::plain")]
    pub max_amount: Option<Cents>,
    /// What may be paid held.
    pub held_qr: Option<HeldQr>,
    /// The bands, as they are for everybody.
    pub ladder: Option<PayerLadder>,
    /// The next stage.
    pub next_stage: Option<NextStage>,
    /// Where the payer stands, in Portuguese.
    #[serde(rename = "explicacao")]
    pub explanation: String,
}
