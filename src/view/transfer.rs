//! A transfer.

use ledger_core::money::Amount;
use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};

use crate::value::OperationId;

/// A transfer between two balances of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Transfer {
    /// Its id.
    #[serde(rename = "transfer_id")]
    pub id: OperationId,
    /// `concluida`: a transfer happens once, and at once.
    pub status: String,
    /// How much.
    #[serde(rename = "amount_cents", with = "super::plain")]
    pub amount: Amount,
    /// Who paid; `casa` is the house.
    #[serde(rename = "from_customer_ref")]
    pub from: String,
    /// Who received it; `casa` is the house.
    #[serde(rename = "to_customer_ref")]
    pub to: String,
    /// The client's own id.
    pub external_id: Option<String>,
    /// The client's own note.
    #[serde(rename = "descricao")]
    pub description: Option<String>,
    /// When.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
}
