//! Where what a client writes ends: the longest that passes passes, and the next does not.

use serde_json::json;

use crate::agent::ENTROPY;
use crate::day::{AT_ONCE, Day, KEY, OWNER};
use crate::selling::{STANDARD, to_mail};

const NOON: &str = "2026-11-20T12:00:00Z";

fn status(day: &mut Day, target: &str) -> u16 {
    let line = json!({ "at": NOON, "key": KEY, "request": format!("GET {target}") });
    day.line(&line.to_string()).status
}

#[test]
fn a_balance_is_read_by_a_reference_of_80_characters_and_not_of_81() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let longest = "é".repeat(80);
    day.deposit("d", NOON, &longest, 5_000);
    assert_eq!(day.balance(NOON, &longest), (4_900, 0));
    assert_eq!(status(&mut day, &format!("/saldo?customer_ref={longest}é")), 400);
}

#[test]
fn an_agent_names_500_capabilities_and_not_501() {
    for (number, passes) in [(500, true), (501, false)] {
        let names: Vec<String> = (0..number).map(|index| format!("skill_{index}")).collect();
        let body = json!({ "name": "Ada", "contact": "ada@example.com", "capabilities": names });
        let answer = Day::new().ask_with("", NOON, "POST /mesh/agents", &body);
        assert_eq!(answer.status == 200, passes, "{number}: {}", answer.body);
    }
}

#[test]
fn a_mandate_names_500_counterparties_and_not_501() {
    for (number, passes) in [(500, true), (501, false)] {
        let body = json!({
            "id": "act-1", "agent_id": crate::agent::AGENT, "name": "Ada",
            "contact": "ada@example.com", "capabilities": ["brl_to_pix"],
            "settlement_address": crate::agent::WALLET, "contrapartes": vec![OWNER; number],
        });
        let line = json!({
            "at": NOON, "fact": "agent.activated", "environment": "live", "body": body,
            "supplied": { "key": KEY },
        });
        let answer = Day::new().line(&line.to_string());
        assert_eq!(answer.status == 200, passes, "{number}: {}", answer.body);
    }
}

#[test]
fn a_foreign_document_has_4_to_32_characters_of_which_4_are_letters_or_digits() {
    for (document, passes) in [
        ("AB12", true),
        (&"A".repeat(32), true),
        ("PT 509.442-013", true),
        ("AB1", false),
        (&"A".repeat(33), false),
        ("AB12!", false),
        ("ÁB1234", false),
        ("A-/. 1", false),
    ] {
        let line = json!({
            "at": NOON, "request": "POST /keys", "ip": "203.0.113.7",
            "body": { "name": "Loja", "documento": document, "documento_pais": "PT" },
            "supplied": { "entropy": ENTROPY },
        });
        let answer = Day::new().line(&line.to_string());
        if passes {
            assert_eq!(answer.status, 200, "{document}: {}", answer.body);
        } else {
            assert_eq!(answer.body["erro"], "documento_invalido", "{document}");
        }
    }
}

#[test]
fn lim_21_the_sixth_lookup_of_a_minute_is_refused_in_every_hour() {
    let mut day = Day::opened(NOON);
    let mut looked_up = |at: &str| {
        let line = json!({
            "at": at, "key": KEY, "request": "GET /pix/keys/lookup?key=ana@exemplo.com.br",
        });
        day.line(&line.to_string()).status
    };
    assert_eq!(looked_up(NOON), 200);
    for second in 50..55 {
        assert_eq!(looked_up(&format!("2026-11-20T12:59:{second}Z")), 200);
    }
    assert_eq!(looked_up("2026-11-20T13:00:00Z"), 429);
    assert_eq!(looked_up("2026-11-20T13:00:50Z"), 200, "a minute after the first of the five");
}

#[test]
fn stm_13_a_page_has_1_to_200_rows_said_in_digits_alone() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    for view in ["", "&visao=operacoes"] {
        for (limit, passes) in [
            ("1", true),
            ("200", true),
            ("0", false),
            ("201", false),
            ("", false),
            ("%2B5", false),
            ("-5", false),
            ("5.0", false),
            ("%205", false),
        ] {
            let answer = status(&mut day, &format!("/saldo/extrato?limit={limit}{view}"));
            assert_eq!(answer, if passes { 200 } else { 400 }, "{limit}");
        }
    }
}

#[test]
fn a_charge_and_a_payout_are_found_by_an_external_id_of_64_characters() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let longest = "x".repeat(64);
    day.deposit(&longest, NOON, "", 10_000);
    assert_eq!(day.payout(&longest, NOON, "", 1_000).status, 200);

    for (route, name) in [("/cashin/charges", "charges"), ("/payouts", "payouts")] {
        let found = day.get(NOON, &format!("{route}?external_id={longest}"));
        assert_eq!(found[name][0]["external_id"], longest.as_str(), "{route}");
    }
}

#[test]
fn time_ends_where_every_deadline_still_has_an_instant_of_its_own() {
    let end = "9000-01-01T00:00:00Z";
    let passes = |day: &mut Day, at: &str| {
        let line = json!({ "at": at, "fact": "time.passed", "environment": "live" });
        day.line(&line.to_string())
    };
    let mut day = Day::selling(NOON, STANDARD);
    for beyond in ["9000-01-01T00:00:00.000001Z", "9999-12-31T23:59:59.999999Z"] {
        let refused = passes(&mut day, beyond);
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert!(refused.body["detail"].as_str().is_some_and(|detail| detail.contains(end)));
    }
    assert_eq!(passes(&mut day, end).status, 200);
    day.prices(end);
    let sold = day.sell("s", end, ("usdt", "polygon"), to_mail("100.00"));
    assert_eq!(sold.status, 200, "{}", sold.body);
    assert_eq!(
        day.sell("t", "9000-01-01T00:00:01Z", ("usdt", "polygon"), to_mail("1")).status,
        400
    );
}
