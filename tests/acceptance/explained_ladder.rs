//! What is explained to a payer of the ladder, and when there is one (CIN-68, GEN-14).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, PAYER, judged};

const NOON: &str = "2026-10-20T12:00:00Z";

fn limits(day: &mut Day, at: &str) -> Value {
    day.get(at, &format!("/cashin/limits?payer_tax={PAYER}"))
}

#[test]
fn cin_68_every_stage_of_the_ladder_is_explained_in_words_of_its_own() {
    let mut day = Day::with_ladder(NOON, AT_ONCE);
    let mut views = vec![limits(&mut day, NOON)];
    let body = json!({ "id": "r-1", "payer_tax_number": PAYER, "finding": "identified" });
    assert_eq!(day.report(NOON, "payer.reviewed", &judged(body)), "applied");
    views.push(limits(&mut day, NOON));
    day.deposit("d", NOON, "a", 1_000);
    views.push(limits(&mut day, NOON));
    views.push(limits(&mut day, "2026-10-21T12:00:01Z"));
    let all = |name: &str| -> BTreeSet<String> {
        views.iter().map(|view| view[name].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(all("stage").len(), 4, "{views:?}");
    let explanations = all("explicacao");
    assert_eq!(explanations.len(), 4, "{explanations:?}");
    assert!(explanations.iter().all(|words| words.contains(' ')), "{explanations:?}");
}

#[test]
fn gen_14_a_policy_that_says_nothing_of_the_ladder_begins_none() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let before = limits(&mut day, NOON);
    assert_eq!(before["instant_available_cents"], 600_000, "there is no ladder");
    assert_ne!(before["stage"], "provider_first_qr", "nor a first step of it");
    assert_eq!(day.adopt(NOON, json!({ "precautionary_hours": 48 })), "applied");
    assert_eq!(limits(&mut day, NOON), before);
}

#[test]
fn a_blocked_payer_reads_that_nothing_passes() {
    for ladder in [true, false] {
        let mut day = Day::with_ladder(NOON, AT_ONCE);
        assert_eq!(day.adopt(NOON, json!({ "payer_ladder": ladder })), "applied");
        let body = json!({ "id": "r-1", "payer_tax_number": PAYER, "finding": "blocked" });
        assert_eq!(day.report(NOON, "payer.reviewed", &judged(body)), "applied");
        let view = limits(&mut day, NOON);
        assert!(view["explicacao"].as_str().unwrap().contains("bloqueado"), "{view}");
        for name in ["max_amount_cents", "available_cents"] {
            assert_eq!(view["held_qr"][name], 0, "{view}");
        }
        assert_eq!((&view["max_amount_cents"], &view["next_stage"]), (&json!(0), &Value::Null));
    }
}

#[test]
fn without_a_ladder_nothing_is_said_to_be_held_by_one() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let view = limits(&mut day, NOON);
    assert!(view["explicacao"].as_str().unwrap().contains("Sem escada"), "{view}");
    assert_eq!(
        view["held_qr"],
        json!({ "max_amount_cents": 0, "used_cents": 0, "available_cents": 0, "hold_hours": 0 })
    );
    assert_eq!(view["next_stage"], Value::Null);
}

#[test]
fn the_first_qr_of_an_unknown_document_is_refused_above_its_ceiling_and_not_held() {
    let mut day = Day::with_ladder(NOON, AT_ONCE);
    let view = limits(&mut day, NOON);
    assert_eq!(view["stage"], "provider_first_qr");
    assert_eq!(
        (&view["held_qr"]["max_amount_cents"], &view["held_qr"]["available_cents"]),
        (&json!(0), &json!(0)),
        "{view}"
    );
    assert_eq!(view["max_amount_cents"], 20_000);
    // Once part of the band is used, a QR may be held, and no larger than the first may be.
    assert_eq!(day.charge("c", NOON, "a", 15_000).status, 200);
    let view = limits(&mut day, NOON);
    let shown = (&view["instant_available_cents"], &view["held_qr"]["available_cents"]);
    assert_eq!(shown, (&json!(5_000), &json!(20_000)), "{view}");
    assert_eq!(day.charge("held", NOON, "a", 20_000).body["held"], true);
}

#[test]
fn a_hold_by_the_accounts_own_retention_is_refused_as_that() {
    let strict = |day: &mut Day, cents: i64| {
        let body = json!({
            "destino": "saldo", "amount_cents": cents, "payer_tax_number": PAYER,
            "allow_hold": false,
        });
        let refused = day.ask_with(crate::day::KEY, NOON, "POST /cashin/charge", &body);
        assert_eq!((refused.status, &refused.body["erro"]), (403, &json!("limite_do_pagador")));
        refused.body
    };
    for ladder in [true, false] {
        let mut day = Day::with_ladder(NOON, r#"{"retencao_acima_cents":6000}"#);
        assert_eq!(day.adopt(NOON, json!({ "payer_ladder": ladder })), "applied");
        let own = strict(&mut day, 6_001);
        assert!(own["detail"].as_str().unwrap().contains("retencao_acima_cents"), "{own}");
        assert_eq!(own["payer_limits"], Value::Null, "the payer may: {own}");
    }
    let mut day = Day::with_ladder(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 15_000);
    let payers = strict(&mut day, 6_000);
    assert!(!payers["detail"].as_str().unwrap().contains("retencao"), "{payers}");
    assert_eq!(payers["payer_limits"]["stage"], "first_24h");
}
