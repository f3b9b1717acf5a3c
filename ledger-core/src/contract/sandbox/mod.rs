//! The sandbox on the wire: its routes, and what it answers before the ledger is asked (contract,
//! 3.3 and 4.8).
//!
//! The ledger of test keys has the rules of every other; only the providers are played (SBX-14).
//! Whoever plays them reads here what a charge or a sale asks for.

mod events;
mod pay;
mod scenario;
pub(super) mod wire;

use serde_json::{Value, json};

use super::error::{Code, Problem};
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::charge;
use crate::contract::error::RouteKind;
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get, post};
use crate::id::{LedgerName, OpId};
use crate::ledger::Archive;
use crate::time::Instant;

pub use scenario::{Scenario, first_accept, read_scenario};

/// The institution of the made-up PIX system.
const ISPB: &str = "99999999";

/// Tells that an end-to-end id is one that the made-up PIX system gave ([`pix_id`]).
pub(super) fn is_played_pix(e2e: &str) -> bool {
    let letter = e2e.strip_prefix(['E', 'D']);
    letter.is_some_and(|rest| rest.starts_with(ISPB))
}

/// What only a test key may ask for.
fn test_keys_only(sandbox: bool) -> Result<(), Problem> {
    let refusal = || Problem::new(Code::NotPermitted, "this route is for test keys");
    sandbox.then_some(()).ok_or_else(refusal)
}

/// The id that the made-up PIX system gives to a PIX of this operation: `E` for a payment, `D` for
/// a return. The same operation and minute always give the same.
#[must_use]
pub fn pix_id(letter: char, op: OpId, ledger: &LedgerName, at: Instant) -> String {
    let (minute, name) = (at.to_string(), op.text(ledger));
    let digits: String = minute.chars().filter(char::is_ascii_digit).take(12).collect();
    format!("{letter}{ISPB}{digits}{}", &name[name.len() - 11..])
}

/// The routes of the sandbox.
pub(super) struct Sandbox;

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
    context.read(|views, _, _| Ok(sandbox(views.state.is_sandbox())))
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

/// What can be played, how long it lasts, what differs from production (SBX-11), and whether the
/// key that asks is a test key.
fn sandbox(test_key: bool) -> Value {
    let scenario = |known: Scenario| json!({ "sandbox_scenario": known.name(), "o_que_acontece": plays(known) });
    json!({
        "sandbox": test_key,
        "cenarios": {
            "cash_outs": {
                "seletor": "os dois primeiros decimais do valor enviado (amount, brl_amount ou o \
                            valor do QR), truncados",
                "finais": ENDINGS.map(|(ending, plays)| json!({ "final": ending, "o_que_acontece": plays })),
                "outros_finais": "sucesso",
            },
            "cobrancas": {
                "campo": "sandbox_scenario",
                "valores": Scenario::ALL.map(scenario),
                "confirmar": "POST /sandbox/cashin/{cashin_id}/pay",
            },
        },
        "persistencia": {
            "ordens": "temporárias: o sandbox pode ser esvaziado sem aviso",
            "chaves": "valem só no sandbox",
            "eventos": "GET /sandbox/events",
        },
        "diferencas_da_producao": [
            "nenhum banco, corretora ou blockchain é tocado",
            "preços e prazos são sintéticos e se repetem com a mesma semente",
            "as operações percorrem os estados reais em cerca de 15 segundos",
            "o QR não pode ser pago em banco, e os endereços não recebem fundos",
            "POST /cash-outs responde 201, e cashout_id começa com sbx_",
        ],
    })
}

const ENDINGS: [(&str, &str); 9] = [
    (".00", "sucesso em cerca de 15 segundos"),
    (".01", "DELAYED, depois COMPLETED"),
    (".02", "FAILED depois do aceite e antes do depósito"),
    (".03", "a cotação expira em 5 segundos"),
    (".04", "recusa valor_acima_do_maximo com limits"),
    (".05", "COMPLETED em cerca de 2 minutos"),
    (".06", "recusa pagador_recusado_pelo_provedor"),
    (".07", "o primeiro aceite responde 503 liquidante_indisponivel; aceite a mesma ordem de novo"),
    (".08", "recusa limite_do_pagador"),
];

const fn plays(scenario: Scenario) -> &'static str {
    match scenario {
        Scenario::Hold => "o provedor retém o PIX (delayed) e depois o libera",
        Scenario::Refund => "o PIX volta ao pagador (refunded)",
        Scenario::SettlementFailed => {
            "cripto: o envio falha uma vez e é repetido; saldo: o PIX volta ao pagador"
        }
        Scenario::SettlementUncertain => {
            "cripto: incerto até haver prova; saldo: under_review até o provedor liquidar"
        }
    }
}
