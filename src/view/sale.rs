//! A cash-out order.

use ledger_core::time::Instant;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::value::OperationId;

/// Crypto that is sold for a PIX, as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CashOut {
    /// Its id.
    #[serde(rename = "cashout_id")]
    pub id: OperationId,
    /// How it stands.
    pub state: CashOutState,
    /// What is sold.
    pub asset: String,
    /// Where it is deposited.
    pub network: String,
    /// How much of it is to be deposited.
    #[serde(with = "super::plain")]
    pub amount: Decimal,
    /// What is paid, in reais.
    #[serde(with = "super::plain")]
    pub brl_amount: Decimal,
    /// Where it is to be deposited, once the order was accepted.
    pub deposit_address: Option<String>,
    /// The client's own id.
    pub external_id: Option<String>,
    /// Until when it can be accepted and deposited.
    #[serde(with = "super::plain")]
    pub expires_at: Option<Instant>,
    /// The end-to-end id of the PIX, once it was paid.
    #[serde(rename = "pix_e2e")]
    pub end_to_end_id: Option<String>,
    /// What happened, in order.
    pub timeline: Vec<Step>,
    /// When it was quoted.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// When it last changed.
    #[serde(with = "super::plain")]
    pub updated_at: Instant,
    /// What else the answer has, by its name on the wire.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A step of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Step {
    /// How it stood then.
    pub state: CashOutState,
    /// When.
    #[serde(with = "super::plain")]
    pub at: Instant,
}

/// How an order stands: one of the contract's eighteen states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
#[allow(missing_docs)] // Each is the contract's state of that name.
pub enum CashOutState {
    QuoteCreated,
    AwaitingDeposit,
    DepositDetected,
    DepositConfirmed,
    Selling,
    Sold,
    Forwarding,
    PayingOut,
    Processing,
    Completed,
    Delayed,
    ManualReview,
    AwaitingRefundAddress,
    RefundingCrypto,
    Refunding,
    Refunded,
    Expired,
    Failed,
    /// A state that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// Orders of one external id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CashOuts {
    /// Each of them.
    pub cash_outs: Vec<CashOut>,
}
