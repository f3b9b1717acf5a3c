//! Answers about conversions of custody into crypto, and withdrawals of commission.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use super::status::SettlementStatus;
use crate::value::{Amount, OperationId};
use ledger_core::time::Instant;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// What `status` of [`CommissionWithdrawal`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum CommissionWithdrawalStatus {
    /// `paid`.
    #[serde(rename = "paid")]
    Paid,
    /// `refunded`.
    #[serde(rename = "refunded")]
    Refunded,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `commission.withdraw` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommissionWithdrawal {
    /// The id of the withdrawal.
    #[serde(rename = "withdrawal_id")]
    pub id: OperationId,
    /// How it stands.
    pub status: CommissionWithdrawalStatus,
    /// How far delivery got.
    pub settlement_status: SettlementStatus,
    /// What was withdrawn.
    #[serde(rename = "amount_cents", with = "super::plain")]
    pub amount: Amount,
    /// The asset that is delivered.
    pub asset: String,
    /// The network that it is delivered on.
    pub chain: String,
    /// The wallet that it is delivered to.
    #[serde(rename = "payout_address")]
    pub address: String,
    /// What is delivered, in USDT.
    #[serde(with = "super::plain")]
    pub usdt_amount: Option<Decimal>,
    /// What is delivered, in the asset.
    #[serde(rename = "amount", with = "super::plain")]
    pub units: Option<Decimal>,
    /// The transaction that delivered it.
    pub settlement_tx_hash: Option<String>,
    /// The account's own id of it.
    pub external_id: Option<String>,
    /// When it was asked for.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// When it was delivered.
    #[serde(with = "super::plain")]
    pub settled_at: Option<Instant>,
}
