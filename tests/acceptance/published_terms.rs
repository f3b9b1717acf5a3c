//! Published terms: a new key can sell, and what is published has its days (rulings 48 and 49).

use serde_json::{Value, json};

use crate::day::{Day, KEY};
use crate::selling::{markets, to_mail};

const BEFORE: &str = "2026-10-15T02:59:59.999999Z";
const FROM: &str = "2026-10-15T03:00:00Z";

/// Returns what `GET /keys/me` says of purchases and payouts, at an instant.
fn charged(day: &mut Day, at: &str) -> [Value; 3] {
    let me = day.get(at, "/keys/me");
    ["admin_fee_bps", "admin_fee_fixed_cents", "saque_fee_bps"].map(|field| me[field].clone())
}

fn tariff(day: &mut Day, at: &str) -> Value {
    day.get(at, "/saldo")["saque_taxa_estimada_cents"].clone()
}

#[test]
fn a_fresh_account_has_the_terms_of_its_day_and_takes_part_in_the_change_of_2026_10_15() {
    let earlier = [json!(250), json!(100), json!(180)];
    let published = [json!(330), json!(100), json!(150)];
    let mut day = Day::opened("2026-10-14T12:00:00Z");
    for at in ["2026-10-14T12:00:00Z", BEFORE] {
        assert_eq!((charged(&mut day, at), tariff(&mut day, at)), (earlier.clone(), json!(100)));
    }
    assert_eq!((charged(&mut day, FROM), tariff(&mut day, FROM)), (published.clone(), json!(0)));
    let mut day = Day::opened(FROM);
    assert_eq!((charged(&mut day, FROM), tariff(&mut day, FROM)), (published, json!(0)));
}

#[test]
fn terms_adopted_before_the_change_outlast_it_and_partner_shares_do_not_stop_it() {
    let at = "2026-10-14T12:00:00Z";
    let mut day = Day::opened(at);
    let shares = json!({ "partner_fee_bps": 50 });
    assert_eq!(day.ask(at, "PATCH /keys/me", &shares).status, 200);
    assert_eq!(day.get(FROM, "/keys/me")["house_fee_bps"], 330);
    assert_eq!(day.get(FROM, "/keys/me")["partner_fee_bps"], 50);
    let mut day = Day::opened(at);
    assert_eq!(day.agree(at, json!({ "admin_fee_bps": 180 })), "applied");
    assert_eq!(day.agree(at, json!({ "admin_fee_fixed_cents": 0 })), "applied");
    assert_eq!(charged(&mut day, FROM), [json!(180), json!(0), json!(180)]);
}

#[test]
fn a_new_production_key_sells_at_the_standard_integration_until_other_terms_are_adopted() {
    let at = "2026-11-20T12:00:00Z";
    let mut day = Day::new();
    let entropy = "7".repeat(64);
    let line = json!({
        "at": at, "as": "key", "request": "POST /keys", "ip": "203.0.113.7",
        "body": { "name": "Loja" }, "supplied": { "entropy": entropy },
    });
    let made = day.line(&line.to_string());
    assert_eq!(made.status, 200, "{}", made.body);
    let key = made.body["api_key"].as_str().unwrap().to_owned();
    let me = day.get_with(&key, at, "/keys/me");
    let fee = ["cashout_fee_bps", "cashout_fee_fixed_cents", "cashout_reserve_cents"];
    assert_eq!(fee.map(|field| me[field].clone()), [json!(200), json!(200), json!(100)], "{me}");
    let body = json!({ "id": "markets", "items": markets() });
    assert_eq!(day.report(at, "markets.updated", &body), "applied");
    day.prices(at);
    let mut sale = to_mail("100.00");
    crate::selling::merge(&mut sale, json!({ "asset": "usdt", "network": "polygon" }));
    let quoted = day.ask_with(&key, at, "POST /cash-outs", &sale);
    // W44: 100.00 and 2 % and R$ 2.00 and the reserve at R$ 5.40.
    assert_eq!(
        (quoted.status, &quoted.body["amount"]),
        (200, &json!("19.444445")),
        "{}",
        quoted.body
    );
    assert_ne!(key, KEY);
}
