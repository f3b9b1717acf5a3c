//! Answers about USDT wallets.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use crate::value::OperationId;
use ledger_core::time::Instant;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Of [`Wallet`]: what payments need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PixRules {
    /// Whether a recipient's document is needed.
    pub recipient_document_required: bool,
}

/// Of [`Wallet`]: the networks that deposits come by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WalletNetwork {
    /// The network.
    pub network: String,
    /// What it is called.
    pub name: String,
    /// What it takes.
    pub assets: Vec<String>,
    /// How long a deposit takes.
    pub eta_minutes: Option<u64>,
}

/// Of [`Wallet`]: what it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WalletBalance {
    /// What can be spent.
    #[serde(with = "super::plain")]
    pub available: Decimal,
    /// What payments under way hold.
    #[serde(with = "super::plain")]
    pub reserved: Decimal,
    /// What is seen and not credited yet.
    #[serde(with = "super::plain")]
    pub confirming: Decimal,
}

/// Of [`Wallet`]: what can be paid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PaymentMethods {
    /// Whether keys are paid.
    pub pix_key: bool,
    /// Whether Copia e Cola codes are paid.
    pub br_code: bool,
}

/// What `GET /carteira-usdt` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Wallet {
    /// Whether the wallet is ready.
    pub enabled: bool,
    /// What pays: always the wallet.
    pub funding_source: String,
    /// What it counts in.
    pub currency: String,
    /// What payments need.
    pub pix_rules: PixRules,
    /// The networks that deposits come by.
    pub networks: Vec<WalletNetwork>,
    /// What it holds.
    pub balance: WalletBalance,
    /// The least of a deposit.
    #[serde(with = "super::plain")]
    pub min_deposit: Option<Decimal>,
    /// The least of a payment.
    #[serde(with = "super::plain")]
    pub min_payment_brl: Option<Decimal>,
    /// How long a deposit request is valid.
    pub deposit_validity_hours: u64,
    /// Whether payments are made at present.
    pub payments_enabled: bool,
    /// What can be paid.
    pub payment_methods: PaymentMethods,
    /// Whether it was made by a test key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<bool>,
}

/// What `status` of [`WalletDeposit`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WalletDepositStatus {
    /// `waiting`.
    #[serde(rename = "waiting")]
    Waiting,
    /// `confirming`.
    #[serde(rename = "confirming")]
    Confirming,
    /// `available`.
    #[serde(rename = "available")]
    Available,
    /// `expired`.
    #[serde(rename = "expired")]
    Expired,
    /// `under_review`.
    #[serde(rename = "under_review")]
    UnderReview,
    /// `reversed`.
    #[serde(rename = "reversed")]
    Reversed,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `origin` of [`WalletDeposit`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WalletDepositOrigin {
    /// `request`.
    #[serde(rename = "request")]
    Request,
    /// `assigned_by_support`.
    #[serde(rename = "assigned_by_support")]
    AssignedBySupport,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `POST /carteira-usdt/deposits` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WalletDeposit {
    /// The id of the request.
    #[serde(rename = "deposit_id")]
    pub id: OperationId,
    /// How it stands.
    pub status: WalletDepositStatus,
    /// Exactly what to send: its decimals name it.
    #[serde(with = "super::plain")]
    pub amount_to_send: Option<Decimal>,
    /// What arrived.
    #[serde(with = "super::plain")]
    pub amount_received: Option<Decimal>,
    /// Where to send it.
    pub address: Option<String>,
    /// The network.
    pub network: Option<String>,
    /// What that is called.
    pub network_name: Option<String>,
    /// What is sent.
    pub asset: Option<String>,
    /// What may be sent.
    pub accepted_assets: Option<Vec<String>>,
    /// Until when it is valid.
    #[serde(with = "super::plain")]
    pub expires_at: Option<Instant>,
    /// When it was made.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// When it was credited.
    #[serde(with = "super::plain")]
    pub credited_at: Option<Instant>,
    /// Who made it.
    pub origin: WalletDepositOrigin,
    /// Whether it was made by a test key.
    pub sandbox: bool,
    /// What to show to whoever sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
}

/// What `GET /carteira-usdt/deposits` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WalletDeposits {
    /// The 100 latest requests.
    pub items: Vec<WalletDeposit>,
}

/// What `status` of [`WalletPayment`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WalletPaymentStatus {
    /// `reservado`.
    #[serde(rename = "reservado")]
    Reserved,
    /// `ordem_criada`.
    #[serde(rename = "ordem_criada")]
    OrderCreated,
    /// `aceita`.
    #[serde(rename = "aceita")]
    Accepted,
    /// `sacando`.
    #[serde(rename = "sacando")]
    Withdrawing,
    /// `enviado`.
    #[serde(rename = "enviado")]
    Sent,
    /// `revisao`.
    #[serde(rename = "revisao")]
    UnderReview,
    /// `concluido`.
    #[serde(rename = "concluido")]
    Completed,
    /// `falhou`.
    #[serde(rename = "falhou")]
    Failed,
    /// `falhou_apos_envio`.
    #[serde(rename = "falhou_apos_envio")]
    FailedAfterSending,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `payment_method` of [`WalletPayment`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum PaymentMethod {
    /// `pix_key`.
    #[serde(rename = "pix_key")]
    PixKey,
    /// `br_code`.
    #[serde(rename = "br_code")]
    BrCode,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `POST /carteira-usdt/payments` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WalletPayment {
    /// The id of the payment.
    #[serde(rename = "payment_id")]
    pub id: OperationId,
    /// The account's own id of it.
    pub external_id: Option<String>,
    /// How it stands; revisao is no failure.
    pub status: WalletPaymentStatus,
    /// Whether it has ended.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// What is paid.
    pub payment_method: PaymentMethod,
    /// What the recipient receives.
    #[serde(with = "super::plain")]
    pub brl_amount: Decimal,
    /// The key that is paid, masked.
    pub pix_key: Option<String>,
    /// What was reserved.
    #[serde(with = "super::plain")]
    pub usdt_reserved: Decimal,
    /// What it cost in the end.
    #[serde(with = "super::plain")]
    pub usdt_debited: Option<Decimal>,
    /// What the order that paid it sold.
    #[serde(with = "super::plain")]
    pub usdt_order: Option<Decimal>,
    /// What withdrawing cost.
    #[serde(with = "super::plain")]
    pub withdrawal_fee: Option<Decimal>,
    /// The order that paid it.
    #[serde(rename = "cashout_id")]
    pub cash_out: Option<OperationId>,
    /// Why it failed.
    pub error: Option<String>,
    /// The end-to-end id of the PIX.
    #[serde(rename = "pix_e2e")]
    pub end_to_end_id: Option<String>,
    /// The recipient's name.
    pub recipient_name: Option<String>,
    /// The recipient's CPF or CNPJ, masked.
    pub recipient_document: Option<String>,
    /// Where the receipt is.
    pub receipt_url: Option<String>,
    /// When it was made.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// When it last changed.
    #[serde(with = "super::plain")]
    pub updated_at: Instant,
    /// Whether it was made by a test key.
    pub sandbox: bool,
    /// What of a failed one was given back.
    #[serde(with = "super::plain", default, skip_serializing_if = "Option::is_none")]
    pub usdt_returned: Option<Decimal>,
    /// What becomes of the reserve of a failed one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserve_status: Option<String>,
}

/// What `GET /carteira-usdt/payments` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WalletPayments {
    /// The 100 latest payments.
    pub items: Vec<WalletPayment>,
}

/// What `POST /carteira-usdt/quote` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WalletQuote {
    /// The id of the quote.
    #[serde(rename = "quote_id")]
    pub id: OperationId,
    /// What pays: always the wallet.
    pub funding_source: String,
    /// What would be paid.
    pub payment_method: PaymentMethod,
    /// What the recipient would receive.
    #[serde(with = "super::plain")]
    pub brl_amount: Decimal,
    /// What the order would sell.
    #[serde(with = "super::plain")]
    pub usdt_order: Decimal,
    /// What withdrawing would cost.
    #[serde(with = "super::plain")]
    pub withdrawal_fee: Decimal,
    /// Both together.
    #[serde(with = "super::plain")]
    pub usdt_total: Option<Decimal>,
    /// Until when it is valid.
    #[serde(with = "super::plain")]
    pub expires_at: Instant,
    /// Whether it was made by a test key.
    pub sandbox: bool,
}

/// What `wallet.withdrawal.quote` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WalletWithdrawalQuote {
    /// The id of the quote.
    #[serde(rename = "quote_id")]
    pub id: OperationId,
    /// What pays: always the wallet.
    pub funding_source: String,
    /// What leaves the balance.
    #[serde(with = "super::plain")]
    pub amount: Decimal,
    /// The same.
    #[serde(with = "super::plain")]
    pub usdt_total: Decimal,
    /// What is received.
    pub asset: String,
    /// The network.
    pub network: String,
    /// The external wallet.
    pub address: String,
    /// The least that arrives.
    #[serde(with = "super::plain")]
    pub minimum_received: Decimal,
    /// What is expected to arrive.
    #[serde(with = "super::plain")]
    pub amount_estimated: Decimal,
    /// Until when it is valid.
    #[serde(with = "super::plain")]
    pub expires_at: Instant,
    /// Whether it was made by a test key.
    pub sandbox: bool,
    /// What the network takes.
    #[serde(with = "super::plain")]
    pub network_fee: Decimal,
    /// What conversion is expected to cost.
    #[serde(with = "super::plain")]
    pub conversion_fee_estimated: Decimal,
    /// Fees are taken from the amount.
    pub fee_mode: String,
    /// The same in Portuguese.
    pub note: String,
}

/// What `status` of [`CreatedWalletWithdrawal`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WalletWithdrawalStatus {
    /// `reserved`.
    #[serde(rename = "reserved")]
    Reserved,
    /// `funding`.
    #[serde(rename = "funding")]
    Funding,
    /// `converting`.
    #[serde(rename = "converting")]
    Converting,
    /// `processing`.
    #[serde(rename = "processing")]
    Processing,
    /// `under_review`.
    #[serde(rename = "under_review")]
    UnderReview,
    /// `completed`.
    #[serde(rename = "completed")]
    Completed,
    /// `failed`.
    #[serde(rename = "failed")]
    Failed,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `wallet.withdrawal.create` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CreatedWalletWithdrawal {
    /// The id of the withdrawal.
    #[serde(rename = "withdrawal_id")]
    pub id: OperationId,
    /// The account's own id of it.
    pub external_id: Option<String>,
    /// The quote that it is of.
    #[serde(rename = "quote_id")]
    pub quote: OperationId,
    /// What pays: always the wallet.
    pub funding_source: String,
    /// What leaves the balance.
    #[serde(with = "super::plain")]
    pub amount: Decimal,
    /// What is received.
    pub asset: String,
    /// The network.
    pub network: String,
    /// The external wallet.
    pub address: String,
    /// How it stands; `under_review` is no failure.
    pub status: WalletWithdrawalStatus,
    /// Whether it has ended.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// Whether it was made by a test key.
    pub sandbox: bool,
    /// What the network is called.
    pub network_name: Option<String>,
    /// What is expected to arrive.
    #[serde(with = "super::plain")]
    pub amount_estimated: Decimal,
    /// The least that arrives.
    #[serde(with = "super::plain")]
    pub minimum_received: Decimal,
    /// What arrived.
    #[serde(with = "super::plain")]
    pub amount_received: Option<Decimal>,
    /// What the network takes.
    #[serde(with = "super::plain")]
    pub network_fee: Option<Decimal>,
    /// What was reserved.
    #[serde(with = "super::plain")]
    pub usdt_reserved: Decimal,
    /// What it cost in the end.
    #[serde(with = "super::plain")]
    pub usdt_debited: Option<Decimal>,
    /// The transaction.
    pub tx_hash: Option<String>,
    /// When it was made.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// When it last changed.
    #[serde(with = "super::plain")]
    pub updated_at: Instant,
    /// When it arrived.
    #[serde(with = "super::plain")]
    pub completed_at: Option<Instant>,
    /// What to know of it, in Portuguese.
    pub note: Option<String>,
    /// Whether a second one was prevented.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_prevented: Option<bool>,
    /// How that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested_external_id: Option<String>,
}

/// What `wallet.withdrawal.get` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WalletWithdrawal {
    /// The id of the withdrawal.
    #[serde(rename = "withdrawal_id")]
    pub id: OperationId,
    /// The account's own id of it.
    pub external_id: Option<String>,
    /// The quote that it is of.
    #[serde(rename = "quote_id")]
    pub quote: OperationId,
    /// What pays: always the wallet.
    pub funding_source: String,
    /// What leaves the balance.
    #[serde(with = "super::plain")]
    pub amount: Decimal,
    /// What is received.
    pub asset: String,
    /// The network.
    pub network: String,
    /// The external wallet.
    pub address: String,
    /// How it stands; `under_review` is no failure.
    pub status: WalletWithdrawalStatus,
    /// Whether it has ended.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// Whether it was made by a test key.
    pub sandbox: bool,
    /// What the network is called.
    pub network_name: Option<String>,
    /// What is expected to arrive.
    #[serde(with = "super::plain")]
    pub amount_estimated: Decimal,
    /// The least that arrives.
    #[serde(with = "super::plain")]
    pub minimum_received: Decimal,
    /// What arrived.
    #[serde(with = "super::plain")]
    pub amount_received: Option<Decimal>,
    /// What the network takes.
    #[serde(with = "super::plain")]
    pub network_fee: Option<Decimal>,
    /// What was reserved.
    #[serde(with = "super::plain")]
    pub usdt_reserved: Decimal,
    /// What it cost in the end.
    #[serde(with = "super::plain")]
    pub usdt_debited: Option<Decimal>,
    /// The transaction.
    pub tx_hash: Option<String>,
    /// When it was made.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// When it last changed.
    #[serde(with = "super::plain")]
    pub updated_at: Instant,
    /// When it arrived.
    #[serde(with = "super::plain")]
    pub completed_at: Option<Instant>,
    /// What to know of it, in Portuguese.
    pub note: Option<String>,
}

/// What `wallet.withdrawal.list` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WalletWithdrawals {
    /// The latest withdrawals.
    pub items: Vec<WalletWithdrawal>,
}
