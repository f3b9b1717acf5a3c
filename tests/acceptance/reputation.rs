//! What is said of agents: their reputation, their suspension, and who may refer (rulings 58).

use serde_json::{Value, json};

use crate::agent::{AGENT, ENTROPY};
use crate::day::{Day, KEY, judged};

const NOON: &str = "2026-10-20T12:00:00Z";
const LATER: &str = "2026-10-21T12:00:00Z";

fn network(day: &mut Day) -> Value {
    day.get(LATER, &format!("/mesh/agents/{AGENT}/network"))
}

#[test]
fn agt_09_the_reputation_of_an_agent_counts_what_became_of_its_operations() {
    let mut day = Day::agency(NOON, &json!({}));
    day.deposit("d", NOON, "", 100_000);
    for id in ["a", "b", "c"] {
        assert_eq!(day.payout(id, NOON, "", 1_000).status, 200);
    }
    assert_eq!(day.paid("a", NOON), "applied");
    assert_eq!(day.paid("b", NOON), "applied");
    let failed = json!({ "id": "ref-1", "payout_id": "$c.payout_id" });
    assert_eq!(day.report(NOON, "payout.refused", &failed), "applied");
    let hold = |kind: &str| {
        judged(json!({
            "id": format!("h-{kind}"), "account": AGENT, "cashin_id": "$d.cashin_id",
            "kind": kind, "amount_cents": 500,
        }))
    };
    assert_eq!(day.report(NOON, "hold.placed", &hold("dispute")), "applied");
    assert_eq!(day.report(NOON, "hold.placed", &hold("judicial")), "applied");
    let expected =
        json!({ "settled": 2, "failed": 1, "disputed": 1, "since": "2026-10-20T12:00:00Z" });
    assert_eq!(network(&mut day)["reputation"], expected);
}

#[test]
fn agt_01_every_answer_about_a_suspended_agent_says_suspended() {
    let mut day = Day::agency(NOON, &json!({}));
    assert_eq!(network(&mut day)["status"], "production_active");
    let about = |id: &str| judged(json!({ "id": id, "agent_id": AGENT }));
    assert_eq!(day.report(LATER, "agent.suspended", &about("s1")), "applied");
    for what in ["network", "rewards"] {
        let shown = day.get(LATER, &format!("/mesh/agents/{AGENT}/{what}"));
        assert_eq!(shown["status"], "suspended", "{what}: {shown}");
    }
    for (request, body) in [
        ("POST /payouts", crate::day::payout_body("p", 1_000)),
        ("POST /mesh/referrals", json!({ "capability": "usdt_to_pix" })),
        (&*format!("POST /mesh/agents/{AGENT}/validate"), Value::Null),
        (&*format!("POST /mesh/agents/{AGENT}/mandate"), json!({})),
    ] {
        let refused = day.ask(LATER, request, &body);
        assert_eq!(refused.status, 403, "{request}: {}", refused.body);
        assert_eq!(refused.body["status"], "suspended", "{request}: {}", refused.body);
    }
    assert_eq!(day.report(LATER, "agent.reinstated", &about("r1")), "applied");
    assert_eq!(network(&mut day)["status"], "production_active");
}

/// A registration by this referral.
fn registered(day: &mut Day, referral: &str) -> (u16, String) {
    let line = json!({
        "at": NOON, "request": "POST /mesh/agents", "supplied": { "entropy": ENTROPY },
        "body": { "name": "Eva", "contact": "eva@example.com", "capabilities": ["usdt_to_pix"],
            "referral": referral },
    });
    let answer = day.line(&line.to_string());
    (answer.status, answer.body["erro"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn agt_19_an_unknown_referral_is_refused_and_leaves_nothing() {
    let mut day = Day::agency(NOON, &json!({}));
    let given = day.ask(NOON, "POST /mesh/referrals", &json!({ "capability": "usdt_to_pix" }));
    let given = given.body["referral_id"].as_str().unwrap().to_owned();
    let mistyped = format!("{}0", &given[..given.len() - 1]);
    let mistyped = if mistyped == given { given.replace("rf_", "rf_f") } else { mistyped };
    for unknown in ["rf_nobody", "friend", &*mistyped] {
        assert_eq!(registered(&mut day, unknown), (404, "nao_encontrado".into()), "{unknown}");
    }
    let sandbox = ledger_core::contract::Environment::Sandbox;
    assert_eq!(day.book_of(sandbox).ledger().state.seq.0, 0);
    assert_eq!(registered(&mut day, &given), (200, String::new()));
}

#[test]
fn agt_05_only_a_production_key_refers() {
    let mut day = Day::new();
    let body = json!({
        "name": "Ada", "contact": "ada@example.com", "capabilities": ["usdt_to_pix"],
    });
    let test_key = day.ask_with("", NOON, "POST /mesh/agents", &body).body["api_key"].clone();
    let test_key = test_key.as_str().unwrap();
    let asked = json!({ "capability": "usdt_to_pix" });
    let refused = day.ask_with(test_key, NOON, "POST /mesh/referrals", &asked);
    assert_eq!((refused.status, &refused.body["erro"]), (403, &json!("nao_permitido")));
    day.admit(NOON, AGENT, KEY);
    assert_eq!(day.ask_with(KEY, NOON, "POST /mesh/referrals", &asked).status, 200);
}

#[test]
fn agt_24_the_mesh_lists_everything_that_is_offered() {
    let mut day = Day::new();
    let mesh = day.ask_with("", NOON, "GET /mesh", &Value::Null).body;
    let capabilities = mesh["capabilities"].as_array().unwrap();
    for name in [
        "pix_to_brl",
        "pix_to_crypto",
        "brl_to_crypto",
        "brl_to_pix",
        "usdt_to_pix",
        "crypto_to_pix",
        "crypto_to_usdt_wallet",
        "usdt_wallet_to_pix",
    ] {
        assert!(capabilities.contains(&json!(name)), "{name}");
    }
    let intents = mesh["intents"].as_array().unwrap();
    for intent in intents {
        let endpoint = intent["endpoint"].as_str().unwrap();
        let (method, rest) = endpoint.split_once(' ').unwrap();
        let path = rest.split(' ').next().unwrap().replace("{e2e}", "x");
        let answer = day.ask_with("", NOON, &format!("{method} {path}"), &Value::Null);
        let erro = answer.body["erro"].as_str().unwrap_or_default();
        let there = erro != "metodo_nao_permitido";
        assert!(there && !answer.body["detail"].to_string().contains("no route"), "{endpoint}");
    }
    assert_eq!(mesh["limits"]["cashout"]["min_brl_cents"], 600);
}
