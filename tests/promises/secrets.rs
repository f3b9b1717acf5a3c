//! Secrets and personal data: in no answer, no record, no debug text (INV-46, AUTH-11, AUTH-12).

use ledger_core::contract::{Environment, Line};
use ledger_core::id::Seq;
use ledger_core::ledger::Origin;
use ledger_store::codec;
use serde_json::json;

use crate::custody_day::{LINES, lived};
use crate::day::Day;

/// Everything in the example that no answer and no record may show.
const SECRETS: [&str; 13] = [
    "52998224725",
    "11144477735",
    "12345678909",
    "39053344705",
    "86288366757",
    "11222333000181",
    "ana.prado@exemplo.com.br",
    "Ana.Prado@Exemplo.com.br",
    "carla@exemplo.com.br",
    "+5511987654321",
    "123e4567-e12b-12d1-a456-426655440000",
    "svc_live_loja",
    "svc_test_loja",
];

fn shows_none(what: &str, text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{what} shows {secret}: {text}");
    }
}

#[test]
fn inv_46_no_answer_of_the_whole_day_shows_a_secret() {
    let (_, answers) = lived();
    for answer in answers {
        shows_none("an answer", &answer.body.to_string());
        shows_none("the debug text of an answer", &format!("{answer:?}"));
    }
}

#[test]
fn inv_46_no_record_of_the_whole_day_shows_a_secret_or_a_name() {
    let (mut day, _) = lived();
    for environment in Environment::ALL {
        let commit = day.cut(environment).unwrap();
        let mut seq = 0;
        for row in &commit.rows {
            for frame in row.frames() {
                seq += 1;
                let bytes = frame.unwrap().record;
                let record = codec::decode(Seq(seq), bytes).unwrap();
                let debug = format!("{record:?}");
                shows_none("a record", &debug);
                shows_none("the bytes of a record", &String::from_utf8_lossy(bytes));
                for personal in ["Joana Lima", "mensalidade", "bia", "the payer contests"] {
                    assert!(!debug.contains(personal), "AUTH-12: {debug}");
                }
            }
        }
        assert!(seq > 0);
        shows_none("the debug text of a book", &format!("{:?}", day.book_of(environment)));
    }
}

#[test]
fn inv_46_no_line_and_no_call_of_the_whole_day_shows_a_secret_in_its_debug_text() {
    for text in LINES.lines() {
        let line = Line::parse(text, |name| Ok(name.to_owned())).unwrap();
        shows_none("the debug text of a line", &format!("{line:?}"));
        shows_none("the debug text of a call", &format!("{:?}", line.call(Origin::Call)));
    }
}

#[test]
fn rulings_10_a_key_made_of_entropy_is_shown_once_and_opens_its_account() {
    let entropy = "0123456789abcdef".repeat(4);
    let line = json!({
        "at": "2026-11-20T12:00:00Z", "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-1", "account": "loja" }, "supplied": { "entropy": entropy },
    });
    let mut day = Day::new();
    let first = day.line(&line.to_string()).body;
    let key = first["api_key"].as_str().unwrap().to_owned();
    assert!(key.starts_with("svc_live_"), "{key}");
    let again = day.line(&line.to_string()).body;
    assert_eq!(again, json!({ "outcome": "known" }), "never redisplayed (AUTH-03)");
    let read = json!({ "at": "2026-11-20T12:00:00Z", "key": key, "request": "GET /saldo" });
    assert_eq!(day.line(&read.to_string()).status, 200);
    let commit = day.cut(Environment::Live).unwrap();
    for frame in commit.rows.iter().flat_map(|row| row.frames()) {
        let record = codec::decode(Seq(1), frame.unwrap().record).unwrap();
        let debug = format!("{record:?}");
        assert!(!debug.contains(&key) && !debug.contains(&entropy), "{debug}");
    }
}
