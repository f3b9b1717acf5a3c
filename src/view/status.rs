//! How operations stand, and what kinds of statement rows there are.

use serde::{Deserialize, Serialize};

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
    /// It is not sent yet.
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

/// What a row of a statement, or of a partner's commission, is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StatementKind {
    /// A PIX that was collected.
    #[serde(rename = "deposito")]
    Deposit,
    /// A PIX that was sent.
    #[serde(rename = "saque_pix")]
    Payout,
    /// A transfer from another balance of the account.
    #[serde(rename = "transferencia_entrada")]
    TransferIn,
    /// A transfer to another balance of the account.
    #[serde(rename = "transferencia_saida")]
    TransferOut,
    /// What was booked before is undone.
    #[serde(rename = "estorno")]
    Reversal,
    /// A fee was corrected.
    #[serde(rename = "ajuste_taxa")]
    FeeAdjustment,
    /// A debt was written off.
    #[serde(rename = "baixa")]
    WriteOff,
    /// Custody was converted into crypto.
    #[serde(rename = "saque_cripto")]
    Conversion,
    /// Commission was earned.
    #[serde(rename = "comissao")]
    Commission,
    /// Commission that was earned is taken back.
    #[serde(rename = "estorno_comissao")]
    CommissionReversal,
    /// Commission was withdrawn.
    #[serde(rename = "saque_comissao")]
    CommissionWithdrawal,
    /// A withdrawal of commission came back.
    #[serde(rename = "devolucao_saque_comissao")]
    CommissionReturn,
    /// A court took it.
    #[serde(rename = "ordem_judicial")]
    CourtOrder,
    /// A product posted an entry.
    #[serde(rename = "lancamento")]
    Entry,
    /// A kind that came to the contract later.
    #[serde(untagged)]
    Other(String),
}
