//! What is shown of whoever asked for a key (KEY-01).

use serde_json::json;

use crate::agent::ENTROPY;
use crate::day::Day;

const NOON: &str = "2026-11-20T12:00:00Z";

#[test]
fn key_01_a_test_key_is_of_the_name_it_was_asked_for_under() {
    for name in [json!("Ana Prado"), json!(null)] {
        let mut day = Day::new();
        let line = json!({
            "at": NOON, "request": "POST /keys/sandbox", "ip": "203.0.113.7",
            "body": { "email": "ana@exemplo.com.br", "name": name },
            "supplied": { "entropy": ENTROPY },
        });
        let made = day.line(&line.to_string());
        assert_eq!(made.status, 200, "{}", made.body);
        let key = made.body["api_key"].as_str().unwrap().to_owned();
        assert_eq!(day.get_with(&key, NOON, "/keys/me")["key"]["name"], name);
    }
}
