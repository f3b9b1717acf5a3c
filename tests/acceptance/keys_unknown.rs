//! A key that opens nothing is told apart from what is no key at all (AUTH-06).

use serde_json::json;

use crate::day::Day;

const NOON: &str = "2026-10-20T12:00:00Z";

fn erro(key: &str) -> String {
    let line = json!({ "at": NOON, "key": key, "request": "GET /keys/me" });
    let answer = Day::opened(NOON).line(&line.to_string());
    assert_eq!(answer.status, 401, "{key}");
    answer.body["erro"].as_str().unwrap().to_owned()
}

#[test]
fn letters_digits_underscores_and_hyphens_make_a_key() {
    for key in ["svc_live_of-nobody", "svc_of_nobody", "svc_Of5Nobody", "svc_----"] {
        assert_eq!(erro(key), "chave_desconhecida", "{key}");
    }
    for key in ["svc_live of", "svc_live.of", "svc_live/of", "svc_live+of", "svc_não_é"] {
        assert_eq!(erro(key), "chave_incorreta", "{key}");
    }
}

#[test]
fn a_key_has_8_to_128_characters() {
    let long = |length: usize| format!("svc_{}", "x".repeat(length - 4));
    for (length, code) in [
        (7, "chave_incorreta"),
        (8, "chave_desconhecida"),
        (128, "chave_desconhecida"),
        (129, "chave_incorreta"),
    ] {
        assert_eq!(erro(&long(length)), code, "{length}");
    }
}
