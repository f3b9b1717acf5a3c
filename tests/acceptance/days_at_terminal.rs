//! Days and months at the terminal: they add up, and are the same as text, JSON and CSV.

use std::path::Path;

use serde_json::Value;

use crate::killed::{Folder, finished, run};
use crate::program::{called, printed};

const DAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

fn store(name: &str) -> (Folder, String) {
    let folder = Folder::new(&format!("days-{name}"));
    let store = folder.path().join("ledger.db");
    finished(run(Path::new(DAY), &store));
    let store = store.display().to_string();
    (folder, store)
}

/// Each account with what it closes with, as the trial balance of a day's end has it.
fn closings(period: &Value) -> Vec<(String, String)> {
    let accounts = period["accounts"].as_array().unwrap().iter();
    let amount = |account: &Value| account["closing"].as_str().unwrap().to_owned();
    let all = accounts.map(|of| (of["account"].as_str().unwrap().to_owned(), amount(of)));
    let mut all: Vec<_> = all.filter(|(_, amount)| amount != "0.00").collect();
    all.sort();
    all
}

fn trial(store: &str, day: &str) -> Vec<(String, String)> {
    let trial = json(&["trial-balance", store, "--at", day, "--json"]);
    let accounts = trial["commodities"][0]["accounts"].as_array().unwrap().iter();
    let text = |account: &Value, side: &str| account[side].as_str().unwrap().to_owned();
    let amount = |account: &Value| match text(account, "debit").as_str() {
        "0.00" => format!("-{}", text(account, "credit")),
        debit => debit.to_owned(),
    };
    let mut all: Vec<_> = accounts
        .map(|account| (account["account"].as_str().unwrap().to_owned(), amount(account)))
        .collect();
    all.sort();
    all
}

#[test]
fn each_day_closes_with_the_trial_balance_of_its_end() {
    let (_folder, store) = store("closings");
    let found = json(&["days", &store, "--from", "2026-11", "--format", "json"]);
    let periods = found["periods"].as_array().unwrap();
    let last = periods.last().unwrap();
    assert_eq!((&periods[0]["name"], &last["name"]), (&"2026-11-01".into(), &"2026-11-26".into()));
    assert_eq!((&periods[0]["over"], &last["over"]), (&true.into(), &false.into()));
    for period in &periods[19..] {
        let day = period["name"].as_str().unwrap();
        assert_eq!(closings(period), trial(&store, day), "{day}");
    }
    let records = json(&["trial-balance", &store, "--json"])["records"].as_u64().unwrap();
    assert_eq!(periods.iter().map(|of| of["records"].as_u64().unwrap()).sum::<u64>(), records);
    let earned = &periods[19]["income"][0];
    assert_eq!((&earned["account"], &earned["commodity"]), (&"rev.deposit".into(), &"BRL".into()));
}

#[test]
fn a_month_is_shown_whole_as_text_and_as_a_file() {
    let (_folder, store) = store("month");
    let days = ["days", &store, "--from", "2026-11-20", "--month"];
    let text = printed(&days);
    for part in ["debits positive", "2026-11 ", "cust.avail", "Earned", "2026-11 is not over."] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let csv = printed(&[&days[..], &["--format", "csv"]].concat());
    let mut lines = csv.lines();
    assert!(lines.next().unwrap().starts_with("period,over,commodity,class,account,network,"));
    assert!(lines.clone().count() > 5);
    assert!(lines.all(|line| line.starts_with("2026-11,false,BRL,")), "{csv}");
    // A snapshot of a record before the span, and in it, changes nothing.
    printed(&["snapshot", &store]);
    assert_eq!(printed(&days), text);
    for (from, to) in [("2026-13", "2026-13"), ("yesterday", "2026-11"), ("2026-12", "2026-11")] {
        let output = called(&["days", &store, "--from", from, "--to", to]);
        assert_eq!(output.status.code(), Some(1), "{from} {to}");
    }
    let before = printed(&["days", &store, "--from", "2027-01"]);
    assert_eq!(before, "Ledger live had not come so far.\n");
}
