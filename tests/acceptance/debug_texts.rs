//! What the debug text of a value shows, and the secrets that it does not (AUTH-11, AUTH-12).

use ledger_core::contract::{Line, Response, Tokens};
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use serde_json::json;

use crate::day::KEY;
use crate::origins::opening;

const NOON: &str = "2026-11-20T12:00:00Z";

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
