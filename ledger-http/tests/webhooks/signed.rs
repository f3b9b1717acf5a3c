//! What a webhook is: its headers, its bytes, and what no log shows of it.

use ledger_core::contract::Secret;
use ledger_core::contract::signature::{TOLERANCE, sign_standard, standard_secret, verify};
use serde_json::json;

use crate::station::{KEY, Station};

#[test]
fn a_webhook_carries_both_signatures_over_the_bytes_that_are_sent() {
    let station = Station::with(|settings| settings);
    let made = station.listen(KEY, "/loja");
    let secret = Secret::new(made["webhook_secret"].as_str().unwrap());
    assert_eq!(made["webhook_whsec"], standard_secret(&secret).expose());
    station.deposit(KEY, "d");
    let seen = &station.arrived("/loja", 1)[0];
    assert_eq!(seen.header("content-type"), "application/json");
    assert!(seen.header("user-agent").starts_with("custody-ledger-webhooks/"));
    for name in ["x-webhook-id", "webhook-id"] {
        assert_eq!(seen.header(name), seen.id());
    }
    let (body, now) = (seen.body.as_bytes(), station.now());
    assert_eq!(verify(&secret, seen.header("x-webhook-signature"), body, now, TOLERANCE), Ok(()));
    let at = seen.header("webhook-timestamp").parse::<i64>().unwrap();
    assert_eq!(at, now.micros() / 1_000_000);
    let expected = sign_standard(&[secret], &seen.id(), now, body);
    assert_eq!(seen.header("webhook-signature"), expected);
}

/// The signature of the specification's own example of Standard Webhooks.
#[test]
fn the_standard_signature_is_that_of_its_reference_libraries() {
    // MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw in base64, as the digits that `whk_` shows.
    let secret = Secret::new("whk_31f290f6bf06298aab4f08d43c3f082cf648a362da2da4b0");
    assert_eq!(standard_secret(&secret).expose(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    let body = br#"{"test": 2432232314}"#;
    let at = ledger_core::time::Instant::from_micros(1_614_265_330 * 1_000_000).unwrap();
    assert_eq!(
        sign_standard(&[secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", at, body),
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    );
}

#[test]
fn a_line_is_told_of_every_attempt_and_names_no_address_secret_or_person() {
    let station = Station::with(|settings| settings);
    let made = station.listen(KEY, "/hook-of-somebody");
    station.deposit(KEY, "d");
    let first = station.arrived("/hook-of-somebody", 2)[0].id();
    station.acknowledged();
    let log = station.log_text();
    let line = log.lines().find(|line| line.contains(&first)).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["webhook"], first);
    assert_eq!((&line["event"], &line["attempt"]), (&json!("cashin.paid"), &json!(1)));
    assert_eq!((&line["outcome"], &line["status"]), (&json!("delivered"), &json!(204)));
    let secret = made["webhook_secret"].as_str().unwrap();
    for hidden in [secret, "hook-of-somebody", "52998224725", "loja"] {
        assert!(!log.contains(hidden), "{hidden} stands in {log}");
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let service = station.service();
    let text = service.metrics().text(service.ledgers(), service.now(), true);
    let metrics = runtime.block_on(text);
    let counted = "custody_ledger_webhook_attempts_total{environment=\"live\",\
        kind=\"scheduled\",outcome=\"delivered\"} 2";
    assert!(metrics.contains(counted), "{metrics}");
}
