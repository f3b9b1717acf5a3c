//! The program's `serve`, as whoever starts it meets it: what it prints works, what it answered is
//! there after a kill, and it ends when it is told to.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "serve/away.rs"]
mod away;
#[path = "serve/cells.rs"]
mod cells;
#[path = "serve/checkpoints.rs"]
mod checkpoints;
#[path = "serve/clock.rs"]
mod clock;
#[path = "serve/cosigned.rs"]
mod cosigned;
#[path = "serve/decided.rs"]
mod decided;
#[path = "serve/held.rs"]
mod held;
#[path = "serve/idle.rs"]
mod idle;
#[path = "serve/imaged.rs"]
mod imaged;
#[path = "serve/provided.rs"]
mod provided;
#[path = "serve/provider.rs"]
mod provider;
#[path = "serve/published.rs"]
mod published;
#[path = "serve/questions/mod.rs"]
mod questions;
#[path = "serve/replica.rs"]
mod replica;
#[path = "serve/roles.rs"]
mod roles;
#[path = "serve/runbook.rs"]
mod runbook;
#[path = "../ledger-store/tests/setup/server.rs"]
mod server;
#[path = "serve/serving.rs"]
mod serving;
#[path = "serve/standby.rs"]
mod standby;
#[path = "serve/streamed.rs"]
mod streamed;
#[path = "acceptance/witness.rs"]
mod witness;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use serving::{PROGRAM, Serving, TOKEN, agent, folder, post, program, report, serve, transfer};

#[test]
fn the_three_lines_that_it_prints_collect_a_pix_and_show_the_balance() {
    let (_folder, store) = folder();
    let serving = Serving::start(&store);
    let lines: Vec<&str> = serving
        .said
        .iter()
        .map(String::as_str)
        .filter(|line| line.starts_with("KEY=") || line.starts_with("curl "))
        .collect();
    assert_eq!(lines.len(), 3, "{:?}", serving.said);
    let script = lines.join("\necho\n");
    let output = Command::new("sh").args(["-ec", &script]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {text}")))
        .collect();
    assert_eq!(answers[0]["status"], "paid", "{text}");
    let cents = |name: &str| answers[1][name].as_i64().unwrap();
    assert_eq!(cents("disponivel_cents") + cents("bloqueado_cents"), 4_900, "{text}");
    serving.signal("TERM");
    let (said, well) = serving.rest();
    assert!(well, "{said}");
    let heads: Vec<&str> = said.lines().collect();
    assert!(heads[0].starts_with("live: 0 records, head "), "{said}");
    assert!(heads[1].starts_with("sandbox: 3 records, head "), "{said}");
    let audit = program(&["audit", store.to_str().unwrap()]);
    assert!(audit.status.success());
    let proved = String::from_utf8(audit.stdout).unwrap();
    let head = heads[1].rsplit(' ').next().unwrap();
    assert!(proved.contains(head), "the audit proves the head that was printed: {proved}");
}

#[test]
fn the_sandbox_plays_in_real_time_although_nobody_calls() {
    let (_folder, store) = folder();
    let serving = Serving::start(&store);
    let (base, agent) = (serving.address("serves"), agent());
    let email = json!({ "email": "ana@exemplo.com.br" });
    let (_, made) = post(&agent, &format!("{base}/keys/sandbox"), ("accept", "*/*"), &email);
    let key = made["api_key"].as_str().unwrap();
    let order = json!({ "asset": "usdt", "network": "polygon", "amount": "20.00",
        "pix_key": "bia@exemplo.com.br" });
    let (status, order) = post(&agent, &format!("{base}/cash-outs"), ("x-api-key", key), &order);
    assert_eq!(status, 201, "{order}");
    let url = format!("{base}/cash-outs/{}", order["cashout_id"].as_str().unwrap());
    let accept = agent.post(format!("{url}/accept")).header("x-api-key", key).send_empty();
    assert_eq!(accept.unwrap().status().as_u16(), 200);
    // Not asked for longer than the whole way takes: about 15 seconds.
    std::thread::sleep(Duration::from_secs(18));
    serving.signal("KILL");
    let _ = serving.rest();
    // So what happened is in the journal, and not made up by whoever asks now.
    let id = order["cashout_id"].as_str().unwrap();
    let store = store.to_str().unwrap();
    let explained = program(&["explain", store, "--environment", "sandbox", id]);
    let text = String::from_utf8_lossy(&explained.stdout).into_owned();
    // Its fee is earned when its PIX is confirmed.
    assert!(text.contains("rev.cashout"), "{text}");
}

#[test]
fn whatever_was_answered_is_there_after_a_kill() {
    let (_folder, store) = folder();
    let serving = Serving::start(&store);
    let (base, world) = (serving.address("serves"), serving.address("the world"));
    let opened = json!({ "id": "o-1", "account": "loja", "terms": { "carencia_horas": 0 } });
    let key = report(&world, "account.opened", &opened)["api_key"].as_str().unwrap().to_owned();
    let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 9_000_000,
        "actor": "bia", "reason": "a gift", "evidence": "case-1" });
    report(&world, "fee.adjusted", &gift);
    let answered: Arc<Mutex<BTreeMap<String, Value>>> = Arc::default();
    let clients: Vec<_> = (0..8)
        .map(|client| {
            let (key, answered) = (key.clone(), Arc::clone(&answered));
            let url = format!("{base}/saldo/transferir");
            std::thread::spawn(move || {
                let agent = agent();
                for number in 0.. {
                    let id = format!("t-{client}-{number}");
                    let sent = agent.post(&url).header("x-api-key", &key).send_json(transfer(&id));
                    // It was killed under way: whether that was recorded, nobody knows.
                    let Ok(mut answer) = sent else { return };
                    let Ok(body) = answer.body_mut().read_json::<Value>() else { return };
                    assert_eq!(answer.status().as_u16(), 200, "{body}");
                    answered.lock().unwrap().insert(id, body);
                }
            })
        })
        .collect();
    while answered.lock().unwrap().len() < 200 {
        std::thread::sleep(Duration::from_millis(5));
    }
    serving.signal("KILL");
    let _ = serving.rest();
    for client in clients {
        client.join().unwrap();
    }
    let answered = std::mem::take(&mut *answered.lock().unwrap());
    let audit = program(&["audit", store.to_str().unwrap()]);
    assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
    let again = Serving::start(&store);
    let (url, agent) = (format!("{}/saldo/transferir", again.address("serves")), agent());
    for (id, before) in &answered {
        let (status, now) = post(&agent, &url, ("x-api-key", &key), &transfer(id));
        assert_eq!((status, &now), (200, before), "{id}");
    }
}

#[test]
fn a_payout_is_asked_of_the_world_until_it_was_carried_out() {
    let (_folder, store) = folder();
    let mut command = serve(&store);
    command.arg("--outbox");
    let serving = Serving::from_command(command);
    let (base, world) = (serving.address("serves"), serving.address("the world"));
    let opened = json!({ "id": "o-1", "account": "loja", "terms": { "carencia_horas": 0 } });
    let key = report(&world, "account.opened", &opened)["api_key"].as_str().unwrap().to_owned();
    let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 9_000,
        "actor": "bia", "reason": "a gift", "evidence": "case-1" });
    report(&world, "fee.adjusted", &gift);
    let asked = json!({ "amount_cents": 5_000, "pix_key": "52998224725",
        "tax_number": "52998224725", "external_id": "p-1" });
    let agent = agent();
    let (status, made) = post(&agent, &format!("{base}/payouts"), ("x-api-key", &key), &asked);
    assert_eq!(status, 200, "{made}");
    let bearer = format!("Bearer {TOKEN}");
    let pending = || -> Value {
        let asked = agent.get(format!("{world}/instructions?wait=5"));
        asked.header("authorization", &bearer).call().unwrap().body_mut().read_json().unwrap()
    };
    let instruction = pending()["items"][0].clone();
    assert_eq!(instruction["operation"], made["payout_id"], "{instruction}");
    let paid = json!({ "payout_id": made["payout_id"], "e2e": "E9040088820261120122600000000003" });
    report(&world, "payout.paid", &paid);
    let id = instruction["id"].as_str().unwrap();
    let url = format!("{world}/instructions/{id}/acknowledge");
    let (_, done) = post(&agent, &url, ("authorization", &bearer), &json!({}));
    assert_eq!(done["acknowledged"], "now");
    let asked = agent.get(format!("{base}/payouts?external_id=p-1")).header("x-api-key", &key);
    let listed: Value = asked.call().unwrap().body_mut().read_json().unwrap();
    assert_eq!(listed["payouts"][0]["status"], "completed", "{listed}");
    serving.signal("TERM");
    assert!(serving.rest().1, "it ends although somebody may wait");
}

#[test]
fn facts_come_from_other_machines_only_with_a_token_that_was_set() {
    let (_folder, store) = folder();
    let store = store.to_str().unwrap();
    let common = ["serve", "--listen", "127.0.0.1:0", "--store", store, "--internal-listen"];
    let open = program(&[&common[..], &["0.0.0.0:0"]].concat());
    assert_eq!(open.status.code(), Some(1));
    let said = String::from_utf8(open.stderr).unwrap();
    assert!(said.contains("set internal-token"), "{said}");
    let short = program(&[&common[..], &["127.0.0.1:0", "--internal-token", "short"]].concat());
    assert_eq!(short.status.code(), Some(1));
    assert!(!Path::new(store).exists(), "nothing was opened");
}

#[test]
fn the_console_is_looked_at_from_other_machines_only_with_a_token_that_was_set() {
    let (_folder, store) = folder();
    let store = store.to_str().unwrap();
    let common =
        ["serve", "--listen", "127.0.0.1:0", "--internal-listen", "none", "--store", store];
    let open = program(&[&common[..], &["--console-listen", "0.0.0.0:0"]].concat());
    assert_eq!(open.status.code(), Some(1));
    let said = String::from_utf8(open.stderr).unwrap();
    assert!(said.contains("set console-token"), "{said}");
    let short = ["--console-listen", "127.0.0.1:0", "--console-token", "short"];
    let short = program(&[&common[..], &short].concat());
    assert_eq!(short.status.code(), Some(1));
    assert!(!Path::new(store).exists(), "nothing was opened");
}

#[test]
fn flags_environment_and_file_say_the_same_things() {
    let (folder, _) = folder();
    let file = folder.path().join("serve.toml");
    std::fs::write(&file, "listen = \"127.0.0.1:1\"\nqueue = 7\nkey-rate = 5\n").unwrap();
    let output = Command::new(PROGRAM)
        .args(["serve", "--print-config", "--key-rate", "6", "--config"])
        .arg(&file)
        .env("CUSTODY_LEDGER_QUEUE", "8")
        .env("CUSTODY_LEDGER_STORE", "postgres://loja:geheim@localhost/ledger")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for line in ["listen = \"127.0.0.1:1\"", "queue = 8", "key-rate = 6"] {
        assert!(text.lines().any(|known| known == line), "{line}: {text}");
    }
    assert!(!text.contains("geheim"), "{text}");
}

/// Takes requests on a port of its own and answers each with 204: what it was sent, whole.
fn receiver() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let its = Arc::clone(&seen);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut text, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                stream.read_line(&mut line).unwrap();
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                text.push_str(&line);
                if line.trim().is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            text.push_str(str::from_utf8(&body).unwrap());
            its.lock().unwrap().push(text);
            let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
            std::io::Write::write_all(stream.get_mut(), answer).unwrap();
        }
    });
    (address, seen)
}

#[test]
fn webhooks_are_sent_and_whoever_listens_with_a_key_gets_them_too() {
    let (_folder, store) = folder();
    let ((hooks, sent), (local, forwarded)) = (receiver(), receiver());
    let mut command = serve(&store);
    let serving = Serving::from_command({
        command.args(["--outbox", "--webhooks-to", &hooks]);
        command
    });
    let (base, agent) = (serving.address("serves"), agent());
    let email = json!({ "email": "ana@exemplo.com.br" });
    let (_, made) = post(&agent, &format!("{base}/keys/sandbox"), ("accept", "*/*"), &email);
    let key = made["api_key"].as_str().unwrap();
    let mut listen = Command::new(PROGRAM);
    listen.args(["listen", "--server", &base, "--key", key, "--exit-after", "1"]);
    listen.args(["--forward-to", &format!("{local}/local")]).stdout(Stdio::piped());
    let mut listening = listen.spawn().unwrap();
    let mut out = BufReader::new(listening.stdout.take().unwrap());
    let mut said = String::new();
    while !said.contains("whsec_") {
        assert!(out.read_line(&mut said).unwrap() > 0, "{said}");
    }
    let settings = json!({ "webhook_url": "https://loja.example/hook" });
    let patch = agent.patch(format!("{base}/keys/me")).header("x-api-key", key);
    assert_eq!(patch.send_json(&settings).unwrap().status().as_u16(), 200);
    let charge = json!({ "amount_cents": 5000, "destino": "saldo",
        "payer_tax_number": "52998224725", "external_id": "first" });
    let (_, charge) = post(&agent, &format!("{base}/cashin/charge"), ("x-api-key", key), &charge);
    let id = charge["cashin_id"].as_str().unwrap();
    let pay = agent.post(format!("{base}/sandbox/cashin/{id}/pay")).header("x-api-key", key);
    assert_eq!(pay.send_empty().unwrap().status().as_u16(), 200);
    out.read_to_string(&mut said).unwrap();
    assert!(listening.wait().unwrap().success(), "{said}");
    let came = forwarded.lock().unwrap().clone();
    assert_eq!(came.len(), 1, "{came:?}");
    assert!(came[0].starts_with("POST /local ") && came[0].contains("\"event\":\"cashin."));
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while sent.lock().unwrap().is_empty() && std::time::Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    let hooked = sent.lock().unwrap().first().cloned().unwrap();
    assert!(hooked.starts_with("POST /hook "), "{hooked}");
    // The same event by the same bytes, signed by either's own secret.
    let body = |text: &str| text.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert_eq!(body(&came[0]), body(&hooked));
    serving.signal("TERM");
    let (said, well) = serving.rest();
    assert!(well, "{said}");
}

#[test]
fn whoever_listens_with_a_key_that_nobody_has_or_to_nothing_is_told_so() {
    for (outbox, path, what) in [
        ("true", "", "chave_desconhecida"),
        ("false", "", "`serve --outbox` does"),
        ("false", "/", "`serve --outbox` does"),
        ("true", "/wrong", "the service answers 404: nao_encontrado"),
    ] {
        let (_folder, store) = folder();
        let mut command = serve(&store);
        command.args(["--outbox", outbox]);
        let serving = Serving::from_command(command);
        let base = serving.address("serves") + path;
        let to = ["--forward-to", "http://127.0.0.1:9", "--server", &base];
        let output = program(&["listen", "--key", "svc_test_nobody", to[0], to[1], to[2], to[3]]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(what), "{said}");
    }
}
