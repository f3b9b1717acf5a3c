//! What sellers may deposit comes and goes by facts (contract 4.4; GEN-14, COUT-64).

use serde_json::{Value, json};

use crate::day::Day;
use crate::selling::{STANDARD, to_mail};

const NOON: &str = "2026-10-20T12:00:00Z";

fn closed(day: &mut Day, asset: &str, network: &str) -> String {
    let pair = json!({ "asset": asset, "network": network });
    let body = json!({ "id": day.outside_id(), "dropped": [pair] });
    day.report(NOON, "markets.updated", &body)
}

fn sells(day: &mut Day, id: &str) -> (u16, Value) {
    let answer = day.sell(id, NOON, ("usdc", "polygon"), to_mail("100.00"));
    (answer.status, answer.body["erro"].clone())
}

#[test]
fn a_pair_that_was_closed_is_neither_listed_nor_bought_until_it_is_opened_again() {
    let mut day = Day::selling(NOON, STANDARD);
    let before = day.get(NOON, "/catalog");
    assert_eq!(closed(&mut day, "usdc", "polygon"), "applied");
    let after = day.get(NOON, "/catalog");
    assert_ne!(after["assets"], before["assets"]);
    assert!(!after.to_string().contains("usdc"), "{after}");
    let refused = sells(&mut day, "v");
    assert_eq!(refused.0, 400, "{}", refused.1);
    let pair = json!({ "asset": "usdc", "network": "polygon", "path": "FAST" });
    let body = json!({ "id": day.outside_id(), "items": [pair] });
    assert_eq!(day.report(NOON, "markets.updated", &body), "applied");
    assert_eq!(day.get(NOON, "/catalog")["assets"], before["assets"]);
    assert_eq!(sells(&mut day, "v").0, 200);
}

#[test]
fn a_pair_that_is_not_open_cannot_be_closed() {
    let mut day = Day::selling(NOON, STANDARD);
    assert_eq!(closed(&mut day, "usdc", "tron"), "set_aside", "it never was");
    assert_eq!(closed(&mut day, "usdc", "polygon"), "applied");
    assert_eq!(closed(&mut day, "usdc", "polygon"), "set_aside", "it is closed already");
}
