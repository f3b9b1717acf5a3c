//! Answers about balances, statements, transfers, payouts and commission.

use super::charge::{E2E, SETTLEMENT, WALLET};
use crate::contract::reference::answer::AnswerType::{Object, Objects};
use crate::contract::reference::answer::{
    AnswerField, UNITS, USDT, bps, cents, decimal, field, flag, moment, text, texts, whole, word,
};

/// `GET /saldo`.
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

/// `GET /saldo?em=`.
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

/// `GET /saldo/consolidado`.
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

/// `GET /saldo/clientes`.
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

/// `GET /saldo/extrato`.
pub const STATEMENT: &[AnswerField] = &[
    word("visao", "which view it is", &["lancamentos", "operacoes"]),
    text("customer_ref", "the subaccount; null is the house", "ana").or_null(),
    field("items", Objects("StatementRow", ROW), "rows, newest first"),
    HAS_MORE,
    NEXT_PAGE,
];

/// `GET /comissao`.
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

/// `GET /comissao/extrato`.
pub const COMMISSION_STATEMENT: &[AnswerField] = &[
    field("movimentos", Objects("CommissionRow", COMMISSION_ROW), "entries, newest first"),
    HAS_MORE,
    NEXT_PAGE,
];

/// `POST /saldo/transferir`.
pub const TRANSFER: &[AnswerField] = &[
    text("transfer_id", "the id of the transfer", "tr_000000000037d2d44936e824b3a1"),
    word("status", "how it stands: it is done when it is answered", &["concluida"]),
    cents("amount_cents", "how much was moved", 2_000),
    text("from_customer_ref", "who paid; casa is the house", "ana"),
    text("to_customer_ref", "who received; casa is the house", "bia"),
    text("external_id", "the account's own id of it", "repasse-1").or_null(),
    text("descricao", "the note", "mensalidade").or_null(),
    moment("created_at", "when it was made"),
];

/// The states of a payout (P:PayoutStates).
const PAYOUT_STATUS: &[&str] =
    &["requested", "submitted", "completed", "returned", "failed", "uncertain", "under_review"];

/// A payout.
pub const PAYOUT: &[AnswerField] = &[
    text("payout_id", "the id of the payout", "po_00000000003fd30e1a9d19d00795"),
    word("status", "how it stands; uncertain is no failure", PAYOUT_STATUS),
    cents("amount_cents", "what the recipient receives", 5_000),
    text("customer_ref", "the subaccount; null is the house", "ana").or_null(),
    text("external_id", "the account's own id of it", "saque-1").or_null(),
    text("pix_key", "the key that is paid, masked", "a***@exemplo.com.br"),
    cents("fee_service_total_cents", "the service fee, the partner's part included", 100).or_null(),
    cents("fee_provider_cents", "the PIX tariff", 0).or_null(),
    cents("fee_cents", "both together", 100).or_null(),
    cents("fee_partner_cents", "of the service fee, the partner's part", 25).or_null(),
    cents("fee_service_cents", "of the service fee, the service's part", 75).or_null(),
    cents("debited_cents", "what the balance was debited", 5_100).or_null(),
    cents("returned_cents", "what came back", 0).or_null(),
    text("e2e", "the end-to-end id of the PIX", E2E).or_null(),
    moment("created_at", "when it was asked for"),
    moment("updated_at", "when it last changed"),
    text("recipient_name", "the recipient's name", "Ana Souza").sometimes(),
    text("recipient_document", "the recipient's CPF or CNPJ, masked", "***.982.247-**").sometimes(),
    text("institution", "the recipient's institution", "Banco de Teste").sometimes(),
    text("settled_by", "who settled the PIX", "SPI").sometimes(),
    text("receipt_url", "where its receipt is", "https://example.com/r/1").sometimes(),
];

/// Payouts under one external id.
pub const PAYOUTS: &[AnswerField] =
    &[field("payouts", Objects("Payout", PAYOUT), "the payouts of this external id")];

/// `commission.withdraw`.
pub const COMMISSION_WITHDRAWAL: &[AnswerField] = &[
    text("withdrawal_id", "the id of the withdrawal", "cw_000000000052ca9692885eacc25b"),
    word("status", "how it stands", &["paid", "refunded"]),
    word("settlement_status", "how far delivery got", SETTLEMENT),
    cents("amount_cents", "what was withdrawn", 4_000),
    text("asset", "the asset that is delivered", "usdt"),
    text("chain", "the network that it is delivered on", "polygon"),
    text("payout_address", "the wallet that it is delivered to", WALLET),
    decimal("usdt_amount", "what is delivered, in USDT", USDT, "7.339449").or_null(),
    decimal("amount", "what is delivered, in the asset", UNITS, "7.339449").or_null(),
    text("settlement_tx_hash", "the transaction that delivered it", "0x9f2c").or_null(),
    text("external_id", "the account's own id of it", "comissao-1").or_null(),
    moment("created_at", "when it was asked for"),
    moment("settled_at", "when it was delivered").or_null(),
];
