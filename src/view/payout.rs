//! Answers about payouts: a PIX sent.

use ledger_core::time::Instant;

use super::answer::answer;
use super::status::PayoutStatus;
use crate::value::{Amount, Cents, Metadata, OperationId};

answer! {
    /// What `POST /payouts` is answered.
    Payout {
        id: OperationId as "payout_id", "The id of the payout.";
        status: PayoutStatus, "How it stands; uncertain is no failure.";
        amount: Amount as plain "amount_cents", "What the recipient receives.";
        customer: Option<String> as "customer_ref", "The subaccount; null is the house.";
        external_id: Option<String>, "The account's own id of it.";
        pix_key: String, "The key that is paid, masked.";
        fee_service_total: Option<Cents> as plain "fee_service_total_cents",
            "The service fee, the partner's part included.";
        fee_provider: Option<Cents> as plain "fee_provider_cents", "The PIX tariff.";
        fee: Option<Cents> as plain "fee_cents", "Both together.";
        fee_partner: Option<Cents> as plain "fee_partner_cents",
            "Of the service fee, the partner's part.";
        fee_service: Option<Cents> as plain "fee_service_cents",
            "Of the service fee, the service's part.";
        debited: Option<Amount> as plain "debited_cents", "What the balance was debited.";
        returned: Option<Cents> as plain "returned_cents", "What came back.";
        end_to_end_id: Option<String> as "e2e", "The end-to-end id of the PIX.";
        created_at: Instant as plain, "When it was asked for.";
        updated_at: Instant as plain, "When it last changed.";
        recipient_name?: String, "The recipient's name.";
        recipient_document?: String, "The recipient's CPF or CNPJ, masked.";
        institution?: String, "The recipient's institution.";
        settled_by?: String, "Who settled the PIX.";
        receipt_url?: String, "Where its receipt is.";
        metadata?: Metadata, "Pairs of the account's own; none once erased.";
    }
}

answer! {
    /// What `GET /payouts` is answered.
    Payouts {
        payouts: Vec<Payout>, "The payouts of this external id.";
    }
}
