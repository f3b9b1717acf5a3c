//! The server of the store is killed and comes back, or its disk is full: the service stays.
//!
//! One kill with a lease and one without, or as many as `KILLS` says:
//!
//! ```console
//! $ KILLS=30 cargo test --test serve -- --nocapture server_is_killed
//! ```

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::server::{self, Server};
use super::serving::{Serving, agent, patient, post, serve, transfer};
use super::standby::{Load, funded};

const PATIENCE: Duration = Duration::from_mins(1);

/// The status of a health check, and its body.
fn ready(base: &str) -> (u16, Value) {
    let mut answer = agent().get(format!("{base}/health/ready")).call().unwrap();
    (answer.status().as_u16(), answer.body_mut().read_json().unwrap())
}

fn becomes_ready(base: &str, expected: u16) {
    let start = Instant::now();
    loop {
        let (status, body) = ready(base);
        if status == expected {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "not {expected}: {status} {body}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_service_goes_on_when_its_server_is_killed_under_load_and_is_back() {
    let kills: usize = std::env::var("KILLS").map_or(1, |kills| kills.parse().unwrap());
    for lease in ["0", "2"] {
        let mut server = Server::start(&[]);
        let url = server.database();
        let mut command = serve(Path::new(&url));
        command.args(["--lease-seconds", lease, "--key-rate", "0", "--address-rate", "0"]);
        let serving = Serving::from_command(command);
        // Longer than the service lets a request take.
        let (base, agent) = (serving.address("serves"), patient(PATIENCE));
        let key = funded(&serving.address("the world"));
        let load = Load::start(base.clone(), &key);
        for _ in 0..kills {
            load.goes_on(40);
            server.kill();
            let body = transfer("while it is away");
            let url = format!("{base}/saldo/transferir");
            let (status, answer) = post(&agent, &url, ("x-api-key", &key), &body);
            assert!([503, 504].contains(&status), "{status} {answer}");
            becomes_ready(&base, 503);
            server.revive();
            load.goes_on(40);
            becomes_ready(&base, 200);
        }
        for (id, before) in &load.end() {
            let url = format!("{base}/saldo/transferir");
            let (status, now) = post(&agent, &url, ("x-api-key", &key), &transfer(id));
            assert_eq!((status, &now), (200, before), "{id}");
        }
        serving.signal("TERM");
        let (said, well) = serving.rest();
        assert!(well, "{said}");
    }
}

/// A database that says of every commit that its disk is full.
#[test]
fn a_full_disk_of_the_server_is_said_once_and_seen_until_there_is_room() {
    let url = server::database();
    let mut command = serve(Path::new(&url));
    command.stderr(std::process::Stdio::piped());
    let serving = Serving::from_command(command);
    let (base, agent) = (serving.address("serves"), agent());
    let key = funded(&serving.address("the world"));
    let transferred = |id: &str| {
        let url = format!("{base}/saldo/transferir");
        post(&agent, &url, ("x-api-key", &key), &transfer(id)).0
    };
    assert_eq!(transferred("t-1"), 200);
    let fills = "CREATE FUNCTION fills() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN \
        RAISE EXCEPTION 'could not extend file: No space left on device' \
        USING ERRCODE = 'disk_full'; END$$";
    server::execute(&url, fills).unwrap();
    for table in ["journal", "vault"] {
        let full =
            format!("CREATE TRIGGER full_disk BEFORE INSERT ON {table} EXECUTE FUNCTION fills()");
        server::execute(&url, &full).unwrap();
    }
    for id in ["t-2", "t-3", "t-2"] {
        assert_eq!(transferred(id), 503, "{id}");
    }
    becomes_ready(&base, 503);
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(ready(&base).0, 503, "it does not seem well in between");
    for table in ["journal", "vault"] {
        server::execute(&url, &format!("DROP TRIGGER full_disk ON {table}")).unwrap();
    }
    becomes_ready(&base, 200);
    assert_eq!(transferred("t-2"), 200);
    serving.signal("TERM");
    let (said, well) = serving.rest_with_errors();
    assert!(well, "{said}");
    let lines = |what: &str| said.lines().filter(|line| line.contains(what)).count();
    assert_eq!(lines("live: nothing is written"), 1, "{said}");
    assert_eq!(lines("live: it is written again, after"), 1, "{said}");
    assert!(said.contains("No space left on device"), "{said}");
}
