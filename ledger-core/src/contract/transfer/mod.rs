//! Transfers on the wire: their route, and how a transfer looks.

pub(super) mod group;
pub(super) mod wire;

use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::object::Json;
use crate::contract::registry::{Facts, Shown, shown_as};
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, post};
use crate::contract::views::{Recall, Views};
use crate::id::{OpId, SubaccountId};
use crate::ledger::{Archive, Operation, Request};
use crate::machine::transfer;

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
        match state {
            transfer::State::Absent => Json::Null,
            transfer::State::Done(order) => wire::transfer_record(self, op, operation, order),
            transfer::State::Grouped(group) => group::group_record(self, op, operation, group),
        }
    }

    /// The name of a party to a transfer.
    fn party_name(&self, subaccount: SubaccountId) -> &str {
        self.archive.customer_of(subaccount).unwrap_or("casa")
    }
}

impl Shown for transfer::State {
    fn facts(&self) -> Facts<'_> {
        Facts { status: Some("concluida"), ..Facts::NONE }
    }

    shown_as!(|state, views, of| views.transfer(of.op, of.operation, state));
}
