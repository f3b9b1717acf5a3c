//! A balance.

use ledger_core::money::{Amount, Balance as Signed, Cents};
use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The balance of a house or a customer (`GET /saldo`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Balance {
    /// What may be spent; below zero where a forced debit took more than there was.
    #[serde(rename = "disponivel_cents", with = "super::plain")]
    pub available: Signed,
    /// What is there and may not be spent: held deposits, and blocks.
    #[serde(rename = "bloqueado_cents", with = "super::plain")]
    pub blocked: Cents,
    /// When the first waiting period ends, where one runs.
    #[serde(rename = "carencia_ate", with = "super::plain")]
    pub waiting_until: Option<Instant>,
    /// What becomes available, and when.
    #[serde(rename = "proximas_liberacoes")]
    pub releases: Vec<Release>,
    /// The instant that all of it is of.
    #[serde(with = "super::plain")]
    pub as_of: Instant,
    /// The terms beside it, by their names on the wire.
    #[serde(flatten)]
    pub terms: Map<String, Value>,
}

/// A part of a balance that becomes available.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Release {
    /// How much.
    #[serde(rename = "valor_cents", with = "super::plain")]
    pub amount: Amount,
    /// When.
    #[serde(rename = "disponivel_em", with = "super::plain")]
    pub at: Instant,
}
