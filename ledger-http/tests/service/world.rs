//! The world's listener: facts one by one and as lines, metrics, and the token.

use std::fmt::Write as _;
use std::io::Write as _;

use ledger_core::contract::Environment;
use ledger_core::time::Span;
use ledger_http::Token;
use serde_json::{Value, json};

use crate::raw;
use crate::served::{KEY, Served, World};

fn seq(served: &Served, environment: Environment) -> u64 {
    served.service.ledgers().for_environment(environment).engine().head().unwrap().seq
}

#[test]
fn a_fact_is_reported_by_its_name_and_its_body() {
    let served = Served::start();
    let world = served.world();
    let body = json!({ "id": "f-1", "account": "loja", "effect_cents": 9_000, "actor": "bia",
        "reason": "a gift", "evidence": "case-1" });
    let first = world.post("/facts/fee.adjusted", &body.to_string());
    assert_eq!((first.status, &first.body()["outcome"]), (200, &json!("applied")));
    assert!(first.header("x-request-id").starts_with("req_"));
    let again = world.post("/facts/fee.adjusted", &body.to_string());
    assert_eq!((again.status, &again.body()["outcome"]), (200, &json!("known")));
    let unknown = world.post("/facts/no.such", "{}");
    assert_eq!((unknown.status, &unknown.body()["erro"]), (404, &json!("nao_encontrado")));
    let wrong = world.post("/facts/fee.adjusted?environment=moon", "{}");
    assert_eq!((wrong.status, &wrong.body()["erro"]), (400, &json!("requisicao_invalida")));
    let broken = world.post("/facts/fee.adjusted", "{");
    assert_eq!((broken.status, &broken.body()["erro"]), (400, &json!("formato_invalido")));
}

#[test]
fn an_account_that_is_opened_gets_a_key_of_the_systems_randomness() {
    let served = Served::start();
    let world = served.world();
    let open = |id: &str, name: &str| {
        let body = json!({ "id": id, "account": name });
        let answer = world.post("/facts/account.opened", &body.to_string());
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body()["api_key"].as_str().unwrap().to_owned()
    };
    let (first, second) = (open("o-1", "padaria"), open("o-2", "banca"));
    assert_ne!(first, second);
    for key in [first, second] {
        assert!(key.starts_with("svc_live_") && key.len() > 50, "{key}");
        assert_eq!(served.get("/saldo", &[("x-api-key", &key)]).status, 200);
    }
}

#[test]
fn a_fact_happened_when_it_is_said_to_have_and_never_years_ahead() {
    let served = Served::start();
    let world = served.world();
    let body = |id: &str| {
        json!({ "id": id, "account": "loja", "effect_cents": 1, "actor": "bia",
            "reason": "a gift", "evidence": "case-1" })
        .to_string()
    };
    let later = world.post("/facts/fee.adjusted?at=2026-11-20T12:30:00Z", &body("f-1"));
    assert_eq!(later.status, 200, "{}", later.text);
    // A mistyped year is taken as now (rulings 69).
    let mistyped = world.post("/facts/fee.adjusted?at=2062-11-20T12:30:00Z", &body("f-2"));
    assert_eq!(mistyped.status, 200, "{}", mistyped.text);
}

#[test]
fn time_that_passes_is_told_to_the_sandbox_alone() {
    let served = Served::start();
    let world = served.world();
    let stood = (seq(&served, Environment::Live), seq(&served, Environment::Sandbox));
    for path in ["", "?environment=live", "?ledger=live"] {
        let refused = world.post(&format!("/facts/time.passed{path}"), "");
        assert_eq!(refused.status, 400, "{}", refused.text);
    }
    assert_eq!(world.post("/facts/time.passed?environment=sandbox", "").status, 200);
    let one = (seq(&served, Environment::Live), seq(&served, Environment::Sandbox));
    assert_eq!(one, (stood.0, stood.1 + 1));
}

#[test]
fn the_sandboxs_clock_is_advanced_by_time_that_passes_there_alone() {
    let served = Served::start();
    let world = served.world();
    let mail = json!({ "email": "ana@exemplo.com.br" });
    let made = served.post("/keys/sandbox", &[], &mail);
    let key = made.body()["api_key"].as_str().unwrap().to_owned();
    let with_key = [("x-api-key", key.as_str())];
    let order = json!({ "asset": "usdt", "network": "polygon", "amount": "20.00",
        "pix_key": "bia@exemplo.com.br" });
    let order = served.post("/cash-outs", &with_key, &order);
    let path = format!("/cash-outs/{}", order.body()["cashout_id"].as_str().unwrap());
    let accepted = served.post(&format!("{path}/accept"), &with_key, &Value::Null);
    assert_eq!(accepted.body()["state"], "AWAITING_DEPOSIT", "{}", accepted.text);
    let live = seq(&served, Environment::Live);
    // A whole flow takes fifteen seconds, and nobody waits for them.
    let at = served.clock.now().after(Span::seconds(30));
    let passed = world.post(&format!("/facts/time.passed?environment=sandbox&at={at}"), "");
    assert_eq!(passed.status, 200, "{}", passed.text);
    assert_eq!(served.get(&path, &with_key).body()["state"], "COMPLETED");
    assert_eq!(seq(&served, Environment::Live), live, "real money has a clock of its own");
    // Days ahead, and by no other fact.
    let at = served.clock.now().after(Span::days(40));
    let passed = world.post(&format!("/facts/time.passed?environment=sandbox&at={at}"), "");
    assert_eq!(passed.status, 200, "{}", passed.text);
    let balance = served.get("/saldo", &with_key);
    assert_eq!(balance.body()["as_of"], at.to_string(), "an earlier instant is the ledger's");
}

#[test]
fn the_world_is_known_by_its_token_and_nobody_else_reports() {
    let served = Served::start();
    let stood = seq(&served, Environment::Live);
    let mut world = served.world();
    let token = std::mem::take(&mut world.token);
    for wrong in [String::new(), "x".repeat(token.len()), KEY.to_owned(), token[1..].to_owned()] {
        world.token = wrong;
        for path in ["/facts/time.passed", "/lines"] {
            let answer = world.post(path, "{}");
            assert_eq!((answer.status, &answer.body()["erro"]), (401, &json!("nao_autenticado")));
            assert_eq!(answer.header("www-authenticate"), "Bearer");
        }
        assert_eq!(world.get("/metrics").status, 401);
    }
    assert_eq!(seq(&served, Environment::Live), stood, "nothing was recorded");
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(world.get(path).status, 200);
    }
    // What the world may say, clients may not, and the other way round.
    let headers = [("authorization", &*format!("Bearer {token}"))];
    assert_eq!(served.post("/facts/time.passed", &headers, &json!({})).status, 404);
    world.token = token;
    assert_eq!(world.get("/saldo").status, 404);
}

#[test]
fn a_method_that_a_path_of_the_world_does_not_take_is_answered_by_those_it_takes() {
    let served = Served::start();
    let world = served.world();
    let token = format!("Bearer {}", world.token);
    let headers = [("authorization", &*token), ("x-request-id", "req-2026-0001")];
    for (method, path, allowed, detail) in [
        ("PUT", "/lines", "POST", "/lines takes POST"),
        ("GET", "/facts/pix.received", "POST", "/facts/pix.received takes POST"),
        ("DELETE", "/moves", "GET,HEAD,POST", "/moves takes GET, HEAD and POST"),
        ("POST", "/metrics", "GET,HEAD", "/metrics takes GET and HEAD"),
        ("POST", "/health/ready", "GET,HEAD", "/health/ready takes GET and HEAD"),
    ] {
        let answer = world.send(method, path, &headers);
        assert_eq!((answer.status, answer.header("allow")), (405, allowed), "{method} {path}");
        assert_eq!(answer.header("x-request-id"), "req-2026-0001");
        let body = answer.body();
        assert_eq!(
            (&body["erro"], &body["detail"]),
            (&json!("metodo_nao_permitido"), &json!(detail))
        );
        assert_eq!(body["request_id"], "req-2026-0001");
    }
}

#[test]
fn a_request_to_the_wrong_listener_or_without_its_token_is_told_so() {
    let served = Served::start();
    let wrong = format!("Bearer {}", "x".repeat(40));
    for (headers, detail) in [
        (&[][..], "Authorization is missing: it is Bearer and the service's token"),
        (&[("authorization", &*wrong)], "this token is not the service's"),
    ] {
        let answer = served.world().send("POST", "/lines", headers);
        assert_eq!((answer.status, &answer.body()["detail"]), (401, &json!(detail)));
    }
    for path in ["/facts/account.opened", "/lines", "/metrics"] {
        let answer = served.post(path, &[("x-api-key", KEY)], &json!({}));
        let detail = answer.body()["detail"].as_str().unwrap().to_owned();
        assert!(answer.status == 404 && detail.contains("internal listener"), "{path}: {detail}");
    }
    assert!(!served.get("/factsheet", &[]).text.contains("internal listener"));
}

/// A provider that reports by another token is seen by whoever watches.
#[test]
fn what_the_world_reports_is_logged_and_counted_by_its_route_and_the_facts_name() {
    let served = Served::start();
    let bearer = [("authorization", "Bearer another-token-than-that-of-the-service")];
    assert_eq!(served.world().send("POST", "/facts/pix.received", &bearer).status, 401);
    assert_eq!(served.world().send("GET", "/instructions?wait=5", &bearer).status, 401);
    assert_eq!(served.world().post("/facts/52998224725", "{}").status, 404);
    assert_eq!(served.world().get("/nothing").status, 404);
    let log = served.log.text();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let logged: Vec<_> = lines.iter().map(|line| [&line["route"], &line["erro"]]).collect();
    let (refused, unknown) = (&json!("nao_autenticado"), &json!("nao_encontrado"));
    let expected = [
        [&json!("/facts/pix.received"), refused],
        [&json!("/instructions"), refused],
        [&json!("/facts/{name}"), unknown],
        [&json!("-"), unknown],
    ];
    assert_eq!(logged, expected, "{log}");
    for path in [
        "/lines",
        "/instructions/i-1/acknowledge",
        "/charges",
        "/moves",
        "/moves/m-1",
        "/moves/m-1/abandon",
        "/clock/accept",
        "/metrics",
        "/health/live",
        "/health/ready",
    ] {
        let _ = served.world().get(path);
        let log = served.log.text();
        let line: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        assert_ne!(line["route"], "-", "{path}");
    }
    let metrics = served.world().get("/metrics").text;
    let counted = "route=\"/facts/pix.received\",status=\"401\",code=\"nao_autenticado\"} 1\n";
    assert!(metrics.contains(counted), "{metrics}");
}

#[test]
fn a_mistyped_fact_is_answered_by_the_nearest_one() {
    let served = Served::start();
    let world = served.world();
    for (mistyped, detail) in [
        ("pix.recieved", "there is no fact pix.recieved; the nearest is pix.received"),
        ("moon.landed", "there is no fact moon.landed; `facts` lists them"),
    ] {
        let answer = world.post(&format!("/facts/{mistyped}"), "{}");
        assert_eq!((answer.status, &answer.body()["detail"]), (404, &json!(detail)));
    }
}

#[test]
fn the_token_of_metrics_opens_metrics_alone() {
    let scraping = "metrics-".repeat(5);
    let of_metrics = Token::new(&scraping).unwrap();
    let served = Served::with(64, |service| service.metrics_token(of_metrics));
    let mut world = served.world();
    assert_eq!(world.get("/metrics").status, 200, "the world's own token opens them too");
    world.token = scraping;
    assert_eq!(world.get("/metrics").status, 200);
    for path in ["/facts/time.passed", "/lines", "/moves", "/clock/accept"] {
        assert_eq!(world.post(path, "{}").status, 401, "{path}");
    }
    for path in ["/instructions", "/moves", "/charges"] {
        assert_eq!(world.get(path).status, 401, "{path}");
    }
    assert_eq!(seq(&served, Environment::Live), 0, "nothing was recorded");
}

#[test]
fn facts_as_lines_are_answered_line_by_line_in_order() {
    let served = Served::start();
    let mut lines = String::new();
    for number in 0..1_000 {
        let line = json!({ "at": "2026-11-20T12:00:00Z", "fact": "fee.adjusted", "body": {
            "id": format!("f-{}", number / 2), "account": "loja", "effect_cents": 10,
            "actor": "bia", "reason": "a gift", "evidence": "case-1" } });
        writeln!(lines, "{line}").unwrap();
    }
    lines
        .push_str("\n{\"at\": 1}\n{\"at\": \"2026-11-20T12:00:00Z\", \"request\": \"GET /saldo\"}");
    let answers: Vec<Value> = served
        .world()
        .post("/lines", &lines)
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 1_002);
    for (place, answer) in answers[..1_000].iter().enumerate() {
        let outcome = if place % 2 == 0 { "applied" } else { "known" };
        assert_eq!((&answer["line"], &answer["status"]), (&json!(place + 1), &json!(200)));
        assert_eq!(answer["body"]["outcome"], outcome);
    }
    assert_eq!((&answers[1_000]["line"], &answers[1_000]["status"]), (&json!(1_002), &json!(400)));
    assert_eq!(answers[1_001]["body"]["erro"], "requisicao_invalida");
    let balance = served.get("/saldo", &[("x-api-key", KEY)]).body();
    assert_eq!(balance["disponivel_cents"], 5_000);
}

#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    let served = Served::start();
    let world = served.world();
    let mut stream = std::net::TcpStream::connect(world.address).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(10))).unwrap();
    let head = format!(
        "POST /lines HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\nexpect: 100-continue\r\n\
         connection: close\r\ntransfer-encoding: chunked\r\n\r\n",
        world.token
    );
    stream.write_all(head.as_bytes()).unwrap();
    assert!(raw::until(&mut stream, "\r\n\r\n").starts_with("HTTP/1.1 100 "));
    for number in 1..=3 {
        let line = "{\"at\": \"2026-11-20T12:00:00Z\", \"environment\": \"sandbox\", \"fact\": \"time.passed\"}\n";
        stream.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes()).unwrap();
        let answer = raw::until(&mut stream, "applied\"}}\n");
        assert!(answer.contains(&format!("{{\"line\":{number},\"status\":200")), "{answer}");
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    assert!(raw::rest(&mut stream).ends_with("0\r\n\r\n"));
}

#[test]
fn a_line_without_end_is_refused_and_ends_the_lines() {
    let served = Served::start();
    let answer = served.world().post("/lines", &"x".repeat(1_100_000));
    let answer: Value = serde_json::from_str(answer.text.lines().next().unwrap()).unwrap();
    assert_eq!((&answer["line"], &answer["status"]), (&json!(1), &json!(413)));
}

#[test]
fn metrics_count_requests_by_route_and_show_where_the_ledgers_stand() {
    let served = Served::start();
    for _ in 0..3 {
        assert_eq!(served.get("/saldo?customer_ref=ana", &[("x-api-key", KEY)]).status, 200);
    }
    assert_eq!(served.get("/saldo", &[]).status, 401);
    let text = served.world().get("/metrics").text;
    let has = |line: &str| assert!(text.lines().any(|known| known == line), "{line}: {text}");
    has(
        "custody_ledger_requests_total{environment=\"live\",route=\"/saldo\",status=\"200\",code=\"\"} 3",
    );
    has("custody_ledger_requests_total{environment=\"live\",route=\"/saldo\",status=\"401\",\
         code=\"chave_ausente\"} 1");
    has("custody_ledger_request_duration_seconds_count{route=\"/saldo\"} 4");
    has("custody_ledger_head_seq{ledger=\"live\"} 1");
    has("custody_ledger_head_seq{ledger=\"sandbox\"} 0");
    assert!(!text.contains("ana") && !text.contains(KEY), "{text}");
}

#[test]
fn the_debug_text_of_a_world_shows_no_token() {
    let served = Served::start();
    let World { token, .. } = served.world();
    let shown = format!("{:?}", ledger_http::Token::new(&token).unwrap());
    assert!(!shown.contains(&token));
}
