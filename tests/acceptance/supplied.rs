//! What the service supplies beside a call is read as strictly as the call (KEY, AUTH; rulings 10).

use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY};

const NOON: &str = "2026-11-20T12:00:00Z";

/// 64 hexadecimal digits.
const ENTROPY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn submit(day: &mut Day, request: &str, body: &Value, supplied: &Value) -> Response {
    let line = json!({
        "at": NOON, "key": KEY, "request": request, "body": body, "supplied": supplied,
    });
    day.line(&line.to_string())
}

fn key_asked(day: &mut Day, supplied: &Value) -> Response {
    let line = json!({
        "at": NOON, "request": "POST /keys", "ip": "203.0.113.7", "body": { "name": "Loja" },
        "supplied": supplied,
    });
    day.line(&line.to_string())
}

fn opened(day: &mut Day, supplied: &Value) -> Response {
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-2", "account": "feira" }, "supplied": supplied,
    });
    day.line(&line.to_string())
}

fn is_malformed(answer: &Response, what: &str) {
    assert_eq!((answer.status, &answer.body["erro"]), (400, &json!("formato_invalido")), "{what}");
    let detail = answer.body["detail"].as_str().unwrap();
    assert!(detail.contains(what), "{detail} does not say {what}");
}

#[test]
fn the_services_own_address_is_an_https_address() {
    for address in [json!("http://api.exemplo.com"), json!("api.exemplo.com"), json!(7)] {
        let supplied = json!({ "entropy": ENTROPY, "base_url": address });
        let mut day = Day::opened(NOON);
        let before = day.digest();
        let body = json!({ "partner_fee_bps": 10 });
        is_malformed(&key_asked(&mut day, &supplied), "supplied.base_url");
        let settings = submit(&mut day, "PATCH /keys/me", &body, &supplied);
        is_malformed(&settings, "supplied.base_url");
        let me = submit(&mut day, "GET /keys/me", &Value::Null, &supplied);
        is_malformed(&me, "supplied.base_url");
        assert_eq!(day.digest(), before, "{address}");
    }
}

#[test]
fn the_groups_that_must_be_joined_are_a_list() {
    for groups in [json!("avisos"), json!({ "nome": "avisos" }), json!(true)] {
        let supplied = json!({ "entropy": ENTROPY, "grupos_obrigatorios": groups });
        let answer = key_asked(&mut Day::new(), &supplied);
        is_malformed(&answer, "supplied.grupos_obrigatorios");
    }
}

#[test]
fn entropy_is_64_hexadecimal_digits_and_nothing_else() {
    for entropy in [&ENTROPY[..62], &"z".repeat(64), &format!("{ENTROPY}00"), "", "0a"] {
        let mut day = Day::opened(NOON);
        let before = day.digest();
        let supplied = json!({ "entropy": entropy });
        is_malformed(&opened(&mut day, &supplied), "entropy");
        is_malformed(&key_asked(&mut day, &supplied), "entropy");
        let body = json!({ "rotate_webhook_secret": true });
        is_malformed(&submit(&mut day, "PATCH /keys/me", &body, &supplied), "entropy");
        assert_eq!(day.digest(), before, "{entropy}");
    }
    assert_eq!(key_asked(&mut Day::new(), &json!({ "entropy": ENTROPY })).status, 200);
}

#[test]
fn a_key_has_letters_digits_underscores_and_hyphens_alone() {
    for key in ["svc_live_fei ra", "svc_live_fei/ra", "svc_live_feirá", "svc_live_feira\n"] {
        let answer = opened(&mut Day::opened(NOON), &json!({ "key": key }));
        is_malformed(&answer, "supplied.key");
    }
    for key in ["svc_live_fei-ra", "svc_live_FEI_42"] {
        let mut day = Day::opened(NOON);
        assert_eq!(opened(&mut day, &json!({ "key": key })).status, 200, "{key}");
        day.get_with(key, NOON, "/saldo");
    }
}

#[test]
fn an_address_changes_without_entropy_and_its_secret_stays() {
    let mut day = Day::opened(NOON);
    let first = json!({ "webhook_url": "https://loja.exemplo.com/pix" });
    let made = submit(&mut day, "PATCH /keys/me", &first, &json!({ "entropy": ENTROPY }));
    assert!(made.body["webhook_secret"].is_string(), "{}", made.body);
    let secret = |day: &Day| {
        let harness = day.sequencer().views();
        let account = harness.state.account_named("loja").unwrap();
        harness.endpoint(account).unwrap().secret.expose().to_owned()
    };
    let before = secret(&day);
    let other = json!({ "webhook_url": "https://outra.exemplo.com/pix" });
    let moved = submit(&mut day, "PATCH /keys/me", &other, &Value::Null);
    assert_eq!(moved.status, 200, "{}", moved.body);
    assert_eq!(moved.body.get("webhook_secret"), None, "nothing was made");
    assert_eq!(secret(&day), before);
}

#[test]
fn the_first_address_needs_entropy_for_its_secret() {
    let mut day = Day::opened(NOON);
    let before = day.digest();
    let body = json!({ "webhook_url": "https://loja.exemplo.com/pix" });
    let refused = submit(&mut day, "PATCH /keys/me", &body, &Value::Null);
    assert_eq!(refused.status, 400, "{}", refused.body);
    assert_eq!(day.digest(), before, "what is sent must be signed");
}

#[test]
fn entropy_beside_other_settings_makes_no_secret() {
    let mut day = Day::opened(NOON);
    let body = json!({ "partner_fee_bps": 10 });
    let set = submit(&mut day, "PATCH /keys/me", &body, &json!({ "entropy": ENTROPY }));
    assert_eq!((set.status, set.body.get("webhook_secret")), (200, None), "{}", set.body);
}

#[test]
fn what_is_supplied_of_a_keys_owner_has_1_to_255_bytes() {
    let mut day = Day::opened(NOON);
    let mut ask = |field: &str, value: String, minute: usize| {
        let mut lookup = json!({ "found": true, "name": "Ana Prado" });
        lookup[field] = value.into();
        let line = json!({
            "at": format!("2026-11-20T12:{minute:02}:00Z"), "key": KEY,
            "request": "GET /pix/keys/lookup?key=ana@exemplo.com.br",
            "supplied": { "lookup": lookup },
        });
        day.line(&line.to_string())
    };
    for (start, field) in [(0, "name"), (10, "institution")] {
        let lengths = [(0, false), (1, true), (255, true), (256, false)];
        for (minute, (length, passes)) in (start..).zip(lengths) {
            let answer = ask(field, "x".repeat(length), minute);
            assert_eq!(answer.status == 200, passes, "{field} of {length}: {}", answer.body);
            if !passes {
                is_malformed(&answer, &format!("supplied.lookup.{field}"));
            }
        }
    }
}

#[test]
fn a_document_supplied_of_a_keys_owner_is_whole_or_hides_something() {
    let mut day = Day::opened(NOON);
    let mut ask = |document: &str, minute: usize| {
        let line = json!({
            "at": format!("2026-11-20T12:{minute:02}:00Z"), "key": KEY,
            "request": "GET /pix/keys/lookup?key=ana@exemplo.com.br",
            "supplied": { "lookup": { "found": true, "document": document } },
        });
        day.line(&line.to_string())
    };
    let masks = ["***.982.247-**", "**.222.333/****-**"];
    for (minute, mask) in masks.into_iter().enumerate() {
        let answer = ask(mask, minute);
        assert_eq!((answer.status, &answer.body["document"]), (200, &json!(mask)));
    }
    let shown = ["12345678", "982247", "*52998224725", "529.982.247-2*"];
    for (minute, document) in (10..).zip(shown) {
        is_malformed(&ask(document, minute), "supplied.lookup.document");
    }
}

#[test]
fn what_is_supplied_of_a_verified_pix_has_1_to_255_bytes() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 5_000);
    let e2e = day.status(NOON, "d")["e2e"].as_str().unwrap().to_owned();
    let mut ask = |field: &str, value: String| {
        let line = json!({
            "at": NOON, "request": format!("GET /v1/verificar/{e2e}"),
            "supplied": { field: value },
        });
        day.line(&line.to_string())
    };
    for field in ["instituicao", "liquidado_por", "recebedor_nome"] {
        for (length, passes) in [(0, false), (1, true), (255, true), (256, false)] {
            let answer = ask(field, "x".repeat(length));
            assert_eq!(answer.status == 200, passes, "{field} of {length}: {}", answer.body);
            if !passes {
                is_malformed(&answer, &format!("supplied.{field}"));
            }
        }
    }
}
