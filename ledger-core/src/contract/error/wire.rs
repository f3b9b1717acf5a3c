//! The fields of errors.

use crate::contract::agent::wire::NEXT_ACTION;
use crate::contract::charge::wire::LIMITS as PAYER_LIMITS;
use crate::contract::schema::answer::AnswerType::{Object, Objects};
use crate::contract::schema::answer::{
    AnswerField, UNITS, USDT, cents, decimal, field, moment, text, texts, whole, word,
};

const ACTIONS: &[&str] = &["corrigir", "repetir", "esperar", "parar", "falar_com_suporte"];

const LIMITS: &[AnswerField] = &[
    cents("max_amount_cents", "the most that is accepted now", 575_000).sometimes(),
    decimal("min_amount", "the least of an order", UNITS, "6.000000").sometimes(),
    decimal("max_amount", "the most of an order", UNITS, "200000.000000").sometimes(),
    cents("max_brl_cents", "the effective ceiling now", 10_000_000).sometimes(),
    cents("max_brl_cents_por_transacao", "the nominal ceiling of an order", 25_000_000).sometimes(),
];

/// The fields of an error body (contract, section 7).
pub const ERROR: &[AnswerField] = &[
    text("erro", "the stable code: branch on it, never on detail", "saldo_insuficiente"),
    word("acao", "what the client is to do", ACTIONS),
    text("detail", "text for people, which may change", "the balance does not cover it"),
    text("request_id", "also in X-Request-ID", "req-5a5a5a5a").sometimes(),
    text("docs", "where the error is described", "https://example.com/docs#saldo_insuficiente")
        .sometimes(),
    text("code", "alias of erro, deprecated: not sent since 2026-11-09", "saldo_insuficiente")
        .sometimes(),
    field("limits", Object("ErrorLimits", LIMITS), "limits, in what the operation counts in")
        .sometimes(),
    cents("minimo_estimado_cents", "the least that would pass", 2_945).or_null().sometimes(),
    decimal("min_usdt", "the least that would pass", USDT, "5.000000").sometimes(),
    field("payer_limits", Object("PayerLimits", PAYER_LIMITS), "where the payer stands")
        .sometimes(),
    text("stage", "the stage of the payer ladder", "first_24h").sometimes(),
    text("provider_reference", "the provider's own reference", "cmp-81").sometimes(),
    moment("libera_em", "when it would pass").or_null().sometimes(),
    whole("retry_after_seconds", "when to come back, also in Retry-After", "seconds", 120)
        .sometimes(),
    texts("campos_divergentes", "the fields that differ", &["pix_key"]).sometimes(),
    cents("disponivel_cents", "what can be spent", 4_900).sometimes(),
    cents("debited_cents", "what would be debited", 5_190).sometimes(),
    decimal("available", "what the wallet can spend", USDT, "4.900000").sometimes(),
    text("status", "what the operation or agent is", "production_requirements_incomplete")
        .sometimes(),
    texts("missing", "what production still demands", &["mandate"]).sometimes(),
    field("next_actions", Objects("NextAction", NEXT_ACTION), "how to get it").sometimes(),
];
