//! The commands that show what the books hold, at any moment: by record and by instant.

use std::path::Path;

use serde_json::Value;

use crate::killed::{Folder, finished, run};
use crate::program::{called, printed};

const DAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");

/// A record after which Ana had something else than at the end, the last of its instant.
const RECORD: &str = "31";

fn refused(arguments: &[&str]) -> String {
    let output = called(arguments);
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(&[arguments, &["--json"]].concat())).unwrap()
}

/// A store that has lived the day, and the instant of [`RECORD`].
fn store(name: &str) -> (Folder, String, String) {
    let folder = Folder::new(&format!("moments-{name}"));
    let store = folder.path().join("ledger.db");
    finished(run(Path::new(DAY), &store));
    let store = store.display().to_string();
    let at = json(&["trial-balance", &store, "--at", RECORD])["at"].as_str().unwrap().to_owned();
    let next = json(&["trial-balance", &store, "--at", "32"])["at"].as_str().unwrap().to_owned();
    assert!(at < next, "{at} {next}: the record is the last of its instant");
    (folder, store, at)
}

#[test]
fn each_command_says_the_same_by_record_and_by_instant_and_something_else_than_now() {
    let (_folder, store, at) = store("both");
    let commands: [&[&str]; 6] = [
        &["statement", &store, "loja", "--customer", "ana", "--json"],
        &["statement", &store, "loja", "--view", "operations", "--customer", "ana", "--json"],
        &["trial-balance", &store],
        &["trial-balance", &store, "--json"],
        &["explain", &store, "loja", "--customer", "ana"],
        &["export", &store, "--format", "csv"],
    ];
    for command in commands {
        let then = |at: &str| printed(&[command, &["--at", at]].concat());
        assert_eq!(then(RECORD), then(&at), "{command:?}");
        assert_ne!(then(RECORD), printed(command), "{command:?}");
    }
    let balance = ["balance", &store, "loja", "--customer", "ana"];
    let then = |at: &str| {
        let mut shown = json(&[&balance[..], &["--at", at]].concat());
        assert!(shown["as_of"].take().is_string());
        shown
    };
    assert_eq!(then(RECORD), then(&at));
    assert_ne!(then(RECORD)["disponivel_cents"], json(&balance)["disponivel_cents"]);
}

#[test]
fn a_moment_is_what_a_store_that_ended_there_says() {
    let (folder, store, _) = store("ended");
    // The lines up to the one that decided the record: the journal of their run ends with it.
    let lines = std::fs::read_to_string(DAY).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    let shorter = folder.path().join("shorter.jsonl");
    let mut ended = None;
    for count in 1..=lines.len() {
        std::fs::write(&shorter, lines[..count].join("\n") + "\n").unwrap();
        let store = folder.path().join(format!("{count}.db"));
        finished(run(&shorter, &store));
        let store = store.display().to_string();
        let records = json(&["trial-balance", &store])["records"].as_u64().unwrap();
        if records.to_string() == RECORD {
            ended = Some(store);
            break;
        }
    }
    let ended = ended.expect("a line decides the record");
    for customer in ["ana", "bruno", "carla"] {
        for command in ["balance", "statement"] {
            let now = called(&[command, &ended, "loja", "--customer", customer]);
            let then = called(&[command, &store, "loja", "--customer", customer, "--at", RECORD]);
            assert_eq!(then, now, "{command} {customer}");
        }
    }
    // The links are of two vaults, and all else is the same.
    let without_link = |mut shown: Value| {
        assert!(shown["link"].take().is_string());
        shown
    };
    let now = without_link(json(&["trial-balance", &ended]));
    assert_eq!(without_link(json(&["trial-balance", &store, "--at", RECORD])), now);
    // A snapshot of a later record is passed over, and one of an earlier is begun with.
    let before = json(&["balance", &store, "loja", "--at", RECORD]);
    printed(&["snapshot", &store]);
    assert_eq!(json(&["balance", &store, "loja", "--at", RECORD]), before);
}

#[test]
fn two_moments_are_compared_account_by_account() {
    let (_folder, store, at) = store("compared");
    let compared = json(&["compare", &store, "--from", "0", "--to", &at]);
    assert_eq!(compared["to"]["records"].to_string(), RECORD);
    assert_eq!(compared["from"]["at"], Value::Null);
    let trial = json(&["trial-balance", &store, "--at", RECORD]);
    assert_eq!(compared["to"]["link"], trial["link"]);
    let accounts = compared["accounts"].as_array().unwrap();
    assert!(accounts.len() > 4, "{compared:#}");
    for account in accounts {
        assert_eq!(account["from"], "0.00");
        assert_eq!((&account["difference"], &account["to"]), (&account["booked"], &account["to"]));
    }
    let ana = |account: &&Value| account["kept_for"] == serde_json::json!(["loja", "ana"]);
    let ana = accounts.iter().find(ana).expect("Ana has a balance");
    let balance = json(&["balance", &store, "loja", "--customer", "ana", "--at", RECORD]);
    let cents = |name: &str| balance[name].as_i64().unwrap();
    let sum = accounts
        .iter()
        .filter(|account| account["kept_for"] == ana["kept_for"])
        .map(|account| account["to"].as_str().unwrap().replace('.', "").parse::<i64>().unwrap())
        .sum::<i64>();
    assert_eq!(sum, -(cents("disponivel_cents") + cents("bloqueado_cents")));
    // Without an end it goes to the last record; nothing lies between a moment and itself.
    let whole = json(&["compare", &store, "--from", RECORD]);
    assert_eq!(whole["from"]["records"].to_string(), RECORD);
    assert_eq!(whole["from"]["link"], trial["link"]);
    assert!(
        printed(&["compare", &store, "--from", "7", "--to", "7"]).contains("Nothing was booked")
    );
    for (from, to) in [("2026-11-21", "2026-11-20"), ("2026-11-22", "2026-11-20"), (&at, &at)] {
        let why = refused(&["compare", &store, "--from", from, "--to", to]);
        assert!(why.contains("is not after it"), "{from} {to}: {why}");
    }
    let text = printed(&["compare", &store, "--from", "0"]);
    assert!(text.contains("before the first record") && text.contains("loja / ana"), "{text}");
    let all = json(&["compare", &store, "--from", "63", "--to", "64", "--all"]);
    let some = json(&["compare", &store, "--from", "63", "--to", "64"]);
    let count = |shown: &Value| shown["accounts"].as_array().unwrap().len();
    assert!(count(&some) < count(&all));
}

#[test]
fn a_day_is_its_end_in_brasilia_and_where_a_period_begins_its_beginning() {
    let (_folder, store, _) = store("days");
    for command in [&["balance", &store, "loja"][..], &["trial-balance", &store]] {
        let at = |moment| printed(&[command, &["--at", moment]].concat());
        assert_eq!(at("2026-11-22"), at("2026-11-22T23:59:59.999999-03:00"));
        assert_ne!(at("2026-11-22"), at("2026-11-21"));
    }
    let day = json(&["compare", &store, "--from", "2026-11-21", "--to", "2026-11-21"]);
    let exact = ["--from", "2026-11-21T02:59:59.999999Z", "--to", "2026-11-22T02:59:59.999999Z"];
    assert_eq!(day, json(&[&["compare", &store][..], &exact].concat()));
    let first = json(&["compare", &store, "--from", "2026-11-20", "--to", "2026-11-20"]);
    assert_eq!(first["from"]["records"], 0);
}

#[test]
fn an_external_id_is_explained_as_the_operation_that_it_created() {
    let (_folder, store, _) = store("explained");
    let statement = printed(&["statement", &store, "loja", "--customer", "ana"]);
    let charge = statement.split_whitespace().find(|word| word.starts_with("ci_")).unwrap();
    assert!(printed(&["explain", &store, charge]).contains(charge));
    let by_name = printed(&["explain", &store, "venda-1"]);
    let created = by_name.split_whitespace().find(|word| word.starts_with("ci_")).unwrap();
    assert_eq!(by_name, printed(&["explain", &store, created]));
    let text = refused(&["explain", &store, "venda-0"]);
    assert!(text.contains("venda-0 is no operation, no account and no external id"), "{text}");
}

#[test]
fn a_moment_that_there_is_not_is_refused_in_words() {
    let (folder, store, _) = store("none");
    let commands: [&[&str]; 6] = [
        &["balance", &store, "loja", "--at"],
        &["statement", &store, "loja", "--at"],
        &["trial-balance", &store, "--at"],
        &["explain", &store, "loja", "--at"],
        &["export", &store, "--format", "hledger", "--at"],
        &["compare", &store, "--from", "0", "--to"],
    ];
    for (moment, why) in [
        ("65", "there is no record 65: the journal ends with record 64"),
        ("2020-01-01T00:00:00Z", "nothing was decided by 2020-01-01T00:00:00Z: record 1 is of 20"),
        (
            "2026-13-20",
            "a moment is a number of records, a day, such as 2026-11-20, or an RFC 3339",
        ),
        ("later", "a moment is a number of records, a day, such as 2026-11-20, or an RFC 3339"),
    ] {
        for command in commands {
            let text = refused(&[command, &[moment]].concat());
            assert!(text.contains(why), "{command:?} {moment}: {text}");
        }
    }
    let text = refused(&["balance", &store, "loja", "--at", "0"]);
    assert_eq!(text, "custody-ledger: no live account is named loja at that moment\n");
    let text = refused(&["explain", &store, "loja", "--customer", "ana", "--at", "1"]);
    assert!(text.ends_with("nothing was ever booked there in the live ledger by that moment\n"));
    let text = refused(&["compare", &store, "--from", "9", "--to", "3"]);
    assert!(text.contains("first moment is after record 9, and the second before it"), "{text}");
    let text = refused(&["export", &store, "--format", "records", "--at", "9"]);
    assert!(text.contains("records are exported whole"), "{text}");
    let text = refused(&["statement", &store, "loja", "--at", "9", "--tables", &store]);
    assert!(text.contains("--tables") && text.contains("--at"), "{text}");
    drop(folder);
}
