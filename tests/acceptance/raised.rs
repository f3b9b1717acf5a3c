//! Every code of the error table is raised by a line, with its status, its action and its further
//! fields (ERR-03, ERR-08, ERR-12, ERR-13, ERR-15, ERR-18).

use ledger_core::contract::{Code, Problem, Response, RouteKind, TABLE};
use ledger_core::time::Instant;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, PAYER, judged, payout_body};
use crate::market::{TON, WALLET, conversion, purchase};
use crate::selling::{STANDARD, to_mail};

const NOON: &str = "2026-11-20T12:00:00Z";

/// A charge of 5,000 into the balance, changed in one field.
fn charged(field: &str, value: Value) -> Response {
    let mut body = json!({ "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER });
    body[field] = value;
    Day::trading(NOON, AT_ONCE).ask(NOON, "POST /cashin/charge", &body)
}

/// A purchase of 10,000, changed in one field.
fn buying(field: &str, value: Value) -> Response {
    let mut body = purchase(10_000);
    body[field] = value;
    Day::trading(NOON, AT_ONCE).ask(NOON, "POST /cashin/charge", &body)
}

/// A payout out of nothing, changed in one field.
fn paying_out(field: &str, value: Value) -> Response {
    let mut body = payout_body("o", 100);
    body[field] = value;
    Day::with_terms(NOON, AT_ONCE).ask(NOON, "POST /payouts", &body)
}

/// A payout of 100 by an agent under this mandate.
fn mandated(mandate: Value) -> Response {
    Day::agency(NOON, &mandate).payout("o", NOON, "", 100)
}

/// A request for production by an agent that only registered.
fn unready() -> Response {
    let mut day = Day::new();
    let body = json!({ "name": "Ada", "contact": "ada", "capabilities": ["brl_to_pix"] });
    let made = day.ask_with("", NOON, "POST /mesh/agents", &body).body;
    let (id, key) = (made["agent_id"].as_str().unwrap(), made["api_key"].as_str().unwrap());
    let request = format!("POST /mesh/agents/{id}/production-request");
    day.ask_with(key, NOON, &request, &Value::Null)
}

fn with_terms(terms: &str, request: &str, body: &Value) -> Response {
    let mut day = Day::trading(NOON, AT_ONCE);
    assert_eq!(day.agree(NOON, serde_json::from_str(terms).unwrap()), "applied");
    day.ask(NOON, request, body)
}

fn with_policy(policy: Value, request: &str, body: &Value) -> Response {
    let mut day = Day::trading(NOON, AT_ONCE);
    assert_eq!(day.adopt(NOON, policy), "applied");
    day.ask(NOON, request, body)
}

fn line(line: &Value) -> Response {
    Day::opened(NOON).line(&line.to_string())
}

fn reading(target: &str) -> Response {
    line(&json!({ "at": NOON, "key": KEY, "request": format!("GET {target}") }))
}

fn supplied(supplied: Value) -> Response {
    let body = json!({ "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER });
    let mut asked = json!({
        "at": NOON, "key": KEY, "request": "POST /cashin/charge", "body": body,
    });
    asked["supplied"] = supplied;
    line(&asked)
}

fn sandboxed(key: &str, scenario: &str) -> Response {
    let mut day = Day::opened(NOON);
    if key != KEY {
        let line = json!({
            "at": NOON, "fact": "account.opened", "environment": "sandbox",
            "body": { "id": "acc-2", "account": "feira" }, "supplied": { "key": key },
        });
        assert_eq!(day.line(&line.to_string()).status, 200);
    }
    let line = json!({
        "at": NOON, "key": key, "request": "POST /cashin/charge",
        "body": { "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER,
                  "sandbox_scenario": scenario },
    });
    day.line(&line.to_string())
}

fn waiting() -> Response {
    let mut day = Day::with_terms(NOON, r#"{"sem_retencao":true,"liberacao":"imediata"}"#);
    day.deposit("d", NOON, "a", 5_000);
    day.payout("o", NOON, "a", 100)
}

fn divergent() -> Response {
    let mut day = Day::opened(NOON);
    assert_eq!(day.charge("c", NOON, "a", 5_000).status, 200);
    day.charge("c", NOON, "a", 5_001)
}

fn blocked() -> Response {
    let mut day = Day::opened(NOON);
    let body = json!({ "id": "rev-1", "payer_tax_number": PAYER, "finding": "blocked" });
    assert_eq!(day.report(NOON, "payer.reviewed", &judged(body)), "applied");
    day.charge("c", NOON, "a", 5_000)
}

fn twice_withdrawn() -> Response {
    let mut day = Day::trading(NOON, r#"{"partner_fee_bps":1000}"#);
    day.delivered("p", NOON, 100_000);
    assert_eq!(day.withdraw("w", NOON, 3_000).status, 200);
    day.withdraw("v", NOON, 3_000)
}

fn capped() -> Response {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    let mut body = conversion("a", 10_000);
    body["max_debited_cents"] = 10_329.into();
    day.ask(NOON, "POST /saldo/sacar-cripto", &body)
}

fn ambiguous(owner: bool) -> Response {
    let mut body = payout_body("o", 100);
    body["pix_key"] = "11144477735".into();
    if owner {
        body["pix_key_type"] = "cpf".into();
    }
    Day::opened(NOON).ask(NOON, "POST /payouts", &body)
}

/// A wallet that was never configured, granted or not.
fn unwalleted(granted: bool) -> Response {
    let mut day = Day::trading(NOON, AT_ONCE);
    assert_eq!(day.agree(NOON, json!({ "carteira_usdt": granted })), "applied");
    day.deposit_usdt("w", NOON, &json!({ "amount": "100" }))
}

fn six_open() -> Response {
    let mut day = Day::walleted(NOON);
    let body = json!({ "amount": "100" });
    for _ in 0..5 {
        assert_eq!(day.deposit_usdt("w", NOON, &body).status, 201);
    }
    day.deposit_usdt("w", NOON, &body)
}

/// A withdrawal that says something besides its quote.
fn withdrawn(at: &str, with: Value) -> Response {
    let mut day = Day::walleted(NOON);
    day.quote_withdrawal("w", NOON, "50", "USDT");
    day.withdraw_usdt("w", at, with)
}

/// A payment of a centavo from a wallet with other settings.
fn paying(settings: Value) -> Response {
    let mut day = Day::paying_with(NOON, "100");
    assert_eq!(day.configure(NOON, settings), "applied");
    day.pay_from_wallet("p", NOON, json!({ "brl_amount": "0.01", "pix_key": "a@example.com" }))
}

/// By code: a line that raises it, and the fields its error carries besides code, action and
/// detail.
pub type Raised = (&'static str, fn() -> Response, &'static [&'static str]);

pub const RAISED: [Raised; 66] = [
    ("amount_invalido", || charged("amount_cents", json!(0)), &[]),
    ("asset_invalido", || buying("asset", json!("btc")), &[]),
    (
        "campos_conflitantes",
        || {
            let mut body = purchase(10_000);
            body["memo"] = "1".into();
            body["tag"] = "2".into();
            Day::trading(NOON, "{}").ask(NOON, "POST /cashin/charge", &body)
        },
        &[],
    ),
    ("campos_obrigatorios", || charged("payer_tax_number", Value::Null), &[]),
    ("carencia_primeiro_deposito", waiting, &["libera_em"]),
    ("carteira_indisponivel", || unwalleted(true), &[]),
    ("carteira_nao_liberada", || unwalleted(false), &[]),
    (
        "cashin_indisponivel",
        || with_policy(json!({ "cashin_paused": true }), "POST /cashin/charge", &purchase(10_000)),
        &[],
    ),
    ("catalogo_indisponivel", || reading("/cashin/catalog"), &[]),
    ("chave_ausente", || line(&json!({ "at": NOON, "request": "GET /saldo" })), &[]),
    (
        "chave_desconhecida",
        || line(&json!({ "at": NOON, "key": "svc_live_nobody", "request": "GET /saldo" })),
        &[],
    ),
    ("pagamentos_indisponiveis", || paying(json!({ "payments_enabled": false })), &[]),
    ("cotacao_recusada", || paying(json!({ "min_payment_brl": "0.01" })), &[]),
    ("cotacao_divergente", || withdrawn(NOON, json!({ "amount": "7" })), &["campos_divergentes"]),
    ("cotacao_expirada", || withdrawn("2026-11-20T12:05:00Z", json!({})), &[]),
    (
        "cotacao_indisponivel",
        || {
            let mut day = Day::trading(NOON, "{}");
            day.buy("p", "2026-11-20T12:15:01Z", 10_000)
        },
        &[],
    ),
    (
        "custodia_desligada",
        || {
            let body =
                json!({ "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER });
            with_terms(r#"{"custodia_ativa":false}"#, "POST /cashin/charge", &body)
        },
        &[],
    ),
    ("destino_invalido", || charged("destino", json!("Saldo")), &[]),
    ("documento_invalido", || paying_out("tax_number", json!("52998224724")), &[]),
    ("external_id_divergente", divergent, &["campos_divergentes"]),
    ("formato_invalido", || charged("customer_ref", json!("casa")), &[]),
    ("funding_source_invalido", || withdrawn(NOON, json!({ "funding_source": "saldo" })), &[]),
    (
        "limite_diario",
        || {
            with_terms(
                r#"{"cashin_daily_max_cents":9999}"#,
                "POST /cashin/charge",
                &purchase(10_000),
            )
        },
        &["libera_em"],
    ),
    (
        "limite_do_pagador",
        || Day::with_ladder(NOON, "{}").charge("c", NOON, "a", 20_001),
        &["stage", "payer_limits"],
    ),
    ("mandate_contraparte_nao_autorizada", || mandated(json!({ "contrapartes": [PAYER] })), &[]),
    (
        "mandate_valor_acima_do_teto",
        || mandated(json!({ "max_diario_cents": 99 })),
        &["limits", "libera_em"],
    ),
    (
        "memo_obrigatorio",
        || {
            let mut body = purchase(10_000);
            body["chain"] = "ton".into();
            body["payout_address"] = TON.into();
            Day::trading(NOON, "{}").ask(NOON, "POST /cashin/charge", &body)
        },
        &[],
    ),
    ("muitos_pedidos_abertos", six_open, &[]),
    ("metodo_nao_permitido", || reading("/cashin/charge"), &[]),
    ("nao_encontrado", || reading("/cashin/ci_0/status"), &[]),
    ("nao_permitido", || sandboxed(KEY, "hold"), &[]),
    ("nao_processavel", unready, &["status", "missing", "next_actions"]),
    ("origem_igual_destino", || Day::opened(NOON).transfer("t", NOON, "casa", "casa", 1), &[]),
    ("outcome_invalido", || sandboxed("svc_test_feira", "rain"), &[]),
    ("pagador_bloqueado", blocked, &[]),
    (
        "pagador_recusado_pelo_provedor",
        || supplied(json!({ "provider_reference": "ref-77" })),
        &["provider_reference"],
    ),
    ("payer_tax_invalido", || reading("/cashin/limits?payer_tax=123"), &[]),
    ("payer_tax_number_invalido", || charged("payer_tax_number", json!("123")), &[]),
    ("payout_address_invalido", || buying("payout_address", json!("0x52908400")), &[]),
    ("payout_address_obrigatorio", || buying("payout_address", Value::Null), &[]),
    (
        "payout_nao_liberado",
        || with_terms(r#"{"payout_enabled":false}"#, "POST /payouts", &payout_body("o", 100)),
        &[],
    ),
    ("payout_recusado", || ambiguous(true), &[]),
    ("pix_key_invalida", || paying_out("pix_key", json!("ana")), &[]),
    ("pix_key_obrigatoria", || paying_out("pix_key", Value::Null), &[]),
    ("provedor_sem_resposta", || supplied(json!({})), &[]),
    ("rede_indisponivel", || buying("chain", json!("aptos")), &[]),
    ("requisicao_invalida", || reading("/saldo/extrato?limit=201"), &[]),
    ("saldo_insuficiente", || paying_out("amount_cents", json!(100)), &["disponivel_cents"]),
    ("saque_comissao_diario", twice_withdrawn, &["retry_after_seconds", "libera_em"]),
    (
        "saque_indisponivel",
        || {
            let paused = json!({ "conversions_paused": true });
            with_policy(paused, "POST /saldo/sacar-cripto", &conversion("a", 10_000))
        },
        &[],
    ),
    ("tax_number_obrigatorio", || paying_out("tax_number", Value::Null), &[]),
    ("taxa_alterada", capped, &["debited_cents"]),
    ("tipo_ambiguo", || ambiguous(false), &[]),
    (
        "valor_abaixo_do_minimo",
        || Day::trading(NOON, "{}").buy("p", NOON, 100),
        &["minimo_estimado_cents"],
    ),
    ("valor_acima_do_maximo", || Day::trading(NOON, "{}").buy("p", NOON, 600_001), &["limits"]),
    ("brl_amount_invalido", || selling("brl_amount", json!("1,00")), &[]),
    ("br_code_invalido", || selling_to(&json!({ "br_code": "000201" })), &[]),
    ("br_code_indisponivel", || sales_paused("br_codes_paused"), &[]),
    ("br_code_sem_valor", || selling_to(&json!({ "br_code": OPEN_CODE })), &[]),
    ("cashout_indisponivel", || sales_paused("cashouts_paused"), &[]),
    ("limite_diario_recebedor", || selling("brl_amount", json!("100000.01")), &["limits"]),
    ("liquidante_indisponivel", settler_silent, &["retry_after_seconds"]),
    (
        "refund_address_imutavel",
        || readdressed(WALLET, "0x00000000000000000000000000000000000000a1"),
        &[],
    ),
    ("refund_address_invalida", || selling("refund_address", json!("nowhere")), &[]),
    ("status_invalido", || readdressed("", WALLET), &[]),
    (
        "valor_invalido",
        || Day::walleted(NOON).deposit_usdt("w", NOON, &json!({ "amount": "0" })),
        &[],
    ),
];

const OPEN_CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";

/// A sale of R$ 100.00 of USDT on Polygon, changed in one field.
fn selling(field: &str, value: Value) -> Response {
    let mut body = to_mail("100.00");
    body[field] = value;
    selling_to(&body)
}

fn selling_to(body: &Value) -> Response {
    Day::selling(NOON, STANDARD).sell("v", NOON, ("usdt", "polygon"), body.clone())
}

fn sales_paused(switch: &str) -> Response {
    let mut day = Day::selling(NOON, STANDARD);
    assert_eq!(day.adopt(NOON, json!({ switch: true })), "applied");
    day.sell("v", NOON, ("usdt", "polygon"), json!({ "br_code": CODE }))
}

fn settler_silent() -> Response {
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    let request = "POST /cash-outs/$v.cashout_id/accept";
    day.line(&json!({ "at": NOON, "key": KEY, "request": request, "supplied": {} }).to_string())
}

/// A quoted sale with this return wallet, accepted with another.
fn readdressed(known: &str, other: &str) -> Response {
    let mut day = Day::selling(NOON, STANDARD);
    let mut body = to_mail("100.00");
    body["refund_address"] = if known.is_empty() { Value::Null } else { known.into() };
    assert_eq!(day.sell("v", NOON, ("usdt", "polygon"), body).status, 200);
    let request = "POST /cash-outs/$v.cashout_id/refund-address";
    let body = json!({ "refund_address": other });
    day.line(&json!({ "at": NOON, "key": KEY, "request": request, "body": body }).to_string())
}

#[test]
fn every_code_of_the_table_is_raised_with_its_status_action_and_fields() {
    for (name, raise, extra) in RAISED {
        let answer = raise();
        assert_eq!(answer.body["erro"], name, "{}", answer.body);
        let row = TABLE.iter().find(|row| row.1 == name).expect("a code of the table");
        let status = if name == "saldo_insuficiente" { 402 } else { row.2 };
        assert_eq!((answer.status, &answer.body["acao"]), (status, &json!(row.3.name())), "{name}");
        let mut fields = vec!["erro", "acao", "detail"];
        fields.extend(extra);
        assert_eq!(crate::day::fields(&answer.body), fields, "{name}");
    }
}

#[test]
fn an_adapter_says_erro_interno() {
    let problem = Problem::new(Code::InternalError, "the engine has stopped");
    let at = Instant::parse(NOON).unwrap();
    let answer = Response::problem(&problem, RouteKind::Other, at, Some("req-12345678"));
    let expected = json!({
        "erro": "erro_interno", "acao": "falar_com_suporte", "detail": "the engine has stopped",
        "request_id": "req-12345678",
    });
    assert_eq!((answer.status, answer.body), (500, expected.into()));
}

#[test]
fn err_15_a_payer_the_provider_refuses_leaves_nothing_behind() {
    let mut day = Day::opened(NOON);
    let before = day.digest();
    let line = json!({
        "at": NOON, "key": KEY, "request": "POST /cashin/charge",
        "supplied": { "provider_reference": "ref-77" },
        "body": { "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER },
    });
    let refused = day.line(&line.to_string());
    assert_eq!((refused.status, &refused.body["provider_reference"]), (403, &json!("ref-77")));
    assert_eq!(day.digest(), before);
}

#[test]
fn err_05_what_is_to_be_corrected_is_refused_again_the_same() {
    let mut day = Day::trading(NOON, AT_ONCE);
    let bodies = [purchase(100), purchase(600_001), {
        let mut body = purchase(10_000);
        body["payout_address"] = "nowhere".into();
        body
    }];
    for body in bodies {
        let first = day.ask(NOON, "POST /cashin/charge", &body);
        assert_eq!(first.body["acao"], "corrigir");
        assert_eq!(day.ask(NOON, "POST /cashin/charge", &body), first);
    }
    let mut body = conversion("", 10_000);
    body["payout_address"] = WALLET.into();
    let first = day.ask(NOON, "POST /saldo/sacar-cripto", &body);
    assert_eq!(first.status, 402);
    assert_eq!(day.ask(NOON, "POST /saldo/sacar-cripto", &body), first);
}
