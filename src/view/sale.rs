//! Answers about cash-out orders: crypto sold for a PIX.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use super::status::CashOutState;
use crate::value::OperationId;
use ledger_core::time::Instant;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// What `path` of [`Market`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SalePath {
    /// `FAST`.
    #[serde(rename = "FAST")]
    Fast,
    /// `DEX`.
    #[serde(rename = "DEX")]
    Dex,
    /// `CONVERT`.
    #[serde(rename = "CONVERT")]
    Convert,
    /// `depix_liquid`.
    #[serde(rename = "depix_liquid")]
    DepixLiquid,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// Of [`SaleAsset`]: the networks that it is sold on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Market {
    /// The network.
    pub network: String,
    /// By which way it is sold.
    pub path: Option<SalePath>,
    /// Whether it is sold at present.
    pub available: bool,
    /// The least of an order.
    #[serde(with = "super::plain")]
    pub min: Option<Decimal>,
    /// The most of an order.
    #[serde(with = "super::plain")]
    pub max: Option<Decimal>,
    /// How exact amounts are.
    pub decimals: u64,
    /// How long a quote is valid.
    pub quote_valid_minutes: u64,
    /// How many a deposit needs.
    pub confirmations_required: u64,
    /// How long a deposit takes to count.
    pub eta_minutes: Option<u64>,
}

/// Of [`SaleCatalogue`]: what is sold, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SaleAsset {
    /// The asset.
    pub asset: String,
    /// The networks that it is sold on.
    pub networks: Vec<Market>,
}

/// What `GET /catalog` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SaleCatalogue {
    /// What is sold, and where.
    pub assets: Vec<SaleAsset>,
}

/// What `pix_key_type` of [`CashOutPreview`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum KeyType {
    /// `cpf`.
    #[serde(rename = "cpf")]
    Cpf,
    /// `cnpj`.
    #[serde(rename = "cnpj")]
    Cnpj,
    /// `phone`.
    #[serde(rename = "phone")]
    Phone,
    /// `email`.
    #[serde(rename = "email")]
    Email,
    /// `random`.
    #[serde(rename = "random")]
    Random,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `POST /cash-outs/preview` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CashOutPreview {
    /// By which way the crypto is sold.
    pub path: Option<SalePath>,
    /// What is sold.
    pub asset: String,
    /// The network that it is deposited on.
    pub network: String,
    /// What is to be deposited.
    #[serde(with = "super::plain")]
    pub amount: Decimal,
    /// What the recipient receives.
    #[serde(with = "super::plain")]
    pub brl_amount: Decimal,
    /// The fees of the order, already counted.
    #[serde(with = "super::plain")]
    pub fee_brl: Option<Decimal>,
    /// The operational reserve, already counted.
    #[serde(with = "super::plain")]
    pub reserve_brl: Option<Decimal>,
    /// The reserve of a payment to a key.
    #[serde(with = "super::plain")]
    pub pix_key_reserve_usd: Option<Decimal>,
    /// The reserve of a payment of a code.
    #[serde(rename = "copia_e_cola_buffer_usd", with = "super::plain")]
    pub br_code_buffer_usd: Option<Decimal>,
    /// The price of one unit.
    #[serde(with = "super::plain")]
    pub rate: Option<Decimal>,
    /// Where the price is from.
    pub rate_source: Option<String>,
    /// The key that is paid, masked.
    pub pix_key: Option<String>,
    /// What that key is.
    pub pix_key_type: Option<KeyType>,
    /// The Copia e Cola code that is paid.
    pub br_code: Option<String>,
    /// The recipient that the code names.
    pub merchant_name: Option<String>,
    /// The recipient's CPF or CNPJ, masked.
    #[serde(rename = "payee_tax_number")]
    pub payee_document: Option<String>,
    /// The return wallet.
    pub refund_address: Option<String>,
    /// The account's own id of it.
    pub external_id: Option<String>,
    /// Until when the quote is valid.
    #[serde(with = "super::plain")]
    pub expires_at: Option<Instant>,
}

/// Of [`CashOut`]: the states that it entered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CashOutStep {
    /// The state that was entered.
    pub state: CashOutState,
    /// When it was entered.
    #[serde(with = "super::plain")]
    pub at: Instant,
}

/// Of [`CashOut`]: what it did not take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SurplusRefund {
    /// The id of what arrived.
    #[serde(rename = "receipt_id")]
    pub id: OperationId,
    /// How its return stands.
    pub state: CashOutState,
    /// How much it is.
    #[serde(with = "super::plain")]
    pub amount: Decimal,
    /// The asset.
    pub asset: Option<String>,
    /// The network.
    pub network: Option<String>,
    /// The transaction that brought it.
    pub deposit_tx_hash: String,
    /// The wallet that it returns to.
    pub refund_address: Option<String>,
    /// The transaction that returned it.
    pub refund_tx_hash: Option<String>,
}

/// What `POST /cash-outs` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CashOut {
    /// The id of the order, opaque.
    #[serde(rename = "cashout_id")]
    pub id: OperationId,
    /// How the order stands; COMPLETED confirms the PIX.
    pub state: CashOutState,
    /// By which way the crypto is sold.
    pub path: Option<SalePath>,
    /// What is sold.
    pub asset: String,
    /// The network that it is deposited on.
    pub network: String,
    /// What is to be deposited.
    #[serde(with = "super::plain")]
    pub amount: Decimal,
    /// What the recipient receives.
    #[serde(with = "super::plain")]
    pub brl_amount: Decimal,
    /// The fees of the order, already counted.
    #[serde(with = "super::plain")]
    pub fee_brl: Option<Decimal>,
    /// The operational reserve, already counted.
    #[serde(with = "super::plain")]
    pub reserve_brl: Option<Decimal>,
    /// The reserve of a payment to a key.
    #[serde(with = "super::plain")]
    pub pix_key_reserve_usd: Option<Decimal>,
    /// The reserve of a payment of a code.
    #[serde(rename = "copia_e_cola_buffer_usd", with = "super::plain")]
    pub br_code_buffer_usd: Option<Decimal>,
    /// The price of one unit.
    #[serde(with = "super::plain")]
    pub rate: Option<Decimal>,
    /// Where the price is from.
    pub rate_source: Option<String>,
    /// The key that is paid, masked.
    pub pix_key: Option<String>,
    /// What that key is.
    pub pix_key_type: Option<KeyType>,
    /// The Copia e Cola code that is paid.
    pub br_code: Option<String>,
    /// The recipient that the code names.
    pub merchant_name: Option<String>,
    /// The recipient's CPF or CNPJ, masked.
    #[serde(rename = "payee_tax_number")]
    pub payee_document: Option<String>,
    /// The return wallet.
    pub refund_address: Option<String>,
    /// The account's own id of it.
    pub external_id: Option<String>,
    /// Until when the quote is valid.
    #[serde(with = "super::plain")]
    pub expires_at: Option<Instant>,
    /// Where to deposit; only after it was accepted.
    pub deposit_address: Option<String>,
    /// The memo that the deposit needs.
    pub deposit_tag: Option<String>,
    /// Where the deposit came from; never a return wallet.
    pub deposit_from: Option<String>,
    /// The transaction of the deposit.
    pub deposit_tx_hash: Option<String>,
    /// What was deposited.
    #[serde(with = "super::plain")]
    pub amount_received: Option<Decimal>,
    /// The asset that was deposited.
    pub asset_received: Option<String>,
    /// The network that it was deposited on.
    pub network_received: Option<String>,
    /// What the recipient was paid.
    #[serde(with = "super::plain")]
    pub brl_paid: Option<Decimal>,
    /// What of it came back.
    #[serde(with = "super::plain")]
    pub brl_reversed: Option<Decimal>,
    /// What is returned.
    #[serde(with = "super::plain")]
    pub refund_amount: Option<Decimal>,
    /// The transaction of the return.
    pub refund_tx_hash: Option<String>,
    /// The end-to-end id of the PIX.
    #[serde(rename = "pix_e2e")]
    pub end_to_end_id: Option<String>,
    /// When the PIX was paid.
    #[serde(with = "super::plain")]
    pub pix_paid_at: Option<Instant>,
    /// Where the receipt is.
    pub receipt_url: Option<String>,
    /// Where the receipt is as a PDF.
    pub receipt_pdf_url: Option<String>,
    /// Where anybody can verify the PIX.
    pub verify_url: Option<String>,
    /// The states that it entered.
    pub timeline: Vec<CashOutStep>,
    /// How many the deposit has.
    pub confirmations: Option<u64>,
    /// How many it needs.
    pub confirmations_required: Option<u64>,
    /// Whether it has them.
    pub confirmations_complete: Option<bool>,
    /// Why it waits for a person.
    pub review_reason: Option<String>,
    /// What it did not take.
    pub surplus_refunds: Vec<SurplusRefund>,
    /// When it was created.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// When it last changed.
    #[serde(with = "super::plain")]
    pub updated_at: Instant,
    /// The wallet payment that it serves.
    #[serde(rename = "payment_id", default, skip_serializing_if = "Option::is_none")]
    pub payment: Option<OperationId>,
    /// What pays for it, where that is the wallet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub funding_source: Option<String>,
    /// False where nobody can check the return wallet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_address_checked: Option<bool>,
    /// The recipient's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient_name: Option<String>,
    /// The recipient's CPF or CNPJ, masked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient_document: Option<String>,
    /// The recipient's institution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub institution: Option<String>,
    /// Who settled the PIX.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_by: Option<String>,
}

/// What `GET /cash-outs` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CashOuts {
    /// The orders of this external id.
    pub cash_outs: Vec<CashOut>,
}
