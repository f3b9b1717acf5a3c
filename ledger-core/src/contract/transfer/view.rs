//! How a transfer looks.

use crate::contract::input::tokens::Vault;
use crate::contract::object::{Json, object};
use crate::contract::registry::{Facts, Shown, shown_as};
use crate::contract::views::{Recall, Views};
use crate::id::{OpId, SubaccountId};
use crate::ledger::Operation;
use crate::machine::transfer;
use crate::money::Amount;

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// A transfer, or a group of them, as its answer and its repeats show it (rulings 41).
    #[must_use]
    pub fn transfer<'v>(
        &'v self,
        op: OpId,
        operation: &Operation,
        state: &'v transfer::State,
    ) -> Json<'v> {
        let party =
            |subaccount: SubaccountId| self.archive.customer_of(subaccount).unwrap_or("casa");
        let order = match state {
            transfer::State::Absent => return Json::Null,
            transfer::State::Done(order) => order,
            transfer::State::Grouped(group) => {
                let leg = |leg: &transfer::Leg| {
                    object! {
                        "from_customer_ref": party(leg.from),
                        "to_customer_ref": party(leg.to),
                        "amount_cents": leg.amount.cents(),
                    }
                };
                return object! {
                    "transfer_id": op.text(&self.state.name),
                    "status": "concluida",
                    "amount_cents": group.total().map(Amount::cents),
                    "pernas": Json::List(group.legs.iter().map(leg).collect()),
                    "external_id": group.external_id.as_ref(),
                    "descricao": group.note.map(|note| self.value(note)),
                    "created_at": operation.created_at.to_string(),
                };
            }
        };
        object! {
            "transfer_id": op.text(&self.state.name),
            "status": "concluida",
            "amount_cents": order.amount.cents(),
            "from_customer_ref": party(order.from),
            "to_customer_ref": party(order.to),
            "external_id": order.external_id.as_ref(),
            "descricao": order.note.map(|note| self.value(note)),
            "created_at": operation.created_at.to_string(),
        }
    }
}

impl Shown for transfer::State {
    fn facts(&self) -> Facts<'_> {
        Facts { status: Some("concluida"), ..Facts::NONE }
    }

    shown_as!(|state, views, of| views.transfer(of.op, of.operation, state));
}
