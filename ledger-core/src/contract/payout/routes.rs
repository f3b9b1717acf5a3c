//! The routes of payouts.

use super::body;
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Query, RouteShape};
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
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Withdrawal,
                query: Query::Ignored,
                body: body::PAYOUT,
                answer: &[
                    "payout_id",
                    "status",
                    "amount_cents",
                    "customer_ref",
                    "external_id",
                    "pix_key",
                    "fee_service_total_cents",
                    "fee_provider_cents",
                    "fee_cents",
                    "fee_partner_cents",
                    "fee_service_cents",
                    "debited_cents",
                    "returned_cents",
                    "e2e",
                    "created_at",
                    "updated_at",
                    "recipient_name",
                    "recipient_document",
                    "institution",
                    "settled_by",
                    "receipt_url",
                ],
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
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["external_id"]),
                body: &[],
                answer: &["payouts"],
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
    let asked = body::payout(&mut fields, &parts.call.supplied, parts.policy)?;
    context.create(Request::Payout(asked), fields.into_personal())
}

fn list<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.listing(parts.target, &[Kind::Payout], "payouts")
}
