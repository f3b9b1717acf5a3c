//! Lines that are wrong: each answered with what is wrong and where, none of them recorded
//! (GEN-01, GEN-02, GEN-21, CIN-01 to CIN-04, CIN-12 to CIN-16, PAY-01, PAY-03, PAY-16, LIM-19,
//! STM-13, STM-14).

use std::io::Write;
use std::process::{Command, Stdio};

use ledger_core::contract::Environment;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, OWNER, PAYER, judged, payout_body};

const NOON: &str = "2026-11-20T12:00:00Z";

/// A day at whose end nothing may have been recorded since it began.
pub struct Untouched(pub Day);

impl Untouched {
    pub fn new() -> Self {
        let mut day = Day::with_terms(NOON, AT_ONCE);
        day.deposit("d", NOON, "a", 20_000);
        assert!(day.cut(Environment::Live).is_some());
        Self(day)
    }

    /// The same, with a market.
    pub fn trading() -> Self {
        let Self(mut day) = Self::new();
        day.market(NOON);
        assert!(day.cut(Environment::Live).is_some());
        Self(day)
    }

    /// `line` is refused with this status, code and action, and its detail says `what`.
    pub fn refuses(&mut self, line: &str, (status, code, action): (u16, &str, &str), what: &str) {
        let before = self.0.digest();
        let answer = self.0.line(line);
        assert_eq!(answer.status, status, "{line}: {}", answer.body);
        assert_eq!(answer.body["erro"], code, "{line}: {}", answer.body);
        assert_eq!(answer.body["acao"], action, "{line}");
        let detail = answer.body["detail"].as_str().unwrap();
        assert!(detail.contains(what), "{line}: {detail} does not say {what}");
        assert_eq!(self.0.digest(), before, "{line}");
        assert!(self.0.cut(Environment::Live).is_none(), "{line} was recorded");
    }

    pub fn refuses_body(
        &mut self,
        request: &str,
        body: &Value,
        kind: (u16, &str, &str),
        what: &str,
    ) {
        let line = json!({ "at": NOON, "key": KEY, "request": request, "body": body });
        self.refuses(&line.to_string(), kind, what);
    }

    pub fn refuses_fact(&mut self, fact: &str, body: &Value, kind: (u16, &str, &str), what: &str) {
        let line = json!({ "at": NOON, "fact": fact, "body": body });
        self.refuses(&line.to_string(), kind, what);
    }

    pub fn refuses_read(&mut self, target: &str, kind: (u16, &str, &str), what: &str) {
        let line = json!({ "at": NOON, "key": KEY, "request": format!("GET {target}") });
        self.refuses(&line.to_string(), kind, what);
    }
}

pub const MALFORMED: (u16, &str, &str) = (400, "formato_invalido", "corrigir");
pub const MISSING: (u16, &str, &str) = (400, "campos_obrigatorios", "corrigir");
pub const NO_AMOUNT: (u16, &str, &str) = (400, "amount_invalido", "corrigir");
pub const NOT_FOUND: (u16, &str, &str) = (404, "nao_encontrado", "corrigir");
pub const INVALID: (u16, &str, &str) = (400, "requisicao_invalida", "corrigir");

fn charge() -> Value {
    json!({ "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER })
}

fn transfer() -> Value {
    json!({ "from_customer_ref": "a", "to_customer_ref": "b", "amount_cents": 50 })
}

pub fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

pub fn without(mut body: Value, field: &str) -> Value {
    body.as_object_mut().unwrap().remove(field);
    body
}

#[test]
fn lines_that_are_no_line_say_why() {
    let mut day = Untouched::new();
    for (line, kind, what) in [
        ("{", MALFORMED, "no JSON"),
        (r#"{"at":"2026-11-20T12:00:00Z","fact":"time.passed"} x"#, MALFORMED, "no JSON"),
        ("[]", MALFORMED, "JSON object"),
        ("50", MALFORMED, "JSON object"),
        (
            r#"{"at":"2026-11-20T12:00:00Z","at":"2026-11-20T12:00:00Z"}"#,
            MALFORMED,
            "\"at\" stands twice",
        ),
        (
            r#"{"at":"2026-11-20T12:00:00Z","fact":"treasury.moved","body":{"id":"f","id":"f"}}"#,
            MALFORMED,
            "\"id\" stands twice",
        ),
        (r#"{"at":"2026-11-20T12:00:00Z","fact":"time.passed","when":1}"#, MALFORMED, "when"),
        (r#"{"at":"2026-11-20T12:00:00Z"}"#, MALFORMED, "request, command or fact"),
        (
            r#"{"at":"2026-11-20T12:00:00Z","fact":"time.passed","request":"GET /saldo"}"#,
            MALFORMED,
            "both request and fact",
        ),
        (r#"{"at":"2026-11-20T12:00:00Z","fact":7}"#, MALFORMED, "fact"),
        (r#"{"at":"2026-11-20T12:00:00Z","fact":"time.passed","body":[]}"#, MALFORMED, "body"),
        (r#"{"at":"2026-11-20T12:00:00Z","fact":"time.passed","as":"a b"}"#, MALFORMED, "as "),
        (r#"{"at":"2026-11-20T12:00:00Z","fact":"time.passed","key":"k"}"#, MALFORMED, "key"),
        (
            r#"{"at":"2026-11-20T12:00:00Z","fact":"time.passed","environment":"prod"}"#,
            MALFORMED,
            "environment",
        ),
        (
            r#"{"at":"2026-11-20T12:00:00Z","fact":"pix.received","body":{"cashin_id":"$none.cashin_id"}}"#,
            MALFORMED,
            "$none.cashin_id",
        ),
        (r#"{"at":"2026-11-20T12:00:00Z","request":"DELETE /saldo"}"#, MALFORMED, "request"),
        (r#"{"at":"2026-11-20T12:00:00Z","request":"saldo"}"#, MALFORMED, "request"),
    ] {
        day.refuses(line, kind, what);
    }
}

#[test]
fn instants_are_given_with_an_offset_and_near_enough() {
    let mut day = Untouched::new();
    day.refuses(r#"{"fact":"time.passed"}"#, MISSING, "at");
    for at in [
        "2026-11-20",
        "2026-11-20T12:00:00",
        "yesterday",
        "2026-11-20T12:00:00.1234567Z",
        "2026-13-20T12:00:00Z",
    ] {
        day.refuses(&json!({ "at": at, "fact": "time.passed" }).to_string(), MALFORMED, "at ");
    }
    let late = json!({ "at": "2026-11-22T12:00:00.000001Z", "key": KEY, "request": "GET /saldo" });
    day.refuses(&late.to_string(), INVALID, "at ");
    let late = json!({ "at": "2036-11-20T12:00:00Z", "fact": "treasury.moved", "body": {
        "id": "f", "from": "equity.funding", "to": "prov.pay", "amount_cents": 1 } });
    day.refuses(&late.to_string(), INVALID, "at ");
}

#[test]
fn unknown_routes_methods_facts_and_keys_have_codes_of_their_own() {
    let mut day = Untouched::new();
    for request in [
        "GET /",
        "GET /saldo/",
        "GET /saldos",
        "POST /cashin",
        "GET /cashin/x/y",
        "POST /saldo/sacar-tudo",
    ] {
        day.refuses_body(request, &json!({}), NOT_FOUND, request.split(' ').nth(1).unwrap());
    }
    let not_allowed = (405, "metodo_nao_permitido", "corrigir");
    for request in ["GET /cashin/charge", "POST /saldo", "PATCH /payouts", "GET /saldo/transferir"]
    {
        day.refuses_body(request, &json!({}), not_allowed, request.split(' ').nth(1).unwrap());
    }
    day.refuses_fact("pix.arrived", &json!({}), NOT_FOUND, "pix.arrived");
    let line = json!({ "at": NOON, "request": "GET /saldo" });
    day.refuses(&line.to_string(), (401, "chave_ausente", "corrigir"), "X-API-Key");
    let line = json!({ "at": NOON, "key": "svc_live_nobody", "request": "GET /saldo" });
    day.refuses(&line.to_string(), (401, "chave_desconhecida", "corrigir"), "key");
    day.refuses_read("/cashin/ci_0/status", NOT_FOUND, "charge");
}

#[test]
fn gen_02_amounts_are_json_integers_above_zero() {
    let mut day = Untouched::new();
    let bodies = [
        ("POST /cashin/charge", charge()),
        ("POST /saldo/transferir", transfer()),
        ("POST /payouts", payout_body("p", 50)),
    ];
    for amount in [
        r#""50""#,
        "50.0",
        "-1",
        "0",
        "1e3",
        "1E2",
        "-0",
        "0.5",
        "true",
        "[50]",
        "9223372036854775808",
        "100000000000001",
    ] {
        let amount: Value = serde_json::from_str(amount).unwrap();
        for (request, body) in &bodies {
            let body = with(body.clone(), "amount_cents", amount.clone());
            day.refuses_body(request, &body, NO_AMOUNT, "amount_cents");
        }
        let body = json!({ "e2e": "E".repeat(32), "amount_cents": amount });
        day.refuses_fact("pix.received", &body, NO_AMOUNT, "amount_cents");
        let body = judged(json!({ "id": "f", "account": "loja", "effect_cents": amount }));
        if amount != json!(-1) {
            day.refuses_fact("fee.adjusted", &body, NO_AMOUNT, "effect_cents");
        }
    }
    day.refuses(
        r#"{"at":"2026-11-20T12:00:00Z","fact":"treasury.moved","body":{"amount_cents":1e999}}"#,
        MALFORMED,
        "number",
    );
}

#[test]
fn required_fields_are_named_when_missing() {
    let mut day = Untouched::new();
    for field in ["amount_cents", "payer_tax_number"] {
        for body in [without(charge(), field), with(charge(), field, Value::Null)] {
            day.refuses_body("POST /cashin/charge", &body, MISSING, field);
        }
    }
    day.refuses_body(
        "POST /saldo/transferir",
        &without(transfer(), "amount_cents"),
        MISSING,
        "amount_cents",
    );
    let payout = payout_body("p", 50);
    let no_tax = (400, "tax_number_obrigatorio", "corrigir");
    day.refuses_body("POST /payouts", &without(payout.clone(), "tax_number"), no_tax, "tax_number");
    let no_key = (400, "pix_key_obrigatoria", "corrigir");
    day.refuses_body("POST /payouts", &without(payout.clone(), "pix_key"), no_key, "pix_key");
    day.refuses_body("POST /payouts", &without(payout, "amount_cents"), MISSING, "amount_cents");
    day.refuses_read("/payouts", MISSING, "external_id");
    day.refuses_read("/cashin/charges", MISSING, "external_id");
    for (fact, field) in [
        ("pix.received", "e2e"),
        ("pix.returned", "cashin_id"),
        ("provider.released", "id"),
        ("payout.paid", "payout_id"),
        ("account.opened", "id"),
    ] {
        day.refuses_fact(fact, &json!({}), MISSING, field);
    }
    for field in ["actor", "reason", "account", "effect_cents"] {
        let body = judged(json!({ "id": "f", "account": "loja", "effect_cents": 1 }));
        day.refuses_fact("fee.adjusted", &without(body, field), MISSING, field);
    }
}

#[test]
fn fields_of_the_wrong_type_are_named() {
    let mut day = Untouched::new();
    for (field, value) in [
        ("payer_tax_number", json!(39_053_344_705_i64)),
        ("customer_ref", json!(7)),
        ("customer_ref", json!("")),
        ("external_id", json!(true)),
        ("external_id", json!("")),
        ("payer_name", json!(["Joana"])),
        ("allow_hold", json!("false")),
        ("asset", json!(1)),
        ("destino", json!(1)),
    ] {
        day.refuses_body("POST /cashin/charge", &with(charge(), field, value), MALFORMED, field);
    }
    for field in ["from_customer_ref", "to_customer_ref", "descricao", "external_id"] {
        let body = with(transfer(), field, json!(7));
        day.refuses_body("POST /saldo/transferir", &body, MALFORMED, field);
    }
    for field in ["pix_key", "tax_number", "customer_ref", "pix_key_type"] {
        let body = with(payout_body("p", 50), field, json!(7));
        day.refuses_body("POST /payouts", &body, MALFORMED, field);
    }
    let body = json!({ "id": "p", "shortfall_watch_days": 90.5 });
    let line = json!({ "at": NOON, "fact": "policy.adopted", "environment": "live", "body": body });
    day.refuses(&line.to_string(), MALFORMED, "shortfall_watch_days");
    let body = json!({ "e2e": "too-short", "amount_cents": 1 });
    day.refuses_fact("pix.received", &body, MALFORMED, "e2e");
    let body = json!({ "e2e": "E".repeat(32), "amount_cents": 1, "paid_at": "noon" });
    day.refuses_fact("pix.received", &body, MALFORMED, "paid_at");
    let body = json!({ "e2e": "E".repeat(32), "amount_cents": 1, "payed_at": NOON });
    day.refuses_fact("pix.received", &body, MALFORMED, "payed_at");
}

#[test]
fn documents_keys_and_destinations_must_be_what_they_say() {
    let mut day = Untouched::new();
    let no_payer = (400, "payer_tax_number_invalido", "corrigir");
    for document in ["52998224724", "529.982.247-25", "11111111111", "123", "11222333000182"] {
        let body = with(charge(), "payer_tax_number", document.into());
        day.refuses_body("POST /cashin/charge", &body, no_payer, "payer_tax_number");
    }
    let body = with(charge(), "destino", "banco".into());
    day.refuses_body(
        "POST /cashin/charge",
        &body,
        (400, "destino_invalido", "corrigir"),
        "destino",
    );
    let payout = payout_body("p", 50);
    let body = with(payout.clone(), "tax_number", "52998224724".into());
    day.refuses_body("POST /payouts", &body, (400, "documento_invalido", "corrigir"), "tax_number");
    for key in ["ana", "a@b", "+55119", "11222333000182"] {
        let body = with(payout.clone(), "pix_key", key.into());
        day.refuses_body("POST /payouts", &body, (400, "pix_key_invalida", "corrigir"), "pix_key");
    }
    let ambiguous = (400, "tipo_ambiguo", "corrigir");
    let body = with(payout.clone(), "pix_key", "11144477735".into());
    day.refuses_body("POST /payouts", &body, ambiguous, "pix_key_type");
    let not_owned = with(body, "pix_key_type", "cpf".into());
    day.refuses_body("POST /payouts", &not_owned, (422, "payout_recusado", "corrigir"), "pix_key");
    let own = with(payout, "pix_key", OWNER.into());
    let refused = day.0.ask(NOON, "POST /payouts", &own);
    assert_eq!(refused.body["erro"], "saldo_insuficiente", "one's own CPF is no riddle");
}

#[test]
fn cin_16_casa_is_no_customer() {
    let mut day = Untouched::new();
    let body = with(charge(), "customer_ref", "casa".into());
    day.refuses_body("POST /cashin/charge", &body, MALFORMED, "customer_ref");
    let body = with(payout_body("p", 50), "customer_ref", "casa".into());
    day.refuses_body("POST /payouts", &body, MALFORMED, "customer_ref");
    for target in ["/saldo?customer_ref=casa", "/saldo/extrato?customer_ref=casa"] {
        day.refuses_read(target, MALFORMED, "customer_ref");
    }
    let body =
        judged(json!({ "id": "f", "account": "loja", "customer_ref": "casa", "effect_cents": 1 }));
    day.refuses_fact("fee.adjusted", &body, MALFORMED, "customer_ref");
}

#[test]
fn lim_19_names_are_measured_in_characters_and_an_accent_counts_one() {
    for (field, most) in [("customer_ref", 80), ("external_id", 64)] {
        let mut day = Untouched::new();
        let over = with(charge(), field, "é".repeat(most + 1).into());
        day.refuses_body("POST /cashin/charge", &over, MALFORMED, field);
        let over = with(payout_body("p", 50), field, "x".repeat(most + 1).into());
        day.refuses_body("POST /payouts", &over, MALFORMED, field);
        let full = with(charge(), field, "é".repeat(most).into());
        assert_eq!(day.0.ask(NOON, "POST /cashin/charge", &full).status, 200, "{field}");
    }
    let mut day = Untouched::new();
    for field in ["from_customer_ref", "to_customer_ref"] {
        let over = with(transfer(), field, "é".repeat(81).into());
        day.refuses_body("POST /saldo/transferir", &over, MALFORMED, field);
    }
    let target = format!("/saldo?customer_ref={}", "x".repeat(81));
    day.refuses_read(&target, MALFORMED, "customer_ref");
    let target = format!("/payouts?external_id={}", "x".repeat(65));
    day.refuses_read(&target, MALFORMED, "external_id");
}

#[test]
fn control_characters_are_refused_wherever_text_is_kept() {
    let mut day = Untouched::new();
    for bad in ["a\nb", "\u{0}", "a\u{7f}", "\u{85}"] {
        for field in ["customer_ref", "external_id", "payer_name"] {
            let body = with(charge(), field, bad.into());
            day.refuses_body("POST /cashin/charge", &body, MALFORMED, field);
        }
        let body = with(transfer(), "descricao", bad.into());
        day.refuses_body("POST /saldo/transferir", &body, MALFORMED, "descricao");
    }
}

#[test]
fn err_06_a_malformed_line_carries_no_retired_alias() {
    let mut run = Command::new(env!("CARGO_BIN_EXE_custody-ledger"));
    run.args(["run", "-", "--store", "memory:"]);
    run.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut run = run.spawn().unwrap();
    let lines = "{\"at\":\"2026-11-20T12:00:00Z\",\"fact\":\"time.passed\"}\n\
                 {\"at\":\"2026-11-20T12:00:00Z\",\"fact\":\"time.passed\",\"when\":1}\n";
    run.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let text = String::from_utf8(run.wait_with_output().unwrap().stdout).unwrap();
    let answer: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!(answer["line"], 2);
    assert_eq!(answer["body"]["erro"], "formato_invalido");
    assert!(answer["body"].get("code").is_none(), "retired on 2026-11-09: {answer}");
}

#[test]
fn cin_14_characters_are_counted_as_they_come_and_not_as_they_look() {
    let mut day = Untouched::new();
    // One that looks like "é" and is two: the letter, and the accent that goes on it.
    let two = "e\u{301}";
    let over = with(charge(), "customer_ref", format!("{two}{}", "x".repeat(79)).into());
    day.refuses_body("POST /cashin/charge", &over, MALFORMED, "customer_ref");
    let mut day = Day::opened(NOON);
    let full = ["\u{e9}".to_owned() + &"x".repeat(79), format!("{two}{}", "x".repeat(78))];
    for name in full {
        let body = with(charge(), "customer_ref", name.into());
        let made = day.ask(NOON, "POST /cashin/charge", &body);
        assert_eq!(made.status, 200, "{}", made.body);
    }
    for (id, name) in [("one", "\u{e9}"), ("two", two)] {
        day.deposit(id, NOON, name, 2_100);
    }
    let listed = day.get(NOON, "/saldo/clientes");
    let names: Vec<&Value> =
        listed["items"].as_array().unwrap().iter().map(|item| &item["customer_ref"]).collect();
    assert_eq!(names, ["\u{e9}", two], "two customers, for nothing is normalised");
}

#[test]
fn pay_03_a_key_that_is_a_document_is_its_owners_and_of_another_the_provider_knows() {
    let mut day = Day::with_terms(NOON, crate::day::AT_ONCE);
    day.deposit("d", NOON, "", 50_000);
    let cpf = OWNER;
    let cnpj = "11222333000181";
    for (number, (key, kind, owner, status)) in [
        (cpf, Some("cpf"), cpf, 200),
        (cpf, Some("cpf"), cnpj, 422),
        (cpf, Some("cpf"), "11144477735", 422),
        (cnpj, None, cnpj, 200),
        (cnpj, None, cpf, 422),
        (cnpj, None, "12345678000195", 422),
        ("ana@exemplo.com.br", None, cnpj, 200),
        ("+5511987654321", None, cpf, 200),
        ("123e4567-e12b-12d1-a456-426655440000", None, cpf, 200),
    ]
    .into_iter()
    .enumerate()
    {
        let mut body = payout_body(&format!("p{number}"), 100);
        body["pix_key"] = key.into();
        body["pix_key_type"] = kind.into();
        body["tax_number"] = owner.into();
        let answer = day.ask(NOON, "POST /payouts", &body);
        assert_eq!(answer.status, status, "{key} of {owner}: {}", answer.body);
        if status == 422 {
            let refusal = [&answer.body["erro"], &answer.body["acao"]];
            assert_eq!(refusal, ["payout_recusado", "corrigir"]);
        }
    }
}
