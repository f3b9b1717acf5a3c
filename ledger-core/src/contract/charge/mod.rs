//! Charges on the wire: a PIX collected.

pub(super) mod body;
pub(super) mod fact;
pub(super) mod offer;
pub(super) mod view;
pub(super) mod wire;

use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::fields::{letters, missing};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get, post};
use crate::id::Kind;
use crate::ledger::{Archive, Request};
use crate::pix::Document;

/// `/cashin`: charges, their previews and their status, declared.
pub(super) struct Charges;

impl<A: Archive, V: Vault> Routes<A, V> for Charges {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: post("/cashin/charge"),
                text: RouteText {
                    name: "CreateCharge",
                    tag: "Charges",
                    summary: "Create a charge",
                    description: "A PIX to be collected, into the balance (`destino: saldo`) or as crypto (`cripto`, the default). The same `external_id` with the same body gives the same charge. The payer's ladder (`GET /cashin/limits`) counts what one CPF or CNPJ pays a day, over all accounts: a second charge of the same payer may be held by the provider, or refused with `limite_do_pagador`.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: Query::Ignored,
                body: body::CHARGE,
                answer: answers("Charge", wire::CREATED),
                errors: &[
                    Code::AmountInvalid,
                    Code::AssetInvalid,
                    Code::FieldsConflict,
                    Code::CashInUnavailable,
                    Code::CatalogueUnavailable,
                    Code::RateUnavailable,
                    Code::CustodyDisabled,
                    Code::DestinationInvalid,
                    Code::ExternalIdDiverges,
                    Code::DailyLimit,
                    Code::PayerLimit,
                    Code::MemoRequired,
                    Code::NotPermitted,
                    Code::OutcomeInvalid,
                    Code::PayerBlocked,
                    Code::PayerRefused,
                    Code::PayerTaxNumberInvalid,
                    Code::AddressInvalid,
                    Code::AddressRequired,
                    Code::ProviderSilent,
                    Code::NetworkUnavailable,
                    Code::BelowMinimum,
                    Code::AboveMaximum,
                ],
            },
            handler: create,
        },
        Route {
            shape: RouteShape {
                ask: post("/cashin/preview"),
                text: RouteText {
                    name: "PreviewCharge",
                    tag: "Charges",
                    summary: "Preview a charge",
                    description: "What a purchase would cost and deliver. Nothing is created.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Ignored,
                body: body::PREVIEW,
                answer: answers("ChargePreview", wire::PREVIEW),
                errors: &[
                    Code::AmountInvalid,
                    Code::AssetInvalid,
                    Code::CatalogueUnavailable,
                    Code::RateUnavailable,
                    Code::NetworkUnavailable,
                    Code::BelowMinimum,
                    Code::AboveMaximum,
                ],
            },
            handler: preview,
        },
        Route {
            shape: RouteShape {
                ask: get("/cashin/charges"),
                text: RouteText {
                    name: "ListCharges",
                    tag: "Charges",
                    summary: "Find charges by external id",
                    description: "The charges and conversions of this account under one `external_id`.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["external_id"]),
                body: &[],
                answer: answers("Charges", wire::CHARGES),
                errors: &[],
            },
            handler: list,
        },
        Route {
            shape: RouteShape {
                ask: get("/cashin/catalog"),
                text: RouteText {
                    name: "ChargeCatalogue",
                    tag: "Charges",
                    summary: "Show what can be bought",
                    description: "Pairs of asset and network, their minimums and fees. Offer only pairs with `entregavel: true`.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("ChargeCatalogue", wire::CATALOGUE),
                errors: &[Code::CatalogueUnavailable],
            },
            handler: catalogue,
        },
        Route {
            shape: RouteShape {
                ask: get("/cashin/limits"),
                text: RouteText {
                    name: "ChargeLimits",
                    tag: "Charges",
                    summary: "Show a payer's limits",
                    description: "What this payer may pay at once and held. It is advice: a charge is judged again when it is created.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["payer_tax"]),
                body: &[],
                answer: answers("ChargeLimits", wire::LIMITS),
                errors: &[Code::PayerTaxInvalid],
            },
            handler: limits,
        },
        Route {
            shape: RouteShape {
                ask: get("/cashin/{cashin_id}/status"),
                text: RouteText {
                    name: "GetCharge",
                    tag: "Charges",
                    summary: "Show a charge",
                    description: "A charge or a conversion as it stands, with its settlement.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("ChargeDetail", wire::CHARGE),
                errors: &[Code::NotFound],
            },
            handler: status,
        },
    ];
}

fn create<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body()?;
    let (asked, unoffered) = body::charge(&mut fields, &parts.call.supplied, parts.policy)?;
    if let Some(problem) = unoffered {
        // Refused where a feature switched off is: after authentication and idempotency
        // (rulings 6).
        let account = context.account()?;
        let (id, archive) = (asked.external_id.as_deref(), &context.ledger.archive);
        if id.and_then(|id| archive.identity(account, Kind::Charge, id)).is_none() {
            return Err(problem.into());
        }
    }
    let request = fields.with_metadata(Request::Charge(asked))?;
    context.create(request, fields.into_personal())
}

fn preview<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let (amount, pair) = body::preview(&parts.body()?)?;
    context.read(|views, account, at| views.preview(account, (amount, &pair), at))
}

fn list<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.listing(parts.target, &[Kind::Charge, Kind::Conversion], "charges")
}

fn catalogue<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    _: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, _, _| views.catalogue())
}

fn limits<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let payer = parts.target.get("payer_tax").ok_or_else(|| missing("payer_tax"))?;
    let payer = Document::parse(payer, letters(parts.policy)).ok_or_else(|| {
        let detail = "payer_tax must be a CPF or CNPJ, digits only";
        Problem::new(Code::PayerTaxInvalid, detail)
    })?;
    let payer = parts.tokens.document(&payer).token;
    context.read(|views, account, at| Ok(views.limits(account, payer, at)))
}

fn status<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let op = parts.operation(&[Kind::Charge, Kind::Conversion]);
    context.read(|views, account, _| {
        let found = op.and_then(|op| Some((op, views.operation(op)?)));
        let found = found.filter(|(_, known)| known.account() == Some(account));
        let view = found.as_ref().map(|(op, known)| match known.charge() {
            Some(_) => views.operation_view(*op, known).into(),
            None => views.creation_response(*op, known),
        });
        view.ok_or_else(|| Problem::new(Code::NotFound, "there is no such charge"))
    })
}
