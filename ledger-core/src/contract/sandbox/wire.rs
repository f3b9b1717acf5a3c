//! Answers of the sandbox: what can be played, and what was sent.

use crate::contract::schema::answer::AnswerType::{Object, Objects, Operation};
use crate::contract::schema::answer::{AnswerField, field, flag, moment, text, texts, whole};

/// Answers `GET /sandbox`: scenarios, persistence and differences from production.
pub const SANDBOX: &[AnswerField] = &[
    flag("sandbox", "whether the key is a test key", true),
    field("cenarios", Object("Scenarios", SCENARIOS), "what can be played"),
    field("persistencia", Object("Persistence", PERSISTENCE), "how long what is played stays"),
    texts("diferencas_da_producao", "what differs from production", &["nenhum banco é tocado"]),
];

const SCENARIOS: &[AnswerField] = &[
    field("cash_outs", Object("SaleScenarios", OF_SALES), "scenarios of cash-outs"),
    field("cobrancas", Object("ChargeScenarios", OF_CHARGES), "scenarios of charges"),
];

const OF_SALES: &[AnswerField] = &[
    text("seletor", "what selects one", "os dois primeiros decimais do valor enviado"),
    field("finais", Objects("Ending", ENDING), "endings of the amount"),
    text("outros_finais", "what any other ending plays", "sucesso"),
];

const ENDING: &[AnswerField] = &[
    text("final", "the ending", ".02"),
    text("o_que_acontece", "what happens", "FAILED depois do aceite e antes do depósito"),
];

const OF_CHARGES: &[AnswerField] = &[
    text("campo", "the field that selects one", "sandbox_scenario"),
    field("valores", Objects("ChargeScenario", SCENARIO), "its values"),
    text("confirmar", "how a charge is paid", "POST /sandbox/cashin/{cashin_id}/pay"),
];

const SCENARIO: &[AnswerField] = &[
    text("sandbox_scenario", "the value", "refund"),
    text("o_que_acontece", "what happens", "o PIX volta ao pagador (refunded)"),
];

const PERSISTENCE: &[AnswerField] = &[
    text("ordens", "of operations", "temporárias"),
    text("chaves", "of keys", "valem só no sandbox"),
    text("eventos", "where events are read", "GET /sandbox/events"),
];

/// An event as it is sent, the operation aside: `data` is that (P:Envelope).
pub const EVENT: &[AnswerField] = &[
    text(
        "id",
        "the id of the event, the same however often it is sent",
        "ev_33_0_2c13dba658eae6df",
    ),
    text("event", "the name of the event", "cashin.paid"),
    moment("created_at", "when it happened"),
    text("api_version", "the version of the contract", "1.45.0"),
    whole("sequence", "its place among all events of the ledger", "events", 33_000),
    field("data", Operation, "the operation as it stood then"),
];

/// Answers `GET /sandbox/events`: a page of events, newest first.
pub const EVENTS: &[AnswerField] = &[
    field("items", Objects("Event", EVENT), "events, newest first"),
    flag("has_more", "whether there is another page", false),
    text("proxima_pagina", "before of the next page; null ends the list", "32001691619").or_null(),
];
