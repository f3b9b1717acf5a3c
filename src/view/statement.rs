//! Statements of balances and of commission, by rows or by operations.

use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};

use super::status::{SettlementStatus, StatementKind};
use crate::value::{Balance, Cents, OperationId};

/// A page of a statement, newest first (`GET /saldo/extrato`), in the view that was asked for.
///
/// ```
/// use custody_ledger::view::Statement;
///
/// let json = r#"{"visao":"lancamentos","customer_ref":null,"items":[],"has_more":false,
///     "proxima_pagina":null}"#;
/// let statement: Statement = serde_json::from_str(json)?;
/// assert!(matches!(statement, Statement::Entries(page) if page.items.is_empty()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "visao")]
#[non_exhaustive]
pub enum Statement {
    /// By rows, each what one leg changed.
    #[serde(rename = "lancamentos")]
    Entries(StatementPage<Movement>),
    /// By operations, the fees of each beside it.
    #[serde(rename = "operacoes")]
    Operations(StatementPage<StepOfOperation>),
}

/// A page of what a statement lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StatementPage<T> {
    /// Whose; none: the house's.
    #[serde(rename = "customer_ref")]
    pub customer: Option<String>,
    /// The rows or operations.
    pub items: Vec<T>,
    /// Tells whether older ones follow.
    pub has_more: bool,
    /// What [`crate::request::balance::GetStatement::before`] takes for the next page.
    #[serde(rename = "proxima_pagina")]
    pub next: Option<String>,
}

/// A row: what one leg changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Movement {
    /// The id of the row, as text.
    #[serde(rename = "movimento_id")]
    pub id: String,
    /// What it is.
    #[serde(rename = "tipo")]
    pub kind: StatementKind,
    /// What it changed, signed.
    #[serde(rename = "valor_cents", with = "super::plain")]
    pub amount: Balance,
    /// What was available after it.
    #[serde(rename = "saldo_apos_cents", with = "super::plain")]
    pub balance_after: Balance,
    /// The operation that it is of.
    #[serde(rename = "origem_id")]
    pub operation: OperationId,
    /// What it says of itself.
    #[serde(rename = "descricao")]
    pub description: String,
    /// The instant at which it was booked.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
}

/// A step of an operation: its principal, and its fees beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StepOfOperation {
    /// What it changed in all, signed: the operation and its fees.
    #[serde(rename = "valor_cents", with = "super::plain")]
    pub amount: Balance,
    /// What the operation alone changed, signed.
    #[serde(rename = "valor_operacao_cents", with = "super::plain")]
    pub principal: Balance,
    /// All its fees.
    #[serde(rename = "taxas_cents", with = "super::plain")]
    pub fee: Cents,
    /// Each fee of the step.
    #[serde(rename = "taxas")]
    pub fees: Vec<Fee>,
    /// The rows that it is made of.
    #[serde(rename = "movimentos_ids")]
    pub movements: Vec<String>,
    /// The operation that the step is of.
    #[serde(rename = "origem_id")]
    pub operation: OperationId,
    /// What it is.
    #[serde(rename = "tipo")]
    pub kind: StatementKind,
    /// How the operation stands, in its own words.
    pub status: Option<String>,
    /// The same, for people.
    pub status_label: Option<String>,
    /// How what was bought or credited stands.
    pub settlement_status: Option<SettlementStatus>,
}

/// A fee beside an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fee {
    /// The fee's name, such as `servico`.
    #[serde(rename = "tipo")]
    pub kind: String,
    /// The fee's name for people, in Portuguese.
    #[serde(rename = "descricao")]
    pub description: String,
    /// How much it is.
    #[serde(rename = "valor_cents", with = "super::plain")]
    pub amount: Cents,
    /// What it did to the balance, signed.
    #[serde(rename = "efeito_saldo_cents", with = "super::plain")]
    pub effect: Balance,
}
