//! The worked examples of purchases (Part C): fees, what they leave, what it buys, and the
//! postings.

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::Day;
use crate::market::{LIQUID, purchase};

const NOON: &str = "2026-10-20T12:00:00Z";

/// `fee_total_cents`, `net_cents` and `usdt_amount` of a purchase of USDT on Polygon.
fn priced(day: &mut Day, cents: i64) -> (i64, i64, String) {
    effects_of(day, cents, ("usdt", "polygon"))
}

fn effects_of(day: &mut Day, cents: i64, pair: (&str, &str)) -> (i64, i64, String) {
    let view = day.preview(NOON, cents, pair);
    assert_eq!(view.status, 200, "{cents}: {}", view.body);
    let of = |name: &str| view.body[name].as_i64().unwrap();
    let usdt = view.body["usdt_amount"].as_str().unwrap().to_owned();
    (of("fee_total_cents"), of("net_cents"), usdt)
}

fn minimum(day: &mut Day, cents: i64, pair: (&str, &str)) -> i64 {
    let refused = day.preview(NOON, cents, pair);
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("valor_abaixo_do_minimo")));
    refused.body["minimo_estimado_cents"].as_i64().unwrap()
}

#[test]
fn w04_a_purchase_of_10_000_costs_430_and_buys_17_722222() {
    let mut day = Day::trading(NOON, "{}");
    assert_eq!(priced(&mut day, 10_000), (430, 9_570, "17.722222".into()));
    day.delivered("p", NOON, 10_000);
    assert_eq!(day.status(NOON, "p")["usdt_amount"], "17.722222");
    assert_eq!(day.money(Control::PurchaseIncome), 430);
}

#[test]
fn w05_a_purchase_of_5_000_buys_8_768518_and_no_unit_more() {
    let mut day = Day::trading(NOON, "{}");
    assert_eq!(priced(&mut day, 5_000), (265, 4_735, "8.768518".into()));
}

#[test]
fn w07_a_purchase_of_600_000_costs_19_900() {
    let mut day = Day::trading(NOON, "{}");
    assert_eq!(priced(&mut day, 600_000), (19_900, 580_100, "1074.259259".into()));
}

#[test]
fn w08_a_partner_with_100_bps_is_added_to_the_fee() {
    let mut day = Day::trading(NOON, r#"{"partner_fee_bps":100}"#);
    assert_eq!(priced(&mut day, 10_000), (530, 9_470, "17.537037".into()));
    day.delivered("p", NOON, 10_000);
    assert_eq!(day.money(Control::PurchaseIncome), 430);
    assert_eq!(day.money(Control::Commission), 100);
}

#[test]
fn w10_house_and_partner_leave_no_centavo() {
    let terms = r#"{"partner_fee_bps":70,"admin_fee_fixed_cents":0}"#;
    let mut day = Day::trading(NOON, terms);
    assert_eq!(priced(&mut day, 3_333).0, 133);
    day.delivered("p", NOON, 3_333);
    assert_eq!(day.money(Control::PurchaseIncome), 110);
    assert_eq!(day.money(Control::Commission), 23);
}

#[test]
fn w11_the_earlier_default_leaves_nothing_of_102_and_no_less() {
    let mut day = Day::trading(NOON, r#"{"admin_fee_bps":250}"#);
    assert_eq!(priced(&mut day, 10_000).0, 350);
    assert_eq!(priced(&mut day, 10_000).1, 9_650);
    // The same rate on deposits, where nothing need be bought with what is left.
    assert_eq!(day.agree(NOON, json!({ "deposito_fee_bps": 250 })), "applied");
    let refused = day.charge("d", NOON, "a", 102);
    assert_eq!(refused.body["minimo_estimado_cents"], 103, "a net of at least one centavo");
    assert_eq!(day.adopt(NOON, json!({ "min_net_cents": 0 })), "applied");
    assert_eq!(day.charge("d", NOON, "a", 101).body["minimo_estimado_cents"], 102);
    assert_eq!(day.charge("d", NOON, "a", 102).status, 200);
}

#[test]
fn w12_the_standard_integration_costs_400_of_10_000() {
    let terms = r#"{"admin_fee_bps":200,"admin_fee_fixed_cents":200}"#;
    let mut day = Day::trading(NOON, terms);
    let (fee, net, _) = priced(&mut day, 10_000);
    assert_eq!((fee, net), (400, 9_600));
}

#[test]
fn w13_a_volume_partner_pays_35_bps() {
    let terms = r#"{"admin_fee_bps":35,"admin_fee_fixed_cents":0}"#;
    let mut day = Day::trading(NOON, terms);
    let prices = [10_000, 600_000].map(|cents| {
        let (fee, net, _) = priced(&mut day, cents);
        (fee, net)
    });
    assert_eq!(prices, [(35, 9_965), (2_100, 597_900)]);
}

#[test]
fn w14_a_real_does_not_pass_and_104_does() {
    let mut day = Day::trading(NOON, "{}");
    let pair = ("usdt", "bsc");
    assert_eq!(minimum(&mut day, 100, pair), 104);
    assert_eq!(minimum(&mut day, 103, pair), 104);
    let (fee, net, _) = effects_of(&mut day, 104, pair);
    assert_eq!((fee, net), (103, 1));
}

#[test]
fn w16_the_network_minimum_binds_by_asset() {
    let mut day = Day::trading(NOON, "{}");
    let usdc = ("usdc", "polygon");
    assert_eq!(minimum(&mut day, 667, usdc), 668);
    assert_eq!(effects_of(&mut day, 668, usdc), (122, 546, "1.011111".into()));
    assert_eq!(effects_of(&mut day, 2_000, usdc).1, 1_834);
    assert_eq!(effects_of(&mut day, 2_000, usdc).2, "3.396296");
    assert_eq!(minimum(&mut day, 2_000, ("usdt", "polygon")), 2_899);
    assert_eq!(day.preview(NOON, 2_899, ("usdt", "polygon")).status, 200);
    assert_eq!(minimum(&mut day, 2_898, ("usdt", "polygon")), 2_899);
}

#[test]
fn w17_a_purchase_on_liquid_costs_no_key_fee() {
    let mut day = Day::trading(NOON, r#"{"partner_fee_bps":100}"#);
    let pair = ("depix", "liquid");
    let view = day.preview(NOON, 10_000, pair).body;
    assert_eq!((&view["amount"], &view["net_cents"]), (&json!("100.00000000"), &json!(10_000)));
    assert_eq!((&view["fee_total_cents"], &view["min_brl_cents"]), (&json!(0), &json!(101)));
    assert_eq!(minimum(&mut day, 100, pair), 101);
    let mut body = purchase(101);
    body["asset"] = "depix".into();
    body["chain"] = "liquid".into();
    body["payout_address"] = LIQUID.into();
    let charge = day.ask_as("p", NOON, "POST /cashin/charge", body.clone());
    assert_eq!(charge.status, 200, "{}", charge.body);
    assert_eq!(day.pix("p", NOON, 101), "applied");
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(day.coins("depix", "treas"), 101_000_000);
    body["amount_cents"] = 100.into();
    let refused = day.ask_as("q", NOON, "POST /cashin/charge", body);
    assert_eq!(refused.body["minimo_estimado_cents"], 101);
}

#[test]
fn w68_the_new_policy_begins_at_midnight_in_brasilia() {
    let before = "2026-10-15T02:59:59Z";
    let mut day = Day::trading("2026-10-15T02:50:00Z", r#"{"admin_fee_bps":250}"#);
    let published = json!({
        "admin_fee_bps": 330, "admin_fee_fixed_cents": 100,
        "effective_from": "2026-10-15T00:00:00-03:00",
    });
    assert_eq!(day.agree("2026-10-15T02:50:00Z", published), "applied");
    for (id, at, fee) in [("old", before, 350), ("new", "2026-10-15T03:00:00Z", 430)] {
        let view = day.preview(at, 10_000, ("usdt", "polygon")).body;
        assert_eq!(view["fee_total_cents"], fee, "{at}");
        let earned = day.money(Control::PurchaseIncome);
        assert_eq!(day.buy(id, at, 10_000).status, 200);
        assert_eq!(day.money(Control::PurchaseIncome), earned);
    }
    // Both are paid and delivered afterwards; each earns what it was issued under.
    for (id, fee) in [("old", 350), ("new", 430)] {
        let earned = day.money(Control::PurchaseIncome);
        assert_eq!(day.pix(id, "2026-10-15T03:05:00Z", 10_000), "applied");
        assert_eq!(day.sent(id, "2026-10-15T03:05:00Z"), "applied");
        assert_eq!(day.money(Control::PurchaseIncome), earned + fee, "{id}");
    }
}

#[test]
fn w70_the_postings_of_w04() {
    let mut day = Day::trading(NOON, "{}");
    let reais = |day: &Day| {
        [Control::ProviderPix, Control::PixInFlight, Control::Fx, Control::PurchaseIncome]
            .map(|control| day.money(control))
    };
    let coins = |day: &Day| ["fx", "flight.deliv", "treas"].map(|name| day.coins("usdt", name));
    day.bought("p", NOON, 10_000);
    assert_eq!((reais(&day), coins(&day)), ([10_000, 10_000, 0, 0], [0, 0, 0]));
    assert_eq!(day.delivery_reports("p", NOON, "started"), "applied");
    assert_eq!(reais(&day), [10_000, 430, 9_570, 0]);
    assert_eq!(coins(&day), [-17_722_222, 17_722_222, 0]);
    assert_eq!(day.sent("p", NOON), "applied");
    assert_eq!(reais(&day), [10_000, 0, 9_570, 430]);
    assert_eq!(coins(&day), [-17_722_222, 0, 17_722_222]);
    let shown = day.status(NOON, "p");
    assert_eq!(shown["settlement_tx_hash"], "0xp");
    assert_eq!(shown["settlement_tx_url"], Value::Null);
}
