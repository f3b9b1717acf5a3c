//! The payer ladder and the account's own ceilings (LIM-04 to LIM-17, LIM-31, CIN-68, CIN-69,
//! IDEM-01, rulings 12), with worked examples W39 to W42.

use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, PAYER, fields, judged};

const NOON: &str = "2026-10-20T12:00:00Z";

/// Nobody paid anything yet, and the provider does not know the payer.
fn unknown() -> Day {
    Day::with_ladder(NOON, AT_ONCE)
}

/// The provider knows the payer.
fn identified() -> Day {
    let mut day = unknown();
    assert_eq!(review(&mut day, "identified"), "applied");
    day
}

fn review(day: &mut Day, finding: &str) -> String {
    let id = day.outside_id();
    let body = json!({ "id": id, "payer_tax_number": PAYER, "finding": finding });
    day.report(NOON, "payer.reviewed", &judged(body))
}

/// The payer paid so much at noon.
fn paid(cents: i64) -> Day {
    let mut day = unknown();
    day.deposit("paid", NOON, "a", cents);
    day
}

fn held(answer: &Response) -> (bool, Value) {
    assert_eq!(answer.status, 200, "{}", answer.body);
    (answer.body["held"].as_bool().unwrap(), answer.body["held_hours"].clone())
}

fn limits(day: &mut Day, at: &str) -> Value {
    day.get(at, &format!("/cashin/limits?payer_tax={PAYER}"))
}

/// Returns what may be paid at once, and what at all.
fn room(day: &mut Day, at: &str) -> (i64, i64) {
    let view = limits(day, at);
    let of = |name: &str| view[name].as_i64().unwrap();
    (of("instant_available_cents"), of("max_amount_cents"))
}

fn without_hold(day: &mut Day, at: &str, cents: i64) -> Response {
    let body = json!({
        "destino": "saldo", "amount_cents": cents, "payer_tax_number": PAYER, "allow_hold": false,
    });
    day.ask(at, "POST /cashin/charge", &body)
}

fn is_payer_limit(refused: &Response, stage: &str) {
    assert_eq!(refused.status, 403, "{}", refused.body);
    assert_eq!(refused.body["erro"], "limite_do_pagador");
    assert_eq!(refused.body["acao"], "corrigir");
    assert_eq!(refused.body["stage"], stage);
    assert_eq!(refused.body["payer_limits"]["stage"], stage);
}

#[test]
fn w39_20_000_are_instant_and_a_centavo_more_is_held_as_a_whole() {
    let mut day = paid(15_000);
    assert_eq!(held(&day.charge("c", NOON, "a", 5_000)), (false, Value::Null));
    let mut day = paid(15_000);
    assert_eq!(held(&day.charge("c", NOON, "a", 5_001)), (true, json!(24)));
    let mut day = paid(15_000);
    is_payer_limit(&without_hold(&mut day, NOON, 5_001), "first_24h");
    assert_eq!(without_hold(&mut day, NOON, 5_000).status, 200);
}

#[test]
fn w40_pending_charges_count_and_expired_ones_do_not() {
    let mut day = unknown();
    assert_eq!(held(&day.charge("c1", NOON, "a", 10_000)), (false, Value::Null));
    assert_eq!(held(&day.charge("c2", NOON, "a", 10_001)), (true, json!(24)));
    let later = "2026-10-20T12:15:00Z";
    assert_eq!(held(&day.charge("c3", later, "a", 10_001)), (false, Value::Null));
}

#[test]
fn w41_600_000_is_the_top_of_a_window() {
    let mut day = identified();
    assert_eq!(held(&day.charge("c1", NOON, "a", 580_000)), (true, json!(24)));
    let refused = day.charge("c2", NOON, "a", 20_001);
    is_payer_limit(&refused, "first_transaction");
    assert_eq!(refused.body["payer_limits"]["held_qr"]["available_cents"], 20_000);
    assert_eq!(held(&day.charge("c2", NOON, "a", 20_000)), (true, json!(24)));
    is_payer_limit(&day.charge("c3", NOON, "a", 101), "first_transaction");
}

#[test]
fn w42_the_first_qr_of_an_unidentified_document_is_at_most_20_000() {
    let mut day = unknown();
    is_payer_limit(&day.charge("c", NOON, "a", 20_001), "provider_first_qr");
    assert_eq!(held(&day.charge("c", NOON, "a", 20_000)), (false, Value::Null));
}

#[test]
fn lim_14_an_identified_payer_above_the_band_is_held_and_not_refused() {
    let mut day = identified();
    assert_eq!(held(&day.charge("c", NOON, "a", 20_001)), (true, json!(24)));
    let mut day = identified();
    assert_eq!(review(&mut day, "unknown"), "applied");
    is_payer_limit(&day.charge("c", NOON, "a", 20_001), "provider_first_qr");
}

#[test]
fn pagador_bloqueado_pays_nothing_until_the_review_ends() {
    let mut day = identified();
    assert_eq!(review(&mut day, "blocked"), "applied");
    let refused = day.charge("c", NOON, "a", 5_000);
    assert_eq!((refused.status, &refused.body["erro"]), (403, &json!("pagador_bloqueado")));
    assert_eq!(refused.body["acao"], "parar");
    assert_eq!(room(&mut day, NOON), (0, 0));
    assert_eq!(review(&mut day, "identified"), "applied");
    assert_eq!(day.charge("c", NOON, "a", 5_000).status, 200);
}

#[test]
fn lim_05_failed_charges_release_their_share_and_refunded_ones_do_not() {
    let mut day = unknown();
    assert_eq!(day.charge("c", NOON, "a", 15_000).status, 200);
    assert_eq!(room(&mut day, NOON).0, 5_000);
    let body = json!({ "id": "can-1", "cashin_id": "$c.cashin_id" });
    assert_eq!(day.report(NOON, "provider.cancelled", &body), "applied");
    assert_eq!(room(&mut day, NOON).0, 20_000);
    let mut day = paid(15_000);
    assert_eq!(day.give_back("paid", NOON, 15_000), "applied");
    assert_eq!(day.status(NOON, "paid")["status"], "refunded");
    assert_eq!(room(&mut day, NOON).0, 5_000, "the same window");
}

#[test]
fn lim_06_the_window_is_24_hours_from_the_first_payment_and_then_the_day_in_brasilia() {
    let mut day = paid(15_000);
    let last = "2026-10-21T11:59:59.999999Z";
    let view = limits(&mut day, last);
    assert_eq!((&view["stage"], room(&mut day, last).0), (&json!("first_24h"), 5_000));
    let next = json!({
        "stage": "mature", "limit_cents": 20_000, "quando": "2026-10-21T12:00:00Z",
    });
    assert_eq!(view["next_stage"], next);
    let mature = "2026-10-21T12:00:00Z";
    let view = limits(&mut day, mature);
    assert_eq!((&view["stage"], &view["next_stage"]), (&json!("mature"), &Value::Null));
    assert_eq!(room(&mut day, mature).0, 20_000);
    day.deposit("d2", "2026-10-21T20:00:00Z", "a", 20_000);
    assert_eq!(room(&mut day, "2026-10-22T02:59:59.999999Z").0, 0);
    assert_eq!(room(&mut day, "2026-10-22T03:00:00Z").0, 20_000);
}

#[test]
fn lim_06_a_pending_charge_starts_no_clock() {
    let mut day = unknown();
    assert_eq!(day.charge("c", NOON, "a", 5_000).status, 200);
    assert_eq!(limits(&mut day, NOON)["stage"], "provider_first_qr");
    assert_eq!(day.pix("c", "2026-10-20T12:10:00Z", 5_000), "applied");
    let view = limits(&mut day, "2026-10-20T12:10:00Z");
    assert_eq!(view["next_stage"]["quando"], "2026-10-21T12:10:00Z");
}

#[test]
fn lim_10_before_2019_midnight_in_brasilia_may_be_summer_time() {
    let opened = "2018-12-18T12:00:00Z";
    let mut day = Day::with_ladder(opened, r#"{"sem_retencao":true,"carencia_horas":0}"#);
    day.deposit("d1", opened, "a", 5_000);
    let releases = day.get(opened, "/saldo?customer_ref=a")["proximas_liberacoes"].clone();
    assert_eq!(releases[0]["disponivel_em"], "2018-12-19T02:00:00Z", "two hours behind UTC");
    day.deposit("d2", "2018-12-19T20:00:00Z", "a", 20_000);
    assert_eq!(room(&mut day, "2018-12-20T01:59:59.999999Z").0, 0);
    assert_eq!(room(&mut day, "2018-12-20T02:00:00Z").0, 20_000);
}

#[test]
fn lim_11_the_ladder_is_the_documents_across_all_accounts_of_a_ledger() {
    let mut day = unknown();
    for (environment, account) in [("live", "feira"), ("sandbox", "teste")] {
        let line = json!({
            "at": NOON, "fact": "account.opened", "environment": environment,
            "body": { "id": "acc-2", "account": account },
            "supplied": { "key": format!("svc_{account}") },
        });
        assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    }
    assert_eq!(day.charge("c", NOON, "a", 15_000).status, 200);
    let ask = |day: &mut Day, key: &str| {
        let target = format!("GET /cashin/limits?payer_tax={PAYER}");
        let line = json!({ "at": NOON, "key": key, "request": target });
        day.line(&line.to_string()).body["instant_available_cents"].clone()
    };
    // Unpaid, it takes half of the other's band at most; paid, it counts for both alike.
    assert_eq!([ask(&mut day, KEY), ask(&mut day, "svc_feira")], [json!(5_000), json!(10_000)]);
    assert_eq!(day.pix("c", NOON, 15_000), "applied");
    assert_eq!([ask(&mut day, KEY), ask(&mut day, "svc_feira")], [json!(5_000), json!(5_000)]);
    assert_eq!(ask(&mut day, "svc_teste"), 20_000, "the sandbox counts for itself");
}

#[test]
fn lim_11_unpaid_charges_of_one_integrator_never_shut_a_payer_out_of_anothers() {
    let mut day = identified();
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-2", "account": "feira", "terms": { "sem_retencao": true } },
        "supplied": { "key": "svc_feira" },
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    for number in 0..29 {
        assert_eq!(day.charge(&format!("c{number}"), NOON, "a", 20_000).status, 200);
    }
    assert_eq!(room(&mut day, NOON), (0, 20_000), "its own count whole");
    let charged = |day: &mut Day, cents: i64, id: &str| {
        let body = json!({ "destino": "saldo", "amount_cents": cents, "payer_tax_number": PAYER,
            "external_id": id });
        let line = json!({ "at": NOON, "key": "svc_feira", "request": "POST /cashin/charge",
            "body": body });
        day.line(&line.to_string())
    };
    is_payer_limit(&charged(&mut day, 300_001, "f0"), "first_transaction");
    assert_eq!(held(&charged(&mut day, 10_000, "f1")), (false, Value::Null), "half of the band");
    assert_eq!(held(&charged(&mut day, 290_000, "f2")), (true, json!(24)), "half of the day");
    is_payer_limit(&charged(&mut day, 101, "f3"), "first_transaction");
    // What is paid counts for everybody, and leaves nothing twice.
    assert_eq!(day.pix("c0", NOON, 20_000), "applied");
    is_payer_limit(&charged(&mut day, 101, "f4"), "first_24h");
}

#[test]
fn lim_12_a_held_charge_is_not_credited_when_it_is_paid() {
    let mut day = paid(15_000);
    assert_eq!(held(&day.charge("c", NOON, "b", 5_001)), (true, json!(24)));
    assert_eq!(day.pix("c", NOON, 5_001), "applied");
    let record = day.status(NOON, "c");
    assert_eq!(
        (&record["status"], &record["delay_until"]),
        (&json!("delayed"), &json!("2026-10-21T12:00:00Z"))
    );
    assert_eq!(day.balance(NOON, "b"), (0, 0));
}

#[test]
fn lim_31_and_cin_69_the_limits_are_those_a_charge_is_judged_by() {
    let mut day = paid(12_345);
    let view = limits(&mut day, NOON);
    let shown = &view["held_qr"];
    let of = |name: &str| shown[name].as_i64().unwrap();
    assert_eq!(of("available_cents"), of("max_amount_cents") - of("used_cents"));
    assert_eq!((of("used_cents"), of("hold_hours")), (12_345, 24));
    let (at_once, most) = room(&mut day, NOON);
    assert_eq!(at_once, 20_000 - 12_345);
    for (cents, expected) in
        [(at_once, Some(false)), (at_once + 1, Some(true)), (most, Some(true)), (most + 1, None)]
    {
        let mut day = paid(12_345);
        let answer = day.charge("c", NOON, "a", cents);
        match expected {
            Some(expected) => assert_eq!(held(&answer).0, expected, "{cents}"),
            None => is_payer_limit(&answer, "first_24h"),
        }
    }
}

#[test]
fn cin_68_limits_have_exactly_these_fields() {
    let mut day = unknown();
    let view = limits(&mut day, NOON);
    let top = [
        "stage",
        "instant_available_cents",
        "max_amount_cents",
        "held_qr",
        "ladder",
        "next_stage",
        "explicacao",
    ];
    assert_eq!(fields(&view), top);
    let held = ["max_amount_cents", "used_cents", "available_cents", "hold_hours"];
    assert_eq!(fields(&view["held_qr"]), held);
    let ladder = [
        "first_transaction_cents",
        "first_24h_cents",
        "mature_day_cents",
        "held_max_cents",
        "hold_hours",
    ];
    assert_eq!(fields(&view["ladder"]), ladder);
    assert_eq!(fields(&view["next_stage"]), ["stage", "limit_cents", "quando"]);
    let refused = day.charge("c", NOON, "a", 20_001);
    assert_eq!(refused.body["payer_limits"], view, "a refusal shows the same");
}

#[test]
fn gen_14_the_numbers_of_the_ladder_are_data() {
    let mut day = identified();
    let numbers = json!({
        "ladder_first_transaction_cents": 1_000, "ladder_held_max_cents": 30_000,
        "ladder_mature_day_cents": 2_000, "ladder_first_24h_cents": 1_500,
        "ladder_first_qr_cents": 500, "ladder_hold_hours": 48,
    });
    assert_eq!(day.adopt(NOON, numbers), "applied");
    assert_eq!(room(&mut day, NOON), (1_000, 30_000));
    assert_eq!(held(&day.charge("c", NOON, "a", 1_001)), (true, json!(48)));
    assert_eq!(day.adopt(NOON, json!({ "payer_ladder": false })), "applied");
    assert_eq!(room(&mut day, NOON), (600_000, 600_000));
    assert_eq!(held(&day.charge("d", NOON, "a", 600_000)), (false, Value::Null));
}

#[test]
fn idem_01_a_repeated_charge_uses_the_ladder_once() {
    let mut day = unknown();
    let first = day.charge("c", NOON, "a", 20_000);
    let before = day.digest();
    assert_eq!(day.charge("c", NOON, "a", 20_000).body, first.body, "though nothing is left");
    assert_eq!(day.digest(), before);
    assert_eq!(room(&mut day, NOON).0, 0);
}

#[test]
fn cin_45_a_preview_and_a_refusal_use_nothing_of_the_ladder() {
    let mut day = unknown();
    day.market(NOON);
    let before = day.digest();
    assert_eq!(day.preview(NOON, 20_000, ("usdt", "polygon")).status, 200);
    assert_eq!(day.charge("c", NOON, "a", 20_001).status, 403);
    assert_eq!(day.digest(), before);
    assert_eq!(room(&mut day, NOON).0, 20_000);
}

#[test]
fn lim_16_a_ceiling_of_the_accounts_own_counts_the_day_in_brasilia() {
    let terms = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
        "cashin_daily_max_cents":50000,"payout_daily_max_cents":1000}"#;
    let mut day = Day::with_terms(NOON, terms);
    day.deposit("d", NOON, "a", 40_000);
    let refused = day.charge("e", NOON, "a", 10_001);
    assert_eq!((refused.status, &refused.body["erro"]), (429, &json!("limite_diario")));
    assert_eq!(refused.body["acao"], "esperar");
    assert_eq!(refused.body["libera_em"], "2026-10-21T03:00:00Z");
    assert_eq!(day.charge("e", NOON, "a", 10_000).status, 200);
    assert_eq!(day.charge("f", NOON, "a", 101).status, 429);
    assert_eq!(day.charge("f", "2026-10-20T12:15:00Z", "a", 10_000).status, 200, "e expired");
    assert_eq!(day.payout("p", "2026-10-20T12:15:00Z", "a", 1_000).status, 200);
    let refused = day.payout("q", "2026-10-20T12:15:00Z", "a", 1);
    assert_eq!((refused.status, &refused.body["erro"]), (429, &json!("limite_diario")));
    let body = json!({ "id": "ref-1", "payout_id": "$p.payout_id" });
    assert_eq!(day.report("2026-10-20T12:15:00Z", "payout.refused", &body), "applied");
    assert_eq!(day.payout("q", "2026-10-20T12:15:00Z", "a", 1_000).status, 200, "p failed");
    let midnight = "2026-10-21T03:00:00Z";
    assert_eq!(day.charge("g", midnight, "a", 50_000).status, 200);
    assert_eq!(day.payout("r", midnight, "a", 1_000).status, 200);
    assert_eq!(day.agree(midnight, json!({ "payout_daily_max_cents": 0 })), "applied");
    assert_eq!(day.payout("s", midnight, "a", 1_001).status, 200, "none by default (LIM-16)");
}

#[test]
fn what_is_held_at_most_may_be_the_highest_band_and_not_less() {
    let mut day = unknown();
    for (held, taken) in [(20_001, true), (20_000, true), (19_999, false)] {
        let outcome = day.adopt(NOON, json!({ "ladder_held_max_cents": held }));
        assert_eq!(outcome == "applied", taken, "{held}: {outcome}");
    }
}

#[test]
fn cin_18_a_hold_that_is_allowed_in_words_is_held_as_one_that_is_not_mentioned() {
    let ask = |allow: Option<bool>| {
        let mut body = json!({
            "destino": "saldo", "amount_cents": 5_001, "payer_tax_number": PAYER,
        });
        if let Some(allow) = allow {
            body["allow_hold"] = allow.into();
        }
        paid(15_000).ask(NOON, "POST /cashin/charge", &body)
    };
    for allowed in [None, Some(true)] {
        assert_eq!(held(&ask(allowed)), (true, json!(24)), "{allowed:?}");
    }
    is_payer_limit(&ask(Some(false)), "first_24h");
}

#[test]
fn rulings_74_above_what_a_payer_may_pay_in_a_day_the_payers_limit_is_named() {
    let days: [fn() -> Day; 3] = [unknown, identified, || paid(5_000)];
    for open in days {
        let mut day = open();
        let refused = day.charge("c", NOON, "a", 600_001);
        assert_eq!((refused.status, &refused.body["erro"]), (403, &json!("limite_do_pagador")));
        let limits = &refused.body["payer_limits"];
        assert_eq!(limits["ladder"]["held_max_cents"], 600_000, "{}", refused.body);
    }
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let refused = day.charge("c", NOON, "a", 600_001);
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("valor_acima_do_maximo")));
    assert_eq!(refused.body["limits"]["max_amount_cents"], 600_000);
    // What the account alone does not admit is the account's maximum, not the payer's.
    let mut day = identified();
    let id = day.outside_id();
    let terms = json!({ "id": id, "account": "loja", "cashin_max_cents": 100_000 });
    assert_eq!(day.report(NOON, "terms.adopted", &terms), "applied");
    let refused = day.charge("c", NOON, "a", 100_001);
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("valor_acima_do_maximo")));
    let refused = day.charge("c", NOON, "a", 600_001);
    assert_eq!((refused.status, &refused.body["erro"]), (403, &json!("limite_do_pagador")));
}
