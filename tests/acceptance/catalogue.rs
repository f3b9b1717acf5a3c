//! What is offered: catalogue, prices, preview, wallets (CIN-05 to CIN-11, CIN-37 to CIN-46,
//! FEE-09, FEE-10, GEN-03, GEN-14, GEN-18, LIM-02, LIM-03, LIM-23 to LIM-27, INV-43, rulings 40).

use serde_json::{Value, json};

use crate::day::{Day, KEY, fields};
use crate::market::{LIQUID, TON, TRON, WALLET, pairs, purchase};

const NOON: &str = "2026-10-20T12:00:00Z";

fn market() -> Day {
    Day::trading(NOON, "{}")
}

fn update_catalogue(day: &mut Day, items: Value) -> String {
    let id = day.outside_id();
    let mut body = json!({ "id": id });
    body["items"] = items;
    day.report(NOON, "catalog.updated", &body)
}

fn to(asset: &str, chain: &str, address: &str) -> Value {
    let mut body = purchase(10_000);
    body["asset"] = asset.into();
    body["chain"] = chain.into();
    body["payout_address"] = address.into();
    body
}

/// The answer's `erro`; none when it passed.
fn erro(day: &mut Day, body: &Value) -> (u16, String) {
    let answer = day.ask(NOON, "POST /cashin/charge", body);
    (answer.status, answer.body["erro"].as_str().unwrap_or("none").to_owned())
}

fn is(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[test]
fn cin_37_and_38_the_catalogue_has_exactly_these_fields_by_rail() {
    let mut day = market();
    let body = json!({ "id": "drop-1", "dropped": [{ "asset": "usdt", "chain": "bsc" }] });
    assert_eq!(day.report(NOON, "catalog.updated", &body), "applied");
    let shown = day.get(NOON, "/cashin/catalog");
    assert_eq!(fields(&shown), ["updatedAt", "instant", "convert", "liquid", "dropped", "totals"]);
    assert_eq!(shown["updatedAt"], NOON);
    let usdc = json!({
        "asset": "usdc", "chain": "polygon", "minBuyAmount": "1.011000",
        "withdrawFee": "0.000000", "entregavel": true, "memoRequired": false, "eta": "1 min",
        "etaSeconds": 60,
    });
    assert_eq!(shown["instant"][0], usdc);
    assert_eq!(fields(&shown["instant"][0]), fields(&usdc));
    let chains = |rail: &str| -> Vec<Value> {
        shown[rail].as_array().unwrap().iter().map(|item| item["chain"].clone()).collect()
    };
    assert_eq!(json!(chains("convert")), json!(["aptos", "ton", "tron"]));
    assert_eq!(json!(chains("liquid")), json!(["liquid"]));
    assert_eq!(shown["dropped"], json!([{ "asset": "usdt", "chain": "bsc" }]));
    let totals = json!({ "instant": 2, "convert": 3, "liquid": 1, "dropped": 1, "entregaveis": 5 });
    assert_eq!(shown["totals"], totals);
}

#[test]
fn without_a_catalogue_nothing_is_offered() {
    let mut day = Day::opened(NOON);
    let line = json!({ "at": NOON, "key": KEY, "request": "GET /cashin/catalog" });
    let refused = day.line(&line.to_string());
    assert_eq!((refused.status, &refused.body["erro"]), (503, &json!("catalogo_indisponivel")));
    assert_eq!(refused.body["acao"], "repetir");
    assert_eq!(erro(&mut day, &purchase(10_000)), is(503, "catalogo_indisponivel"));
    assert_eq!(day.charge("d", NOON, "a", 5_000).status, 200, "custody needs none (GEN-06)");
}

#[test]
fn cin_40_and_43_pairs_that_are_not_delivered_are_not_offered() {
    let mut day = market();
    assert_eq!(erro(&mut day, &to("usdt", "aptos", WALLET)), is(400, "rede_indisponivel"));
    assert_eq!(day.preview(NOON, 10_000, ("usdt", "aptos")).body["erro"], "rede_indisponivel");
    let mut aptos = pairs()[5].clone();
    aptos["entregavel"] = true.into();
    assert_eq!(update_catalogue(&mut day, json!([aptos])), "applied");
    let account = format!("0x{}", "5a".repeat(32));
    assert_eq!(erro(&mut day, &to("usdt", "aptos", &account)), is(200, "none"));
    let mut near = pairs()[5].clone();
    (near["chain"], near["entregavel"]) = ("near".into(), true.into());
    assert_eq!(update_catalogue(&mut day, json!([near])), "applied");
    let refused = erro(&mut day, &to("usdt", "near", "ana.near"));
    assert_eq!(refused, is(400, "rede_indisponivel"), "nobody can check a name (rulings 65)");
}

#[test]
fn cin_41_the_pairs_seen_undeliverable_are_data() {
    let mut day = market();
    let seen = [
        ("usdt", ["aptos", "near", "polkadot"].as_slice()),
        ("usdc", &["aptos", "arc", "polkadot", "stark", "sui", "xdc"]),
    ];
    for (asset, chains) in seen {
        for chain in chains {
            let item = json!({
                "asset": asset, "chain": chain, "minBuyAmount": "1", "entregavel": false,
                "etaSeconds": 60,
            });
            assert_eq!(update_catalogue(&mut day, json!([item])), "applied");
            let refused = erro(&mut day, &to(asset, chain, WALLET));
            assert_eq!(refused, is(400, "rede_indisponivel"), "{asset} on {chain}");
        }
    }
}

#[test]
fn asset_invalido_for_a_pair_that_is_not_on_the_catalogue() {
    let mut day = market();
    for (asset, chain) in
        [("usdt", "base"), ("btc", "polygon"), ("USDT", "polygon"), ("usdt", "Polygon")]
    {
        assert_eq!(erro(&mut day, &to(asset, chain, WALLET)), is(400, "asset_invalido"));
    }
    let body = json!({ "id": "drop-1", "dropped": [{ "asset": "usdt", "chain": "polygon" }] });
    assert_eq!(day.report(NOON, "catalog.updated", &body), "applied");
    assert_eq!(erro(&mut day, &purchase(10_000)), is(400, "asset_invalido"));
}

#[test]
fn cin_08_and_09_the_keys_wallet_is_on_polygon() {
    let mut day = market();
    let without = |chain: &str| {
        let mut body = to("usdt", chain, "");
        body.as_object_mut().unwrap().remove("payout_address");
        body
    };
    assert_eq!(erro(&mut day, &without("polygon")), is(400, "payout_address_obrigatorio"));
    let other = "0x0000000000000000000000000000000000000001";
    let set = |day: &mut Day, address: &str| {
        day.ask(NOON, "PATCH /keys/me", &json!({ "settlement_address": address }))
    };
    assert_eq!(set(&mut day, "0x1").body["erro"], "payout_address_invalido");
    assert_eq!(set(&mut day, WALLET).body["settlement_address"], WALLET);
    assert_eq!(erro(&mut day, &without("tron")), is(400, "payout_address_obrigatorio"));
    let first = day.ask_as("p", NOON, "POST /cashin/charge", without("polygon"));
    assert_eq!(first.body["payout_address"], WALLET);
    assert_eq!(set(&mut day, other).status, 200);
    assert_eq!(day.ask_as("p", NOON, "POST /cashin/charge", without("polygon")), first, "as asked");
    let next = day.ask_as("q", NOON, "POST /cashin/charge", without("polygon"));
    assert_eq!(next.body["payout_address"], other);
    let body = json!({ "settlement_address": WALLET });
    let line = json!({ "at": NOON, "request": "PATCH /keys/me", "body": body });
    assert_eq!(day.line(&line.to_string()).status, 401);
}

#[test]
fn payout_address_invalido_when_it_is_none_of_its_chain() {
    let mut day = market();
    for (asset, chain, address) in [
        ("usdt", "polygon", TRON),
        ("usdt", "polygon", "0x52908400098527886e0f7030069857d2e4169ee"),
        ("usdt", "tron", WALLET),
        ("depix", "liquid", WALLET),
        ("usdt", "ton", "short"),
    ] {
        let refused = erro(&mut day, &to(asset, chain, address));
        assert_eq!(refused, is(400, "payout_address_invalido"), "{address} on {chain}");
    }
    let mut rich = to("depix", "liquid", LIQUID);
    assert_eq!(erro(&mut day, &rich), is(200, "none"));
    rich = to("usdt", "tron", TRON);
    assert_eq!(erro(&mut day, &rich), is(200, "none"));
}

#[test]
fn cin_10_and_11_a_memo_has_four_names_and_one_value() {
    let mut day = market();
    assert_eq!(erro(&mut day, &to("usdt", "ton", TON)), is(400, "memo_obrigatorio"));
    for name in ["payout_tag", "memo", "tag", "destination_tag"] {
        let mut body = to("usdt", "ton", TON);
        body[name] = "7001".into();
        let id = format!("p-{name}");
        assert_eq!(day.ask_as(&id, NOON, "POST /cashin/charge", body).status, 200, "{name}");
        assert_eq!(day.pix(&id, NOON, 10_000), "applied");
        assert_eq!(day.instructions().last().unwrap()["payout_tag"], "7001", "{name}");
    }
    let mut body = to("usdt", "ton", TON);
    body["memo"] = "7001".into();
    body["tag"] = "7001".into();
    assert_eq!(erro(&mut day, &body), is(200, "none"), "twice the same is no contradiction");
    body["tag"] = "7002".into();
    assert_eq!(erro(&mut day, &body), is(400, "campos_conflitantes"));
}

#[test]
fn cin_46_a_preview_has_exactly_these_fields_and_creates_nothing() {
    let mut day = market();
    let before = day.digest();
    let shown = day.preview(NOON, 10_000, ("usdt", "tron")).body;
    let expected = json!({
        "asset": "usdt", "chain": "tron", "amount": "16.222222", "network_min": "4.000000",
        "withdraw_fee": "1.500000", "min_brl_cents": 2_337, "eta": "1 min", "admin_fee_bps": 330,
        "house_fee_bps": 330, "partner_fee_bps": 0, "admin_fee_fixed_cents": 100, "fee_total_cents": 430, "net_cents": 9_570,
        "brl_per_usdt": "5.40", "usdt_amount": "17.722222",
    });
    assert_eq!(shown, expected);
    assert_eq!(fields(&shown), fields(&expected));
    assert_eq!(day.digest(), before);
}

#[test]
fn inv_43_the_minimum_that_is_suggested_passes_and_a_centavo_less_does_not() {
    let schedules = [
        "{}",
        r#"{"admin_fee_bps":250}"#,
        r#"{"admin_fee_bps":200,"admin_fee_fixed_cents":200}"#,
        r#"{"admin_fee_bps":35,"admin_fee_fixed_cents":0}"#,
        r#"{"admin_fee_bps":180}"#,
        r#"{"partner_fee_bps":100,"cashin_min_cents":5000}"#,
    ];
    for terms in schedules {
        for price in ["5.40", "5.4321", "0.01", "612345.67"] {
            let mut day = Day::trading(NOON, terms);
            assert_eq!(day.price(NOON, "usdt", price), "applied");
            for chain in ["polygon", "tron", "bsc"] {
                let refused = day.preview(NOON, 1, ("usdt", chain));
                assert_eq!(refused.status, 400, "{terms} {price} {chain}");
                assert_eq!(refused.body["erro"], "valor_abaixo_do_minimo");
                let Some(least) = refused.body["minimo_estimado_cents"].as_i64() else {
                    let most = day.preview(NOON, 600_000, ("usdt", chain));
                    assert_eq!(most.status, 400, "none passes: {terms} {price} {chain}");
                    continue;
                };
                let passes = day.preview(NOON, least, ("usdt", chain));
                assert_eq!((passes.status, &passes.body["min_brl_cents"]), (200, &json!(least)));
                assert_eq!(day.preview(NOON, least - 1, ("usdt", chain)).status, 400);
                let address = if chain == "tron" { TRON } else { WALLET };
                let mut body = to("usdt", chain, address);
                body["amount_cents"] = (least - 1).into();
                let refused = day.ask(NOON, "POST /cashin/charge", &body);
                assert_eq!(
                    refused.body["minimo_estimado_cents"], least,
                    "the charge says the same"
                );
                body["amount_cents"] = least.into();
                assert_eq!(erro(&mut day, &body), is(200, "none"));
            }
        }
    }
}

#[test]
fn lim_02_the_larger_of_the_two_minimums_binds() {
    let mut day = Day::trading(NOON, r#"{"cashin_min_cents":1000}"#);
    let least = |day: &mut Day, pair| day.preview(NOON, 10_000, pair).body["min_brl_cents"].clone();
    assert_eq!(least(&mut day, ("usdc", "polygon")), 1_000, "the account's");
    assert_eq!(least(&mut day, ("usdt", "polygon")), 2_899, "the network's");
}

#[test]
fn lim_26_a_minimum_that_changes_is_in_force_at_once_and_binds_nothing_agreed() {
    let mut day = market();
    assert_eq!(day.buy("p", NOON, 2_899).status, 200);
    let mut item = pairs()[0].clone();
    (item["minBuyAmount"], item["withdrawFee"]) = ("6".into(), "0.5".into());
    assert_eq!(update_catalogue(&mut day, json!([item])), "applied");
    assert_eq!(day.buy("q", NOON, 2_899).body["erro"], "valor_abaixo_do_minimo");
    assert_eq!(day.pix("p", NOON, 2_899), "applied");
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(day.coins("usdt", "exp.gas"), 0, "nor does the network's fee");
}

#[test]
fn lim_24_only_polygon_settles_at_once() {
    let mut day = market();
    let item = |chain: &str, seconds: i64| {
        let mut item = pairs()[0].clone();
        item["chain"] = chain.into();
        item["etaSeconds"] = seconds.into();
        json!([item])
    };
    assert_eq!(update_catalogue(&mut day, item("polygon", 0)), "applied");
    let body = json!({ "id": "cat-9", "items": item("eth", 0) });
    let line = json!({ "at": NOON, "fact": "catalog.updated", "body": body });
    let refused = day.line(&line.to_string());
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("formato_invalido")));
    assert!(refused.body["detail"].as_str().unwrap().contains("items[0]: etaSeconds"));
    assert_eq!(update_catalogue(&mut day, item("eth", 1_200)), "applied");
}

#[test]
fn gen_18_an_asset_has_one_scale_for_ever() {
    let mut day = market();
    let item = |decimals: i64, least: &str| {
        json!([{ "asset": "eth", "chain": "eth", "decimals": decimals, "minBuyAmount": least,
                 "etaSeconds": 1_200 }])
    };
    assert_eq!(update_catalogue(&mut day, item(18, "0.000000000000000001")), "applied");
    assert_eq!(
        update_catalogue(&mut day, item(6, "0.001")),
        "set_aside",
        "it contradicts the books"
    );
    assert_eq!(day.price(NOON, "eth", "21000.5"), "applied");
    let shown = day.preview(NOON, 10_000, ("eth", "eth")).body;
    assert_eq!(shown["amount"], "0.004557034356324849", "9,570 centavos at 21,000.50");
}

#[test]
fn rulings_40_a_price_too_old_quotes_nothing() {
    let mut day = market();
    let (last, late) = ("2026-10-20T12:15:00Z", "2026-10-20T12:15:00.000001Z");
    assert_eq!(day.preview(last, 10_000, ("usdt", "polygon")).status, 200);
    let refused = day.preview(late, 10_000, ("usdt", "polygon"));
    assert_eq!((refused.status, &refused.body["erro"]), (503, &json!("cotacao_indisponivel")));
    assert_eq!(refused.body["acao"], "repetir");
    assert_eq!(day.buy("p", late, 10_000).body["erro"], "cotacao_indisponivel");
    let liquid = day.preview(late, 10_000, ("depix", "liquid"));
    assert_eq!(liquid.status, 200, "one unit is one real (LIM-27)");
    assert_eq!(
        (&liquid.body["brl_per_usdt"], &liquid.body["usdt_amount"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(day.adopt(late, json!({ "rate_max_age_seconds": 3_600 })), "applied");
    assert_eq!(day.preview(late, 10_000, ("usdt", "polygon")).status, 200);
}

#[test]
fn rulings_40_the_latest_price_counts_and_older_news_is_known() {
    let mut day = market();
    let rate = |id: &str, price: &str, at: &str| {
        let mut body = json!({ "id": id, "asset": "usdt", "brl_per_unit": price });
        body["quoted_at"] = at.into();
        body
    };
    let later = "2026-10-20T12:02:00Z";
    let report = rate("r-1", "5.50", "2026-10-20T12:02:00Z");
    assert_eq!(day.report(later, "rate.quoted", &report), "applied");
    let stale = rate("r-2", "5.00", "2026-10-20T12:01:00Z");
    assert_eq!(day.report(later, "rate.quoted", &stale), "known");
    let shown = day.preview(later, 10_000, ("usdt", "polygon")).body;
    assert_eq!(shown["brl_per_usdt"], "5.50", "unmodified (FEE-09)");
}

#[test]
fn fee_09_the_price_is_the_price_of_the_issue_whatever_comes_after() {
    let mut day = market();
    assert_eq!(day.buy("p", NOON, 10_000).status, 200);
    assert_eq!(day.price(NOON, "usdt", "9.99"), "applied");
    assert_eq!(day.pix("p", NOON, 10_000), "applied");
    assert_eq!(day.status(NOON, "p")["usdt_amount"], "17.722222");
}

#[test]
fn lim_23_network_timings_are_shown_as_they_were_listed() {
    let mut day = market();
    let minutes: [(&str, &[(&str, u16)]); 2] = [
        (
            "usdt",
            &[
                ("aptos", 1),
                ("plasma", 1),
                ("solana", 1),
                ("tron", 1),
                ("avalanche", 2),
                ("near", 2),
                ("cfxevm", 2),
                ("klay", 2),
                ("bsc", 4),
                ("polkadot", 4),
                ("eth", 20),
                ("arbitrum", 21),
                ("optimism", 60),
                ("celo", 200),
            ],
        ),
        (
            "usdc",
            &[
                ("aptos", 1),
                ("algo", 1),
                ("solana", 1),
                ("sui", 1),
                ("sonic", 3),
                ("xdc", 5),
                ("arc", 12),
                ("seievm", 15),
                ("base", 34),
                ("stark", 450),
            ],
        ),
    ];
    let all = || {
        let pairs = minutes.into_iter();
        pairs.flat_map(|(asset, known)| known.iter().map(move |(chain, eta)| (asset, *chain, *eta)))
    };
    let items: Vec<Value> = all()
        .map(|(asset, chain, eta)| {
            json!({
                "asset": asset, "chain": chain, "minBuyAmount": "1", "eta": format!("{eta} min"),
                "etaSeconds": 60 * u32::from(eta),
            })
        })
        .collect();
    assert_eq!(update_catalogue(&mut day, json!(items)), "applied");
    let shown = day.get(NOON, "/cashin/catalog");
    let convert = shown["convert"].as_array().unwrap();
    for (asset, chain, eta) in all() {
        let listed = convert.iter().find(|item| item["asset"] == asset && item["chain"] == chain);
        let listed = listed.unwrap_or_else(|| panic!("{asset} on {chain}"));
        let times = (&listed["eta"], &listed["etaSeconds"]);
        assert_eq!(times, (&json!(format!("{eta} min")), &json!(60 * u32::from(eta))), "{chain}");
    }
}

#[test]
fn cin_42_the_networks_seen_with_a_memo_are_data() {
    let mut day = market();
    for (asset, chain) in [("usdt", "ton"), ("usdc", "algo")] {
        let address = if chain == "ton" {
            TON
        } else {
            "VCMJKWOY5P5P7SKMZFFOCEROPJCZOTIJMNIYNUCKH7LRO45JMJP6UYBIJA"
        };
        let mut item = json!({
            "asset": asset, "chain": chain, "minBuyAmount": "1", "memoRequired": true,
            "etaSeconds": 60,
        });
        assert_eq!(update_catalogue(&mut day, json!([item])), "applied");
        let mut body = to(asset, chain, address);
        assert_eq!(erro(&mut day, &body), is(400, "memo_obrigatorio"), "{asset} on {chain}");
        item["memoRequired"] = false.into();
        assert_eq!(update_catalogue(&mut day, json!([item])), "applied");
        assert_eq!(erro(&mut day, &body), is(200, "none"), "what was seen may change");
        body["payout_tag"] = "7001".into();
        assert_eq!(erro(&mut day, &body), is(200, "none"));
    }
}
