//! Bodies of transfers.

use crate::contract::error::Problem;
use crate::contract::input::fields::Fields;
use crate::contract::schema::field::FieldType::Text;
use crate::contract::schema::field::{Field, optional};
use crate::contract::schema::shared::{AMOUNT, EXTERNAL_ID};
use crate::ledger::TransferRequest;

/// The body of `POST /saldo/transferir`.
pub(in crate::contract) const TRANSFER: &[Field] = &[
    optional("from_customer_ref", Text(80), "who pays; absent, or casa: the house"),
    optional("to_customer_ref", Text(80), "who receives; absent, or casa: the house"),
    AMOUNT,
    optional("descricao", Text(255), "a note"),
    EXTERNAL_ID,
];

/// `POST /saldo/transferir` (CUS-28).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn transfer(fields: &mut Fields<'_>) -> Result<TransferRequest, Problem> {
    let note = fields.text("descricao", 255)?.map(|note| fields.tokens().text(note));
    Ok(TransferRequest {
        from: fields.party("from_customer_ref")?,
        to: fields.party("to_customer_ref")?,
        amount: fields.amount("amount_cents")?,
        note: note.map(|note| fields.keep(note)),
        external_id: fields.external_id()?,
    })
}
