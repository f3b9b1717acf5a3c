//! Bodies of transfers.

use crate::contract::error::Problem;
use crate::contract::input::fields::Fields;
use crate::ledger::TransferRequest;

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
