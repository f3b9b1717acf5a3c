//! Queries to begin with, each a link: what an operator asks first.

use crate::pages::console::frame::Frame;
use crate::pages::layout::{Cell, Section};
use crate::pages::ledger::viewer::form_encode;

/// What each shows, in Portuguese and in English, and the query; `{ledger}` is the ledger's name.
pub(super) const EXAMPLES: [(&str, &str, &str); 6] = [
    (
        "O que cada conta guarda",
        "What each account holds",
        "SELECT account, sum(available_cents) AS available_cents,\n       sum(held_cents + frozen_cents) AS blocked_cents\nFROM balances WHERE ledger = '{ledger}'\nGROUP BY account ORDER BY available_cents DESC",
    ),
    (
        "Operações por dia",
        "Operations by day",
        "SELECT substr(created_at, 1, 10) AS day, count(*) AS operations,\n       sum(amount_cents) AS amount_cents\nFROM operations WHERE ledger = '{ledger}'\nGROUP BY substr(created_at, 1, 10) ORDER BY day",
    ),
    (
        "Operações por tipo e estado",
        "Operations by kind and state",
        "SELECT kind, state, count(*) AS operations\nFROM operations WHERE ledger = '{ledger}'\nGROUP BY kind, state ORDER BY kind, state",
    ),
    (
        "O que está em curso há mais tempo",
        "What is under way for longest",
        "SELECT operation, kind, account, external_id, state, amount_cents, created_at\nFROM operations\nWHERE ledger = '{ledger}' AND state IN ('pending', 'delayed', 'under_review', 'requested',\n                                    'submitted', 'uncertain', 'waiting')\nORDER BY created_at, operation LIMIT 20",
    ),
    (
        "O que está bloqueado, e por quê",
        "What is blocked, and why",
        "SELECT kind, count(*) AS holds, sum(blocked_cents) AS blocked_cents,\n       sum(short_cents) AS short_cents\nFROM open_holds WHERE ledger = '{ledger}'\nGROUP BY kind ORDER BY kind",
    ),
    (
        "Saldos que não são a soma de suas linhas: nenhum",
        "Balances that are not the sum of their rows: none",
        "SELECT b.subaccount, b.balance_cents\nFROM balances b LEFT JOIN statement_rows r\n    ON r.ledger = b.ledger AND r.subaccount = b.subaccount\nWHERE b.ledger = '{ledger}'\nGROUP BY b.subaccount, b.balance_cents, b.row_count\nHAVING coalesce(sum(r.value_cents), 0) <> b.balance_cents\n    OR count(r.number) <> b.row_count",
    ),
];

pub(super) fn links(frame: &Frame) -> Section {
    let viewer = &frame.viewer;
    let name = &**frame.ledger().name();
    let link = |(pt, en, sql): (&'static str, &'static str, &'static str)| {
        let sql = sql.replace("{ledger}", name);
        let href = format!("{}/query?sql={}", viewer.base, form_encode(&sql));
        let begins: String = sql.lines().next().unwrap_or_default().chars().take(64).collect();
        (viewer.t(pt, en), Cell::code(format!("{begins} …")).to(href))
    };
    let rows = EXAMPLES.into_iter().map(link).collect();
    Section::Facts { title: viewer.t("Exemplos", "Examples"), rows }
}
