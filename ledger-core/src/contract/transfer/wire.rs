//! Transfers on the wire: what `POST /saldo/transferir` takes, and how it is answered.

use crate::contract::error::Problem;
use crate::contract::input::fields::Fields;
use crate::contract::schema::answer::{cents, moment, text, word};
use crate::contract::schema::bounds::{Customer, checked};
use crate::contract::schema::field::FieldType::Text;
use crate::contract::schema::field::{Field, optional};
use crate::contract::schema::metadata::{self, METADATA};
use crate::contract::schema::record::record;
use crate::contract::schema::shared::{AMOUNT, EXTERNAL_ID};
use crate::id::OpId;
use crate::ledger::{Operation, TransferRequest};
use crate::machine::transfer;

pub(super) const FROM: Field =
    optional("from_customer_ref", Text(80), "who pays; absent, or casa: the house").like("ana");
pub(super) const TO: Field =
    optional("to_customer_ref", Text(80), "who receives; absent, or casa: the house").like("bia");

/// The body of `POST /saldo/transferir`.
pub const TRANSFER: &[Field] =
    &[FROM, TO, AMOUNT, optional("descricao", Text(255), "a note"), EXTERNAL_ID, METADATA];

checked!(body TransferRequest {
    from: Customer(FROM),
    to: Customer(TO),
    amount: AMOUNT,
    external_id: EXTERNAL_ID,
});

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

record! {
    /// The answer of `POST /saldo/transferir`.
    pub const DONE, fn transfer_record |
        views, op: OpId, operation: &Operation, order: &'v transfer::Order
    | {
        text("transfer_id", "the id of the transfer", "tr_000000000037d2d44936e824b3a1")
            => op.text(&views.state.name);
        word("status", "how it stands: it is done when it is answered", &["concluida"])
            => "concluida";
        cents("amount_cents", "how much was moved", 2_000) => order.amount.cents();
        text("from_customer_ref", "who paid; casa is the house", "ana")
            => views.party_name(order.from);
        text("to_customer_ref", "who received; casa is the house", "bia") => views.party_name(order.to);
        text("external_id", "the account's own id of it", "repasse-1").or_null()
            => order.external_id.as_ref();
        text("descricao", "the note", "mensalidade").or_null()
            => order.note.map(|note| views.value(note));
        moment("created_at", "when it was made") => operation.created_at.to_string();
        .. metadata::SHOWN;
    }
}
