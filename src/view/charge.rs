//! A charge, or a conversion, which the contract shows as one.

use ledger_core::money::{Amount, Cents};
use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::value::OperationId;

/// A PIX that is collected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Charge {
    /// Its id.
    #[serde(rename = "cashin_id")]
    pub id: OperationId,
    /// How its PIX stands.
    pub status: ChargeStatus,
    /// How much is asked for.
    #[serde(rename = "amount_cents", with = "super::plain")]
    pub amount: Amount,
    /// The code that the payer copies and pays.
    pub qr_copypaste: Option<String>,
    /// The same as a picture.
    pub qr_image_url: Option<String>,
    /// Until when it can be paid.
    #[serde(with = "super::plain")]
    pub expires_at: Option<Instant>,
    /// Whether its credit is held once it is paid.
    pub held: bool,
    /// When the credit becomes available, where it is held.
    #[serde(rename = "liberar_em", with = "super::plain")]
    pub available_at: Option<Instant>,
    /// The client's own id.
    pub external_id: Option<String>,
    /// When it was asked for.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// What else the answer has, by its name on the wire: asset, network and wallet of a purchase.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// How the PIX of a charge stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChargeStatus {
    /// It waits to be paid.
    Pending,
    /// It was not paid in time.
    Expired,
    /// The provider cancelled it.
    Failed,
    /// It was seen and is looked at.
    UnderReview,
    /// It was paid, and the provider holds it.
    Delayed,
    /// It was paid.
    Paid,
    /// All of it went back.
    Refunded,
    /// A status that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// How what was bought or credited stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SettlementStatus {
    /// It waits.
    Pending,
    /// It is being sent.
    Sending,
    /// A network has it.
    #[serde(rename = "entregando")]
    Accepted,
    /// Nobody knows what became of it.
    #[serde(rename = "incerto")]
    Unknown,
    /// It is there.
    Sent,
    /// It came to nothing.
    Failed,
    /// A status that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// A charge with what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChargeDetail {
    /// How what was bought or credited stands.
    pub settlement_status: SettlementStatus,
    /// The end-to-end id of the PIX that paid it.
    #[serde(rename = "e2e")]
    pub end_to_end_id: Option<String>,
    /// Whose balance it is for; none: the house's.
    #[serde(rename = "customer_ref")]
    pub customer: Option<String>,
    /// When it was paid.
    #[serde(with = "super::plain")]
    pub paid_at: Option<Instant>,
    /// When it was settled.
    #[serde(with = "super::plain")]
    pub settled_at: Option<Instant>,
    /// The fee that was taken.
    #[serde(rename = "fee_cents", with = "super::plain")]
    pub fee: Option<Cents>,
    /// The charge itself, and what else the answer has.
    #[serde(flatten)]
    pub charge: Charge,
}

/// Charges of one external id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Charges {
    /// Each of them.
    pub charges: Vec<ChargeDetail>,
}
