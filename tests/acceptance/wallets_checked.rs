//! Addresses are checked whole wherever coins may be sent (contract 2.1, 2.2, 4; rulings 65).

use serde_json::{Value, json};

use crate::day::{Day, KEY};
use crate::market::{WALLET, purchase};
use crate::selling::{STANDARD, arrival};

const NOON: &str = "2026-10-20T12:00:00Z";

/// Network, address: a slip of the hand, the zero address, and the contract of a token.
const NO_WALLETS: [(&str, &str); 8] = [
    ("polygon", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"),
    ("polygon", "0x0000000000000000000000000000000000000000"),
    ("polygon", "0xc2132D05D31c914a87C6611C10748AEb04B58e8F"),
    ("tron", "TJRabPrwbZy45sbavfcjinPJC18kjpRTV8"),
    ("tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
    ("solana", "833XorXTTx5iya5B3Tr6iqEs9GbRuvVfwyLCP2vpdz"),
    ("solana", "11111111111111111111111111111111"),
    ("liquid", "ex1q7gkeyjut0mrxc3j0kjlt7rmcnvsh0gt45d3fue"),
];

const WALLETS: [(&str, &str); 4] = [
    ("polygon", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
    ("tron", "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"),
    ("solana", "833XorXTTx5iya5B3Tr6iqEs9GbRuvVfwyLCP2vpdzhq"),
    ("liquid", "ex1q7gkeyjut0mrxc3j0kjlt7rmcnvsh0gt45d3fud"),
];

fn asset(network: &str) -> &'static str {
    if network == "liquid" { "depix" } else { "usdt" }
}

/// A market that delivers on each of the networks.
fn market() -> Day {
    let mut day = Day::trading(NOON, "{}");
    let solana = json!({
        "asset": "usdt", "chain": "solana", "rail": "convert", "minBuyAmount": "2",
        "etaSeconds": 60,
    });
    let body = json!({ "id": "cat-2", "items": [solana] });
    assert_eq!(day.report(NOON, "catalog.updated", &body), "applied");
    day
}

#[test]
fn a_payout_address_that_is_no_wallet_is_refused() {
    let mut day = market();
    let mut buy = |id: &str, network: &str, address: &str| {
        let mut body = purchase(10_000);
        body["asset"] = asset(network).into();
        body["chain"] = network.into();
        body["payout_address"] = address.into();
        let answer = day.ask_as(id, NOON, "POST /cashin/charge", body);
        (answer.status, answer.body["erro"].clone())
    };
    for (network, address) in NO_WALLETS {
        let refused = (400, json!("payout_address_invalido"));
        assert_eq!(buy("x", network, address), refused, "{network} {address}");
    }
    for (network, address) in WALLETS {
        assert_eq!(buy(network, network, address).0, 200, "{network} {address}");
    }
}

#[test]
fn a_settlement_address_that_is_no_wallet_is_refused() {
    let mut day = market();
    for (network, address) in NO_WALLETS {
        let line = json!({
            "at": NOON, "key": KEY, "request": "PATCH /keys/me",
            "body": { "settlement_address": address },
        });
        let answer = day.line(&line.to_string());
        let refused = (answer.status, answer.body["erro"].clone());
        assert_eq!(refused, (400, json!("payout_address_invalido")), "{network} {address}");
    }
    let line = json!({
        "at": NOON, "key": KEY, "request": "PATCH /keys/me",
        "body": { "settlement_address": WALLETS[0].1 },
    });
    assert_eq!(day.line(&line.to_string()).status, 200);
}

#[test]
fn an_agent_is_settled_to_a_wallet_or_not_at_all() {
    let mut day = Day::new();
    for (network, address) in NO_WALLETS {
        let line = activation(address);
        let answer = day.line(&line.to_string());
        assert_eq!(answer.status, 400, "{network} {address}: {}", answer.body);
        assert!(answer.body.to_string().contains("settlement_address"), "{}", answer.body);
    }
    let answer = day.line(&activation(WALLETS[0].1).to_string());
    assert_eq!(answer.body, json!({ "outcome": "applied" }));
}

fn activation(settlement: &str) -> Value {
    json!({
        "at": NOON, "fact": "agent.activated", "environment": "live",
        "body": {
            "id": "act-1", "agent_id": crate::agent::AGENT, "name": "Ada",
            "contact": "ada@example.com", "capabilities": ["brl_to_pix"],
            "settlement_address": settlement,
        },
        "supplied": { "key": KEY },
    })
}

#[test]
fn a_return_wallet_that_is_none_of_its_network_is_refused() {
    let mut day = Day::selling(NOON, STANDARD);
    let sale = |to: &str| json!({ "brl_amount": "100.00", "pix_key": "ana@exemplo.com.br", "refund_address": to });
    for (network, address) in NO_WALLETS {
        if !matches!(network, "polygon" | "tron") {
            continue;
        }
        let answer = day.sell("x", NOON, ("usdt", network), sale(address));
        let refused = (answer.status, answer.body["erro"].clone());
        assert_eq!(refused, (400, json!("refund_address_invalida")), "{network} {address}");
    }
    let without = json!({ "brl_amount": "100.00", "pix_key": "ana@exemplo.com.br" });
    assert_eq!(day.sell("v", NOON, ("usdt", "polygon"), without).status, 200);
    let line = json!({
        "at": NOON, "key": KEY, "request": "POST /cash-outs/$v.cashout_id/refund-address",
        "body": { "refund_address": NO_WALLETS[0].1 },
    });
    let answer = day.line(&line.to_string());
    assert_eq!((answer.status, &answer.body["erro"]), (400, &json!("refund_address_invalida")));
}

#[test]
fn an_operator_names_no_return_wallet_that_is_none() {
    let mut day = refundable("polygon", None);
    for (network, address) in NO_WALLETS {
        let named = json!({ "refund_address": address });
        let outcome = day.judge("v", NOON, "refund.decided", named);
        assert_eq!(outcome, "set_aside", "{network} {address}");
    }
    let named = json!({ "refund_address": WALLETS[0].1 });
    assert_eq!(day.judge("v", NOON, "refund.decided", named), "applied");
    assert_eq!(day.state("v", NOON), "REFUNDING_CRYPTO");
}

#[test]
fn a_withdrawal_goes_to_a_wallet_or_is_not_quoted() {
    let mut day = Day::walleted(NOON);
    day.holding("h", NOON, "50");
    for (network, address) in NO_WALLETS {
        if network != "polygon" {
            continue;
        }
        let body = json!({ "amount": "20", "asset": "USDT", "address": address });
        let answer = day.command("q", NOON, "wallet.withdrawal.quote", &body);
        let refused = (answer.status, answer.body["erro"].clone());
        assert_eq!(refused, (400, json!("payout_address_invalido")), "{address}");
    }
    let body = json!({ "amount": "20", "asset": "USDT", "address": WALLETS[0].1 });
    assert_eq!(day.command("q", NOON, "wallet.withdrawal.quote", &body).status, 201);
}

/// A sale on a network whose PIX cannot be paid, so that its deposit goes back.
fn refundable(network: &str, to: Option<&str>) -> Day {
    let mut day = Day::selling(NOON, STANDARD);
    let near = json!({
        "asset": "usdt", "network": "near", "path": "CONVERT", "eta_minutes": 2,
    });
    let body = json!({ "id": "mk-2", "items": [near] });
    assert_eq!(day.report(NOON, "markets.updated", &body), "applied");
    let mut body = json!({ "brl_amount": "100.00", "pix_key": "ana@exemplo.com.br" });
    if let Some(to) = to {
        body["refund_address"] = to.into();
    }
    assert_eq!(day.sell("v", NOON, ("usdt", network), body).status, 200);
    assert_eq!(day.accept("v", NOON).status, 200);
    let amount = day.order("v", NOON)["amount"].as_str().unwrap().to_owned();
    // Where it goes through an exchange, too little is deposited, and the service gives it back.
    let short = network == "near";
    let amount = if short { "0.500000" } else { &amount };
    let deposit = arrival("0xd", ("usdt", network), amount);
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", deposit), "applied");
    let confirmed = json!({ "tx_hash": "0xd" });
    assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", confirmed), "applied");
    let ends = if short { "refund.decided" } else { "cashout.pix_impossible" };
    assert_eq!(day.sale_reports("v", NOON, ends, json!({})), "applied");
    day
}

#[test]
fn a_return_wallet_that_nobody_can_check_is_shown_so_and_its_refund_waits_for_a_person() {
    for given in [true, false] {
        let mut day = refundable("near", given.then_some("ana.near"));
        if !given {
            assert_eq!(day.state("v", NOON), "AWAITING_REFUND_ADDRESS");
            assert_eq!(day.order("v", NOON)["refund_address_checked"], Value::Null);
            let line = json!({
                "at": NOON, "key": KEY, "request": "POST /cash-outs/$v.cashout_id/refund-address",
                "body": { "refund_address": "ana.near" },
            });
            assert_eq!(day.line(&line.to_string()).status, 200);
        }
        let order = day.order("v", NOON);
        assert_eq!(
            (&order["state"], &order["refund_address"]),
            (&json!("MANUAL_REVIEW"), &json!("ana.near"))
        );
        assert_eq!(order["refund_address_checked"], false);
        let sends = |day: &mut Day| {
            day.instructions().iter().any(|it| it["instruction"] == "crypto.refund")
        };
        assert!(!sends(&mut day), "a person decides first");
        assert_eq!(day.judge("v", NOON, "refund.decided", json!({})), "applied");
        assert_eq!(day.state("v", NOON), "REFUNDING_CRYPTO");
        assert!(sends(&mut day));
    }
    let checked = refundable("polygon", Some(WALLET)).order("v", NOON);
    assert_eq!(checked.get("refund_address_checked"), None, "where it is checked nothing is said");
}

#[test]
fn a_network_whose_addresses_nobody_can_check_is_not_deliverable_whatever_a_fact_says() {
    let mut day = market();
    let items: Vec<Value> = ["near", "atlantis", "sui"]
        .iter()
        .map(|chain| {
            json!({
                "asset": "usdt", "chain": chain, "rail": "convert", "minBuyAmount": "2",
                "entregavel": true, "etaSeconds": 60,
            })
        })
        .collect();
    let body = json!({ "id": "cat-3", "items": items });
    assert_eq!(day.report(NOON, "catalog.updated", &body), "applied");
    let shown = day.get(NOON, "/cashin/catalog");
    for item in shown["convert"].as_array().unwrap() {
        let checked = !matches!(item["chain"].as_str().unwrap(), "near" | "atlantis" | "aptos");
        assert_eq!(item["entregavel"], checked, "{item}");
    }
}
