//! Answers about transfers between the balances of an account.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use crate::value::{Amount, OperationId};
use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};

/// What `POST /saldo/transferir` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Transfer {
    /// The id of the transfer.
    #[serde(rename = "transfer_id")]
    pub id: OperationId,
    /// How it stands: it is done when it is answered.
    pub status: String,
    /// How much was moved.
    #[serde(rename = "amount_cents", with = "super::plain")]
    pub amount: Amount,
    /// Who paid; casa is the house.
    #[serde(rename = "from_customer_ref")]
    pub from: String,
    /// Who received; casa is the house.
    #[serde(rename = "to_customer_ref")]
    pub to: String,
    /// The account's own id of it.
    pub external_id: Option<String>,
    /// The note.
    #[serde(rename = "descricao")]
    pub description: Option<String>,
    /// When it was made.
    #[serde(with = "super::plain")]
    pub created_at: Instant,
}
