//! What errors repeat of their input, and what is no input at all (rulings 60, INV-46, GEN-02).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, PAYER};

const NOON: &str = "2026-10-20T12:00:00Z";
const CPF: &str = "52998224725";
const MAIL: &str = "ana@exemplo.com.br";
const SECRET: &str = "svc_live_0123456789abcdef";

fn refused(day: &mut Day, line: &Value) -> Value {
    let answer = day.line(&line.to_string());
    assert!((400..500).contains(&answer.status), "{line}: {}", answer.body);
    answer.body.into()
}

#[test]
fn inv_46_no_error_repeats_a_document_an_address_or_a_key() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let request = |target: String| json!({ "at": NOON, "key": KEY, "request": target });
    for secret in [CPF, MAIL, SECRET] {
        let lines = [
            request(format!("GET /payouts/{secret}/x")),
            request(format!("GET /saldo?{secret}=1")),
            request(format!("GET /saldo?{secret}=1&{secret}=2")),
            request(format!("PATCH /{secret}")),
            json!({ "at": NOON, "fact": secret, "body": {} }),
            json!({ "at": NOON, "key": KEY, "command": secret }),
            json!({ "at": NOON, "fact": "pix.received", "body": { secret: 1 } }),
            json!({ "at": NOON, "fact": "time.passed", secret: 1 }),
        ];
        for line in lines {
            let body = refused(&mut day, &line).to_string();
            assert!(!body.contains(secret), "{body}");
        }
        let twice = format!(r#"{{"at":"{NOON}","fact":"time.passed","{secret}":1,"{secret}":2}}"#);
        let body = day.line(&twice).body.to_string();
        assert!(body.contains("stands twice") && !body.contains(secret), "{body}");
    }
    let body =
        json!({ "destino": "saldo", "amount_cents": 52_998_224_725.5, "payer_tax_number": PAYER });
    let answer = day.ask_with(KEY, NOON, "POST /cashin/charge", &body);
    assert!(!answer.body.to_string().contains("52998224725"), "{}", answer.body);
}

#[test]
fn an_error_about_a_very_long_path_is_short() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let line =
        json!({ "at": NOON, "key": KEY, "request": format!("GET /{}", "x".repeat(800_000)) });
    let body = refused(&mut day, &line).to_string();
    assert!(body.len() < 400, "{} bytes", body.len());
}

#[test]
fn a_query_of_80_000_parameters_is_refused_and_its_limit_named() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let query: Vec<String> = (0..80_000).map(|number| format!("p{number}=1")).collect();
    let line =
        json!({ "at": NOON, "key": KEY, "request": format!("GET /saldo?{}", query.join("&")) });
    let body = refused(&mut day, &line);
    assert!(body["detail"].as_str().unwrap().contains("at most 64 parameters"), "{body}");
}

#[test]
fn a_bad_percent_escape_in_a_query_is_refused() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    for query in
        ["customer_ref=%", "customer_ref=%4", "customer_ref=%zz", "customer_ref=%ff", "%g=1"]
    {
        let line = json!({ "at": NOON, "key": KEY, "request": format!("GET /saldo?{query}") });
        assert_eq!(refused(&mut day, &line)["erro"], "requisicao_invalida", "{query}");
    }
    let escaped = day.get(NOON, "/saldo?customer_ref=jo%C3%A3o%20%25");
    assert_eq!(escaped["disponivel_cents"], 0, "what is escaped rightly is read");
}

#[test]
fn a_nul_in_any_string_is_refused() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let charge = |supplied: Value| {
        json!({
            "at": NOON, "key": KEY, "request": "POST /cashin/charge", "supplied": supplied,
            "body": { "destino": "saldo", "amount_cents": 10_000, "payer_tax_number": PAYER },
        })
    };
    for supplied in [
        json!({ "qr_copypaste": "0002\u{0}0126" }),
        json!({ "qr_copypaste": "00020126", "qr_image_url": "https://x/\u{0}" }),
        json!({ "qr_copypaste": "00020126", "more": [{ "deep": "a\u{0}" }] }),
        json!({ "qr_copypaste": "00020126", "k\u{0}": 1 }),
    ] {
        let body = refused(&mut day, &charge(supplied));
        assert_eq!(body["erro"], "formato_invalido", "{body}");
        assert!(body["detail"].as_str().unwrap().contains("NUL"), "{body}");
    }
    let line = json!({ "at": NOON, "key": KEY, "request": "GET /saldo?customer_ref=a%00b" });
    assert_eq!(refused(&mut day, &line)["erro"], "requisicao_invalida");
    let fact = json!({ "at": NOON, "fact": "treasury.moved",
        "body": { "id": "a\u{0}", "from": "equity.funding", "to": "prov.pay", "amount_cents": 1 } });
    assert_eq!(refused(&mut day, &fact)["erro"], "formato_invalido");
}

#[test]
fn a_line_that_begins_with_a_byte_order_mark_is_read() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let line = json!({ "at": NOON, "key": KEY, "request": "GET /saldo" });
    let answer = day.line(&format!("\u{feff}{line}"));
    assert_eq!(answer.status, 200, "{}", answer.body);
}

#[test]
fn an_amount_that_is_too_large_is_refused_with_the_largest() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let body = json!({
        "destino": "saldo", "amount_cents": 100_000_000_000_001_i64, "payer_tax_number": PAYER,
    });
    let answer = day.ask_with(KEY, NOON, "POST /cashin/charge", &body);
    assert_eq!(answer.body["erro"], "amount_invalido");
    assert!(answer.body["detail"].as_str().unwrap().contains("100000000000000"), "{}", answer.body);
}
