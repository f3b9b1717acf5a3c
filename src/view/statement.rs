//! Statements.

use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};

use crate::value::OperationId;

/// A page of a statement, newest first (`GET /saldo/extrato`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StatementPage {
    /// Which view: `lancamentos` by rows, `operacoes` by operations.
    #[serde(rename = "visao")]
    pub view: String,
    /// Whose; none: the house's.
    #[serde(rename = "customer_ref")]
    pub customer: Option<String>,
    /// The rows or operations.
    pub items: Vec<Item>,
    /// Whether older ones follow.
    pub has_more: bool,
    /// What [`crate::request::balance::GetStatement::before`] takes for the next page.
    #[serde(rename = "proxima_pagina")]
    pub next: Option<String>,
}

/// One item, by the view that was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Item {
    /// A row.
    Movement(Movement),
    /// A step of an operation, its fees beside it.
    Step(StepOfOperation),
}

/// A row: what one leg changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Movement {
    /// Its id.
    #[serde(rename = "movimento_id")]
    pub id: String,
    /// What it is, in the contract's word: `deposito`, `saque_pix`, ...
    #[serde(rename = "tipo")]
    pub kind: String,
    /// Centavos that it changed, signed.
    #[serde(rename = "valor_cents")]
    pub cents: i64,
    /// What was available after it, in centavos.
    #[serde(rename = "saldo_apos_cents")]
    pub balance_after: i64,
    /// The operation that it is of.
    #[serde(rename = "origem_id")]
    pub operation: OperationId,
    /// What it says of itself.
    #[serde(rename = "descricao")]
    pub description: String,
    /// When.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
}

/// A step of an operation: its principal, and its fees beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StepOfOperation {
    /// Centavos that it changed in all, signed: the operation and its fees.
    #[serde(rename = "valor_cents")]
    pub cents: i64,
    /// Centavos of the operation, signed.
    #[serde(rename = "valor_operacao_cents")]
    pub operation_cents: i64,
    /// Centavos of fees, unsigned.
    #[serde(rename = "taxas_cents")]
    pub fee_cents: u64,
    /// Each fee.
    #[serde(rename = "taxas")]
    pub fees: Vec<Fee>,
    /// The rows that it is made of.
    #[serde(rename = "movimentos_ids")]
    pub movements: Vec<String>,
    /// The operation.
    #[serde(rename = "origem_id")]
    pub operation: OperationId,
    /// What it is, in the contract's word.
    #[serde(rename = "tipo")]
    pub kind: String,
    /// How the operation stands.
    pub status: Option<String>,
    /// The same, for people.
    pub status_label: Option<String>,
    /// How what was bought or credited stands.
    pub settlement_status: Option<String>,
}

/// A fee beside an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fee {
    /// Which fee.
    #[serde(rename = "tipo")]
    pub kind: String,
    /// For people.
    #[serde(rename = "descricao")]
    pub description: String,
    /// Centavos, unsigned.
    #[serde(rename = "valor_cents")]
    pub cents: u64,
    /// What it did to the balance, signed.
    #[serde(rename = "efeito_saldo_cents")]
    pub effect: i64,
}
