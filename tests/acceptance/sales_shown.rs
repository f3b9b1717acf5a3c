//! Sales as their client sees them: what is shown, what is counted, and what a quote fixes (COUT-01
//! to COUT-16, COUT-24, COUT-25, COUT-29, COUT-33, COUT-46, COUT-60, COUT-64, COUT-65, COUT-81,
//! COUT-85, COUT-87, EVT-05, FEE-34, GEN-13).

use ledger_core::accounting::Control;
use ledger_core::contract::Environment;
use serde_json::{Value, json};

use crate::day::{Day, KEY, fields};
use crate::market::{LIQUID, TRON, WALLET};
use crate::selling::{STANDARD, VOLUME, arrival, markets, merge, of_depix, to_mail};

const NOON: &str = "2026-10-20T12:00:00Z";
const POLYGON: (&str, &str) = ("usdt", "polygon");

const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000\
                    520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";

fn to(key: &str, reais: &str) -> Value {
    json!({ "brl_amount": reais, "pix_key": key, "refund_address": WALLET })
}

fn with_asset(mut body: Value, (asset, network): (&str, &str)) -> Value {
    merge(&mut body, json!({ "asset": asset, "network": network }));
    body
}

fn erro(answer: &ledger_core::contract::Response) -> (u16, &str) {
    (answer.status, answer.body["erro"].as_str().unwrap_or("none"))
}

#[test]
fn cout_33_and_65_a_preview_changes_nothing_and_a_quote_books_nothing() {
    let mut day = Day::selling(NOON, STANDARD);
    let before = day.digest();
    let body = with_asset(to_mail("100.00"), POLYGON);
    let shown = day.ask(NOON, "POST /cash-outs/preview", &body);
    assert_eq!((shown.status, &shown.body["amount"]), (200, &json!("19.444445")));
    assert!(shown.body.get("cashout_id").is_none() && shown.body.get("state").is_none());
    assert_eq!(day.digest(), before);

    let books = |day: &Day| {
        let coins = ["dep", "fx", "treas", "transit", "refund"].map(|name| day.coins("usdt", name));
        (Control::ALL.map(|control| day.money(control)), coins)
    };
    let empty = books(&day);
    day.new_events();
    day.sold("v", NOON, "100.00");
    assert_eq!(books(&day), empty);
    assert_eq!((day.new_events().len(), day.instructions().len()), (0, 0));
    assert_eq!(day.order("v", NOON)["deposit_address"], Value::Null, "INV-29");
    day.accept("v", NOON);
    assert_eq!(books(&day), empty, "and an acceptance neither");
}

#[test]
fn cout_01_an_orders_id_is_opaque_and_says_where_it_is_of_the_sandbox() {
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    let live = day.order("v", NOON)["cashout_id"].as_str().unwrap().to_owned();
    assert!(!live.starts_with("sbx_"), "{live}");

    let terms: Value = serde_json::from_str(STANDARD).unwrap();
    let facts = [
        ("account.opened", json!({ "id": "acc-1", "account": "teste", "terms": terms })),
        ("markets.updated", json!({ "id": "m-1", "items": markets() })),
        ("rate.quoted", json!({ "id": "r-1", "asset": "usdt", "brl_per_unit": "5.40" })),
    ];
    for (fact, body) in facts {
        let report = json!({
            "at": NOON, "fact": fact, "environment": "sandbox", "body": body,
            "supplied": { "key": "svc_test_teste" },
        });
        assert_eq!(day.line(&report.to_string()).body["outcome"], "applied", "{fact}");
    }
    let asking = json!({
        "at": NOON, "key": "svc_test_teste", "request": "POST /cash-outs",
        "body": with_asset(to_mail("100.00"), POLYGON),
    });
    let order = day.line(&asking.to_string()).body;
    let id = order["cashout_id"].as_str().unwrap();
    assert!(id.starts_with("sbx_"), "{id}");
    assert!(day.book_of(Environment::Sandbox).ledger().state.seq.0 > 3);
}

#[test]
fn cout_03_each_route_has_its_path_and_cout_64_the_catalogue_its_networks() {
    let mut day = Day::selling(NOON, STANDARD);
    let catalogue = day.get(NOON, "/catalog");
    let assets = catalogue["assets"].as_array().unwrap();
    let mut paths = Vec::new();
    for asset in assets {
        assert_eq!(fields(asset), ["asset", "networks"]);
        for network in asset["networks"].as_array().unwrap() {
            let names = [
                "network",
                "path",
                "available",
                "min",
                "max",
                "decimals",
                "quote_valid_minutes",
                "confirmations_required",
                "eta_minutes",
            ];
            assert_eq!(fields(network), names);
            paths.push(json!([asset["asset"], network["network"], network["path"]]));
        }
    }
    let listed: Vec<Value> = markets()
        .as_array()
        .unwrap()
        .iter()
        .map(|item| json!([item["asset"], item["network"], item["path"]]))
        .collect();
    assert_eq!(paths.len(), listed.len());
    assert!(listed.iter().all(|pair| paths.contains(pair)), "{paths:?}");

    for (pair, wallet, path) in [
        (POLYGON, WALLET, "FAST"),
        (("usdt", "arbitrum"), WALLET, "DEX"),
        (("usdt", "tron"), TRON, "CONVERT"),
    ] {
        let mut body = to_mail("100.00");
        body["refund_address"] = wallet.into();
        assert_eq!(day.sell(path, NOON, pair, body).body["path"], path);
    }
    let depix = day.sell("d", NOON, ("depix", "liquid"), of_depix("100.00"));
    assert_eq!(depix.body["path"], "depix_liquid");
}

#[test]
fn cout_05_a_deposit_on_another_network_is_not_the_orders_and_waits_for_a_person() {
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    let amount = day.order("v", NOON)["amount"].as_str().unwrap().to_owned();
    let elsewhere = arrival("0xd", ("usdt", "arbitrum"), &amount);
    day.sale_reports("v", NOON, "deposit.seen", elsewhere);
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
    assert_eq!((day.coins("usdt", "dep"), day.coins("usdt", "susp.crypto")), (0, 18_768_519));
}

#[test]
fn cout_08_a_mask_is_no_key() {
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    let order = day.order("v", NOON);
    let masked = order["pix_key"].as_str().unwrap();
    assert!(masked.contains('*') && !order.to_string().contains("ana@exemplo"), "{order}");
    let again = day.sell("v", NOON, POLYGON, to(masked, "100.00"));
    assert_eq!(erro(&again), (409, "external_id_divergente"), "a mask is another key");
}

#[test]
fn cout_09_and_10_the_type_is_deduced_but_for_eleven_digits_and_a_declared_one_wins() {
    let mut day = Day::selling(NOON, STANDARD);
    let preview = |day: &mut Day, key: &str, kind: Option<&str>| {
        let mut body = with_asset(to(key, "100.00"), POLYGON);
        body["pix_key_type"] = kind.into();
        let answer = day.ask(NOON, "POST /cash-outs/preview", &body);
        (answer.status, answer.body["erro"].as_str().unwrap_or("none").to_owned())
    };
    let passes = (200, "none".to_owned());
    for key in [
        "ana@exemplo.com.br",
        "11222333000181",
        "123e4567-e12b-12d1-a456-426655440000",
        "+5511987654321",
    ] {
        assert_eq!(preview(&mut day, key, None), passes, "{key}");
    }
    let ambiguous = (400, "tipo_ambiguo".to_owned());
    assert_eq!(preview(&mut day, "11987654321", None), ambiguous);
    assert_eq!(preview(&mut day, "11987654321", Some("phone")), passes);
    assert_eq!(preview(&mut day, "52998224725", Some("cpf")), passes);
    let invalid = (400, "pix_key_invalida".to_owned());
    assert_eq!(preview(&mut day, "ana@exemplo.com.br", Some("cpf")), invalid);
}

#[test]
fn cout_14_15_and_29_a_tag_a_name_and_the_confirmations_are_shown() {
    let mut day = Day::selling(NOON, STANDARD);
    let long = "x".repeat(65);
    let mut body = with_asset(to_mail("100.00"), POLYGON);
    body["external_id"] = long.into();
    assert_eq!(erro(&day.ask(NOON, "POST /cash-outs", &body)), (400, "formato_invalido"));
    let full = "x".repeat(64);
    day.sold(&full, NOON, "100.00");
    assert_eq!(day.order(&full, NOON)["external_id"], full.as_str());

    day.sold("v", NOON, "100.00");
    let line = json!({
        "at": NOON, "key": KEY, "request": "POST /cash-outs/$v.cashout_id/accept",
        "supplied": { "deposit_address": "0xdeposit", "deposit_tag": "7001" },
    });
    let accepted = day.line(&line.to_string()).body;
    assert_eq!(accepted["deposit_tag"], "7001");
    assert_eq!(day.order("v", NOON)["deposit_tag"], "7001");
    assert_eq!(day.order("v", NOON)["confirmations_required"], 1);
    day.deposited("v", NOON, "19.444445");
    assert_eq!(day.order("v", NOON)["confirmations_complete"], true);
}

#[test]
fn cout_24_and_25_a_code_is_paid_from_what_has_a_price_and_names_its_merchant() {
    let mut day = Day::selling(NOON, STANDARD);
    let code = json!({ "br_code": CODE });
    let refused = day.sell("d", NOON, ("depix", "liquid"), code.clone());
    assert_eq!(erro(&refused), (400, "asset_invalido"));
    let order = day.sell("v", NOON, POLYGON, code);
    assert_eq!((order.status, &order.body["merchant_name"]), (200, &json!("FULANO DE TAL")));
    assert_eq!(order.body["br_code"], CODE);
    day.sold("k", NOON, "100.00");
    assert_eq!(day.order("k", NOON)["merchant_name"], Value::Null);
    for (cut, what) in [(&CODE[..CODE.len() - 1], "byte"), (&CODE.replace("10.00", "10.01"), "sum")]
    {
        let refused = day.sell("w", NOON, POLYGON, json!({ "br_code": cut }));
        assert_eq!(erro(&refused), (400, "br_code_invalido"), "{what}");
        let detail = refused.body["detail"].as_str().unwrap();
        assert!(detail.contains(what) && !detail.contains("FULANO"), "{detail}");
    }
}

#[test]
fn cout_46_what_ends_a_sale_is_notified() {
    let mut day = Day::selling(NOON, STANDARD);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    day.new_events();
    assert_eq!(day.sale_reports("v", NOON, "cashout.cancelled", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "FAILED");
    assert_eq!(day.new_events(), ["cashout.failed"]);
}

#[test]
fn evt_05_a_review_and_a_refund_are_notified_step_by_step() {
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    day.new_events();
    let strange = arrival("0xd", ("usdc", "polygon"), "18.768519");
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", strange), "applied");
    assert_eq!(day.new_events(), ["cashout.under_review"]);
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.confirmed", json!({ "tx_hash": "0xd" })),
        "applied"
    );
    assert_eq!(day.new_events(), [""; 0]);
    assert_eq!(day.judge("v", NOON, "refund.decided", json!({})), "applied");
    assert_eq!(day.new_events(), ["cashout.refunding"]);
    let asked = day.instructions().last().unwrap();
    let sent = ["instruction", "asset", "network", "amount"].map(|name| asked[name].clone());
    assert_eq!(
        json!(sent),
        json!(["crypto.refund", "usdc", "polygon", "18.768519"]),
        "COUT-51: in the token that came"
    );
    assert_eq!(day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xr" })), "applied");
    assert_eq!(day.new_events(), ["cashout.refunded"]);
}

#[test]
fn cout_60_a_revived_order_is_priced_anew_under_its_own_fees() {
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    let later = "2026-10-20T13:00:00Z";
    assert_eq!(day.state("v", later), "EXPIRED");
    assert_eq!(day.agree(later, json!({ "cashout_fee_bps": 500 })), "applied");
    assert_eq!(day.price(later, "usdt", "5.00"), "applied");
    day.deposited("v", later, "18.768519");
    // 93.84 at 5.00: 92.52, 35 bps of it, and the reserve.
    assert_eq!(day.order("v", later)["brl_amount"], "92.52");
    assert_eq!(day.sale_paid("v", later), "applied");
    assert_eq!((day.money(Control::SaleIncome), day.money(Control::ReserveIncome)), (32, 100));
}

#[test]
fn cout_81_and_87_the_ceiling_is_the_recipients_and_not_the_accounts() {
    let mut day = Day::selling(NOON, VOLUME);
    let cpf = |reais: &str| {
        let mut body = to("52998224725", reais);
        body["pix_key_type"] = "cpf".into();
        body
    };
    let full = "100000.00";
    for (id, body) in [("a", to("ana@exemplo.com.br", full)), ("b", to("rui@exemplo.com.br", full))]
    {
        assert_eq!(day.sell(id, NOON, POLYGON, body).status, 200, "{id}");
        assert_eq!(
            day.accept(id, NOON).status,
            200,
            "COUT-81: two hundred thousand of one account"
        );
    }
    assert_eq!(day.sell("c", NOON, POLYGON, cpf("99995.00")).status, 200);
    assert_eq!(day.accept("c", NOON).status, 200);
    let refused = day.sell("d", NOON, ("depix", "liquid"), of_depix("6.00"));
    assert_eq!(erro(&refused), (429, "limite_diario_recebedor"), "the document behind another key");
    let phone = |key: &str, kind: Option<&str>, reais: &str| {
        let mut body = to(key, reais);
        body["pix_key_type"] = kind.into();
        body
    };
    assert_eq!(
        day.sell("e", NOON, POLYGON, phone("11987654321", Some("phone"), full)).status,
        200,
        "eleven digits that are a phone are no document"
    );
    assert_eq!(day.accept("e", NOON).status, 200);
    let same = day.sell("f", NOON, POLYGON, phone("+5511987654321", None, "6.00"));
    assert_eq!(erro(&same), (429, "limite_diario_recebedor"), "the same key, written in full");
}

#[test]
fn cout_85_a_quote_lives_as_long_as_its_route_says() {
    let mut day = Day::selling(NOON, STANDARD);
    let mut ends = |pair: (&str, &str), wallet: &str| {
        let mut body = to_mail("100.00");
        body["refund_address"] = wallet.into();
        day.sell(pair.1, NOON, pair, body).body["expires_at"].clone()
    };
    assert_eq!(ends(POLYGON, WALLET), "2026-10-20T12:15:00Z");
    assert_eq!(ends(("usdt", "tron"), TRON), "2026-10-20T17:00:00Z", "300 minutes");
    let item = json!({
        "asset": "usdt", "network": "tron", "path": "CONVERT", "valid_minutes": 45,
        "eta_minutes": 1,
    });
    let outcome = day.report(NOON, "markets.updated", &json!({ "id": "m-9", "items": [item] }));
    assert_eq!(outcome, "applied");
    let mut body = to_mail("100.00");
    body["refund_address"] = TRON.into();
    let order = day.sell("v", NOON, ("usdt", "tron"), body).body;
    assert_eq!(order["expires_at"], "2026-10-20T12:45:00Z", "as data says");
}

#[test]
fn fee_34_a_sale_keeps_the_terms_it_was_quoted_under() {
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("v", NOON, "100.00");
    let dearer = json!({ "cashout_fee_bps": 500, "partner_cashout_fee_bps": 100 });
    assert_eq!(day.agree(NOON, dearer), "applied");
    assert_eq!(day.price(NOON, "usdt", "5.80"), "applied");
    day.accept("v", NOON);
    day.deposited("v", NOON, "18.768519");
    assert_eq!(day.order("v", NOON)["brl_amount"], "100.00", "at the price of the quote");
    assert_eq!(day.sale_paid("v", NOON), "applied");
    assert_eq!((day.money(Control::SaleIncome), day.money(Control::Commission)), (35, 0));
    assert_eq!(day.money(Control::ReserveIncome), 100, "FEE-20: kept once it is paid");
}

#[test]
fn gen_13_fields_of_tomorrow_are_tolerated_in_sales_too() {
    let mut day = Day::selling(NOON, STANDARD);
    let mut body = with_asset(to_mail("100.00"), POLYGON);
    body["field_of_tomorrow"] = json!({ "a": [1] });
    for request in ["POST /cash-outs/preview", "POST /cash-outs"] {
        assert_eq!(day.ask(NOON, request, &body).status, 200, "{request}");
    }
    let wallet = json!({ "refund_address": LIQUID, "field_of_tomorrow": 1 });
    day.sold("v", NOON, "100.00");
    let id = day.order("v", NOON)["cashout_id"].as_str().unwrap().to_owned();
    let answer = day.ask(NOON, &format!("POST /cash-outs/{id}/refund-address"), &wallet);
    assert_ne!(erro(&answer), (400, "formato_invalido"));
}

#[test]
fn cout_64_the_sellers_catalogue_is_apart_from_the_buyers_and_its_bounds_bind() {
    let mut day = Day::selling(NOON, STANDARD);
    let bought = json!({ "id": "cat-1", "items": [
        { "asset": "usdt", "chain": "avalanche", "minBuyAmount": "3", "etaSeconds": 60 },
    ]});
    assert_eq!(day.report(NOON, "catalog.updated", &bought), "applied");
    let sellers = day.get(NOON, "/catalog");
    let of = |network: &str| {
        let assets = sellers["assets"].as_array().unwrap();
        let usdt = assets.iter().find(|asset| asset["asset"] == "usdt").unwrap();
        let networks = usdt["networks"].as_array().unwrap();
        networks.iter().find(|known| known["network"] == network).cloned().unwrap_or_default()
    };
    assert_eq!(of("avalanche"), Value::Null, "what is bought there is not sold there");
    let buyers = day.get(NOON, "/cashin/catalog");
    let convert = buyers["convert"].as_array().unwrap();
    let chains: Vec<&Value> = convert.iter().map(|item| &item["chain"]).collect();
    assert_eq!(chains, ["avalanche"], "nor what is sold, bought");

    // The list binds: what it does not have is refused, and so is what lies beyond its bounds.
    let preview = |day: &mut Day, network: &str, amount: &str| {
        let wallet = if network == "tron" { TRON } else { WALLET };
        let body = json!({
            "amount": amount, "pix_key": "ana@exemplo.com.br", "refund_address": wallet,
        });
        let answer = day.ask(NOON, "POST /cash-outs/preview", &with_asset(body, ("usdt", network)));
        (answer.status, answer.body["erro"].as_str().unwrap_or("none").to_owned())
    };
    assert_eq!(preview(&mut day, "avalanche", "100"), (400, "asset_invalido".to_owned()));
    let tron = of("tron");
    assert_eq!((&tron["min"], &tron["max"]), (&json!("6.000000"), &json!("200000.000000")));
    let low = (400, "valor_abaixo_do_minimo".to_owned());
    assert_eq!(preview(&mut day, "tron", tron["min"].as_str().unwrap()), (200, "none".to_owned()));
    assert_eq!(preview(&mut day, "tron", "5.999999"), low);
    let high = (400, "valor_acima_do_maximo".to_owned());
    assert_eq!(preview(&mut day, "tron", "200000.000001"), high);
}

#[test]
fn fee_21_and_22_what_the_reserve_is_and_costs_was_settled_with_the_quote() {
    let none = r#"{"cashout_fee_bps":200,"cashout_fee_fixed_cents":200,"cashout_reserve_cents":0}"#;
    let mut day = Day::selling(NOON, none);
    let names = ["reserve_brl", "pix_key_reserve_usd", "copia_e_cola_buffer_usd"];
    let reserve = |order: &Value| names.map(|name| order[name].clone());
    day.sold("before", NOON, "100.00");
    let free = reserve(&day.order("before", NOON));
    assert_eq!(day.order("before", NOON)["amount"], "19.259260", "104.00 at 5.40");
    assert_eq!(day.agree(NOON, json!({ "cashout_reserve_cents": 100 })), "applied");
    day.sold("after", NOON, "100.00");
    let code = day.sell("code", NOON, POLYGON, json!({ "br_code": CODE })).body;
    let kept = [json!("1.00"), json!("0.185186"), Value::Null];
    assert_eq!(reserve(&day.order("after", NOON)), kept);
    assert_eq!(reserve(&code), [json!("1.00"), Value::Null, json!("0.185186")]);

    // Neither another price nor other terms touch what was quoted.
    assert_eq!(day.price(NOON, "usdt", "2.70"), "applied");
    assert_eq!(day.agree(NOON, json!({ "cashout_reserve_cents": 300 })), "applied");
    assert_eq!(reserve(&day.order("before", NOON)), free, "FEE-22");
    for id in ["before", "after"] {
        assert_eq!(day.accept(id, NOON).status, 200);
        let amount = day.order(id, NOON)["amount"].as_str().unwrap().to_owned();
        day.deposited(id, NOON, &amount);
        assert_eq!(day.sale_paid(id, NOON), "applied");
    }
    assert_eq!(reserve(&day.order("after", NOON)), kept, "FEE-21");
    assert_eq!(reserve(&day.order("code", NOON)), reserve(&code));
    assert_eq!(reserve(&day.order("before", NOON)), free);
    assert_eq!(day.money(Control::ReserveIncome), 100, "of the one that has it");
}
