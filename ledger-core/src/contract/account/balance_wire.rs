//! Answers about balances, statements and commission, declared.

use crate::contract::charge::wire::SETTLEMENT;
use crate::contract::schema::answer::AnswerType::{Object, Objects};
use crate::contract::schema::answer::{
    AnswerField, bps, cents, field, flag, moment, text, texts, whole, word,
};

/// Answers `GET /saldo`: a balance, its fees and its next releases.
pub const BALANCE: &[AnswerField] = &[
    flag("custodia_ativa", "whether custody is enabled", true),
    cents("disponivel_cents", "what can be spent; below zero after a forced debit", 49_900),
    cents("bloqueado_cents", "what is held, released later or by evidence", 0),
    bps("deposito_fee_bps", "the percentage of a deposit", 0),
    cents("deposito_fee_fixed_cents", "the fixed fee of a deposit", 100),
    bps("saque_fee_bps", "the service's percentage of a payout", 150),
    bps("saque_fee_total_bps", "that and the partner's", 200).or_null(),
    cents("saque_taxa_estimada_cents", "the PIX tariff of a payout", 0).or_null(),
    word("saque_taxa_provedor_tipo", "how that tariff is set", &["fixo"]),
    bps("saque_cripto_fee_bps", "the fee of withdrawing crypto", 0),
    bps("saque_cripto_conversao_fee_bps", "the percentage of a conversion", 330),
    cents("saque_cripto_conversao_fee_fixed_cents", "the fixed fee of a conversion", 0),
    whole("carencia_horas", "how long a first deposit waits", "hours", 24),
    moment("carencia_ate", "until when nothing can be withdrawn").or_null(),
    cents("retencao_acima_cents", "above which a deposit is held", 6_000).or_null(),
    field("proximas_liberacoes", Objects("Release", RELEASE), "what is released, and when"),
    moment("as_of", "the instant that this balance is of"),
];

/// Answers `GET /saldo?em=`: the balance at an instant of the past.
pub const BALANCE_AT: &[AnswerField] = &[
    cents("saldo_cents", "available and blocked together, as the statement ran", 49_900),
    moment("as_of", "the instant that was asked for"),
];

const RELEASE: &[AnswerField] = &[
    cents("valor_cents", "how much is released", 4_900),
    moment("disponivel_em", "when it can be spent"),
];

const PARTS: &[AnswerField] = &[
    cents("disponivel_cents", "what can be spent", 12_000),
    cents("bloqueado_cents", "what is held", 0),
];

const OF_CUSTOMERS: &[AnswerField] = &[
    cents("disponivel_cents", "what can be spent", 12_000),
    cents("bloqueado_cents", "what is held", 0),
    whole("quantidade", "how many there are", "subaccounts", 3),
];

/// Answers `GET /saldo/consolidado`: the house and all subaccounts, summed.
pub const CONSOLIDATED: &[AnswerField] = &[
    field("casa", Object("HouseTotals", PARTS), "the house's own balance"),
    field("clientes", Object("CustomerTotals", OF_CUSTOMERS), "all subaccounts together"),
    cents("total_cents", "everything together", 24_000),
    cents("total_negativo_cents", "of it, the balances below zero", 0),
];

const CUSTOMER: &[AnswerField] = &[
    text("customer_ref", "the subaccount", "ana"),
    cents("disponivel_cents", "what can be spent", 12_000),
    cents("bloqueado_cents", "what is held", 0),
];

/// Answers `GET /saldo/clientes`: a page of subaccounts with their balances.
pub const CUSTOMERS: &[AnswerField] = &[
    field("items", Objects("Customer", CUSTOMER), "subaccounts, in the order of their names"),
    text("next_cursor", "cursor of the next page; null ends the list", "4182").or_null(),
];

const FEE: &[AnswerField] = &[
    word("tipo", "its kind", &["servico"]),
    text("descricao", "what it is called", "Taxa de serviço"),
    cents("valor_cents", "its amount, without a sign", 100),
    cents("efeito_saldo_cents", "what it did to the balance", -100),
];

/// The kinds of rows.
const KINDS: &[&str] = &[
    "deposito",
    "saque_pix",
    "transferencia_entrada",
    "transferencia_saida",
    "estorno",
    "ajuste_taxa",
    "baixa",
    "saque_cripto",
    "comissao",
    "estorno_comissao",
    "saque_comissao",
    "devolucao_saque_comissao",
    "ordem_judicial",
];

const ROW: &[AnswerField] = &[
    cents("valor_cents", "what it did to the balance", 9_900),
    text("origem_id", "the operation that it is of", "ci_000000000003e1cd30f8231ba3c7"),
    word("tipo", "its kind", KINDS),
    text("movimento_id", "the id of the entry", "8864493").sometimes(),
    cents("saldo_apos_cents", "the balance after it", 9_900).sometimes(),
    text("descricao", "what it is called", "Depósito PIX").sometimes(),
    moment("created_at", "when it was booked").sometimes(),
    cents("valor_operacao_cents", "the principal of the operation", 10_000).sometimes(),
    cents("taxas_cents", "all its fees, without a sign", 100).sometimes(),
    field("taxas", Objects("StatementFee", FEE), "its fees").sometimes(),
    texts("movimentos_ids", "the entries that it is made of", &["2864493"]).sometimes(),
    text("status", "how the operation stands", "paid").or_null().sometimes(),
    text("status_label", "the same in Portuguese", "Paga").or_null().sometimes(),
    word("settlement_status", "how far settlement got", SETTLEMENT).or_null().sometimes(),
];

const NEXT_PAGE: AnswerField =
    text("proxima_pagina", "before of the next page; null ends the list", "8864493").or_null();

const HAS_MORE: AnswerField = flag("has_more", "whether there is another page", false);

/// Answers `GET /saldo/extrato`: a page of statement rows.
pub const STATEMENT: &[AnswerField] = &[
    word("visao", "which view it is", &["lancamentos", "operacoes"]),
    text("customer_ref", "the subaccount; null is the house", "ana").or_null(),
    field("items", Objects("StatementRow", ROW), "rows, newest first"),
    HAS_MORE,
    NEXT_PAGE,
];

/// Answers `GET /comissao`: the commission's balance and withdrawals.
pub const COMMISSION: &[AnswerField] = &[
    cents("saldo_cents", "the commission earned and not withdrawn", 4_465),
    cents("disponivel_cents", "what of it can be withdrawn", 4_465),
    whole("movimentos", "how many entries its ledger has", "entries", 11),
    moment("ultimo_saque_em", "when it was last withdrawn").or_null(),
    moment("proximo_saque_em", "when it can be withdrawn again").or_null(),
];

const COMMISSION_ROW: &[AnswerField] = &[
    text("movimento_id", "the id of the entry", "7250528"),
    word("tipo", "its kind", KINDS),
    text("descricao", "what it is called", "Comissão"),
    cents("valor_cents", "what it did to the balance", 10),
    cents("saldo_apos_cents", "the balance after it", 650),
    text("origem_id", "the operation that it is of", "po_000000000046737713ce8d269f05"),
    moment("created_at", "when it was booked"),
];

/// Answers `GET /comissao/extrato`: a page of the commission's entries.
pub const COMMISSION_STATEMENT: &[AnswerField] = &[
    field("movimentos", Objects("CommissionRow", COMMISSION_ROW), "entries, newest first"),
    HAS_MORE,
    NEXT_PAGE,
];
