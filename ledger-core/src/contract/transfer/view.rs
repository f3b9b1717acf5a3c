//! How a transfer looks.

use serde_json::Value;

use crate::contract::input::tokens::Vault;
use crate::contract::object::object;
use crate::contract::views::Views;
use crate::id::{OpId, SubaccountId};
use crate::ledger::{Archive, Operation};
use crate::machine::transfer;

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// A transfer as its answer and its repeats show it (rulings 41).
    #[must_use]
    pub fn transfer(&self, op: OpId, operation: &Operation, state: &transfer::State) -> Value {
        let transfer::State::Done(order) = state else { return Value::Null };
        let party = |subaccount: SubaccountId| self.archive.customer(subaccount).unwrap_or("casa");
        object! {
            "transfer_id": op.text(&self.state.name),
            "status": "concluida",
            "amount_cents": order.amount.cents(),
            "from_customer_ref": party(order.from),
            "to_customer_ref": party(order.to),
            "external_id": order.external_id,
            "descricao": order.note.map(|note| self.value(note)),
            "created_at": operation.created_at.to_string(),
        }
    }
}
