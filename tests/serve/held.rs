//! Whoever holds a ledger keeps it: a second process is refused by a sentence that names the first,
//! takes over only where that is said, and waits for nobody who is dead (rulings 80).
//!
//! Two standbys are restarted together 20 times, or as often as `ROUNDS` says:
//!
//! ```console
//! $ ROUNDS=200 cargo test --test serve -- --nocapture restarted_together
//! ```

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server;
use super::serving::{PROGRAM, Serving, TOKEN, agent, folder, post, program, report, serve};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_mins(1);

/// A store of each kind that has locks: its name, and what removes it.
fn stores() -> [(String, Option<tempfile::TempDir>); 2] {
    let (kept, file) = folder();
    [(file.to_str().unwrap().to_owned(), Some(kept)), (server::database(), None)]
}

fn serving(store: &str, more: &[&str]) -> Command {
    let mut command = serve(Path::new(store));
    command.args(more);
    command
}

/// What a program says that does not do what it is asked.
fn refused(mut command: Command) -> String {
    let output = command.stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{said}");
    said
}

fn opened(account: &str) -> Value {
    json!({ "id": format!("o-{account}"), "account": account, "terms": { "carencia_horas": 0 } })
}

#[test]
fn a_second_process_is_refused_by_a_sentence_that_names_the_first() {
    for (store, _kept) in stores() {
        let first = Serving::from_command(serving(&store, &[]));
        report(&first.address("the world"), "account.opened", &opened("loja"));
        let lines = tempfile::NamedTempFile::new().unwrap();
        let mut run = Command::new(PROGRAM);
        run.arg("run").arg(lines.path()).args(["--store", &store]);
        let named = format!("held by process {} on host ", first.process());
        for second in [serving(&store, &[]), serving(&store, &["--lease-seconds", "5"]), run] {
            let said = refused(second);
            assert!(said.contains(&named) && said.contains(" since 20"), "{said}");
            assert!(said.contains("--take-over") && !said.contains("Builder"), "{said}");
        }
        // The first has noticed nothing.
        report(&first.address("the world"), "account.opened", &opened("bazar"));
        first.signal("TERM");
        assert!(first.rest().1);
        // One that has ended keeps nobody waiting.
        drop(Serving::from_command(serving(&store, &[])));
    }
}

#[test]
fn a_person_is_erased_by_whoever_holds_the_ledger_and_by_nobody_beside_it() {
    let (_folder, store) = folder();
    let store = store.to_str().unwrap();
    let serving = Serving::start(Path::new(store));
    let url = format!("{}/keys/sandbox", serving.address("serves"));
    let email = json!({ "email": "ana@exemplo.com.br" });
    let (status, made) = post(&agent(), &url, ("accept", "*/*"), &email);
    assert_eq!(status, 200, "{made}");
    let mut erase = Command::new(PROGRAM);
    erase.args(["erase", store, "--email", "ana@exemplo.com.br", "--by", "bia", "--reason", "r-1"]);
    let said = refused(erase);
    let named = format!("held by process {} on host ", serving.process());
    assert!(said.contains(&named), "{said}");
    // It has no option to take over, and a method is nothing for a terminal.
    assert!(!said.contains("take over") && !said.contains("Builder"), "{said}");
    assert!(!Path::new(&format!("{store}.erasures.jsonl")).exists(), "nothing was erased");
}

#[test]
fn a_process_takes_over_where_it_says_so_and_the_first_ends() {
    for (store, _kept) in stores() {
        for lease in ["0", "2"] {
            let first = Serving::from_command(serving(&store, &["--lease-seconds", lease]));
            let second =
                Serving::from_command(serving(&store, &["--lease-seconds", lease, "--take-over"]));
            let account = format!("loja-{lease}");
            report(&second.address("the world"), "account.opened", &opened(&account));
            assert!(!first.rest().1, "it ends by itself, since it was taken over from");
            // The second holds it now.
            let said = refused(serving(&store, &[]));
            assert!(said.contains(&format!("process {} ", second.process())), "{said}");
        }
    }
}

#[test]
fn after_its_holder_is_killed_nobody_waits_for_a_lease() {
    for (store, _kept) in stores() {
        let leased = ["--lease-seconds", "60"];
        let first = Serving::from_command(serving(&store, &leased));
        report(&first.address("the world"), "account.opened", &opened("loja"));
        first.signal("KILL");
        let killed = Instant::now();
        let second = Serving::from_command(serving(&store, &leased));
        assert!(killed.elapsed() < Duration::from_secs(20), "{:?}", killed.elapsed());
        report(&second.address("the world"), "account.opened", &opened("bazar"));
    }
}

/// An address that nobody listens on now.
fn free() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[test]
fn every_listener_of_a_standby_says_503_and_what_it_was_asked_is_not_done_later() {
    let (folder, store) = folder();
    let store = store.to_str().unwrap();
    let leased = ["--lease-seconds", "2"];
    let first = Serving::from_command(serving(store, &leased));
    let key = report(&first.address("the world"), "account.opened", &opened("loja"));
    let secret = folder.path().join("replica.secret");
    std::fs::write(&secret, TOKEN).unwrap();
    let (world, console, commits) = (free(), free(), free());
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--listen", "127.0.0.1:0", "--log", "off", "--store", store]);
    command.args(["--internal-listen", &world, "--internal-token", TOKEN, "--standby"]);
    command.args(["--console", &console, "--replicas-listen", &commits]).args(leased);
    command.arg("--replica-secret-file").arg(&secret);
    let standby = Serving::from_command(command);
    let agent = agent();
    let bearer = format!("Bearer {TOKEN}");
    for (address, path) in [(&world, "/metrics"), (&console, "/"), (&commits, "/commits/live")] {
        let url = format!("http://{address}{path}");
        let mut answer = agent.get(url).header("authorization", &bearer).call().unwrap();
        let again = answer.headers().get("retry-after").cloned();
        assert_eq!((answer.status().as_u16(), again.is_some()), (503, true), "{address}");
        let body: Value = answer.body_mut().read_json().unwrap();
        assert_eq!(body["erro"], "temporariamente_indisponivel", "{body}");
    }
    // A fact that its client gives up is not booked once the standby takes over.
    let url = format!("http://{world}/facts/account.opened");
    let (status, _) = post(&agent, &url, ("authorization", &bearer), &opened("bazar"));
    assert_eq!(status, 503);
    first.signal("KILL");
    let start = Instant::now();
    loop {
        let url = format!("{}/saldo", standby.address("stands by"));
        let key = key["api_key"].as_str().unwrap();
        let status = agent.get(url).header("x-api-key", key).call().unwrap().status().as_u16();
        if status == 200 {
            break;
        }
        assert!(status == 503 && start.elapsed() < PATIENCE, "{status}");
        std::thread::sleep(Duration::from_millis(20));
    }
    // On the same connections it is the world's listener now.
    let metrics = agent.get(format!("http://{world}/metrics")).header("authorization", &bearer);
    assert_eq!(metrics.call().unwrap().status().as_u16(), 200);
    standby.signal("TERM");
    assert!(standby.rest().1);
    let balance = program(&["balance", store, "bazar"]);
    assert!(!balance.status.success(), "nobody opened that account");
}

/// The process that serves, once one of these does.
fn serves(standbys: &[Serving]) -> Option<usize> {
    let ready = |standby: &Serving| {
        let url = format!("{}/health/ready", standby.address("stands by"));
        agent().get(url).call().is_ok_and(|answer| answer.status() == 200)
    };
    standbys.iter().position(ready)
}

fn restarted_together(store: &str) {
    let rounds: u32 = std::env::var("ROUNDS").map_or(20, |rounds| rounds.parse().unwrap());
    let more = ["--lease-seconds", "1", "--standby"];
    // Both ledgers are made, so that neither standby makes one.
    drop(Serving::from_command(serving(store, &[])));
    let mut worst = Duration::ZERO;
    for round in 0..rounds {
        let begun = Instant::now();
        let starts: Vec<_> = (0..2)
            .map(|_| {
                let command = serving(store, &more);
                std::thread::spawn(move || Serving::from_command(command))
            })
            .collect();
        let standbys: Vec<Serving> = starts.into_iter().map(|it| it.join().unwrap()).collect();
        let first = loop {
            if let Some(first) = serves(&standbys) {
                break first;
            }
            assert!(begun.elapsed() < PATIENCE, "round {round}: nobody serves");
            std::thread::sleep(Duration::from_millis(10));
        };
        worst = worst.max(begun.elapsed());
        // The other one goes on to stand by, and neither has ended.
        let other = &standbys[1 - first];
        let url = format!("{}/health/ready", other.address("stands by"));
        let body: Value = agent().get(url).call().unwrap().body_mut().read_json().unwrap();
        assert_eq!(body["status"], "standing_by", "round {round}: {body}");
        // Both at once, in either way.
        let how = if round % 2 == 0 { "KILL" } else { "TERM" };
        for standby in &standbys {
            standby.signal(how);
        }
    }
    println!("{rounds} rounds, one of two serves after {worst:?} at most");
}

#[test]
fn two_standbys_of_a_file_that_are_restarted_together_serve_each_time() {
    let (_folder, store) = folder();
    restarted_together(store.to_str().unwrap());
}

#[test]
fn two_standbys_of_a_database_that_are_restarted_together_serve_each_time() {
    restarted_together(&server::database());
}

/// The status of `/health/ready` and its answer.
fn ready(serving: &Serving) -> (u16, Value) {
    let url = format!("{}/health/ready", serving.address("serves"));
    let mut answer = agent().get(url).call().unwrap();
    (answer.status().as_u16(), answer.body_mut().read_json().unwrap())
}

#[test]
fn a_service_whose_file_was_deleted_says_so_and_no_second_one_begins_in_its_place() {
    for lease in ["0", "2"] {
        let (folder, store) = folder();
        let serving =
            Serving::from_command(serving(store.to_str().unwrap(), &["--lease-seconds", lease]));
        let world = serving.address("the world");
        report(&world, "account.opened", &opened("loja"));
        for file in std::fs::read_dir(folder.path()).unwrap() {
            std::fs::remove_file(file.unwrap().path()).unwrap();
        }
        let began = Instant::now();
        let (status, said) = loop {
            let (status, said) = ready(&serving);
            if status != 200 || began.elapsed() > PATIENCE {
                break (status, said["ledgers"]["live"]["reason"].to_string());
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        assert_eq!(status, 503, "{said}");
        assert!(said.contains("ledger.db was moved or deleted"), "{said}");
        let bearer = format!("Bearer {TOKEN}");
        let url = format!("{world}/facts/account.opened");
        let (status, answer) = post(&agent(), &url, ("authorization", &bearer), &opened("bazar"));
        assert_eq!(status, 503, "{answer}");
        let said = refused(self::serving(store.to_str().unwrap(), &[]));
        assert!(said.contains(&format!("process {} has it open", serving.process())), "{said}");
        assert!(!store.exists(), "a file was made");
    }
}
