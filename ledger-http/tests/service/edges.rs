//! What HTTP asks for beside the contract, each answered with the contract's error body.

use std::io::Write;
use std::time::Duration;

use ledger_core::time::Span;
use ledger_http::Limits;
use serde_json::{Value, json};

use crate::raw;
use crate::served::{KEY, Served};

const ACCOUNT: [(&str, &str); 1] = [("x-api-key", KEY)];

#[test]
fn auth_07_a_request_id_that_fits_is_kept_and_another_is_made() {
    let served = Served::start();
    let kept = served.get("/saldo", &[("x-request-id", "req-2026.a:b_1")]);
    assert_eq!(kept.header("x-request-id"), "req-2026.a:b_1");
    assert_eq!(kept.body()["request_id"], "req-2026.a:b_1");
    let mut made = Vec::new();
    for given in ["short", "with space in it", ""] {
        let answer = served.get("/saldo", &[("x-request-id", given)]);
        let id = answer.header("x-request-id").to_owned();
        assert!(id.starts_with("req_") && answer.body()["request_id"] == id, "{id}");
        made.push(id);
    }
    for path in ["/health/live", "/health/ready", "/nothing"] {
        made.push(served.get(path, &[]).header("x-request-id").to_owned());
    }
    made.push(served.send("OPTIONS", "/saldo", &[], None).header("x-request-id").to_owned());
    made.push(served.get("/saldo", &ACCOUNT).header("x-request-id").to_owned());
    assert!(made.iter().all(|id| id.len() == 20), "{made:?}");
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), 8, "no two requests have one id");
}

#[test]
fn api_01_a_body_that_does_not_say_that_it_is_json_is_refused() {
    let served = Served::start();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
        let headers = [("content-type", kind), ("x-api-key", KEY)];
        let answer = served.send("POST", "/saldo/transferir", &headers, Some("{}"));
        assert_eq!((answer.status, &answer.body()["erro"]), (400, &json!("formato_invalido")));
        assert!(answer.body()["detail"].as_str().unwrap().contains("application/json"));
    }
    let headers = [("content-type", "application/json; charset=utf-8"), ("x-api-key", KEY)];
    let read = served.send("POST", "/saldo/transferir", &headers, Some("{}"));
    assert_eq!(read.body()["erro"], "campos_obrigatorios");
}

#[test]
fn an_error_is_explained_in_portuguese_to_whoever_prefers_it() {
    let served = Served::start();
    let told = |language: &str| {
        let headers = [
            ("x-api-key", KEY),
            ("content-type", "application/json"),
            ("accept-language", language),
        ];
        let answer = served.send("POST", "/saldo/transferir", &headers, Some("{}"));
        assert_eq!(answer.body()["erro"], "campos_obrigatorios", "{language}");
        answer
    };
    for portuguese in ["pt-BR", "pt;q=0.9, en;q=0.8", "de, pt"] {
        let answer = told(portuguese);
        assert_eq!(answer.header("content-language"), "pt-BR", "{portuguese}");
        let detail = answer.body()["detail"].as_str().unwrap().to_owned();
        assert!(detail.ends_with(" é obrigatório"), "{detail}");
    }
    for english in ["en", "pt;q=0.1, en", "de", "pt;q=0", ""] {
        let detail = told(english).body()["detail"].as_str().unwrap().to_owned();
        assert!(detail.ends_with(" is required"), "{english}: {detail}");
    }
}

#[test]
fn json_is_read_as_strictly_as_a_line_is() {
    let served = Served::start();
    for (text, says) in [
        (r#"{"amount_cents": 1, "amount_cents": 2}"#, "stands twice"),
        ("{", "no JSON"),
        ("{} {}", "trailing characters"),
        ("[]", "object"),
    ] {
        let headers = [("content-type", "application/json"), ("x-api-key", KEY)];
        let answer = served.send("POST", "/saldo/transferir", &headers, Some(text));
        assert_eq!((answer.status, &answer.body()["erro"]), (400, &json!("formato_invalido")));
        let detail = answer.body()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(says), "{text}: {detail}");
    }
}

#[test]
fn a_body_beyond_the_bound_is_refused_however_it_comes() {
    let limits = Limits { body_bytes: 1_000, ..Limits::default() };
    let served = Served::with(64, |service| service.limits(limits));
    served.open_account();
    let large = json!({ "filler": "x".repeat(1_000) });
    let answer = served.post("/saldo/transferir", &ACCOUNT, &large);
    assert_eq!((answer.status, &answer.body()["erro"]), (413, &json!("corpo_grande_demais")));
    // Without a length said before.
    let chunk = format!("{:x}\r\n{}\r\n0\r\n\r\n", 1_200, "x".repeat(1_200));
    let head = "POST /saldo/transferir HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
                content-type: application/json\r\ntransfer-encoding: chunked\r\n";
    let head = format!("{head}x-api-key: {KEY}\r\n\r\n");
    let answer = raw::exchange(&served, format!("{head}{chunk}").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert!(answer.contains("corpo_grande_demais"), "{answer}");
}

#[test]
fn a_request_that_takes_too_long_is_answered_with_504() {
    let handling = Duration::from_millis(300);
    let served =
        Served::with(64, |service| service.limits(Limits { handling, ..Limits::default() }));
    let head = "POST /saldo/transferir HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\
                connection: close\r\ncontent-type: application/json\r\n\r\n{";
    let answer = raw::exchange(&served, head.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 504"), "{answer}");
    assert!(answer.contains("\"erro\":\"tempo_esgotado\",\"acao\":\"repetir\""), "{answer}");
}

#[test]
fn a_head_that_does_not_end_ends_its_connection() {
    let header_read = Duration::from_millis(300);
    let served =
        Served::with(64, |service| service.limits(Limits { header_read, ..Limits::default() }));
    let mut stream = raw::connect(&served);
    let began = std::time::Instant::now();
    stream.write_all(b"GET /saldo HTTP/1.1\r\nhost: x\r\nx-slow: ").unwrap();
    let answer = raw::rest(&mut stream);
    assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(began.elapsed() < Duration::from_secs(8), "it was closed, not waited for");
}

#[test]
fn a_full_queue_is_answered_with_503_and_when_to_come_back() {
    let served = Served::with(1, |service| service);
    let engine =
        served.service.ledgers().for_environment(ledger_core::contract::Environment::Live).engine();
    let permit = engine.try_reserve().unwrap();
    let answer = served.get("/saldo", &ACCOUNT);
    assert_eq!(
        (answer.status, &answer.body()["erro"]),
        (503, &json!("temporariamente_indisponivel"))
    );
    assert_eq!(answer.body()["acao"], "esperar");
    assert_eq!(answer.header("retry-after"), "1");
    drop(permit);
    assert_eq!(served.get("/saldo", &ACCOUNT).status, 401);
}

#[test]
fn a_ledger_that_has_stopped_is_away_and_not_ready() {
    let served = Served::start();
    assert_eq!(served.get("/health/ready", &[]).status, 200);
    let live = served.service.ledgers().for_environment(ledger_core::contract::Environment::Live);
    live.engine().stop().unwrap();
    let answer = served.get("/saldo", &ACCOUNT);
    assert_eq!((answer.status, answer.header("retry-after")), (503, "5"));
    let ready = served.get("/health/ready", &[]);
    assert_eq!(ready.status, 503);
    assert_eq!(ready.body()["ledgers"]["live"]["status"], "stopped");
    assert_eq!(ready.body()["ledgers"]["sandbox"]["status"], "writing");
    assert_eq!(served.get("/health/live", &[]).status, 200);
}

#[test]
fn errors_are_problem_details_where_they_are_asked_for() {
    let served = Served::with(64, |service| service.docs_url("https://docs.example.com/erros"));
    let plain = served.get("/saldo", &[]);
    assert_eq!(plain.header("content-type"), "application/json");
    assert_eq!(plain.body()["docs"], "https://docs.example.com/erros#chave_ausente");
    assert_eq!(plain.body().get("type"), None);
    let asked = served.get("/saldo", &[("accept", "application/problem+json")]);
    assert_eq!(asked.header("content-type"), "application/problem+json");
    let body = asked.body();
    assert_eq!(body["type"], body["docs"]);
    assert_eq!((&body["title"], &body["status"]), (&json!("Unauthorized"), &json!(401)));
    for name in ["erro", "acao", "detail"] {
        assert_eq!(body[name], plain.body()[name]);
    }
}

#[test]
fn large_answers_are_compressed_where_that_is_accepted() {
    let served = Served::start();
    let packed = served.send("GET", "/mesh", &[("accept-encoding", "gzip")], None);
    let plain = served.get("/mesh", &[("accept-encoding", "identity")]);
    assert_eq!(plain.header("content-encoding"), "");
    assert!(plain.text.len() >= 1_024, "it is large enough: {}", plain.text.len());
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert!(packed.text.starts_with('\u{1f}'), "it is packed");
    assert_eq!(
        served
            .send("GET", "/saldo", &[("accept-encoding", "gzip")], None)
            .header("content-encoding"),
        ""
    );
}

#[test]
fn errors_have_the_alias_code_until_the_contract_drops_it() {
    let served = Served::start();
    assert_eq!(served.get("/saldo", &[]).body().get("code"), None);
    let early = Served::with(64, |service| service);
    early.clock.set(ledger_core::time::Instant::parse("2026-11-08T12:00:00Z").unwrap());
    let body = early.get("/saldo", &[]).body();
    assert_eq!((&body["code"], &body["erro"]), (&json!("chave_ausente"), &json!("chave_ausente")));
    // Those of the edge, too.
    let headers = [("content-type", "text/plain")];
    let edge = early.send("POST", "/keys", &headers, Some("{}")).body();
    assert_eq!(edge["code"], edge["erro"]);
}

#[test]
fn after_days_of_silence_requests_are_answered_all_the_same() {
    let served = Served::start();
    served.clock.advance(Span::days(40));
    let answer = served.get("/saldo", &ACCOUNT);
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.body()["as_of"], "2026-12-30T12:00:00Z");
    served.clock.advance(Span::days(40));
    let charge = json!({ "email": "ana@exemplo.com.br" });
    let made = served.post("/keys/sandbox", &[], &charge);
    assert_eq!(made.status, 200, "{}", made.text);
}

#[test]
fn the_log_names_the_route_and_no_person_key_or_query() {
    let served = Served::start();
    let _ = served.get("/saldo?customer_ref=ana-52998224725", &ACCOUNT);
    let _ = served.get("/v1/verificar/E9040088820261120120600000000001", &[]);
    let _ = served.get("/52998224725", &[]);
    let log = served.log.text();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{log}");
    assert_eq!(lines[0]["route"], "/saldo");
    assert_eq!((&lines[0]["status"], &lines[0]["environment"]), (&json!(200), &json!("live")));
    assert_eq!(lines[1]["route"], "/v1/verificar/{e2e}");
    assert_eq!((&lines[2]["route"], &lines[2]["erro"]), (&json!("-"), &json!("nao_encontrado")));
    for secret in ["52998224725", "ana", KEY, "E90400888"] {
        assert!(!log.contains(secret), "{secret} stands in the log: {log}");
    }
}

#[test]
fn what_is_under_way_is_answered_before_the_end() {
    let mut served = Served::start();
    served.open_account();
    let mut stream = raw::connect(&served);
    let head = "POST /saldo/transferir HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\
                content-type: application/json\r\n";
    let head = format!("{head}x-api-key: {KEY}\r\n\r\n{{");
    stream.write_all(head.as_bytes()).unwrap();
    // Time for the request to begin; one that had not would be closed without an answer.
    std::thread::sleep(Duration::from_millis(300));
    let end = std::thread::spawn(move || (served.end(), served));
    std::thread::sleep(Duration::from_millis(200));
    stream.write_all(b"}").unwrap();
    let answer = raw::rest(&mut stream);
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert!(answer.contains("campos_obrigatorios"), "{answer}");
    let (all, served) = end.join().unwrap();
    assert!(all, "nothing was left");
    assert!(std::net::TcpStream::connect(served.address).is_err(), "nobody listens any more");
}

#[test]
fn a_connection_on_which_nothing_more_is_asked_is_closed() {
    let header_read = Duration::from_millis(300);
    let served =
        Served::with(64, |service| service.limits(Limits { header_read, ..Limits::default() }));
    let began = std::time::Instant::now();
    let answer = raw::exchange(&served, b"GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(began.elapsed() < Duration::from_secs(8), "it was closed, not waited for");
}

#[test]
fn more_connections_than_may_be_wait_for_their_turn() {
    let served = Served::start();
    let mut silent: Vec<_> = (0..crate::served::MOST).map(|_| raw::connect(&served)).collect();
    let mut waiting = raw::connect(&served);
    waiting.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    waiting
        .write_all(b"GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        .unwrap();
    assert_eq!(raw::rest(&mut waiting), "", "there is no room for it yet");
    silent.pop();
    waiting.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    assert!(raw::rest(&mut waiting).starts_with("HTTP/1.1 200"));
}

#[test]
fn no_answer_is_kept_on_the_way() {
    let served = Served::start();
    for answer in [served.get("/saldo", &ACCOUNT), served.get("/saldo", &[])] {
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}
