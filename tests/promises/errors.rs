//! The error table: code, HTTP status and action as the requirements have them (ERR).

use ledger_core::contract::{Ask, Call, Code, Problem, Route, TABLE};
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use ledger_store::book::Book;
use ledger_store::journal::Identity;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, fields};

const NOON: &str = "2026-11-20T12:00:00Z";

/// The requirements' table, the rows whose codes are raised here.
const EXPECTED: [(&str, u16, &str); 67] = [
    ("amount_invalido", 400, "corrigir"),
    ("asset_invalido", 400, "corrigir"),
    ("campos_conflitantes", 400, "corrigir"),
    ("campos_obrigatorios", 400, "corrigir"),
    ("carencia_primeiro_deposito", 423, "esperar"),
    ("carteira_indisponivel", 503, "esperar"),
    ("carteira_nao_liberada", 403, "falar_com_suporte"),
    ("cashin_indisponivel", 503, "esperar"),
    ("catalogo_indisponivel", 503, "repetir"),
    ("chave_ausente", 401, "corrigir"),
    ("chave_desconhecida", 401, "corrigir"),
    ("cotacao_divergente", 409, "corrigir"),
    ("cotacao_recusada", 400, "corrigir"),
    ("pagamentos_indisponiveis", 503, "esperar"),
    ("cotacao_expirada", 409, "corrigir"),
    ("cotacao_indisponivel", 503, "repetir"),
    ("custodia_desligada", 403, "falar_com_suporte"),
    ("destino_invalido", 400, "corrigir"),
    ("documento_invalido", 400, "corrigir"),
    ("erro_interno", 500, "falar_com_suporte"),
    ("external_id_divergente", 409, "corrigir"),
    ("formato_invalido", 400, "corrigir"),
    ("funding_source_invalido", 400, "corrigir"),
    ("limite_diario", 429, "esperar"),
    ("limite_do_pagador", 403, "corrigir"),
    ("mandate_contraparte_nao_autorizada", 403, "corrigir"),
    ("mandate_valor_acima_do_teto", 403, "corrigir"),
    ("memo_obrigatorio", 400, "corrigir"),
    ("muitos_pedidos_abertos", 409, "esperar"),
    ("metodo_nao_permitido", 405, "corrigir"),
    ("nao_encontrado", 404, "corrigir"),
    ("nao_permitido", 403, "parar"),
    ("nao_processavel", 422, "corrigir"),
    ("origem_igual_destino", 400, "corrigir"),
    ("pagador_bloqueado", 403, "parar"),
    ("pagador_recusado_pelo_provedor", 403, "parar"),
    ("payer_tax_invalido", 400, "corrigir"),
    ("payer_tax_number_invalido", 400, "corrigir"),
    ("payout_address_invalido", 400, "corrigir"),
    ("payout_address_obrigatorio", 400, "corrigir"),
    ("payout_nao_liberado", 403, "falar_com_suporte"),
    ("payout_recusado", 422, "corrigir"),
    ("pix_key_invalida", 400, "corrigir"),
    ("pix_key_obrigatoria", 400, "corrigir"),
    ("provedor_sem_resposta", 504, "repetir"),
    ("rede_indisponivel", 400, "corrigir"),
    ("requisicao_invalida", 400, "corrigir"),
    ("saldo_insuficiente", 409, "corrigir"),
    ("saque_comissao_diario", 429, "esperar"),
    ("saque_indisponivel", 503, "esperar"),
    ("tax_number_obrigatorio", 400, "corrigir"),
    ("taxa_alterada", 409, "corrigir"),
    ("temporariamente_indisponivel", 503, "esperar"),
    ("tipo_ambiguo", 400, "corrigir"),
    ("valor_abaixo_do_minimo", 400, "corrigir"),
    ("valor_acima_do_maximo", 400, "corrigir"),
    ("brl_amount_invalido", 400, "corrigir"),
    ("br_code_invalido", 400, "corrigir"),
    ("br_code_indisponivel", 503, "esperar"),
    ("br_code_sem_valor", 400, "corrigir"),
    ("cashout_indisponivel", 503, "esperar"),
    ("limite_diario_recebedor", 429, "esperar"),
    ("liquidante_indisponivel", 503, "esperar"),
    ("refund_address_imutavel", 409, "corrigir"),
    ("refund_address_invalida", 400, "corrigir"),
    ("status_invalido", 409, "corrigir"),
    ("valor_invalido", 400, "corrigir"),
];

#[test]
fn the_table_is_that_of_the_requirements() {
    for (code, name, status, action, _) in TABLE {
        let row = EXPECTED.iter().find(|(known, _, _)| *known == name);
        assert_eq!(row, Some(&(name, status, action.name())));
        assert_eq!((code.name(), code.status(Route::Other)), (name, status));
    }
    assert_eq!(TABLE.len(), EXPECTED.len());
}

#[test]
fn err_18_a_short_balance_is_402_on_withdrawals_and_409_elsewhere() {
    let funds = Code::FundsInsufficient;
    assert_eq!((funds.status(Route::Withdrawal), funds.status(Route::Other)), (402, 409));
    for (code, name, status, _, _) in TABLE {
        if code != funds {
            assert_eq!(code.status(Route::Withdrawal), status, "{name}");
        }
    }
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 1_100);
    assert_eq!(day.payout("p", NOON, "a", 1_000).status, 402, "the fee is short");
    assert_eq!(day.transfer("t", NOON, "a", "casa", 1_001).status, 409);
}

#[test]
fn w69_the_alias_is_sent_until_the_midnight_of_9_november_in_brasilia() {
    let problem = Problem::new(Code::NotFound, "there is no such charge");
    let body = |at: &str| problem.body(Instant::parse(at).unwrap(), None);
    assert_eq!(body("2026-11-09T02:59:59Z")["code"], "nao_encontrado");
    assert_eq!(body("2026-11-09T02:59:59.999999Z")["code"], "nao_encontrado");
    assert_eq!(fields(&body("2026-11-09T03:00:00Z")), ["erro", "acao", "detail"]);
}

#[test]
fn w69_the_same_on_the_wire() {
    for (at, code) in
        [("2026-11-09T02:59:59Z", json!("nao_encontrado")), ("2026-11-09T03:00:00Z", Value::Null)]
    {
        let mut day = Day::opened(at);
        let line = json!({ "at": at, "key": KEY, "request": "GET /cashin/ci_0/status" });
        let answer = day.line(&line.to_string());
        assert_eq!((&answer.body["erro"], &answer.body["code"]), (&json!("nao_encontrado"), &code));
    }
}

#[test]
fn err_08_errors_carry_what_helps_to_correct_them() {
    let mut day = Day::opened(NOON);
    let low = day.charge("c", NOON, "a", 50).body;
    assert_eq!(low["minimo_estimado_cents"], 101);
    let high = day.charge("c", NOON, "a", 700_000).body;
    assert_eq!(high["limits"]["max_amount_cents"], 600_000);
    assert_eq!(fields(&high), ["erro", "acao", "detail", "limits"]);
}

#[test]
fn err_02_details_say_no_more_than_a_client_may_know() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let refused = day.payout("p", NOON, "a", 100).body;
    let detail = refused["detail"].as_str().unwrap();
    assert!(!detail.contains(crate::day::OWNER) && !detail.contains("exemplo"), "{detail}");
}

#[test]
fn auth_07_the_request_id_of_a_call_stands_in_its_error() {
    let identity = Identity { algorithm: ledger_store::Algorithm::Blake3, vault_key: [7; 32] };
    let mut book = Book::new("live", identity);
    let answer = book.call(&Call {
        at: Instant::parse(NOON).unwrap(),
        origin: Origin::Request("req-12345678".into()),
        ask: Ask::Request { method: "GET".into(), target: "/saldo".into(), key: None },
        body: Value::Null,
        supplied: Value::Null,
    });
    assert_eq!(answer.status, 401);
    assert_eq!(answer.body["request_id"], "req-12345678");
}

#[test]
fn rulings_20_a_payout_whose_tariff_is_unknown_is_refused() {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
        "saque_taxa_provedor_tipo":"desconhecido"}"#;
    let mut day = Day::with_terms(NOON, terms);
    day.deposit("d", NOON, "a", 10_000);
    let saldo = day.get(NOON, "/saldo");
    assert_eq!(saldo["saque_taxa_provedor_tipo"], "desconhecido");
    assert_eq!(saldo["saque_taxa_estimada_cents"], Value::Null, "null is not zero (FEE-31)");
    let refused = day.payout("p", NOON, "a", 100);
    assert_eq!((refused.status, &refused.body["erro"]), (503, &json!("cotacao_indisponivel")));
    assert_eq!(refused.body["acao"], "repetir");
    assert_eq!(day.balance(NOON, "a"), (9_900, 0));
}
