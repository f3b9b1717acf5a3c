//! `position`, `client-report`, `rows` and `cosif` over a day of every flow.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A folder with a store that has lived every flow of the contract.
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
        let lines = format!("{ROOT}/examples/whole-contract.jsonl");
        let ran = day.run(&["run", &lines, "--store", "ledger.db"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        day
    }

    fn run(&self, arguments: &[&str]) -> Printed {
        let mut program = Command::new(env!("CARGO_BIN_EXE_custody-ledger"));
        let done = program.args(arguments).current_dir(self.folder.path()).output().unwrap();
        let [out, err] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(!err.contains("panicked"), "{err}");
        Printed { out, err, code: done.status.code() }
    }

    fn prints(&self, arguments: &[&str]) -> String {
        let printed = self.run(arguments);
        assert_eq!(printed.code, Some(0), "{arguments:?}: {}", printed.err);
        printed.out
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.prints(arguments)).unwrap()
    }
}

/// A decimal text as smallest units of two or six decimals; no floats.
fn units(text: &str) -> i128 {
    text.replace('.', "").parse().unwrap_or_else(|_| panic!("{text} is a decimal"))
}

#[test]
fn the_position_is_the_trial_balance_and_its_clients_are_its_clients_part() {
    let day = Day::new();
    let position = day.json(&["position", "ledger.db", "--clients"]);
    let trial = day.json(&["trial-balance", "ledger.db", "--json"]);
    assert_eq!(position["record"], trial["records"]);
    assert_eq!(position["link"], trial["link"]);
    for asset in position["assets"].as_array().unwrap() {
        let part = |name: &str| units(asset[name]["quantity"].as_str().unwrap());
        let [total, clients, creditors, own] = ["total", "clients", "creditors", "own"].map(part);
        assert_eq!(total, clients + creditors + own, "{asset:#}");
        let rows = asset["by_client"].as_array().unwrap().iter();
        let rows: i128 = rows.map(|row| units(row["quantity"].as_str().unwrap())).sum();
        assert_eq!(rows, clients, "{asset:#}");
        let balance = trial["commodities"].as_array().unwrap().iter();
        let mut balance = balance.filter(|balance| balance["commodity"] == asset["asset"]);
        let accounts = balance.next().unwrap()["accounts"].as_array().unwrap();
        let liabilities = accounts.iter().filter(|account| account["class"] == "liability");
        let owed = liabilities.map(|account| {
            let side = |name: &str| units(account[name].as_str().unwrap());
            side("credit") - side("debit")
        });
        assert_eq!(owed.sum::<i128>(), clients + creditors, "{asset:#}");
    }
    assert_eq!(position["assets"][1]["price"]["source"], "exchange");
    let csv = day.prints(&["position", "ledger.db", "--format", "csv"]);
    assert_eq!(csv.lines().count(), position["assets"].as_array().unwrap().len() + 1);
}

#[test]
fn rows_have_each_flow_of_the_day_and_name_what_is_unknown() {
    let day = Day::new();
    let rows = day.json(&[
        "rows",
        "ledger.db",
        "--from",
        "2026-11",
        "--to",
        "2026-11",
        "--format",
        "json",
    ]);
    let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows.as_array().unwrap() {
        *classes.entry(row["class"].as_str().unwrap()).or_default() += 1;
        let crypto = row["asset"] != "BRL";
        let unknown = row["unknown"].as_array().unwrap();
        let listed = unknown.contains(&"reais".into());
        let internal = row["class"] == "internal" || row["class"] == "own";
        assert_eq!(listed, crypto && row["reais"].is_null() && !internal, "{row:#}");
    }
    for class in ["purchase", "sale", "transfer_in", "transfer_out", "fee", "from_own_wallet"] {
        assert!(classes.contains_key(class), "{class}: {classes:?}");
    }
    let purchases = ["rows", "ledger.db", "--from", "2026-11", "--to", "2026-11"];
    let purchases = day.prints(&[&purchases[..], &["--class", "purchase"]].concat());
    assert_eq!(purchases.lines().count(), classes["purchase"] + 1);
    let declared = ["rows", "ledger.db", "--from", "2026-11", "--to", "2026-11"];
    let declared = day.prints(&[&declared[..], &["--format", "decripto"]].concat());
    let assets: BTreeSet<&str> =
        declared.lines().skip(1).map(|line| line.split(',').nth(5).unwrap()).collect();
    assert!(assets.contains("usdt") && !assets.contains("BRL"), "{assets:?}");
    let refused = ["rows", "ledger.db", "--from", "2026-11", "--to", "2026-11", "--class", "gift"];
    assert_eq!(day.run(&refused).code, Some(2));
    let reversed = day.run(&["rows", "ledger.db", "--from", "2026-11", "--to", "2026-10"]);
    assert!(
        reversed.code == Some(1) && reversed.err.contains("--from and --to"),
        "{}",
        reversed.err
    );
}

#[test]
fn a_client_s_report_is_signed_and_a_change_of_it_is_found() {
    let day = Day::new();
    let keys = day.prints(&["checkpoint-key", "house.key", "--name", "ledger.example.com"]);
    let key = keys.lines().find_map(|line| line.strip_prefix("live: ")).unwrap();
    let given = ["client-report", "ledger.db", "loja", "--from", "2026-11", "--format", "json"];
    let signed = ["--checkpoint-key", "house.key", "--output", "loja.json"];
    day.prints(&[&given[..], &signed].concat());
    let statement = day.prints(&["client-report", "--check", "loja.json", "--key", key]);
    let trial = day.json(&["trial-balance", "ledger.db", "--json"]);
    let link = trial["link"].as_str().unwrap();
    assert!(statement.contains(&format!("link {link}\n")), "{statement}");

    let path = day.folder.path().join("loja.json");
    let text = fs::read_to_string(&path).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    let assets = report["conteudo"]["ativos"].as_array().unwrap();
    assert!(assets.iter().any(|asset| asset["ativo"] == "usdt"), "the wallet is its account's");
    fs::write(&path, text.replacen("loja/casa", "loja/bia", 1)).unwrap();
    let changed = day.run(&["client-report", "--check", "loja.json", "--key", key]);
    assert!(changed.code == Some(1) && changed.err.contains("digest"), "{}", changed.err);

    let page = day.prints(&["client-report", "ledger.db", "loja", "--from", "2026-11"]);
    assert!(page.contains("Relatório periódico de custódia") && !page.contains("<script"));
    let nobody =
        ["client-report", "ledger.db", "loja", "--customer", "nobody", "--from", "2026-11"];
    let nobody = day.run(&nobody);
    assert!(nobody.code == Some(1) && nobody.err.contains("loja/nobody"), "{}", nobody.err);
}

#[test]
fn a_month_by_cosif_agrees_on_both_sides_and_a_line_less_is_named() {
    let day = Day::new();
    let mapping = format!("{ROOT}/examples/cosif.toml");
    let given = ["cosif", "ledger.db", "--month", "2026-11", "--mapping"];
    let month = day.json(&[&given[..], &[&mapping, "--format", "json"]].concat());
    let mut sides: BTreeMap<&str, i128> = BTreeMap::new();
    for account in month["accounts"].as_array().unwrap() {
        if account["sum"] == false {
            let side = account["side"].as_str().unwrap();
            *sides.entry(side).or_default() += units(account["balance"].as_str().unwrap());
        }
    }
    assert_eq!(sides["debit"], sides["credit"]);
    assert_eq!(units(month["debits"].as_str().unwrap()), sides["debit"]);
    let xml = day.prints(&[&given[..], &[&mapping]].concat());
    let accounts = xml.lines().filter(|line| line.contains("<conta "));
    assert_eq!(accounts.count(), month["accounts"].as_array().unwrap().len());

    let text = fs::read_to_string(&mapping).unwrap();
    let less = text.replace("{ account = \"comm\", code = \"4900000000\" },", "");
    fs::write(day.folder.path().join("less.toml"), less).unwrap();
    let refused = day.run(&[&given[..], &["less.toml"]].concat());
    assert!(
        refused.code == Some(1) && refused.err.contains("account comm in BRL"),
        "{}",
        refused.err
    );
}

/// Runs the commands of `docs/regulatory.md`, in their order.
#[test]
fn the_page_s_commands_run() {
    let day = Day { folder: tempfile::tempdir().unwrap() };
    let page = fs::read_to_string(format!("{ROOT}/docs/regulatory.md")).unwrap();
    let commands: Vec<_> =
        page.lines().filter_map(|line| line.strip_prefix("$ custody-ledger ")).collect();
    assert!(commands.len() > 8);
    for command in commands {
        let command = command.replace("examples/", &format!("{ROOT}/examples/"));
        let printed = day.run(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(printed.code, Some(0), "{command}: {}", printed.err);
        assert!(!printed.out.is_empty() || command.contains("--output"), "{command}");
    }
}
