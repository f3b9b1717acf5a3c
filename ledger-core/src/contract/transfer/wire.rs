//! Transfers on the wire, declared.

use crate::contract::schema::answer::{AnswerField, cents, moment, text, word};

/// `POST /saldo/transferir`.
pub const TRANSFER: &[AnswerField] = &[
    text("transfer_id", "the id of the transfer", "tr_000000000037d2d44936e824b3a1"),
    word("status", "how it stands: it is done when it is answered", &["concluida"]),
    cents("amount_cents", "how much was moved", 2_000),
    text("from_customer_ref", "who paid; casa is the house", "ana"),
    text("to_customer_ref", "who received; casa is the house", "bia"),
    text("external_id", "the account's own id of it", "repasse-1").or_null(),
    text("descricao", "the note", "mensalidade").or_null(),
    moment("created_at", "when it was made"),
];
