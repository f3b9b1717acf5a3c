//! Limits on requests in general (LIM-30): by key, and by address.

use ledger_http::{Limits, Rate};
use serde_json::{Value, json};

use crate::served::{KEY, Served};

const WALLET: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

fn limited(limits: Limits) -> Served {
    let served = Served::with(64, |service| service.limits(limits));
    served.open_account();
    served
}

#[test]
fn lim_30_a_key_that_asks_too_often_is_told_when_to_come_back() {
    let served = limited(Limits { per_key: Rate::per_minute(3), ..Limits::default() });
    let key = [("x-api-key", KEY)];
    for left in [2, 1, 0] {
        let answer = served.get("/saldo", &key);
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.header("ratelimit-policy"), "\"default\";q=3;w=60");
        let limit = answer.header("ratelimit");
        assert!(limit.starts_with(&format!("\"default\";r={left};t=")), "{limit}");
    }
    let answer = served.get("/saldo", &key);
    let body = answer.body();
    assert_eq!((answer.status, &body["erro"]), (429, &json!("rate_limit")));
    assert_eq!(body["acao"], "esperar");
    let wait = body["retry_after_seconds"].as_u64().unwrap();
    assert!((1..=20).contains(&wait), "{wait}");
    assert_eq!(answer.header("retry-after"), wait.to_string());
    assert!(answer.header("ratelimit").starts_with("\"default\";r=0;t="));
    // Another key is counted by itself.
    assert_eq!(served.get("/saldo", &[("x-api-key", "svc_live_another")]).status, 401);
}

#[test]
fn lim_30_an_address_is_counted_whatever_keys_it_brings() {
    let served = limited(Limits { per_address: Rate::per_minute(2), ..Limits::default() });
    for key in ["svc_live_1", "svc_live_2"] {
        assert_eq!(served.get("/saldo", &[("x-api-key", key)]).status, 401);
    }
    let answer = served.get("/saldo", &[("x-api-key", "svc_live_3")]);
    assert_eq!((answer.status, &answer.body()["erro"]), (429, &json!("rate_limit")));
    // Health is asked by whoever runs the service.
    assert_eq!(served.get("/health/live", &[]).status, 200);
}

#[test]
fn an_address_behind_a_trusted_proxy_is_the_clients_and_no_other_is_believed() {
    let one = Rate::per_minute(1);
    let trusting = limited(Limits {
        per_address: one,
        trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()],
        ..Limits::default()
    });
    let from = |address| [("x-forwarded-for", address)];
    assert_eq!(trusting.get("/mesh", &from("198.51.100.1")).status, 200);
    assert_eq!(trusting.get("/mesh", &from("198.51.100.2")).status, 200);
    assert_eq!(trusting.get("/mesh", &from("1.1.1.1, 198.51.100.1")).status, 429);
    let doubting = limited(Limits { per_address: one, ..Limits::default() });
    assert_eq!(doubting.get("/mesh", &from("198.51.100.1")).status, 200);
    assert_eq!(doubting.get("/mesh", &from("198.51.100.2")).status, 429);
}

#[test]
fn production_keys_are_counted_by_the_address_that_asks_for_them() {
    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let served = limited(Limits { trusted_proxies, ..Limits::default() });
    let ask = |number: u32, address: &str| {
        let body = json!({ "name": format!("loja-{number}") });
        served.post("/keys", &[("x-forwarded-for", address)], &body)
    };
    for number in 0..5 {
        let made = ask(number, "198.51.100.1");
        assert_eq!(made.status, 200, "{}", made.text);
    }
    assert_eq!(ask(5, "198.51.100.1").status, 429);
    assert_eq!(ask(6, "198.51.100.2").status, 200);
}

#[test]
fn keys_are_counted_by_the_address_whatever_the_route() {
    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let served = limited(Limits { trusted_proxies, per_address: None, ..Limits::default() });
    let ask = |path: &str, key: Option<&str>, address: &str, body: &Value| {
        let mut headers = vec![("x-forwarded-for", address)];
        headers.extend(key.map(|key| ("x-api-key", key)));
        served.post(path, &headers, body)
    };
    let agent = json!({ "name": "Ada", "contact": "a@example.com", "capabilities": ["x"] });
    let test_key = json!({ "email": "a@example.com" });
    // Test keys: the two routes have one day's count between them.
    let mut made = 0;
    let refused = loop {
        let (path, body) = match made % 2 {
            0 => ("/mesh/agents", &agent),
            _ => ("/keys/sandbox", &test_key),
        };
        let answer = ask(path, None, "198.51.100.1", body);
        if answer.status != 200 {
            break answer;
        }
        made += 1;
        assert!(made < 1_000, "there is no limit");
    };
    assert_eq!((refused.status, &refused.body()["erro"]), (429, &json!("limite_de_chaves_teste")));
    assert_eq!(ask("/mesh/agents", None, "198.51.100.1", &agent).status, 429);
    assert_eq!(ask("/keys/sandbox", None, "198.51.100.1", &test_key).status, 429);
    assert_eq!(ask("/mesh/agents", None, "198.51.100.2", &agent).status, 200);
    // Production keys: those of agents and those of POST /keys.
    let agents: Vec<(String, String)> = (0..3)
        .map(|_| {
            let agent = ask("/mesh/agents", None, "198.51.100.3", &agent).body();
            let text = |name: &str| agent[name].as_str().unwrap().to_owned();
            (text("agent_id"), text("api_key"))
        })
        .collect();
    let produce = |(id, key): &(String, String), address: &str| {
        let path = |step: &str| format!("/mesh/agents/{id}/{step}");
        let wallet = json!({ "settlement_address": WALLET });
        let mandate = json!({ "max_por_operacao_cents": 1, "contrapartes": ["52998224725"] });
        for (step, body) in [("validate", json!({})), ("settlement", wallet), ("mandate", mandate)]
        {
            let done = ask(&path(step), Some(key), address, &body);
            assert_eq!(done.status, 200, "{step}: {}", done.text);
        }
        ask(&path("production-request"), Some(key), address, &json!({}))
    };
    let first = produce(&agents[0], "198.51.100.3");
    assert_eq!(first.status, 200, "{}", first.text);
    let shop = |number: u32| json!({ "name": format!("loja-{number}") });
    for number in 0..4 {
        assert_eq!(ask("/keys", None, "198.51.100.3", &shop(number)).status, 200, "{number}");
    }
    assert_eq!(ask("/keys", None, "198.51.100.3", &shop(9)).status, 429);
    assert_eq!(produce(&agents[1], "198.51.100.3").status, 429);
    // What was granted is told again, and another address has its own.
    assert_eq!(produce(&agents[0], "198.51.100.3").status, 200);
    assert_eq!(produce(&agents[2], "198.51.100.4").status, 200);
}

#[test]
fn nobody_uses_up_the_links_of_another_address() {
    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let served = limited(Limits { trusted_proxies, ..Limits::default() });
    let ask = |address: &str| {
        let body = json!({ "email": "dona@example.com" });
        served.post("/keys/painel-link", &[("x-forwarded-for", address)], &body).status
    };
    let asked: Vec<u16> = (0..6).map(|_| ask("198.51.100.1")).collect();
    assert_eq!(asked, [200, 200, 200, 200, 200, 429]);
    assert_eq!(ask("198.51.100.2"), 200, "the owner asks from elsewhere");
}

#[test]
fn limits_may_be_switched_off() {
    let served = limited(Limits { per_key: None, per_address: None, ..Limits::default() });
    for _ in 0..20 {
        let answer = served.get("/saldo", &[("x-api-key", KEY)]);
        assert_eq!((answer.status, answer.header("ratelimit")), (200, ""));
    }
}
