//! A payout.

use ledger_core::money::{Amount, Cents};
use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::value::OperationId;

/// A PIX sent from custody, as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Payout {
    /// Its id.
    #[serde(rename = "payout_id")]
    pub id: OperationId,
    /// How it stands.
    pub status: PayoutStatus,
    /// What the payee receives.
    #[serde(rename = "amount_cents", with = "super::plain")]
    pub amount: Amount,
    /// Whose balance it left; none: the house's.
    #[serde(rename = "customer_ref")]
    pub customer: Option<String>,
    /// The client's own id.
    pub external_id: Option<String>,
    /// The key that is paid, masked.
    pub pix_key: String,
    /// All fees; none where they pass what can be counted.
    #[serde(rename = "fee_cents", with = "super::plain")]
    pub fee: Option<Cents>,
    /// What left the balance: the amount and the fees.
    #[serde(rename = "debited_cents", with = "super::plain")]
    pub debited: Option<Amount>,
    /// What came back of it.
    #[serde(rename = "returned_cents", with = "super::plain")]
    pub returned: Cents,
    /// The end-to-end id of the PIX, once it was paid.
    #[serde(rename = "e2e")]
    pub end_to_end_id: Option<String>,
    /// When it was asked for.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// When it last changed.
    #[serde(with = "super::plain")]
    pub updated_at: Instant,
    /// What else the answer has, by its name on the wire: the parts of the fee, and a receipt.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// How a payout stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PayoutStatus {
    /// It was debited, and is to be sent.
    Requested,
    /// Compliance looks at it.
    UnderReview,
    /// The provider has it.
    Submitted,
    /// Nobody knows what became of it: it waits for evidence.
    Uncertain,
    /// It was paid.
    Completed,
    /// It was not paid, and everything went back.
    Failed,
    /// It was paid and came back.
    Returned,
    /// A status that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// Payouts of one external id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Payouts {
    /// Each of them.
    pub payouts: Vec<Payout>,
}
