//! The routes of balances: what an account and its customers have, and what it earned.

use super::balance_wire;
use crate::contract::balance::show_balance;
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Problem, RouteKind};
use crate::contract::input::query::{Target, invalid};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, Query, RouteShape};
use crate::contract::route::text::{RouteText, Variant, answers};
use crate::contract::route::{Route, Routes, get};
use crate::contract::statement::{StatementQuery, View};
use crate::ledger::Archive;

/// `/saldo` and `/comissao`, declared: balances, and their statements.
pub struct Balances;

/// `GET /saldo?em=`, an extension of ours.
const BALANCE_AT: Variant = Variant {
    parameter: "em",
    text: RouteText {
        name: "GetBalanceAt",
        tag: "Balance",
        summary: "Show the balance of an instant",
        description: "What the house or a subaccount had at `em`, available and blocked together: the running balance of its statement then. An extension of this service; the contract has the balance as it stands alone.",
    },
    body: &[],
    answer: answers("BalanceAt", balance_wire::BALANCE_AT),
};

/// `GET /saldo`, declared.
pub const BALANCE: RouteShape = RouteShape {
    ask: get("/saldo"),
    text: RouteText {
        name: "GetBalance",
        tag: "Balance",
        summary: "Show a balance",
        description: "The house's balance, or one subaccount's. Only `disponivel_cents` can be spent.",
    },
    access: Access::Key,
    effect: Effect::Reads,
    kind: RouteKind::Other,
    query: Query::Only(&["customer_ref", "em"]),
    body: &[],
    answer: answers("Balance", balance_wire::BALANCE).with(&BALANCE_AT),
    errors: &[],
};

impl<A: Archive, V: Vault> Routes<A, V> for Balances {
    const ROUTES: &'static [Route<A, V>] = &[
        Route { shape: BALANCE, handler: balance },
        Route {
            shape: RouteShape {
                ask: get("/saldo/consolidado"),
                text: RouteText {
                    name: "ConsolidatedBalance",
                    tag: "Balance",
                    summary: "Show all balances together",
                    description: "The house, all subaccounts, and everything together.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("ConsolidatedBalance", balance_wire::CONSOLIDATED),
                errors: &[],
            },
            handler: read_consolidated,
        },
        Route {
            shape: RouteShape {
                ask: get("/saldo/clientes"),
                text: RouteText {
                    name: "ListCustomers",
                    tag: "Balance",
                    summary: "List subaccounts",
                    description: "Subaccounts with their balances, in pages.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["limit", "com_saldo", "cursor"]),
                body: &[],
                answer: answers("Customers", balance_wire::CUSTOMERS),
                errors: &[],
            },
            handler: customers,
        },
        Route {
            shape: RouteShape {
                ask: get("/saldo/extrato"),
                text: RouteText {
                    name: "GetStatement",
                    tag: "Balance",
                    summary: "Show a statement",
                    description: "The accounting ledger, whose entries sum to the balance, or with `visao=operacoes` a row for each operation.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["customer_ref", "limit", "before", "visao"]),
                body: &[],
                answer: answers("Statement", balance_wire::STATEMENT),
                errors: &[],
            },
            handler: statement,
        },
        Route {
            shape: RouteShape {
                ask: get("/comissao"),
                text: RouteText {
                    name: "GetCommission",
                    tag: "Balance",
                    summary: "Show the commission",
                    description: "The partner's commission that was not withdrawn.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("Commission", balance_wire::COMMISSION),
                errors: &[],
            },
            handler: commission,
        },
        Route {
            shape: RouteShape {
                ask: get("/comissao/extrato"),
                text: RouteText {
                    name: "CommissionStatement",
                    tag: "Balance",
                    summary: "Show the ledger of commission",
                    description: "Entries of the commission, newest first.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["limit", "before"]),
                body: &[],
                answer: answers("CommissionStatement", balance_wire::COMMISSION_STATEMENT),
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
            Ok(show_balance(views.state, account, views.seen_party(account, customer)?, at))
        }
    })
}

fn read_consolidated<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    _: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, account, _| {
        views.balances_are_here(account)?;
        Ok(views.consolidated_balance(account))
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
        views.statement(&StatementQuery { account, subaccount, customer, view, limit, before })
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
