//! Answers about accounts, their keys and terms, and the policy.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use super::charge::PayerLadder;
use super::sale::KeyType;
use crate::value::{ApiKey, Cents};
use ledger_core::contract::Secret;
use ledger_core::time::Instant;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What `kind` of [`Key`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum KeyKind {
    /// `producao`.
    #[serde(rename = "producao")]
    Production,
    /// `teste`.
    #[serde(rename = "teste")]
    Test,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// Of [`CreatedKey`]: what is known of the key, no part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Key {
    /// The account that the key opens.
    pub account: String,
    /// Whether anything moves.
    #[serde(rename = "tipo")]
    pub kind: KeyKind,
    /// Whose account it is.
    pub name: Option<String>,
    /// The e-mail address, masked.
    pub email: Option<String>,
    /// The owner's document, masked.
    #[serde(rename = "documento")]
    pub document: Option<String>,
    /// That document's country, two letters.
    #[serde(rename = "documento_pais")]
    pub document_country: Option<String>,
}

/// What `tier` of [`AccountLimits`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AccountLimitsTier {
    /// `sem_teto`.
    #[serde(rename = "sem_teto")]
    WithoutCeiling,
    /// `com_teto`.
    #[serde(rename = "com_teto")]
    WithCeiling,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// Of [`OperationRanges`]: of a charge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OperationRange {
    /// The least of an operation.
    #[serde(rename = "min_brl_cents", with = "super::plain")]
    pub min_brl: Option<Cents>,
    /// The most of an operation.
    #[serde(rename = "max_brl_cents", with = "super::plain")]
    pub max_brl: Cents,
}

/// Of [`AccountLimits`]: ranges of one operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OperationRanges {
    /// Of a charge.
    pub cashin: OperationRange,
    /// Of a payout.
    pub payout: OperationRange,
    /// Of a cash-out order.
    pub cashout: OperationRange,
}

/// Of [`AccountLimits`]: ceilings of a day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DailyLimits {
    /// The most of a day's charges; null is no ceiling.
    #[serde(rename = "cashin_max_cents", with = "super::plain")]
    pub cashin_max: Option<Cents>,
    /// The most of a day's payouts; null is no ceiling.
    #[serde(rename = "payout_max_cents", with = "super::plain")]
    pub payout_max: Option<Cents>,
}

/// Of [`AccountLimits`]: the ceiling of recipients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecipientCeiling {
    /// The most that a recipient gets in a day.
    #[serde(rename = "max_brl_cents", with = "super::plain")]
    pub max_brl: Cents,
}

/// Of [`CreatedKey`]: the effective limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AccountLimits {
    /// Whether a daily ceiling applies.
    pub tier: AccountLimitsTier,
    /// Ranges of one operation.
    pub per_operation: OperationRanges,
    /// Ceilings of a day.
    pub daily: DailyLimits,
    /// What a daily ceiling applies to.
    pub daily_limit_applies_to: Vec<String>,
    /// The bands of payers.
    pub payer_ladder: Option<PayerLadder>,
    /// The ceiling of recipients.
    pub recipient_ceiling: RecipientCeiling,
}

/// What `POST /keys` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CreatedKey {
    /// The key, shown once.
    #[serde(with = "super::plain")]
    pub api_key: ApiKey,
    /// What is known of the key, no part of it.
    pub key: Key,
    /// The effective limits.
    pub limits: AccountLimits,
    /// The private monitor, read-only.
    pub monitor_url: Option<String>,
    /// The partner's dashboard.
    pub dashboard_url: String,
    /// Groups to join, with what they are for.
    #[serde(rename = "grupos_obrigatorios")]
    pub required_groups: Vec<Value>,
}

/// What `POST /keys/sandbox` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CreatedSandboxKey {
    /// The key, shown once.
    #[serde(with = "super::plain")]
    pub api_key: ApiKey,
    /// Always true: nothing moves with this key.
    pub sandbox: bool,
    /// How to use it, in Portuguese.
    #[serde(rename = "como_usar")]
    pub how_to_use: String,
    /// What is known of the key, no part of it.
    pub key: Key,
    /// The private monitor, read-only.
    pub monitor_url: Option<String>,
}

/// What `POST /keys/painel-link` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PanelLink {
    /// Always true, whether the address is registered or not.
    pub ok: bool,
    /// The same in Portuguese.
    #[serde(rename = "mensagem")]
    pub message: String,
}

/// Of [`Account`]: whether payouts are enabled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PayoutSettings {
    /// Whether this account may pay out.
    pub enabled: bool,
}

/// What `GET /keys/me` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Account {
    /// What is known of the key, no part of it.
    pub key: Key,
    /// The effective limits.
    pub limits: AccountLimits,
    /// The private monitor, read-only.
    pub monitor_url: Option<String>,
    /// Where webhooks go.
    pub webhook_url: Option<String>,
    /// Whether webhooks are signed.
    #[serde(rename = "webhook_assinado")]
    pub webhook_signed: bool,
    /// The wallet that is settled to.
    pub settlement_address: Option<String>,
    /// Whether payouts are enabled.
    pub payout: PayoutSettings,
    /// The percentage of a purchase, the partner's share included.
    pub admin_fee_bps: Option<u16>,
    /// The service's percentage of a purchase.
    pub house_fee_bps: u16,
    /// The fixed fee of a purchase.
    #[serde(rename = "admin_fee_fixed_cents", with = "super::plain")]
    pub admin_fee_fixed: Cents,
    /// The percentage of a deposit.
    #[serde(rename = "deposito_fee_bps")]
    pub deposit_fee_bps: u16,
    /// The fixed fee of a deposit.
    #[serde(rename = "deposito_fee_fixed_cents", with = "super::plain")]
    pub deposit_fee_fixed: Cents,
    /// The service's percentage of a payout.
    #[serde(rename = "saque_fee_bps")]
    pub payout_fee_bps: u16,
    /// That and the partner's.
    #[serde(rename = "saque_fee_total_bps")]
    pub payout_fee_total_bps: Option<u16>,
    /// The fee of withdrawing crypto.
    #[serde(rename = "saque_cripto_fee_bps")]
    pub crypto_withdrawal_fee_bps: u16,
    /// The percentage of a conversion.
    #[serde(rename = "saque_cripto_conversao_fee_bps")]
    pub conversion_fee_bps: u16,
    /// The fixed fee of a conversion.
    #[serde(rename = "saque_cripto_conversao_fee_fixed_cents", with = "super::plain")]
    pub conversion_fee_fixed: Cents,
    /// The percentage of a sale.
    pub cashout_fee_bps: u16,
    /// The fixed fee of a sale.
    #[serde(rename = "cashout_fee_fixed_cents", with = "super::plain")]
    pub cashout_fee_fixed: Cents,
    /// The operational reserve of a sale.
    #[serde(rename = "cashout_reserve_cents", with = "super::plain")]
    pub cashout_reserve: Cents,
    /// The percentage of a `DePix` sale.
    pub depix_fee_bps: u16,
    /// The fixed fee of a `DePix` sale.
    #[serde(rename = "depix_fee_fixed_cents", with = "super::plain")]
    pub depix_fee_fixed: Cents,
    /// The partner's percentage of a purchase.
    pub partner_fee_bps: u16,
    /// The partner's percentage of a sale.
    pub partner_cashout_fee_bps: u16,
    /// The partner's percentage of a payout.
    #[serde(rename = "partner_saque_fee_bps")]
    pub partner_payout_fee_bps: u16,
}

/// What `PATCH /keys/me` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct UpdatedAccount {
    /// What is known of the key, no part of it.
    pub key: Key,
    /// The effective limits.
    pub limits: AccountLimits,
    /// The private monitor, read-only.
    pub monitor_url: Option<String>,
    /// Where webhooks go.
    pub webhook_url: Option<String>,
    /// Whether webhooks are signed.
    #[serde(rename = "webhook_assinado")]
    pub webhook_signed: bool,
    /// The wallet that is settled to.
    pub settlement_address: Option<String>,
    /// Whether payouts are enabled.
    pub payout: PayoutSettings,
    /// The percentage of a purchase, the partner's share included.
    pub admin_fee_bps: Option<u16>,
    /// The service's percentage of a purchase.
    pub house_fee_bps: u16,
    /// The fixed fee of a purchase.
    #[serde(rename = "admin_fee_fixed_cents", with = "super::plain")]
    pub admin_fee_fixed: Cents,
    /// The percentage of a deposit.
    #[serde(rename = "deposito_fee_bps")]
    pub deposit_fee_bps: u16,
    /// The fixed fee of a deposit.
    #[serde(rename = "deposito_fee_fixed_cents", with = "super::plain")]
    pub deposit_fee_fixed: Cents,
    /// The service's percentage of a payout.
    #[serde(rename = "saque_fee_bps")]
    pub payout_fee_bps: u16,
    /// That and the partner's.
    #[serde(rename = "saque_fee_total_bps")]
    pub payout_fee_total_bps: Option<u16>,
    /// The fee of withdrawing crypto.
    #[serde(rename = "saque_cripto_fee_bps")]
    pub crypto_withdrawal_fee_bps: u16,
    /// The percentage of a conversion.
    #[serde(rename = "saque_cripto_conversao_fee_bps")]
    pub conversion_fee_bps: u16,
    /// The fixed fee of a conversion.
    #[serde(rename = "saque_cripto_conversao_fee_fixed_cents", with = "super::plain")]
    pub conversion_fee_fixed: Cents,
    /// The percentage of a sale.
    pub cashout_fee_bps: u16,
    /// The fixed fee of a sale.
    #[serde(rename = "cashout_fee_fixed_cents", with = "super::plain")]
    pub cashout_fee_fixed: Cents,
    /// The operational reserve of a sale.
    #[serde(rename = "cashout_reserve_cents", with = "super::plain")]
    pub cashout_reserve: Cents,
    /// The percentage of a `DePix` sale.
    pub depix_fee_bps: u16,
    /// The fixed fee of a `DePix` sale.
    #[serde(rename = "depix_fee_fixed_cents", with = "super::plain")]
    pub depix_fee_fixed: Cents,
    /// The partner's percentage of a purchase.
    pub partner_fee_bps: u16,
    /// The partner's percentage of a sale.
    pub partner_cashout_fee_bps: u16,
    /// The partner's percentage of a payout.
    #[serde(rename = "partner_saque_fee_bps")]
    pub partner_payout_fee_bps: u16,
    /// What signs webhooks, shown once.
    #[serde(with = "super::plain", default, skip_serializing_if = "Option::is_none")]
    pub webhook_secret: Option<Secret>,
    /// The same for libraries of Standard Webhooks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook_whsec: Option<String>,
}

/// What `key.rotate` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RotatedKey {
    /// The next key, shown once.
    #[serde(with = "super::plain")]
    pub api_key: ApiKey,
    /// The account that it opens.
    pub account: String,
}

/// Of [`WebhookTest`]: the event that was sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Event {
    /// The id of the event, the same however often it is sent.
    pub id: String,
    /// The name of the event.
    pub event: String,
    /// When it happened.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// The version of the contract.
    pub api_version: String,
    /// Its place among all events of the ledger.
    pub sequence: u64,
    /// The operation as it stood then.
    pub data: Value,
}

/// What `POST /webhooks/test` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WebhookTest {
    /// The event that was sent.
    pub event: Event,
    /// What the endpoint answered.
    pub status: u64,
    /// How long it took.
    pub latency_ms: u64,
    /// Whether that counts as delivered.
    #[serde(rename = "entregue")]
    pub delivered: bool,
}

/// What `status` of [`WebhookDelivery`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WebhookDeliveryStatus {
    /// `queued`.
    #[serde(rename = "queued")]
    Queued,
    /// `retrying`.
    #[serde(rename = "retrying")]
    Retrying,
    /// `delivered`.
    #[serde(rename = "delivered")]
    Delivered,
    /// `abandoned`.
    #[serde(rename = "abandoned")]
    Abandoned,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// Of [`WebhookDeliveries`]: deliveries, as the queue has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WebhookDelivery {
    /// The id of the event.
    pub id: String,
    /// The name of the event.
    pub event: String,
    /// How its delivery stands.
    pub status: WebhookDeliveryStatus,
    /// How often it was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u64>,
    /// What the endpoint last answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u64>,
    /// When it happened.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// When it was last tried.
    #[serde(with = "super::plain", default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Instant>,
    /// When it is tried next.
    #[serde(with = "super::plain")]
    pub next_attempt_at: Option<Instant>,
}

/// What `webhook_disabled_reason` of [`WebhookDeliveries`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WebhookDeliveriesWebhookDisabledReason {
    /// `gone`.
    #[serde(rename = "gone")]
    Gone,
    /// `failing`.
    #[serde(rename = "failing")]
    Failing,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `GET /webhooks/deliveries` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WebhookDeliveries {
    /// Deliveries, as the queue has them.
    pub items: Vec<WebhookDelivery>,
    /// Whether an address is set.
    #[serde(rename = "webhook_configurado")]
    pub webhook_configured: bool,
    /// Since when the endpoint is sent nothing.
    #[serde(
        rename = "webhook_desligado_em",
        with = "super::plain",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub webhook_disabled_at: Option<Instant>,
    /// Why: it answered 410, or only failed.
    #[serde(rename = "webhook_desligado_motivo", default, skip_serializing_if = "Option::is_none")]
    pub webhook_disabled_reason: Option<WebhookDeliveriesWebhookDisabledReason>,
}

/// What `GET /v1/verificar/{e2e}` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Verification {
    /// Whether the PIX is known.
    #[serde(rename = "verificado")]
    pub known: bool,
    /// Whether it was paid.
    #[serde(rename = "pago")]
    pub paid: bool,
    /// Its amount.
    #[serde(rename = "valor_brl", with = "super::plain")]
    pub brl_amount: Option<Decimal>,
    /// When it was paid.
    #[serde(rename = "pago_em", with = "super::plain")]
    pub paid_at: Option<Instant>,
    /// The recipient's initials.
    #[serde(rename = "recebedor_iniciais")]
    pub recipient_initials: Option<String>,
    /// The institution.
    #[serde(rename = "instituicao")]
    pub institution: Option<String>,
    /// Who settled it.
    #[serde(rename = "liquidado_por")]
    pub settled_by: Option<String>,
    /// Where its receipt is.
    #[serde(rename = "comprovante_url")]
    pub receipt_url: Option<String>,
    /// True for a PIX of the sandbox, which is no money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<bool>,
}

/// What `verification_status` of [`KeyOwner`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum KeyOwnerVerificationStatus {
    /// `performed`.
    #[serde(rename = "performed")]
    Performed,
    /// `not_performed`.
    #[serde(rename = "not_performed")]
    NotPerformed,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `GET /pix/keys/lookup` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KeyOwner {
    /// The key, masked.
    pub key: String,
    /// What the key is.
    #[serde(rename = "type")]
    pub kind: KeyType,
    /// Whether anything is known of its owner.
    pub available: bool,
    /// Whether the owner was verified.
    pub verified: bool,
    /// Whether it was looked up.
    pub verification_status: KeyOwnerVerificationStatus,
    /// The owner's name.
    pub name: Option<String>,
    /// The owner's CPF or CNPJ, masked.
    pub document: Option<String>,
    /// The owner's institution.
    pub institution: Option<String>,
    /// Where it is from; sandbox is fictional.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}
