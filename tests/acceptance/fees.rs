//! Fees as data: every schedule the contract names, against a formulation of our own in wide
//! integers (FEE-01 to FEE-08, FEE-11 to FEE-16, FEE-24 to FEE-32, FEE-36 to FEE-39, FEE-42, FEE-44
//! to FEE-47, INV-16 to INV-18, INV-22).

use serde_json::{Value, json};

use crate::actions::SCHEDULES;
use crate::day::{AT_ONCE, Day, KEY, PAYER};
use crate::killed::Dice;

const NOON: &str = "2026-11-20T12:00:00Z";

/// Percentages of house and partner and the fixed part of one kind of fee.
#[derive(Clone, Copy)]
struct Rates {
    house: i128,
    partner: i128,
    fixed: i128,
}

impl Rates {
    /// Of terms: by the names of their fields.
    fn from_terms(terms: &Value, house: &[&str], partner: &str, fixed: &str) -> Self {
        let bps = |name: &str| i128::from(terms[name].as_i64().unwrap_or(0));
        let house = house.iter().map(|name| bps(name)).sum();
        Self { house, partner: bps(partner), fixed: bps(fixed) }
    }

    /// House and partner: one total rounded down, the partner's part rounded down, the rest the
    /// house's.
    fn on(self, cents: i128) -> (i128, i128) {
        let total = cents * (self.house + self.partner) / 10_000;
        let partner = cents * self.partner / 10_000;
        (total - partner + self.fixed, partner)
    }
}

/// Every field of a schedule, those it leaves out as published.
fn whole(schedule: &str) -> Value {
    let mut terms = json!({
        "admin_fee_bps": 330, "admin_fee_fixed_cents": 100, "partner_fee_bps": 0,
        "saque_fee_bps": 150, "partner_saque_fee_bps": 0, "saque_taxa_estimada_cents": 0,
        "saque_cripto_fee_bps": 0, "saque_cripto_conversao_fee_bps": 330,
        "saque_cripto_conversao_fee_fixed_cents": 0,
    });
    let changed: Value = serde_json::from_str(schedule).unwrap();
    for (name, value) in changed.as_object().unwrap() {
        terms[name] = value.clone();
    }
    terms
}

fn amounts(dice: &mut Dice) -> Vec<i64> {
    let wide = (0..40).map(|_| i64::try_from(dice.below(600_000)).unwrap() + 1);
    let edges = [1, 2, 99, 100, 101, 102, 103, 104, 10_000, 599_999, 600_000];
    wide.chain(edges).collect()
}

#[test]
fn a_preview_agrees_with_wide_integers_under_every_schedule() {
    let mut dice = Dice(17);
    for schedule in SCHEDULES {
        let terms = whole(schedule);
        let names = ["admin_fee_bps"];
        let rates = Rates::from_terms(&terms, &names, "partner_fee_bps", "admin_fee_fixed_cents");
        let mut day = Day::trading(NOON, &terms.to_string());
        assert_eq!(day.price(NOON, "usdt", "5.4321"), "applied");
        let mut last = 0;
        let mut sorted = amounts(&mut dice);
        sorted.sort_unstable();
        for cents in sorted {
            let shown = day.preview(NOON, cents, ("usdt", "bsc"));
            let (house, partner) = rates.on(cents.into());
            let net = i128::from(cents) - house - partner;
            let passes = net >= 1 && 100 <= cents;
            assert_eq!(shown.status == 200, passes, "{schedule} {cents}: {}", shown.body);
            if shown.status != 200 {
                continue;
            }
            let of = |name: &str| i128::from(shown.body[name].as_i64().unwrap());
            assert_eq!((of("fee_total_cents"), of("net_cents")), (house + partner, net));
            // Millionths of USDT: net / 100 / 5.4321, rounded down.
            let units = net * 1_000_000 * 10_000 / (100 * 54_321);
            let text = format!("{}.{:06}", units / 1_000_000, units % 1_000_000);
            assert_eq!(shown.body["usdt_amount"], text, "{schedule} {cents}");
            assert!(last <= net, "INV-22: never less for more");
            last = net;
        }
    }
}

#[test]
fn payouts_and_conversions_agree_with_wide_integers_under_every_schedule() {
    let mut dice = Dice(19);
    for schedule in SCHEDULES {
        let terms = whole(schedule);
        let mut day = Day::trading(NOON, AT_ONCE);
        assert_eq!(day.agree(NOON, terms.clone()), "applied");
        for index in 0..40 {
            day.deposit(&format!("d{index}"), NOON, "a", 600_000);
        }
        let out = Rates::from_terms(&terms, &["saque_fee_bps"], "partner_saque_fee_bps", "none");
        let tariff = i128::from(terms["saque_taxa_estimada_cents"].as_i64().unwrap());
        let names = ["saque_cripto_fee_bps", "saque_cripto_conversao_fee_bps"];
        let fixed = "saque_cripto_conversao_fee_fixed_cents";
        let converted = Rates::from_terms(&terms, &names, "partner_saque_fee_bps", fixed);
        for index in 0..20 {
            let cents = i64::try_from(dice.below(297_000)).unwrap() + 3_000;
            let payout = day.payout(&format!("o{index}"), NOON, "a", cents).body;
            let of = |name: &str| i128::from(payout[name].as_i64().unwrap());
            let (house, partner) = out.on(cents.into());
            let parts =
                ["fee_service_cents", "fee_partner_cents", "fee_provider_cents", "fee_cents"];
            let expected = [house, partner, tariff, house + partner + tariff];
            assert_eq!(parts.map(of), expected, "{schedule} {cents}");
            assert_eq!(of("debited_cents"), i128::from(cents) + of("fee_cents"), "FEE-30");
            let made = day.convert(&format!("c{index}"), NOON, "a", cents).body;
            let (house, partner) = converted.on(cents.into());
            assert_eq!(i128::from(made["fee_cents"].as_i64().unwrap()), house + partner);
        }
    }
}

#[test]
fn fee_15_what_saldo_shows_is_what_is_charged() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    let terms = json!({
        "saque_fee_bps": 180, "partner_saque_fee_bps": 70, "saque_taxa_estimada_cents": 100,
    });
    assert_eq!(day.agree(NOON, terms), "applied");
    let saldo = day.get(NOON, "/saldo");
    let shown = ["saque_fee_bps", "saque_fee_total_bps", "saque_taxa_estimada_cents"];
    assert_eq!(json!(shown.map(|name| saldo[name].clone())), json!([180, 250, 100]));
    let payout = day.payout("o", NOON, "a", 10_000).body;
    assert_eq!(
        (&payout["fee_service_total_cents"], &payout["fee_cents"]),
        (&json!(250), &json!(350))
    );
}

#[test]
fn fee_47_what_the_provider_of_liquid_takes_is_data() {
    let mut day = Day::trading(NOON, r#"{"liquid_provider_fee_cents":30}"#);
    let shown = day.preview(NOON, 10_000, ("depix", "liquid")).body;
    assert_eq!((&shown["fee_total_cents"], &shown["amount"]), (&json!(30), &json!("99.70000000")));
    assert_eq!(shown["min_brl_cents"], 131);
}

#[test]
fn admin_fee_bps_means_one_thing_in_the_preview_and_of_the_key() {
    for (house, partner) in [(330, 0), (250, 120), (35, 1_000)] {
        let terms = json!({ "admin_fee_bps": house, "partner_fee_bps": partner });
        let mut day = Day::trading(NOON, &terms.to_string());
        let key = day.get(NOON, "/keys/me");
        let preview = day.preview(NOON, 50_000, ("usdt", "polygon")).body;
        for shown in [&key, &preview] {
            assert_eq!(shown["admin_fee_bps"], house + partner, "what a purchase costs: {shown}");
            assert_eq!(
                (&shown["house_fee_bps"], &shown["partner_fee_bps"]),
                (&json!(house), &json!(partner)),
                "{shown}"
            );
        }
        let of = |name: &str| preview[name].as_i64().unwrap();
        let total = 50_000 * of("admin_fee_bps") / 10_000 + of("admin_fee_fixed_cents");
        assert_eq!(of("fee_total_cents"), total, "FEE-25");
    }
}

#[test]
fn fee_08_each_of_the_three_partners_shares_is_of_its_own_operations_alone() {
    let fields = ["partner_fee_bps", "partner_cashout_fee_bps", "partner_saque_fee_bps"];
    let costs = |terms: &Value| {
        let mut day = Day::selling(NOON, AT_ONCE);
        day.market(NOON);
        assert_eq!(day.agree(NOON, terms.clone()), "applied");
        let me = day.get(NOON, "/keys/me");
        for field in fields {
            assert_eq!(me[field], terms.get(field).cloned().unwrap_or(json!(0)), "{field}");
        }
        day.deposit("d", NOON, "a", 50_000);
        let (net, _) = day.balance(NOON, "a");
        let sale = json!({
            "asset": "usdt", "network": "polygon", "brl_amount": "100.00",
            "pix_key": "ana@exemplo.com.br",
        });
        let purchase = day.preview(NOON, 10_000, ("usdt", "polygon")).body;
        let sale = day.ask(NOON, "POST /cash-outs/preview", &sale).body;
        let payout = day.payout("p", NOON, "a", 10_000).body;
        let conversion = day.convert("c", NOON, "a", 10_000).body;
        [
            purchase["fee_total_cents"].clone(),
            sale["fee_brl"].clone(),
            payout["fee_cents"].clone(),
            conversion["fee_cents"].clone(),
            json!(50_000 - net),
        ]
    };
    let none = [json!(430), json!("4.00"), json!(150), json!(330), json!(100)];
    assert_eq!(costs(&json!({})), none);
    let mut purchase = none.clone();
    purchase[0] = json!(530);
    assert_eq!(costs(&json!({ "partner_fee_bps": 100 })), purchase);
    let mut sale = none.clone();
    sale[1] = json!("5.00");
    assert_eq!(costs(&json!({ "partner_cashout_fee_bps": 100 })), sale);
    let mut from_balance = none;
    (from_balance[2], from_balance[3]) = (json!(250), json!(430));
    assert_eq!(costs(&json!({ "partner_saque_fee_bps": 100 })), from_balance);
}

#[test]
fn fee_15_two_keys_are_charged_each_by_its_own_terms() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let mut terms: Value = serde_json::from_str(AT_ONCE).unwrap();
    terms["saque_fee_bps"] = 35.into();
    terms["deposito_fee_fixed_cents"] = 7.into();
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-2", "account": "feira", "terms": terms },
        "supplied": { "key": "svc_live_feira" },
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    for (key, bps, fixed, debited) in [(KEY, 150, 100, 10_150), ("svc_live_feira", 35, 7, 10_035)] {
        let saldo = day.get_with(key, NOON, "/saldo");
        assert_eq!([&saldo["saque_fee_bps"], &saldo["deposito_fee_fixed_cents"]], [bps, fixed]);
        assert_eq!(day.get_with(key, NOON, "/keys/me")["saque_fee_bps"], bps);
        let charge = json!({
            "at": NOON, "as": format!("d-{key}"), "key": key, "request": "POST /cashin/charge",
            "body": { "destino": "saldo", "amount_cents": 20_000, "payer_tax_number": PAYER },
            "supplied": { "qr_copypaste": "00020126-qr" },
        });
        assert_eq!(day.line(&charge.to_string()).status, 200);
        assert_eq!(day.pix(&format!("d-{key}"), NOON, 20_000), "applied");
        let left = day.get_with(key, NOON, "/saldo")["disponivel_cents"].clone();
        assert_eq!(left, 20_000 - fixed);
        let payout = json!({
            "at": NOON, "key": key, "request": "POST /payouts",
            "body": crate::day::payout_body("p", 10_000),
        });
        assert_eq!(day.line(&payout.to_string()).body["debited_cents"], debited);
    }
}
