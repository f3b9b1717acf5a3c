//! The program as it serves, a client of it, and the world beside it.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_custody-ledger");

/// The token of the world in these tests.
pub const TOKEN: &str = "a-token-of-the-tests-that-is-long-enough";

/// A program that serves, until it is dropped.
pub struct Serving {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
    /// What it said before it began to wait.
    pub said: Vec<String>,
}

impl Serving {
    pub fn start(store: &Path) -> Self {
        Self::from_command(serve(store))
    }

    pub fn from_command(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut said = Vec::new();
        // A standby or a replica says one line, and no more until it has taken over.
        while !said.last().is_some_and(|line: &String| {
            line.starts_with("End it")
                || ["stands by for", " reads "].iter().any(|it| line.contains(it))
        }) {
            let mut line = String::new();
            assert!(out.read_line(&mut line).unwrap() > 0, "it ended early: {said:?}");
            said.push(line.trim_end().to_owned());
        }
        Self { child, out, said }
    }

    /// The address behind some words.
    pub fn address(&self, words: &str) -> String {
        let line = self.said.iter().find(|line| line.contains(words)).unwrap();
        let (_, rest) = line.split_once("http://").unwrap();
        format!("http://{}", rest.split_whitespace().next().unwrap())
    }

    /// The process's number.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
    }

    /// Returns what it said to standard error, which was piped, and whether it ended well.
    pub fn rest_with_errors(mut self) -> (String, bool) {
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        let ended = self.child.wait().unwrap();
        (text, ended.success())
    }

    /// Returns what it said at its end, and whether it ended well.
    pub fn rest(mut self) -> (String, bool) {
        let mut text = String::new();
        self.out.read_to_string(&mut text).unwrap();
        let ended = self.child.wait().unwrap();
        (text, ended.success())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // One that has ended is not there any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn serve(store: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"]);
    command.args(["--internal-token", TOKEN, "--log", "off", "--store"]).arg(store);
    command
}

pub fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("ledger.db");
    (folder, store)
}

pub fn program(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

pub fn agent() -> ureq::Agent {
    patient(Duration::from_secs(20))
}

/// A client that waits so long for an answer.
pub fn patient(patience: Duration) -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    config.timeout_global(Some(patience)).build().into()
}

pub fn post(agent: &ureq::Agent, url: &str, header: (&str, &str), body: &Value) -> (u16, Value) {
    let sent = agent.post(url).header(header.0, header.1).send_json(body);
    let mut answer = sent.unwrap();
    (answer.status().as_u16(), answer.body_mut().read_json().unwrap())
}

/// Reports a fact as the world does.
pub fn report(world: &str, name: &str, body: &Value) -> Value {
    let bearer = format!("Bearer {TOKEN}");
    let url = format!("{world}/facts/{name}");
    let (status, answer) = post(&agent(), &url, ("authorization", &bearer), body);
    assert_eq!(status, 200, "{answer}");
    answer
}

pub fn transfer(id: &str) -> Value {
    json!({ "amount_cents": 1, "from_customer_ref": "casa", "to_customer_ref": "ana",
        "external_id": id })
}
