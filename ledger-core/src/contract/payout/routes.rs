//! The routes of payouts.

use super::wire;
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get, post};
use crate::id::Kind;
use crate::ledger::{Archive, Request};

/// `/payouts`: sending a PIX, and reading what became of it, declared.
pub struct Payouts;

impl<A: Archive, V: Vault> Routes<A, V> for Payouts {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: post("/payouts"),
                text: RouteText {
                    name: "CreatePayout",
                    tag: "Payouts",
                    summary: "Pay a PIX from the balance",
                    description: "Sends a PIX to a key that belongs to `tax_number`. The balance is debited amount and fees.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Withdrawal,
                query: Query::Ignored,
                body: wire::CREATE,
                answer: answers("Payout", wire::PAYOUT),
                errors: &[
                    Code::AmountInvalid,
                    Code::WaitingFirstDeposit,
                    Code::RateUnavailable,
                    Code::CustodyDisabled,
                    Code::DocumentInvalid,
                    Code::ExternalIdDiverges,
                    Code::DailyLimit,
                    Code::CounterpartyNotAllowed,
                    Code::MandateExceeded,
                    Code::NotPermitted,
                    Code::PayoutsDisabled,
                    Code::PayoutRefused,
                    Code::PixKeyInvalid,
                    Code::PixKeyRequired,
                    Code::FundsInsufficient,
                    Code::TaxNumberRequired,
                    Code::KeyTypeAmbiguous,
                    Code::BelowMinimum,
                    Code::AboveMaximum,
                ],
            },
            handler: create,
        },
        Route {
            shape: RouteShape {
                ask: get("/payouts"),
                text: RouteText {
                    name: "ListPayouts",
                    tag: "Payouts",
                    summary: "Find payouts by external id",
                    description: "The payouts of this account under one `external_id`.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["external_id"]),
                body: &[],
                answer: answers("Payouts", wire::PAYOUTS),
                errors: &[],
            },
            handler: list,
        },
    ];
}

fn create<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body()?;
    let asked = wire::payout(&mut fields, &parts.call.supplied, parts.policy)?;
    let request = fields.with_metadata(Request::Payout(asked))?;
    context.create(request, fields.into_personal())
}

fn list<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.listing(parts.target, &[Kind::Payout], "payouts")
}
