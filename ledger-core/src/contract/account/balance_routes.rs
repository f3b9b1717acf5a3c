//! The routes of balances: what an account and its customers have, and what it earned.

use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Problem, RouteKind};
use crate::contract::input::query::{Target, invalid};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, Query, RouteShape};
use crate::contract::route::{Route, Routes, get};
use crate::contract::statement::{Asked, View};
use crate::ledger::Archive;

/// `/saldo` and `/comissao`, declared: balances, and their statements.
pub struct Balances;

/// `GET /saldo`, declared.
pub const BALANCE: RouteShape = RouteShape {
    ask: get("/saldo"),
    access: Access::Key,
    effect: Effect::Reads,
    kind: RouteKind::Other,
    query: Query::Only(&["customer_ref", "em"]),
    body: &[],
    answer: &[
        "custodia_ativa",
        "disponivel_cents",
        "bloqueado_cents",
        "deposito_fee_bps",
        "deposito_fee_fixed_cents",
        "saque_fee_bps",
        "saque_fee_total_bps",
        "saque_taxa_estimada_cents",
        "saque_taxa_provedor_tipo",
        "saque_cripto_fee_bps",
        "saque_cripto_conversao_fee_bps",
        "saque_cripto_conversao_fee_fixed_cents",
        "carencia_horas",
        "carencia_ate",
        "retencao_acima_cents",
        "proximas_liberacoes",
        "as_of",
    ],
    errors: &[],
};

impl<A: Archive, V: Vault> Routes<A, V> for Balances {
    const ROUTES: &'static [Route<A, V>] = &[
        Route { shape: BALANCE, handler: balance },
        Route {
            shape: RouteShape {
                ask: get("/saldo/consolidado"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: &["casa", "clientes", "total_cents", "total_negativo_cents"],
                errors: &[],
            },
            handler: consolidated,
        },
        Route {
            shape: RouteShape {
                ask: get("/saldo/clientes"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["limit", "com_saldo", "cursor"]),
                body: &[],
                answer: &["items", "next_cursor"],
                errors: &[],
            },
            handler: customers,
        },
        Route {
            shape: RouteShape {
                ask: get("/saldo/extrato"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["customer_ref", "limit", "before", "visao"]),
                body: &[],
                answer: &["visao", "customer_ref", "items", "has_more", "proxima_pagina"],
                errors: &[],
            },
            handler: statement,
        },
        Route {
            shape: RouteShape {
                ask: get("/comissao"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: &[
                    "saldo_cents",
                    "disponivel_cents",
                    "movimentos",
                    "ultimo_saque_em",
                    "proximo_saque_em",
                ],
                errors: &[],
            },
            handler: commission,
        },
        Route {
            shape: RouteShape {
                ask: get("/comissao/extrato"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["limit", "before"]),
                body: &[],
                answer: &["movimentos", "has_more", "proxima_pagina"],
                errors: &[],
            },
            handler: commission_statement,
        },
    ];
}

fn balance<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let (customer, em) = (parts.target.customer()?, parts.target.moment("em")?);
    context.read(|views, account, at| match em {
        Some(em) => views.balance_at(account, customer, em, at),
        None => {
            views.balances_are_here(account)?;
            Ok(views.balance(account, views.seen_party(account, customer)?, at))
        }
    })
}

fn consolidated<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    _: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, account, _| {
        views.balances_are_here(account)?;
        Ok(views.consolidated(account))
    })
}

fn customers<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let limit = parts.target.limit()?;
    let with_balance = match parts.target.get("com_saldo") {
        None | Some("0") => false,
        Some("1") => true,
        Some(_) => return Err(invalid("com_saldo must be 1 or 0".into()).into()),
    };
    let cursor = parts.target.get("cursor");
    context.read(|views, account, _| {
        views.balances_are_here(account)?;
        views.customers(account, limit, with_balance, cursor)
    })
}

fn statement<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let (view, customer, limit) = statement_parameters(parts.target)?;
    let before = parts.target.get("before");
    context.read(|views, account, _| {
        let subaccount = views.seen_party(account, customer)?;
        views.statement(&Asked { account, subaccount, customer, view, limit, before })
    })
}

/// Which view of a statement is asked for, whose, and how many rows of it.
pub(in crate::contract) fn statement_parameters(
    target: &Target,
) -> Result<(View, Option<&str>, usize), Problem> {
    let view = match target.get("visao") {
        None | Some("lancamentos") => View::Entries,
        Some("operacoes") => View::Operations,
        Some(_) => return Err(invalid("visao must be operacoes, or absent".into())),
    };
    Ok((view, target.customer()?, target.limit()?))
}

fn commission<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    _: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, account, _| {
        views.balances_are_here(account)?;
        Ok(views.commission(account))
    })
}

fn commission_statement<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let (limit, before) = (parts.target.limit()?, parts.target.get("before"));
    context.read(|views, account, _| views.commission_statement(account, limit, before))
}
