//! The routes of the sandbox.

use super::wire;
use super::{about, pay, test_keys_only};
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::charge;
use crate::contract::error::{Code, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get, post};
use crate::ledger::Archive;

/// The routes of the sandbox.
pub struct Sandbox;

impl<A: Archive, V: Vault> Routes<A, V> for Sandbox {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: get("/sandbox"),
                text: RouteText {
                    name: "GetSandbox",
                    tag: "Sandbox",
                    summary: "Show the scenarios",
                    description: "What can be played in the sandbox, and what differs from production.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("Sandbox", wire::SANDBOX),
                errors: &[],
            },
            handler: about,
        },
        Route {
            shape: RouteShape {
                ask: get("/sandbox/events"),
                text: RouteText {
                    name: "ListSandboxEvents",
                    tag: "Sandbox",
                    summary: "List events of the sandbox",
                    description: "What a test account was sent, newest first.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["limit", "before"]),
                body: &[],
                answer: answers("SandboxEvents", wire::EVENTS),
                errors: &[Code::NotPermitted],
            },
            handler: events,
        },
        Route {
            shape: RouteShape {
                ask: post("/sandbox/cashin/{cashin_id}/pay"),
                text: RouteText {
                    name: "PaySandboxCharge",
                    tag: "Sandbox",
                    summary: "Pay a test charge",
                    description: "Confirms the PIX of a test charge, which no bank can pay.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("ChargeDetail", charge::wire::CHARGE),
                errors: &[Code::NotFound, Code::NotPermitted, Code::StateInvalid],
            },
            handler: pay::pay,
        },
    ];
}

fn about<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    _: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, _, _| Ok(about::sandbox(views.state.is_sandbox())))
}

fn events<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let (limit, before) = (parts.target.limit()?, parts.target.get("before"));
    context.read(|views, account, _| {
        test_keys_only(views.state.is_sandbox())?;
        views.sandbox_events(account, limit, before)
    })
}
