//! A process that reads what another serves, and takes over when it is asked to.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::serving::{
    PROGRAM, Serving, TOKEN, agent, folder, post, program, report, serve, transfer,
};

const PATIENCE: Duration = Duration::from_secs(30);

fn reading(store: &str) -> Serving {
    let mut command = std::process::Command::new(PROGRAM);
    command.args(["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"]);
    command.args(["--internal-token", TOKEN, "--log", "off", "--replica-of", store]);
    command.args(["--writer-url", "https://ledger.example", "--lease-seconds", "1"]);
    Serving::from_command(command)
}

fn leased(store: &str) -> Serving {
    let mut command = serve(Path::new(store));
    command.args(["--lease-seconds", "1"]);
    Serving::from_command(command)
}

/// An account whose house has money to give away; its key.
pub fn funded(world: &str) -> String {
    let opened = json!({ "id": "o-1", "account": "loja", "terms": { "carencia_horas": 0 } });
    let key = report(world, "account.opened", &opened)["api_key"].as_str().unwrap().to_owned();
    let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 900_000_000,
        "actor": "bia", "reason": "a gift", "evidence": "case-1" });
    report(world, "fee.adjusted", &gift);
    key
}

/// The answer to a read, with the record it stands at.
pub fn get(url: &str, key: &str, at_least: Option<&str>) -> (u16, Option<u64>, Value) {
    let mut asked = agent().get(url).header("x-api-key", key);
    if let Some(seq) = at_least {
        asked = asked.header("x-ledger-at-least", seq);
    }
    let mut answer = asked.call().unwrap();
    let record = answer.headers().get("x-ledger-record").map(|it| it.to_str().unwrap().to_owned());
    let record = record.map(|record| record.parse().unwrap());
    (answer.status().as_u16(), record, answer.body_mut().read_json().unwrap())
}

/// A transfer at the writer; the record that it made.
pub fn transferred(base: &str, key: &str, id: &str) -> u64 {
    let url = format!("{base}/saldo/transferir");
    let sent = agent().post(&url).header("x-api-key", key).send_json(transfer(id)).unwrap();
    assert_eq!(sent.status(), 200);
    sent.headers().get("x-ledger-record").unwrap().to_str().unwrap().parse().unwrap()
}

fn a_replica_reads_what_was_written_and_serves_once_it_is_promoted(store: &str) {
    let serving = leased(store);
    let key = funded(&serving.address("the world"));
    let replica = reading(store);
    let (writes, reads) = (serving.address("serves"), replica.address("reads"));
    for number in 1..=20_u64 {
        let seq = transferred(&writes, &key, &format!("t-{number}"));
        let url = format!("{reads}/saldo?customer_ref=ana");
        let (status, record, body) = get(&url, &key, Some(&seq.to_string()));
        assert_eq!(status, 200, "{body}");
        assert!(seq <= record.unwrap(), "{seq} {record:?}");
        assert_eq!(body["disponivel_cents"].as_u64(), Some(number), "{body}");
    }
    let (status, _, health) = get(&format!("{reads}/health/ready"), &key, None);
    assert_eq!(
        (status, &health["ledgers"]["live"]["status"]),
        (200, &json!("replica")),
        "{health}"
    );

    // What would record something is refused, in the contract's words.
    let url = format!("{reads}/saldo/transferir");
    let (status, body) = post(&agent(), &url, ("x-api-key", &key), &transfer("t-99"));
    assert_eq!(status, 503, "{body}");
    assert_eq!(body["erro"], "temporariamente_indisponivel", "{body}");
    assert_eq!(body["acao"], "repetir", "{body}");
    assert_eq!(body["writer_url"], "https://ledger.example", "{body}");
    assert!(body["detail"].as_str().unwrap().contains("replica"), "{body}");
    // Nor is a key that nobody has let in, nor a record that is no number.
    assert_eq!(get(&format!("{reads}/saldo"), "svc_live_nobody", None).0, 401);
    assert_eq!(get(&format!("{reads}/saldo"), &key, Some("soon")).0, 400);
    assert_eq!(get(&format!("{reads}/nowhere"), &key, None).0, 404);

    // Asked for while the other serves, it goes on to read.
    replica.signal("USR1");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(get(&format!("{reads}/saldo"), &key, None).0, 200);

    let last = transferred(&writes, &key, "t-21");
    serving.signal("KILL");
    replica.signal("USR1");
    let start = Instant::now();
    let promoted = loop {
        let url = format!("{reads}/saldo/transferir");
        let sent = agent().post(&url).header("x-api-key", &key).send_json(transfer("t-22"));
        if let Ok(mut sent) = sent
            && sent.status() == 200
        {
            break sent.body_mut().read_json::<Value>().unwrap();
        }
        assert!(start.elapsed() < PATIENCE, "it does not serve");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(promoted.get("erro").is_none(), "{promoted}");
    let (_, _, body) = get(&format!("{reads}/saldo?customer_ref=ana"), &key, None);
    assert_eq!(body["disponivel_cents"].as_u64(), Some(22), "{body} after record {last}");
    replica.signal("TERM");
    assert!(replica.rest().1);
    let audit = program(&["audit", store]);
    assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
}

#[test]
fn a_replica_of_a_file_reads_what_was_written_and_serves_once_it_is_promoted() {
    let (_folder, store) = folder();
    a_replica_reads_what_was_written_and_serves_once_it_is_promoted(store.to_str().unwrap());
}

#[test]
fn a_replica_of_objects_reads_what_was_written_and_serves_once_it_is_promoted() {
    let (folder, _) = folder();
    let store = format!("file://{}", folder.path().join("objects").display());
    a_replica_reads_what_was_written_and_serves_once_it_is_promoted(&store);
}

#[test]
fn a_replica_of_a_store_that_nobody_made_says_so_and_makes_nothing() {
    let (_folder, store) = folder();
    let output = program(&[
        "serve",
        "--replica-of",
        store.to_str().unwrap(),
        "--listen",
        "127.0.0.1:0",
        "--internal-listen",
        "none",
    ]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("cannot be opened"), "{said}");
    assert!(!store.exists());
    let both = program(&["serve", "--replica-of", "x.db", "--standby", "--lease-seconds", "1"]);
    let said = String::from_utf8(both.stderr).unwrap();
    assert!(!both.status.success() && said.contains("say standby or replica-of"), "{said}");
}
