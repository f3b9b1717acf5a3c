//! `trace` over the example day: forward, back, evidence; and the page that explains it.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Ana's deposit of one hundred reais, which its provider takes back after it was spent.
const PIX: &str = "E904008882026112012050000000002e";

/// A folder with a store that has lived the example day.
struct Day {
    folder: TempDir,
}

struct Printed {
    out: String,
    err: String,
    code: Option<i32>,
}

impl Day {
    fn new() -> Self {
        let day = Self { folder: tempfile::tempdir().unwrap() };
        let ran = day.says(&[
            "run",
            &format!("{ROOT}/examples/custody-day.jsonl"),
            "--store",
            "ledger.db",
        ]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        day
    }

    fn says(&self, arguments: &[&str]) -> Printed {
        let mut program = Command::new(env!("CARGO_BIN_EXE_custody-ledger"));
        let done = program.args(arguments).current_dir(self.folder.path()).output().unwrap();
        let [out, err] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(!err.contains("panicked"), "{err}");
        Printed { out, err, code: done.status.code() }
    }

    fn traces(&self, more: &[&str]) -> Value {
        let said = self.says(&[&["trace", "ledger.db", "--format", "json"], more].concat());
        assert_eq!(said.code, Some(0), "{}", said.err);
        serde_json::from_str(&said.out).unwrap()
    }
}

fn amount(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is an amount"))
}

fn ends(sum: &Value) -> u64 {
    sum["ends"].as_array().unwrap().iter().map(|end| amount(&end["amount"])).sum()
}

#[test]
fn what_went_and_what_remains_is_the_amount_at_every_record_under_every_rule() {
    let day = Day::new();
    for rule in ["fifo", "lifo", "proportion"] {
        let mut classes = BTreeSet::new();
        for at in [30, 40, 50, 63] {
            let shown = day.traces(&[PIX, "--rule", rule, "--at", &at.to_string()]);
            let sum = &shown["sums"][0];
            assert_eq!((&sum["commodity"], amount(&sum["amount"])), (&"BRL".into(), 10_000));
            assert_eq!(amount(&sum["went"]) + amount(&sum["remains"]), 10_000);
            assert_eq!(ends(sum), 10_000, "{sum:#}");
            let blocks = shown["blocks"].as_array().unwrap().iter();
            let blocks: u64 = blocks.map(|block| amount(&block["amount"])).sum();
            let taken = amount(&shown["returned"]) + amount(&shown["blocked"]);
            assert!(blocks + taken <= 10_000, "{shown:#}");
            let all = sum["ends"].as_array().unwrap().iter();
            classes.extend(all.map(|end| end["class"].as_str().unwrap().to_owned()));
        }
        assert!(classes.contains("paid") && classes.contains("fee"), "{rule}: {classes:?}");
    }
}

#[test]
fn an_operation_says_whose_money_it_took_and_where_that_went() {
    let day = Day::new();
    let back = day.traces(&["E904008882026112212050000000009e", "--back"]);
    let sources = back["sources"].as_array().unwrap();
    let from: Vec<&str> = sources.iter().filter_map(|source| source["id"].as_str()).collect();
    assert!(from.contains(&PIX), "{back:#}");
    let drawn: u64 = sources.iter().map(|source| amount(&source["amount"])).sum();
    let forward = day.traces(&["E904008882026112212050000000009e"]);
    assert_eq!(amount(&forward["sums"][0]["amount"]), drawn);
    assert_eq!(ends(&forward["sums"][0]), drawn);
    // Its own id names the same operation.
    let op = forward["operation"].as_str().unwrap();
    assert_eq!(day.traces(&[op])["sums"], forward["sums"]);
}

#[test]
fn evidence_holds_against_its_journal_and_every_change_of_it_is_named() {
    let day = Day::new();
    let wrote = day.says(&["trace", "ledger.db", PIX, "--evidence", "pix.json"]);
    assert_eq!(wrote.code, Some(0), "{}", wrote.err);
    let path = day.folder.path().join("pix.json");
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("/ana"), "customers are masked");
    let same = day.says(&["trace", "ledger.db", "--check", "pix.json"]);
    assert_eq!((same.code, &*same.out), (Some(0), "pix.json: the journal has the same\n"));

    let evidence: Value = serde_json::from_str(&text).unwrap();
    for (pointer, value) in [
        ("/trace/sums/0/ends/0/amount", Value::from(1)),
        ("/records/0/link", Value::from("00")),
        ("/trace/link", Value::from("00")),
        ("/records/0/events", Value::from(Vec::<Value>::new())),
        ("/sources/0/id", Value::from("E0")),
    ] {
        let mut changed = evidence.clone();
        *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
        fs::write(&path, changed.to_string()).unwrap();
        let said = day.says(&["trace", "ledger.db", "--check", "pix.json"]);
        assert_eq!(said.code, Some(1));
        assert!(said.err.contains(pointer), "{pointer}: {}", said.err);
    }
    fs::write(&path, "{}").unwrap();
    let said = day.says(&["trace", "ledger.db", "--check", "pix.json"]);
    assert!(said.code == Some(1) && said.err.contains("no evidence"), "{}", said.err);
}

#[test]
fn what_names_nothing_that_moved_money_is_refused() {
    let day = Day::new();
    let said = day.says(&["trace", "ledger.db", "E0"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("no PIX and no operation"), "{}", said.err);
}

/// Runs the commands of `docs/tracing.md`, in their order.
#[test]
fn the_page_s_commands_run() {
    let folder = tempfile::tempdir().unwrap();
    let day = Day { folder };
    let page = fs::read_to_string(format!("{ROOT}/docs/tracing.md")).unwrap();
    let commands: Vec<_> =
        page.lines().filter_map(|line| line.strip_prefix("$ custody-ledger ")).collect();
    assert!(commands.len() > 5);
    for command in commands {
        let command = command.replace("examples/", &format!("{ROOT}/examples/"));
        let said = day.says(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(said.code, Some(0), "{command}: {}", said.err);
        assert!(!said.out.is_empty(), "{command}");
    }
}
