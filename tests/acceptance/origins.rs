//! Where a record says it comes from (AUTH-08).

use ledger_core::contract::{Call, CallKind};
use ledger_core::id::Seq;
use ledger_core::ledger::{Origin, Record};
use ledger_core::time::Instant;
use ledger_store::codec;
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use serde_json::json;

use crate::day::{Day, KEY};

const NOON: &str = "2026-11-20T12:00:00Z";

/// An account is opened by a call of this origin.
pub fn opening(origin: Origin) -> Call {
    Call {
        at: Instant::parse(NOON).unwrap(),
        origin,
        ask: CallKind::Fact("account.opened".into()),
        body: json!({ "id": "acc-1", "account": "loja" }),
        supplied: json!({ "key": KEY }),
        ip: None,
    }
}

/// The records of an account that is opened by a call of this origin.
fn records(origin: &Origin) -> Vec<Record> {
    let identity = Identity::by_name(ledger_store::Algorithm::Blake3, [7; 32]);
    let mut sequencer = Sequencer::new("live", identity);
    assert_eq!(sequencer.call(&opening(origin.clone())).body["outcome"], "applied");
    let commit = sequencer.cut().unwrap();
    let frames = commit.rows.iter().flat_map(|row| row.frames());
    frames
        .zip(1..)
        .map(|(frame, seq)| codec::decode(Seq(seq), frame.unwrap().record).unwrap())
        .collect()
}

#[test]
fn auth_08_a_request_id_out_of_its_pattern_stands_in_no_record() {
    for id in ["short", "with space", "abcd/1234", &"x".repeat(65)] {
        let records = records(&Origin::Request(id.into()));
        assert!(!records.is_empty());
        for record in records {
            assert_eq!(record.cause.origin, Origin::Call, "{id}");
        }
    }
}

#[test]
fn an_address_comes_with_a_request_and_with_no_fact() {
    let mut day = Day::opened(NOON);
    let fact = json!({ "at": NOON, "fact": "time.passed", "ip": "203.0.113.7" });
    let refused = day.line(&fact.to_string());
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("formato_invalido")));
    assert!(refused.body["detail"].as_str().unwrap().contains("ip"), "{}", refused.body);
    let read = json!({ "at": NOON, "key": KEY, "request": "GET /saldo", "ip": "203.0.113.7" });
    assert_eq!(day.line(&read.to_string()).status, 200);
}
