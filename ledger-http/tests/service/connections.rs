//! Connections: what a refusal leaves unread, who takes no answer, and what is no request at all.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use ledger_http::Limits;
use ledger_http::documents::Config;
use serde_json::{Value, json};

use crate::raw;
use crate::served::{KEY, Served};

/// A request with a body, which the answer does not need.
fn with_body(line: &str, more: &str, body: &str) -> String {
    let length = body.len();
    format!("{line} HTTP/1.1\r\nhost: x\r\n{more}content-length: {length}\r\n\r\n{body}")
}

/// The statuses of the answers on one connection.
fn statuses(answers: &str) -> Vec<&str> {
    answers.split("HTTP/1.1 ").skip(1).map(|answer| answer.get(..3).unwrap_or(answer)).collect()
}

#[test]
fn a_request_after_one_that_was_refused_before_its_body_is_answered() {
    let served = Served::start();
    let body = "x".repeat(100_000);
    let last = "GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    for (line, status) in [
        ("POST /nothing", "404"),
        ("POST /saldo", "405"),
        ("POST /health/live", "405"),
        ("OPTIONS /saldo/transferir", "204"),
        ("GET /mesh", "413"),
    ] {
        let first = with_body(line, "", &body);
        let answers = raw::exchange(&served, format!("{first}{last}").as_bytes());
        assert_eq!(statuses(&answers), [status, "200"], "{line}: {answers:.300}");
    }
}

#[test]
fn a_body_too_long_to_drain_closes_its_connection_and_the_answer_says_so() {
    let served = Served::start();
    for more in ["content-length: 90000000\r\n", "content-length: 9\r\nexpect: 100-continue\r\n"] {
        let head = format!("POST /nothing HTTP/1.1\r\nhost: x\r\n{more}\r\n");
        let answer = raw::exchange(&served, head.as_bytes()).to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 404"), "{answer}");
        assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
    }
}

/// How many answers nobody takes.
const ASKED: usize = 200;

/// A connection for whose answers the system keeps little room.
fn narrow(served: &Served) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let connected = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(4_096)?;
        socket.connect(served.address).await
    });
    let stream = connected.unwrap().into_std().unwrap();
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
}

#[test]
fn a_client_that_takes_nothing_of_its_answers_loses_its_connection() {
    let header_read = Duration::from_millis(300);
    let limits = Limits { header_read, ..Limits::default() };
    let published = Config::at("https://api.example.com");
    let served = Served::with(64, |service| service.limits(limits).documents(published));
    let document = served.get("/openapi.json", &[]).text.len();
    assert!(document > 100_000, "{document} bytes");
    let mut stream = narrow(&served);
    // Far more than the system keeps of answers that nobody takes; so nothing is given, either.
    let asks = "GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(ASKED);
    stream.write_all(asks.as_bytes()).unwrap();
    std::thread::sleep(header_read * 8);
    let (mut part, mut taken) = (vec![0; 65_536], 0);
    while let Ok(read @ 1..) = stream.read(&mut part) {
        taken += read;
    }
    let all = ASKED * document;
    assert!(taken < all / 4, "{taken} of {all} bytes: it waited for who took nothing");
}

#[test]
fn auth_07_what_is_no_request_is_answered_with_an_error_body_and_an_id() {
    let served = Served::start();
    let wide = format!("GET / HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "y".repeat(1_000_000));
    for (bytes, status) in [
        ("NO REQUEST AT ALL\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nbad header\r\n\r\n", 400),
        (&wide, 431),
    ] {
        let answer = raw::exchange(&served, bytes.as_bytes());
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
        let id = head.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap();
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(
            (&body["erro"], &body["acao"], &body["request_id"]),
            (&json!("requisicao_invalida"), &json!("corrigir"), &json!(id)),
        );
    }
}

#[test]
fn auth_06_whoever_has_no_key_learns_nothing_of_a_bodys_shape() {
    let served = Served::start();
    let unknown = [("x-api-key", "svc_live_nobody"), ("content-type", "application/json")];
    let large = format!("\"{}\"", "x".repeat(100_000));
    for body in ["{", "[]", "{}", r#"{"amount_cents":1,"amount_cents":2}"#, "\"\0\"", &large] {
        let answer = served.send("POST", "/saldo/transferir", &unknown, Some(body));
        assert_eq!((answer.status, &answer.body()["erro"]), (401, &json!("chave_desconhecida")));
        let answer = served.send("POST", "/saldo/transferir", &unknown[1..], Some(body));
        assert_eq!((answer.status, &answer.body()["erro"]), (401, &json!("chave_ausente")));
    }
    for target in ["/saldo?misspelt=1", "/saldo?%zz", "/saldo/extrato?limit=0"] {
        assert_eq!(served.get(target, &[]).status, 401, "{target}");
        assert_eq!(served.get(target, &[("x-api-key", KEY)]).status, 400, "{target}");
    }
    // Where no key is needed, or there is one, the shape is judged.
    assert_eq!(served.send("POST", "/keys", &unknown[1..], Some("{")).status, 400);
    let known = [("x-api-key", KEY), ("content-type", "application/json")];
    assert_eq!(served.send("POST", "/saldo/transferir", &known, Some("{")).status, 400);
}

#[test]
fn auth_06_two_keys_open_nothing() {
    let served = Served::start();
    for other in [KEY, "svc_live_nobody"] {
        let keys = [("x-api-key", KEY), ("x-api-key", other)];
        let answer = served.get("/saldo", &keys);
        assert_eq!((answer.status, &answer.body()["erro"]), (401, &json!("chave_incorreta")));
        assert!(answer.text.contains("X-API-Key is given more than once"), "{}", answer.text);
    }
    assert_eq!(served.get("/saldo", &[("x-api-key", KEY)]).status, 200);
}

#[test]
fn an_id_in_a_path_is_read_percent_encoded_too() {
    let served = Served::start();
    let key = [("x-api-key", KEY)];
    let charge = json!({
        "amount_cents": 10_000, "destino": "saldo", "payer_tax_number": "52998224725",
    });
    let supplied = json!({ "qr_copypaste": "code" });
    let made = served.supplied("POST /cashin/charge", &charge, &supplied);
    let id = made["cashin_id"].as_str().unwrap();
    let encoded: Vec<String> = id.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let encoded = encoded.concat();
    for id in [id, &encoded, &id.replace('_', "%5F")] {
        let answer = served.get(&format!("/cashin/{id}/status"), &key);
        assert_eq!((answer.status, &answer.body()["cashin_id"]), (200, &made["cashin_id"]));
    }
    for id in ["%ff", "a%00b", "%2e%2e", &format!("{id}%20"), &format!("{id}%2Fstatus")] {
        assert_eq!(served.get(&format!("/cashin/{id}/status"), &key).status, 404, "{id}");
    }
}
