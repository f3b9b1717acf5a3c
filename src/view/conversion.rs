//! Answers about conversions of custody into crypto, and withdrawals of commission.

use ledger_core::time::Instant;
use rust_decimal::Decimal;

use super::answer::{answer, open_words};
use super::status::SettlementStatus;
use crate::value::{Amount, OperationId};

open_words! {
    /// What `status` of [`CommissionWithdrawal`] may be.
    CommissionWithdrawalStatus { Paid = "paid", Refunded = "refunded" }
}

answer! {
    /// What `commission.withdraw` is answered.
    CommissionWithdrawal {
        id: OperationId as "withdrawal_id", "The id of the withdrawal.";
        status: CommissionWithdrawalStatus, "How it stands.";
        settlement_status: SettlementStatus, "How far delivery got.";
        amount: Amount as plain "amount_cents", "What was withdrawn.";
        asset: String, "The asset that is delivered.";
        chain: String, "The network that it is delivered on.";
        address: String as "payout_address", "The wallet that it is delivered to.";
        usdt_amount: Option<Decimal> as plain, "What is delivered, in USDT.";
        units: Option<Decimal> as plain "amount", "What is delivered, in the asset.";
        settlement_tx_hash: Option<String>, "The transaction that delivered it.";
        external_id: Option<String>, "The account's own id of it.";
        created_at: Instant as plain, "When it was asked for.";
        settled_at: Option<Instant> as plain, "When it was delivered.";
    }
}
