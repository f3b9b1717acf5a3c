//! The route of transfers between subaccounts of one account.

use super::{group, wire};
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, post};
use crate::ledger::{Archive, Request};

/// `POST /saldo/transferir`, declared.
pub struct Transfers;

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
