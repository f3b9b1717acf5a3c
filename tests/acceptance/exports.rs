//! What the journal says to other people's tools: hledger and beancount check every entry of the
//! settlement day and agree with our balances, account by account.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Runs a program; what it says, or why it failed.
fn said(program: &str, arguments: &[&str]) -> String {
    let done = Command::new(program).args(arguments).output();
    let done = done.unwrap_or_else(|error| {
        panic!("{program} cannot be run ({error}): install Debian's packages hledger and beancount")
    });
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(
        done.status.success(),
        "{program} {arguments:?}: {out}{}",
        String::from_utf8_lossy(&done.stderr)
    );
    out
}

pub fn ledger(arguments: &[&str]) -> String {
    said(env!("CARGO_BIN_EXE_custody-ledger"), arguments)
}

/// A store in which the settlement day was run, and a folder for what is exported.
pub fn day() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("day.db").display().to_string();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/settlement-day.jsonl");
    ledger(&["run", example.to_str().unwrap(), "--store", &store]);
    (folder, store)
}

fn exported(store: &str, format: &str, file: &Path) -> String {
    let arguments = ["export", store, "--environment", "live", "--format", format, "--output"];
    ledger(&[&arguments[..], &[file.to_str().unwrap()]].concat());
    std::fs::read_to_string(file).unwrap()
}

/// The balances that the rows of the CSV export come to, by account and commodity.
fn balances(csv: &str) -> BTreeMap<(String, String), i128> {
    let mut sums = BTreeMap::new();
    for row in csv.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [.., account, kept_for, commodity, amount] = cells[..] else { panic!("{row}") };
        let digits: i128 = amount.replace('.', "").parse().unwrap();
        let place =
            if kept_for.is_empty() { account.to_owned() } else { format!("{account}/{kept_for}") };
        *sums.entry((place, commodity.to_owned())).or_default() += digits;
    }
    sums.retain(|_, sum| *sum != 0);
    sums
}

#[test]
fn hledger_checks_every_entry_and_agrees_with_every_balance() {
    let (folder, store) = day();
    let file = folder.path().join("day.journal");
    let journal = exported(&store, "hledger", &file);
    said("hledger", &["-f", file.to_str().unwrap(), "check"]);
    let theirs =
        said("hledger", &["-f", file.to_str().unwrap(), "bal", "-N", "--flat", "-O", "csv"]);
    let ours = balances(&exported(&store, "csv", &folder.path().join("day.csv")));
    // A row for each account, and as many amounts in them as we have balances.
    let amounts = theirs.lines().skip(1).flat_map(|row| {
        let (_, amounts) = row.split_once(',').unwrap();
        amounts.trim_matches('"').split(", ").map(str::to_owned).collect::<Vec<_>>()
    });
    let mut theirs: Vec<i128> = amounts
        .map(|amount| {
            let number = amount.split(' ').next().unwrap();
            number.replace('.', "").parse().unwrap()
        })
        .collect();
    let mut mine: Vec<i128> = ours.values().copied().collect();
    theirs.sort_unstable();
    mine.sort_unstable();
    assert_eq!(theirs, mine);
    // A centavo changed in any balance we claim is found.
    let claimed = journal.lines().find(|line| line.contains(" BRL\" = ") || line.contains("= "));
    let claimed = claimed.expect("balances stand at the end");
    let (before, amount) = claimed.split_once("= ").unwrap();
    let tampered = journal.replace(claimed, &format!("{before}= 1{amount}"));
    std::fs::write(&file, tampered).unwrap();
    let check = Command::new("hledger").args(["-f", file.to_str().unwrap(), "check"]).output();
    assert!(!check.unwrap().status.success());
}

#[test]
fn beancount_checks_every_entry_and_agrees_with_every_balance() {
    let (folder, store) = day();
    let file = folder.path().join("day.beancount");
    let journal = exported(&store, "beancount", &file);
    said("bean-check", &[file.to_str().unwrap()]);
    let claimed = journal.lines().filter(|line| line.contains(" balance ")).count();
    let ours = balances(&exported(&store, "csv", &folder.path().join("day.csv")));
    assert_eq!(claimed, ours.len());
    // A leg changed by a centavo is found.
    let leg = journal.lines().find(|line| line.ends_with(" BRL")).unwrap();
    let tampered = journal.replacen(leg, &leg.replace(" BRL", "1 BRL"), 1);
    std::fs::write(&file, tampered).unwrap();
    let check = Command::new("bean-check").arg(&file).output().unwrap();
    assert!(!check.status.success());
}

#[test]
fn every_event_of_the_json_lines_export_sums_to_zero_in_every_commodity() {
    let (folder, store) = day();
    let lines = exported(&store, "jsonl", &folder.path().join("day.jsonl"));
    assert!(lines.lines().count() > 50);
    for line in lines.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut sums: BTreeMap<&str, i128> = BTreeMap::new();
        for leg in event["legs"].as_array().unwrap() {
            let digits: i128 = leg["amount"].as_str().unwrap().replace('.', "").parse().unwrap();
            *sums.entry(leg["commodity"].as_str().unwrap()).or_default() += digits;
        }
        assert!(sums.values().all(|sum| *sum == 0), "{line}");
    }
}

#[test]
fn a_ledger_of_any_name_is_exported_by_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("simulated.db").display().to_string();
    let store = format!("sqlite:{path}");
    ledger(&["simulate", "--seed", "3", "--commands", "200", "--store", &store]);
    let records = folder.path().join("simulated.records").display().to_string();
    let by_name = ["export", &path, "--ledger", "simulated"];
    ledger(&[&by_name[..], &["--format", "records", "--output", &records]].concat());
    let proved = ledger_store::records::prove(&*std::fs::read(&records).unwrap()).unwrap();
    assert_eq!((proved.len(), &*proved[0].name), (1, "simulated"));
    let csv = ledger(&[&by_name[..], &["--format", "csv"]].concat());
    assert!(csv.lines().count() > 1, "{csv}");
    let other = ["export", &path, "--ledger", "another", "--format", "csv"];
    let refused = Command::new(env!("CARGO_BIN_EXE_custody-ledger")).args(other).output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("another"), "{said}");
}
