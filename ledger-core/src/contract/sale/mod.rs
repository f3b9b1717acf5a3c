//! Sales of crypto for PIX on the wire (contract, 2.2).

pub(super) mod body;
pub(super) mod deposit_fact;
pub(super) mod fact;
pub(super) mod market;
pub(super) mod market_fact;
pub(super) mod view;
pub(super) mod wire;

use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get, post};
use crate::contract::sandbox;
use crate::id::{Kind, OpId};
use crate::ledger::{Archive, Refusal, Request};

/// `/cash-outs` and `/catalog`, declared: sales, and what may be sold.
pub(super) struct Sales;

impl<A: Archive, V: Vault> Routes<A, V> for Sales {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: get("/catalog"),
                text: RouteText {
                    name: "SaleCatalogue",
                    tag: "Cash-outs",
                    summary: "Show what can be sold",
                    description: "Assets, the networks that they are deposited on, and the limits of an order.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("SaleCatalogue", wire::CATALOGUE),
                errors: &[Code::CatalogueUnavailable],
            },
            handler: catalogue,
        },
        Route {
            shape: RouteShape {
                ask: post("/cash-outs/preview"),
                text: RouteText {
                    name: "PreviewCashOut",
                    tag: "Cash-outs",
                    summary: "Preview a cash-out",
                    description: "What an order would sell and pay. Nothing is created.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Ignored,
                body: body::SALE,
                answer: answers("CashOutPreview", wire::PREVIEW),
                errors: &[
                    Code::AmountInvalid,
                    Code::AssetInvalid,
                    Code::CodeUnavailable,
                    Code::CodeInvalid,
                    Code::CodeWithoutAmount,
                    Code::BrlAmountInvalid,
                    Code::FieldsConflict,
                    Code::CashOutUnavailable,
                    Code::CatalogueUnavailable,
                    Code::RateUnavailable,
                    Code::DocumentInvalid,
                    Code::RecipientLimit,
                    Code::PayerLimit,
                    Code::PayerRefused,
                    Code::PixKeyInvalid,
                    Code::PixKeyRequired,
                    Code::NetworkUnavailable,
                    Code::RefundAddressInvalid,
                    Code::TaxNumberRequired,
                    Code::KeyTypeAmbiguous,
                    Code::BelowMinimum,
                    Code::AboveMaximum,
                ],
            },
            handler: preview,
        },
        Route {
            shape: RouteShape {
                ask: post("/cash-outs"),
                text: RouteText {
                    name: "CreateCashOut",
                    tag: "Cash-outs",
                    summary: "Quote a cash-out",
                    description: "Creates an order, quoted. Send one of `amount`, `brl_amount` and `br_code`. Nothing is committed until it is accepted.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: Query::Ignored,
                body: body::ORDER,
                answer: answers("CashOut", wire::ORDER).or_created(),
                errors: &[
                    Code::AmountInvalid,
                    Code::AssetInvalid,
                    Code::CodeUnavailable,
                    Code::CodeInvalid,
                    Code::CodeWithoutAmount,
                    Code::BrlAmountInvalid,
                    Code::FieldsConflict,
                    Code::CashOutUnavailable,
                    Code::CatalogueUnavailable,
                    Code::RateUnavailable,
                    Code::DocumentInvalid,
                    Code::ExternalIdDiverges,
                    Code::RecipientLimit,
                    Code::PayerLimit,
                    Code::CounterpartyNotAllowed,
                    Code::MandateExceeded,
                    Code::PayerRefused,
                    Code::PixKeyInvalid,
                    Code::PixKeyRequired,
                    Code::NetworkUnavailable,
                    Code::RefundAddressInvalid,
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
                ask: get("/cash-outs"),
                text: RouteText {
                    name: "ListCashOuts",
                    tag: "Cash-outs",
                    summary: "Find cash-outs by external id",
                    description: "The orders of this account under one `external_id`.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["external_id"]),
                body: &[],
                answer: answers("CashOuts", wire::ORDERS),
                errors: &[],
            },
            handler: list,
        },
        Route {
            shape: RouteShape {
                ask: get("/cash-outs/{cashout_id}"),
                text: RouteText {
                    name: "GetCashOut",
                    tag: "Cash-outs",
                    summary: "Show a cash-out",
                    description: "An order as it stands, with its deposit, PIX and refund.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("CashOut", wire::ORDER),
                errors: &[Code::NotFound],
            },
            handler: show,
        },
        Route {
            shape: RouteShape {
                ask: post("/cash-outs/{cashout_id}/accept"),
                text: RouteText {
                    name: "AcceptCashOut",
                    tag: "Cash-outs",
                    summary: "Accept a cash-out",
                    description: "Commits to the order and gives the deposit address. After a 503 accept the same order again.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: Query::Ignored,
                body: &[],
                answer: answers("CashOut", wire::ORDER),
                errors: &[
                    Code::CashOutUnavailable,
                    Code::QuoteExpired,
                    Code::SettlerUnavailable,
                    Code::NotFound,
                    Code::StateInvalid,
                ],
            },
            handler: accept,
        },
        Route {
            shape: RouteShape {
                ask: post("/cash-outs/{cashout_id}/refund-address"),
                text: RouteText {
                    name: "SetRefundAddress",
                    tag: "Cash-outs",
                    summary: "Give a return wallet",
                    description: "Gives the wallet of an order in `AWAITING_REFUND_ADDRESS`, once and for all.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: Query::Ignored,
                body: body::REFUND_ADDRESS,
                answer: answers("CashOut", wire::ORDER),
                errors: &[
                    Code::NotFound,
                    Code::RefundAddressFixed,
                    Code::RefundAddressInvalid,
                    Code::StateInvalid,
                ],
            },
            handler: name_wallet,
        },
    ];
}

fn catalogue<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    _: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, _, _| views.markets())
}

fn preview<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body()?;
    let asked = body::request(&mut fields, &parts.call.supplied, &context.ledger.state)?;
    let (payee, named) = (asked.payee, asked.asked);
    let mut handled = context.read(|views, account, at| views.preview_sale(account, asked, at))?;
    body::show(&mut handled.response.body, &payee, named, &fields.into_personal());
    Ok(handled)
}

fn create<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body()?;
    let asked = body::request(&mut fields, &parts.call.supplied, &context.ledger.state)?;
    let request = fields.with_metadata(Request::CashOut(Box::new(asked)))?;
    let handled = context.create(request, fields.into_personal())?;
    Ok(context.created_in_sandbox(handled))
}

fn list<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.listing(parts.target, &[Kind::CashOut], "cash_outs")
}

fn show<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let op = OpId::parse(parts.parameter(), parts.ledger);
    context.read(|views, account, _| views.sale(account, op))
}

fn accept<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let supplied = body::deposit_address(&parts.call.supplied)?;
    let order = order(&context, parts)?;
    sandbox::first_accept(&mut context, order)?;
    move_order(context, Request::AcceptCashOut { supplied, order }, order)
}

fn name_wallet<A: Archive, V: Vault>(
    context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let address = body::refund_address(&parts.body()?)?;
    let order = order(&context, parts)?;
    move_order(context, Request::RefundAddress { address, order }, order)
}

/// The order that the path names. Without a key the answer is that, and not whether an id is any.
fn order<A: Archive, V: Vault>(
    context: &RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<OpId, Problem> {
    let order = parts.operation(&[Kind::CashOut]);
    order.map_or_else(|| context.account().and(Err(Refusal::NotFound.into())), Ok)
}

/// Carries out what moves an order, and shows the order.
fn move_order<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    request: Request,
    order: OpId,
) -> Result<CallOutcome, Refused> {
    context.carry_out(request, Vec::new(), |views, account, _| {
        views.sale(account, Some(order)).expect("what moved is an order of this account")
    })
}
