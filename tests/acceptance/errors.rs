//! The error table: code, HTTP status and action as the requirements have them (ERR).

use ledger_core::contract::{Call, CallKind, Code, Problem, RouteKind, TABLE};
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, fields};

const NOON: &str = "2026-11-20T12:00:00Z";

#[test]
fn err_18_a_short_balance_is_402_on_withdrawals_and_409_elsewhere() {
    let funds = Code::FundsInsufficient;
    assert_eq!((funds.status(RouteKind::Withdrawal), funds.status(RouteKind::Other)), (402, 409));
    for (code, name, status, _, _) in TABLE {
        if code != funds {
            assert_eq!(code.status(RouteKind::Withdrawal), status, "{name}");
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
    let identity = Identity::by_name(ledger_store::Algorithm::Blake3, [7; 32]);
    let mut sequencer = Sequencer::new("live", identity);
    let answer = sequencer.call(&Call {
        at: Instant::parse(NOON).unwrap(),
        origin: Origin::Request("req-12345678".into()),
        ask: CallKind::Request { method: "GET".into(), target: "/saldo".into(), key: None },
        body: Value::Null,
        supplied: Value::Null,
        ip: None,
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
    assert_eq!(refused.body["acao"], "falar_com_suporte", "repeating mends nothing (rulings 48)");
    assert_eq!(day.balance(NOON, "a"), (9_900, 0));
}

#[test]
fn a_command_that_there_is_not_is_not_found() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let before = day.digest();
    for command in ["wallet.empty", "key.rotat"] {
        let line = json!({ "at": NOON, "key": KEY, "command": command, "body": {} });
        let answer = day.line(&line.to_string());
        assert_eq!((answer.status, &answer.body["erro"]), (404, &json!("nao_encontrado")));
    }
    assert_eq!(day.digest(), before);
}
