//! What holds of a pair for sellers where the fact that lists it does not say (COUT-83, COUT-85,
//! LIM-24).

use serde_json::{Value, json};

use crate::day::Day;

const NOON: &str = "2026-10-20T12:00:00Z";

/// A pair as the catalogue shows it, listed with no more than its names and its route.
fn listed(asset: &str, network: &str, path: &str) -> Value {
    let mut day = Day::opened(NOON);
    let item = json!({ "asset": asset, "network": network, "path": path });
    let body = json!({ "id": day.outside_id(), "items": [item] });
    assert_eq!(day.report(NOON, "markets.updated", &body), "applied");
    let catalog = day.get(NOON, "/catalog");
    catalog["assets"][0]["networks"][0].clone()
}

#[test]
fn nothing_is_instant_outside_polygon() {
    assert_eq!(listed("usdt", "polygon", "FAST")["eta_minutes"], 0);
    for (network, path) in [("tron", "CONVERT"), ("arbitrum", "DEX")] {
        assert_ne!(listed("usdt", network, path)["eta_minutes"], 0, "{network}");
    }
}

#[test]
fn a_quote_is_valid_for_15_minutes_on_polygon_and_for_300_elsewhere() {
    assert_eq!(listed("usdt", "polygon", "FAST")["quote_valid_minutes"], 15);
    assert_eq!(listed("usdt", "tron", "CONVERT")["quote_valid_minutes"], 300);
}

#[test]
fn depix_has_eight_decimals_and_everything_else_six() {
    assert_eq!(listed("depix", "liquid", "depix_liquid")["decimals"], 8);
    for (network, path) in [("polygon", "FAST"), ("tron", "CONVERT"), ("arbitrum", "DEX")] {
        assert_eq!(listed("usdt", network, path)["decimals"], 6, "{network}");
    }
}

#[test]
fn what_goes_through_the_exchange_is_6_to_200_000_units() {
    for (network, path, least, most) in [
        ("tron", "CONVERT", json!("6.000000"), json!("200000.000000")),
        ("arbitrum", "DEX", json!("6.000000"), json!("200000.000000")),
        ("polygon", "FAST", Value::Null, Value::Null),
    ] {
        let pair = listed("usdt", network, path);
        assert_eq!((&pair["min"], &pair["max"]), (&least, &most), "{network}");
    }
}
