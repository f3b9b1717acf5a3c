//! Where a record says it comes from, and by which record a PIX is known (AUTH-08, VER-01).

use ledger_core::contract::{Ask, Call, Line, Response, Tokens};
use ledger_core::id::Seq;
use ledger_core::ledger::{Origin, Record};
use ledger_core::time::Instant;
use ledger_store::book::Book;
use ledger_store::codec;
use ledger_store::journal::Identity;
use serde_json::json;

use crate::day::{AT_ONCE, Day, KEY, judged};

const NOON: &str = "2026-11-20T12:00:00Z";

fn opening(origin: Origin) -> Call {
    Call {
        at: Instant::parse(NOON).unwrap(),
        origin,
        ask: Ask::Fact("account.opened".into()),
        body: json!({ "id": "acc-1", "account": "loja" }),
        supplied: json!({ "key": KEY }),
        ip: None,
    }
}

/// The records of an account that is opened by a call of this origin.
fn records(origin: &Origin) -> Vec<Record> {
    let identity = Identity { algorithm: ledger_store::Algorithm::Blake3, vault_key: [7; 32] };
    let mut book = Book::new("live", identity);
    assert_eq!(book.call(&opening(origin.clone())).body["outcome"], "applied");
    let commit = book.cut().unwrap();
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
fn the_debug_text_of_a_call_says_when_it_was_made_whence_and_what_it_asks() {
    let shown = format!("{:?}", opening(Origin::Request("req-12345678".into())));
    let at = format!("{:?}", Instant::parse(NOON).unwrap());
    for said in [at.as_str(), "req-12345678", "account.opened"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    assert!(!shown.contains("acc-1") && !shown.contains(KEY), "AUTH-11: {shown}");
}

#[test]
fn the_debug_text_of_a_line_says_when_what_and_under_which_label() {
    let line = json!({
        "at": NOON, "as": "mine", "key": KEY, "request": "GET /saldo?customer_ref=ana",
    });
    let line = Line::parse(&line.to_string(), |name| Ok(name.to_owned())).unwrap();
    let shown = format!("{line:?}");
    let at = format!("{:?}", Instant::parse(NOON).unwrap());
    for said in [at.as_str(), "mine", "GET /saldo"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    assert!(!shown.contains("ana") && !shown.contains(KEY), "AUTH-12: {shown}");
}

#[test]
fn the_debug_text_of_an_answer_says_its_status_and_body_without_credentials() {
    let body = json!({ "api_key": "svc_live_1", "monitor_url": null, "account": "loja" });
    let shown = format!("{:?}", Response::ok(body));
    for said in ["200", "loja", "***", "monitor_url", "Null"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    assert!(!shown.contains("svc_live_1"), "AUTH-11: {shown}");
}

#[test]
fn the_debug_text_of_what_derives_tokens_names_it_and_shows_no_key() {
    assert_eq!(format!("{:?}", Tokens::new([7; 32])), "Tokens(..)");
}

#[test]
fn the_debug_text_of_personal_data_shows_its_mask_alone() {
    let shown = format!("{:?}", Tokens::new([7; 32]).email("ana@exemplo.com.br"));
    assert!(shown.contains("a***@exemplo.com.br") && !shown.contains("ana"), "{shown}");
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

#[test]
fn ver_01_a_pix_that_evidence_told_of_is_known() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 50_000);
    assert_eq!(day.payout("p", NOON, "a", 5_050).status, 200);
    let about = json!({ "id": "unk-1", "payout_id": "$p.payout_id" });
    assert_eq!(day.tell(NOON, "payout.unknown", &about), "applied");
    let e2e = day.outside_id();
    let evidence = judged(json!({
        "id": "ev-1", "payout_id": "$p.payout_id", "outcome": "paid", "e2e": e2e,
    }));
    assert_eq!(day.tell(NOON, "payout.evidence", &evidence), "applied");
    let line = json!({ "at": NOON, "request": format!("GET /v1/verificar/{e2e}") });
    let told = day.line(&line.to_string());
    assert_eq!((told.status, &told.body["valor_brl"]), (200, &json!("50.50")), "{}", told.body);
    assert_eq!(told.body["pago"], true);
}

#[test]
fn ver_01_a_purchase_that_went_back_to_its_payer_is_known_and_paid_no_more() {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.bought("p", NOON, 10_000);
    let e2e = day.status(NOON, "p")["e2e"].as_str().unwrap().to_owned();
    let line = json!({ "at": NOON, "request": format!("GET /v1/verificar/{e2e}") }).to_string();
    assert_eq!(day.line(&line).body["pago"], true);
    assert_eq!(day.give_up("p", NOON, "pagador"), "applied");
    assert_eq!(day.status(NOON, "p")["status"], "refunded");
    let told = day.line(&line).body;
    assert_eq!((&told["verificado"], &told["pago"]), (&json!(true), &json!(false)));
}
