//! Payouts on the wire, declared.

use crate::contract::schema::answer::AnswerType::Objects;
use crate::contract::schema::answer::{AnswerField, E2E, cents, field, moment, text, word};

/// The states of a payout (P:PayoutStates).
const PAYOUT_STATUS: &[&str] =
    &["requested", "submitted", "completed", "returned", "failed", "uncertain", "under_review"];

/// A payout.
pub const PAYOUT: &[AnswerField] = &[
    text("payout_id", "the id of the payout", "po_00000000003fd30e1a9d19d00795"),
    word("status", "how it stands; uncertain is no failure", PAYOUT_STATUS),
    cents("amount_cents", "what the recipient receives", 5_000),
    text("customer_ref", "the subaccount; null is the house", "ana").or_null(),
    text("external_id", "the account's own id of it", "saque-1").or_null(),
    text("pix_key", "the key that is paid, masked", "a***@exemplo.com.br"),
    cents("fee_service_total_cents", "the service fee, the partner's part included", 100).or_null(),
    cents("fee_provider_cents", "the PIX tariff", 0).or_null(),
    cents("fee_cents", "both together", 100).or_null(),
    cents("fee_partner_cents", "of the service fee, the partner's part", 25).or_null(),
    cents("fee_service_cents", "of the service fee, the service's part", 75).or_null(),
    cents("debited_cents", "what the balance was debited", 5_100).or_null(),
    cents("returned_cents", "what came back", 0).or_null(),
    text("e2e", "the end-to-end id of the PIX", E2E).or_null(),
    moment("created_at", "when it was asked for"),
    moment("updated_at", "when it last changed"),
    text("recipient_name", "the recipient's name", "Ana Souza").sometimes(),
    text("recipient_document", "the recipient's CPF or CNPJ, masked", "***.982.247-**").sometimes(),
    text("institution", "the recipient's institution", "Banco de Teste").sometimes(),
    text("settled_by", "who settled the PIX", "SPI").sometimes(),
    text("receipt_url", "where its receipt is", "https://example.com/r/1").sometimes(),
];

/// Payouts under one external id.
pub const PAYOUTS: &[AnswerField] =
    &[field("payouts", Objects("Payout", PAYOUT), "the payouts of this external id")];
