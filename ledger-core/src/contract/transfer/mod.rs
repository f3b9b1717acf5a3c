//! Transfers on the wire: their route, and how a transfer looks.

pub(super) mod group;
pub(super) mod wire;

use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::object::{Json, object};
use crate::contract::registry::{Facts, Shown, shown_as};
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, post};
use crate::contract::views::{Recall, Views};
use crate::id::{OpId, SubaccountId};
use crate::ledger::{Archive, Operation, Request};
use crate::machine::transfer;
use crate::money::Amount;

/// `POST /saldo/transferir`, declared.
pub(super) struct Transfers;

impl<A: Archive, V: Vault> Routes<A, V> for Transfers {
    const ROUTES: &'static [Route<A, V>] = &[Route {
        shape: RouteShape {
            ask: post("/saldo/transferir"),
            text: RouteText {
                name: "CreateTransfer",
                tag: "Balance",
                summary: "Move between subaccounts",
                description: "Moves available reais between the house and subaccounts, without a PIX.",
            },
            access: Access::Key,
            effect: Effect::Decides,
            kind: RouteKind::Other,
            query: Query::Ignored,
            body: wire::TRANSFER,
            answer: answers("Transfer", wire::DONE).with(&group::VARIANT),
            errors: &[
                Code::AmountInvalid,
                Code::WaitingFirstDeposit,
                Code::CustodyDisabled,
                Code::ExternalIdDiverges,
                Code::SameParty,
                Code::FundsInsufficient,
            ],
        },
        handler: create,
    }];
}

fn create<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body()?;
    let asked = if fields.value("pernas").is_some() {
        Request::Group(group::group(&mut fields)?)
    } else {
        Request::Transfer(wire::transfer(&mut fields)?)
    };
    let request = fields.with_metadata(asked)?;
    context.create(request, fields.into_personal())
}

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
