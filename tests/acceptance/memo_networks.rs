//! Networks that need a memo are never offered for selling (rulings 56; COUT-64).

use serde_json::{Value, json};

use crate::day::Day;
use crate::selling::{STANDARD, to_mail};

const NOON: &str = "2026-10-20T12:00:00Z";

/// A market on which facts open pairs whose networks need a memo.
fn opened() -> Day {
    let mut day = Day::selling(NOON, STANDARD);
    let body = json!({ "id": "memo-1", "items": [
        { "asset": "usdt", "network": "ton", "path": "CONVERT" },
        { "asset": "usdc", "network": "algo", "path": "CONVERT" },
        { "asset": "usdt", "network": "bsc", "path": "CONVERT" },
    ]});
    assert_eq!(day.report(NOON, "markets.updated", &body), "applied");
    // Of the last one the delivery catalogue says that it needs a memo.
    let body = json!({ "id": "memo-2", "items": [{
        "asset": "usdt", "chain": "bsc", "minBuyAmount": "1", "memoRequired": true,
        "etaSeconds": 60,
    }]});
    assert_eq!(day.report(NOON, "catalog.updated", &body), "applied");
    day
}

const PAIRS: [(&str, &str); 3] = [("usdt", "ton"), ("usdc", "algo"), ("usdt", "bsc")];

#[test]
fn cout_64_the_sellers_list_has_no_network_that_needs_a_memo_whatever_a_fact_says() {
    let mut day = opened();
    let shown = day.get(NOON, "/catalog");
    let assets = shown["assets"].as_array().unwrap();
    let listed = assets.iter().flat_map(|asset| {
        let networks = asset["networks"].as_array().unwrap();
        networks.iter().map(|network| (asset["asset"].as_str(), network["network"].as_str()))
    });
    let listed: Vec<_> = listed.collect();
    assert!(listed.contains(&(Some("usdt"), Some("polygon"))), "{listed:?}");
    for (asset, network) in PAIRS {
        assert!(!listed.contains(&(Some(asset), Some(network))), "{asset} on {network}");
    }
}

#[test]
fn nothing_is_quoted_or_created_on_a_network_that_needs_a_memo() {
    let mut day = opened();
    for (asset, network) in PAIRS {
        for request in ["POST /cash-outs/preview", "POST /cash-outs"] {
            let mut body: Value = to_mail("100.00");
            body["asset"] = asset.into();
            body["network"] = network.into();
            let answer = day.ask(NOON, request, &body);
            assert_eq!(answer.status, 400, "{request} {asset} {network}: {}", answer.body);
        }
    }
}
