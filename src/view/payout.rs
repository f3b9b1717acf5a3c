//! Answers about payouts: a PIX sent.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use super::status::PayoutStatus;
use crate::value::{Amount, Cents, OperationId};
use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};

/// What `POST /payouts` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Payout {
    /// The id of the payout.
    #[serde(rename = "payout_id")]
    pub id: OperationId,
    /// How it stands; uncertain is no failure.
    pub status: PayoutStatus,
    /// What the recipient receives.
    #[serde(rename = "amount_cents", with = "super::plain")]
    pub amount: Amount,
    /// The subaccount; null is the house.
    #[serde(rename = "customer_ref")]
    pub customer: Option<String>,
    /// The account's own id of it.
    pub external_id: Option<String>,
    /// The key that is paid, masked.
    pub pix_key: String,
    /// The service fee, the partner's part included.
    #[serde(rename = "fee_service_total_cents", with = "super::plain")]
    pub fee_service_total: Option<Cents>,
    /// The PIX tariff.
    #[serde(rename = "fee_provider_cents", with = "super::plain")]
    pub fee_provider: Option<Cents>,
    /// Both together.
    #[serde(rename = "fee_cents", with = "super::plain")]
    pub fee: Option<Cents>,
    /// Of the service fee, the partner's part.
    #[serde(rename = "fee_partner_cents", with = "super::plain")]
    pub fee_partner: Option<Cents>,
    /// Of the service fee, the service's part.
    #[serde(rename = "fee_service_cents", with = "super::plain")]
    pub fee_service: Option<Cents>,
    /// What the balance was debited.
    #[serde(rename = "debited_cents", with = "super::plain")]
    pub debited: Option<Amount>,
    /// What came back.
    #[serde(rename = "returned_cents", with = "super::plain")]
    pub returned: Option<Cents>,
    /// The end-to-end id of the PIX.
    #[serde(rename = "e2e")]
    pub end_to_end_id: Option<String>,
    /// When it was asked for.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
    /// When it last changed.
    #[serde(with = "super::plain")]
    pub updated_at: Instant,
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
    /// Where its receipt is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt_url: Option<String>,
}

/// What `GET /payouts` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Payouts {
    /// The payouts of this external id.
    pub payouts: Vec<Payout>,
}
