//! A secret is replaced: for 24 hours the one before it signs too.

use ledger_core::contract::Secret;
use ledger_core::contract::signature::{SignatureError, TOLERANCE, verify};
use ledger_core::time::{Instant, Span};
use serde_json::json;

use crate::receiver::Seen;
use crate::station::{KEY, Station};

fn believed(seen: &Seen, secret: &Secret, now: Instant) -> Result<(), SignatureError> {
    let header = seen.header("x-webhook-signature");
    verify(secret, header, seen.body.as_bytes(), now, TOLERANCE)
}

#[test]
fn for_24_hours_after_a_rotation_both_secrets_sign() {
    let station = Station::with(|settings| settings);
    let made = station.listen(KEY, "/loja");
    let secret =
        |answer: &serde_json::Value| Secret::new(answer["webhook_secret"].as_str().unwrap());
    let old = secret(&made);
    // The courier looks every five seconds.
    station.advance(Span::seconds(6));
    station.deposit(KEY, "before");
    let seen = station.arrived("/loja", 2);
    assert_eq!(believed(&seen[0], &old, station.now()), Ok(()));
    let new = secret(&station.set(KEY, &json!({ "rotate_webhook_secret": true })));
    assert_ne!(new, old);
    station.deposit(KEY, "after");
    let seen = station.arrived("/loja", 4);
    for secret in [&new, &old] {
        assert_eq!(believed(&seen[2], secret, station.now()), Ok(()));
    }
    assert_eq!(seen[2].header("webhook-signature").split(' ').count(), 2);
    station.advance(Span::hours(24));
    station.deposit(KEY, "later");
    let seen = station.arrived("/loja", 6);
    assert_eq!(believed(&seen[4], &new, station.now()), Ok(()));
    assert_eq!(believed(&seen[4], &old, station.now()), Err(SignatureError::Mismatch));
    assert_eq!(seen[4].header("webhook-signature").split(' ').count(), 1);
}

#[test]
fn a_rotation_counts_from_when_it_was_made_although_nothing_is_sent() {
    let station = Station::with(|settings| settings);
    let made = station.listen(KEY, "/loja");
    let old = Secret::new(made["webhook_secret"].as_str().unwrap());
    station.deposit(KEY, "before");
    station.arrived("/loja", 2);
    station.set(KEY, &json!({ "rotate_webhook_secret": true }));
    station.advance(Span::seconds(6));
    // The courier looks by itself, and the day is over before the next event.
    std::thread::sleep(std::time::Duration::from_millis(300));
    station.advance(Span::hours(24));
    station.deposit(KEY, "after");
    let seen = station.arrived("/loja", 4);
    assert_eq!(believed(&seen[2], &old, station.now()), Err(SignatureError::Mismatch));
}
