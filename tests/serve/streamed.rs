//! A process that follows another over HTTP, without a way to its store.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::replica::{funded, transferred};
use super::serving::{PROGRAM, Serving, agent, folder, serve, transfer};

const PATIENCE: Duration = Duration::from_secs(30);

/// The file of a secret.
fn secret(folder: &Path, name: &str, text: &str) -> PathBuf {
    let file = folder.join(name);
    std::fs::write(&file, format!("{text}\n")).unwrap();
    file
}

/// Serves a store, and offers its commits on this address.
fn writing(store: &Path, address: &str, secret: &Path) -> Serving {
    let mut command = serve(store);
    command.args(["--replicas-listen", address, "--replica-secret-file"]).arg(secret);
    Serving::from_command(command)
}

fn reading(url: &str, secret: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--listen", "127.0.0.1:0", "--internal-listen", "none"]);
    command.args(["--log", "off", "--replica-of", url, "--replica-secret-file"]).arg(secret);
    command.args(["--writer-url", "https://ledger.example"]);
    command
}

/// Where a replica serves, whose line names what it follows first.
fn address(replica: &Serving) -> String {
    let line = replica.said.iter().find(|line| line.contains(" reads ")).unwrap();
    line.rsplit_once(" on ").unwrap().1.to_owned()
}

/// The answer to a read at this record or a later one, with the record it stands at.
fn get(url: &str, key: &str, at_least: u64) -> (u16, Option<u64>, Value) {
    super::replica::get(url, key, Some(&at_least.to_string()))
}

/// How the health of the live ledger's replica stands.
fn health(base: &str) -> (u16, Value) {
    let mut answer = agent().get(format!("{base}/health/ready")).call().unwrap();
    (answer.status().as_u16(), answer.body_mut().read_json().unwrap())
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_replica_of_a_service_reads_what_was_written_through_a_restart_and_is_not_promoted() {
    let (folder, store) = folder();
    let file = secret(folder.path(), "secret", &"s3cret-".repeat(6));
    let writer = writing(&store, "127.0.0.1:0", &file);
    let key = funded(&writer.address("the world"));
    let offered = writer.address("replicas follow");
    let replica = Serving::from_command(reading(&offered, &file));
    let reads = address(&replica);
    assert!(replica.said[0].contains(&format!("reads {offered} on")), "{:?}", replica.said);
    for number in 1..=10_u64 {
        let seq = transferred(&writer.address("serves"), &key, &format!("t-{number}"));
        let url = format!("{reads}/saldo?customer_ref=ana");
        let (status, record, body) = get(&url, &key, seq);
        assert_eq!(status, 200, "{body}");
        assert!(seq <= record.unwrap(), "{seq} {record:?}");
        assert_eq!(body["disponivel_cents"].as_u64(), Some(number), "{body}");
    }
    assert_eq!(health(&reads).0, 200);
    // Clients and the world have no way to the commits, and it takes no write.
    let place = offered.strip_prefix("http://").unwrap();
    for listener in ["serves", "the world"] {
        let url = format!("{}/ledgers/live/commits", writer.address(listener));
        let bearer = format!("Bearer {}", "s3cret-".repeat(6));
        let asked = agent().get(&url).header("authorization", bearer).call().unwrap();
        assert_eq!(asked.status(), 404, "{listener}");
    }
    let url = format!("{reads}/saldo/transferir");
    let mut refused = agent().post(&url).header("x-api-key", &key).send_json(transfer("t-99"));
    let refused = refused.as_mut().unwrap();
    assert_eq!(refused.status(), 503);
    let body: Value = refused.body_mut().read_json().unwrap();
    assert_eq!(body["writer_url"], "https://ledger.example", "{body}");

    // Asked to take the ledgers over, it goes on to read.
    replica.signal("USR1");
    std::thread::sleep(Duration::from_millis(300));
    let last = transferred(&writer.address("serves"), &key, "t-11");
    let (_, _, body) = get(&format!("{reads}/saldo?customer_ref=ana"), &key, last);
    assert_eq!(body["disponivel_cents"].as_u64(), Some(11), "{body}");

    writer.signal("TERM");
    let began = Instant::now();
    assert!(writer.rest().1);
    assert!(began.elapsed() < Duration::from_secs(10), "a page that waits kept it");
    until("it says that the writer is away", || health(&reads).0 == 503);
    let writer = writing(&store, place, &file);
    let next = transferred(&writer.address("serves"), &key, "t-12");
    let (status, _, body) = get(&format!("{reads}/saldo?customer_ref=ana"), &key, next);
    assert_eq!((status, body["disponivel_cents"].as_u64()), (200, Some(12)), "{body}");
    until("it says that the writer is back", || health(&reads).0 == 200);
    replica.signal("TERM");
    assert!(replica.rest().1);
}

#[test]
fn a_replica_of_a_service_that_was_restored_ends_and_names_the_record() {
    let (folder, store) = folder();
    let file = secret(folder.path(), "secret", &"s3cret-".repeat(6));
    let writer = writing(&store, "127.0.0.1:0", &file);
    let key = funded(&writer.address("the world"));
    let offered = writer.address("replicas follow");
    let place = offered.strip_prefix("http://").unwrap().to_owned();
    writer.signal("TERM");
    assert!(writer.rest().1);
    let copy = folder.path().join("copy.db");
    std::fs::copy(&store, &copy).unwrap();
    let writer = writing(&store, &place, &file);
    let mut command = reading(&offered, &file);
    let replica = Serving::from_command({
        command.stderr(std::process::Stdio::piped());
        command
    });
    let last = transferred(&writer.address("serves"), &key, "t-1");
    assert_eq!(get(&format!("{}/saldo", address(&replica)), &key, last).0, 200);
    writer.signal("TERM");
    assert!(writer.rest().1);
    let restored = writing(&copy, &place, &file);
    let (said, ended_well) = replica.rest_with_errors();
    assert!(!ended_well);
    assert!(said.contains("was read of this journal and is no longer there"), "{said}");
    assert!(said.contains(&format!("record {last}")) && said.contains(&offered), "{said}");
    drop(restored);
}

#[test]
fn a_replica_with_another_secret_does_not_begin() {
    let (folder, store) = folder();
    let file = secret(folder.path(), "secret", &"s3cret-".repeat(6));
    let other = secret(folder.path(), "other", &"another".repeat(6));
    let writer = writing(&store, "127.0.0.1:0", &file);
    let output = reading(&writer.address("replicas follow"), &other).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("does not take the secret (401)"), "{said}");
    assert!(!said.contains("another"), "{said}");
}
