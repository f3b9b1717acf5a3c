//! Two processes that serve one store: whoever kills the one that serves has the other go on.
//!
//! Three kills, or as many as `KILLS` says:
//!
//! ```console
//! $ KILLS=200 cargo test --test serve -- --nocapture killed
//! ```

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::serving::{Serving, agent, folder, post, program, report, serve, transfer};

/// Shorter ones lapse by themselves where the machine is busy with other tests.
const LEASE: Duration = Duration::from_secs(2);

/// How many clients ask at once.
const CLIENTS: u32 = 8;

fn leased(store: &Path) -> Command {
    let mut command = serve(store);
    command.args(["--lease-seconds", &LEASE.as_secs().to_string()]);
    // Whatever was answered is asked for again in the end, at once.
    command.args(["--key-rate", "0", "--address-rate", "0"]);
    command
}

fn standing_by(store: &Path) -> Serving {
    let mut command = leased(store);
    command.arg("--standby");
    Serving::from_command(command)
}

/// An account whose house has money to give away; its key.
pub(super) fn funded(world: &str) -> String {
    let opened = json!({ "id": "o-1", "account": "loja", "terms": { "carencia_horas": 0 } });
    let key = report(world, "account.opened", &opened)["api_key"].as_str().unwrap().to_owned();
    let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 900_000_000,
        "actor": "bia", "reason": "a gift", "evidence": "case-1" });
    report(world, "fee.adjusted", &gift);
    key
}

/// Clients that each ask for one transfer after another: where no answer comes they ask again,
/// with the same `external_id`, of the other process. Which of the two serves, they need not know:
/// on a busy machine a lease may lapse without any kill.
pub(super) struct Load {
    answered: Arc<Mutex<BTreeMap<String, Value>>>,
    bases: Arc<Mutex<[String; 2]>>,
    ended: Arc<AtomicBool>,
    clients: Vec<std::thread::JoinHandle<()>>,
}

impl Load {
    pub(super) fn start(base: String, key: &str) -> Self {
        let (answered, bases) = (Arc::default(), Arc::new(Mutex::new([base.clone(), base])));
        let ended = Arc::new(AtomicBool::new(false));
        let mut load = Self { answered, bases, ended, clients: Vec::new() };
        load.clients = (0..CLIENTS).map(|client| load.client(client, key.to_owned())).collect();
        load
    }

    fn client(&self, client: u32, key: String) -> std::thread::JoinHandle<()> {
        let (answered, bases) = (Arc::clone(&self.answered), Arc::clone(&self.bases));
        let ended = Arc::clone(&self.ended);
        std::thread::spawn(move || {
            let (agent, mut asks) = (agent(), 0);
            for number in 0.. {
                let id = format!("t-{client}-{number}");
                let body = loop {
                    if ended.load(Ordering::SeqCst) {
                        return;
                    }
                    let url = format!("{}/saldo/transferir", bases.lock().unwrap()[asks % 2]);
                    let sent = agent.post(&url).header("x-api-key", &key).send_json(transfer(&id));
                    let read = sent.ok().and_then(|mut answer| {
                        let body = answer.body_mut().read_json::<Value>().ok()?;
                        Some((answer.status().as_u16(), body))
                    });
                    match read {
                        Some((200, body)) => break body,
                        // A standby, one whose lease has lapsed, or whose store is away.
                        Some((503 | 504, _)) | None => {
                            asks += 1;
                            std::thread::sleep(Duration::from_millis(10));
                        }
                        Some((status, body)) => panic!("{status} {body}"),
                    }
                };
                answered.lock().unwrap().insert(id, body);
            }
        })
    }

    fn answers(&self) -> usize {
        self.answered.lock().unwrap().len()
    }

    /// Waits until so many more were answered; how long that took.
    pub(super) fn goes_on(&self, more: usize) -> Duration {
        let (start, before) = (Instant::now(), self.answers());
        while self.answers() < before + more {
            assert!(start.elapsed() < Duration::from_mins(1), "nobody answers");
            std::thread::sleep(Duration::from_millis(2));
        }
        start.elapsed()
    }

    pub(super) fn end(self) -> BTreeMap<String, Value> {
        self.ended.store(true, Ordering::SeqCst);
        for client in self.clients {
            client.join().unwrap();
        }
        std::mem::take(&mut *self.answered.lock().unwrap())
    }
}

#[test]
fn nothing_answered_is_lost_or_done_twice_while_whoever_serves_is_killed_under_load() {
    let kills: usize = std::env::var("KILLS").map_or(3, |kills| kills.parse().unwrap());
    let (_folder, store) = folder();
    let mut serving = Serving::from_command(leased(&store));
    let key = funded(&serving.address("the world"));
    let load = Load::start(serving.address("serves"), &key);
    let mut took = Vec::new();
    for _ in 0..kills {
        let standby = standing_by(&store);
        *load.bases.lock().unwrap() =
            [&serving, &standby].map(|it| it.said[0].rsplit(' ').next().unwrap().to_owned());
        load.goes_on(40);
        serving.signal("KILL");
        let killed = Instant::now();
        // Of the killed one each client may have an answer that it has not written down yet.
        load.goes_on(CLIENTS as usize + 1);
        took.push(killed.elapsed());
        drop(std::mem::replace(&mut serving, standby));
    }
    let answered = load.end();
    took.sort();
    println!(
        "{kills} kills, {} transfers answered; answered again after {:?} (median), {:?} (worst)",
        answered.len(),
        took[took.len() / 2],
        took[took.len() - 1]
    );
    assert!(took[took.len() - 1] < LEASE + Duration::from_secs(10), "{took:?}");

    let (base, agent) = (serving.address("stands by"), agent());
    for (id, before) in &answered {
        let url = format!("{base}/saldo/transferir");
        let (status, now) = post(&agent, &url, ("x-api-key", &key), &transfer(id));
        assert_eq!((status, &now), (200, before), "{id}");
    }
    // A client that was stopped before its answer may have been heard once more than it knows.
    let mut balance = agent.get(format!("{base}/saldo?customer_ref=ana"));
    balance = balance.header("x-api-key", &key);
    let balance: Value = balance.call().unwrap().body_mut().read_json().unwrap();
    let cents = balance["disponivel_cents"].as_u64().unwrap();
    let least = answered.len() as u64;
    assert!((least..=least + u64::from(CLIENTS)).contains(&cents), "{cents} of {least}");
    serving.signal("TERM");
    let (said, well) = serving.rest();
    assert!(well, "{said}");
    let audit = program(&["audit", store.to_str().unwrap()]);
    assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
}

#[test]
fn a_standby_says_that_it_is_none_to_be_asked_and_ends_when_it_is_asked_to() {
    let (_folder, store) = folder();
    let serving = Serving::from_command(leased(&store));
    let key = funded(&serving.address("the world"));
    let standby = standing_by(&store);
    let (base, agent) = (standby.address("stands by"), agent());
    let get = |path: &str| -> (u16, Option<String>, Value) {
        let mut answer = agent.get(format!("{base}{path}")).call().unwrap();
        let retry = answer.headers().get("retry-after").map(|it| it.to_str().unwrap().to_owned());
        (answer.status().as_u16(), retry, answer.body_mut().read_json().unwrap())
    };
    assert_eq!(get("/health/live").0, 200);
    let start = Instant::now();
    loop {
        let (status, _, body) = get("/health/ready");
        assert_eq!((status, &body["status"]), (503, &json!("standing_by")), "{body}");
        if body["ledgers"]["live"]["seq"] == 2 {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{body}");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (status, retry, body) = get("/saldo");
    assert_eq!((status, retry.as_deref()), (503, Some("1")), "{body}");
    assert_eq!(body["erro"], "temporariamente_indisponivel", "{body}");
    standby.signal("TERM");
    assert!(standby.rest().1);
    // Whoever serves has noticed nothing.
    let url = format!("{}/saldo/transferir", serving.address("serves"));
    let (status, body) = post(&agent, &url, ("x-api-key", &key), &transfer("t-1"));
    assert_eq!(status, 200, "{body}");
}

#[test]
fn whoever_was_taken_over_from_ends_and_says_why() {
    let (_folder, store) = folder();
    let errors = store.with_extension("errors");
    let mut command = leased(&store);
    command.stderr(std::fs::File::create(&errors).unwrap());
    let serving = Serving::from_command(command);
    funded(&serving.address("the world"));
    serving.signal("STOP");
    let standby = standing_by(&store);
    let (base, agent) = (standby.address("stands by"), agent());
    // While it changes from standing by to serving it may close a connection unanswered.
    let ready = || {
        let asked = agent.get(format!("{base}/health/ready")).call();
        asked.is_ok_and(|answer| answer.status() == 200)
    };
    let start = Instant::now();
    while !ready() {
        assert!(start.elapsed() < Duration::from_secs(20), "it takes over");
        std::thread::sleep(Duration::from_millis(20));
    }
    serving.signal("CONT");
    assert!(!serving.rest().1, "it ends by itself, as a failure");
    let said = std::fs::read_to_string(errors).unwrap();
    assert!(said.contains("had ended before") && said.contains("taken over"), "{said}");
}

#[test]
fn whoever_died_on_the_same_machine_keeps_its_standby_waiting_for_no_lease() {
    let (_folder, store) = folder();
    let leased = || {
        let mut command = serve(&store);
        command.args(["--lease-seconds", "60"]);
        command
    };
    let serving = Serving::from_command(leased());
    funded(&serving.address("the world"));
    let mut standby = leased();
    standby.arg("--standby");
    let standby = Serving::from_command(standby);
    let (base, agent) = (standby.address("stands by"), agent());
    serving.signal("KILL");
    assert!(!serving.rest().1);
    let killed = Instant::now();
    let ready = || {
        let asked = agent.get(format!("{base}/health/ready")).call();
        asked.is_ok_and(|answer| answer.status() == 200)
    };
    while !ready() {
        assert!(killed.elapsed() < Duration::from_secs(20), "it takes over at once");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_standby_without_a_lease_is_refused() {
    let output = program(&["serve", "--standby", "--store", "nowhere.db"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("needs lease-seconds"), "{said}");
}
