//! `close` over the example day of matching: the page's commands, late movements, and what is
//! refused.

use std::fs;
use std::process::Command;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

struct Printed {
    out: String,
    err: String,
    code: Option<i32>,
}

fn run(folder: &TempDir, command: &str) -> Printed {
    let command = command.replace("examples/", &format!("{ROOT}/examples/"));
    let mut program = Command::new(env!("CARGO_BIN_EXE_custody-ledger"));
    let done = program.args(words(&command)).current_dir(folder.path()).output().unwrap();
    let [out, err] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(!err.contains("panicked"), "{err}");
    Printed { out, err, code: done.status.code() }
}

/// The words of a command, those between quotes as one.
fn words(command: &str) -> Vec<&str> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>(),
        _ => vec![part],
    });
    words.collect()
}

/// The commands of `docs/closing.md`.
fn commands() -> Vec<String> {
    let page = fs::read_to_string(format!("{ROOT}/docs/closing.md")).unwrap();
    let commands = page.lines().filter_map(|line| line.strip_prefix("$ custody-ledger "));
    commands.map(str::to_owned).collect()
}

fn json(printed: &Printed) -> Value {
    serde_json::from_str(&printed.out).unwrap_or_else(|_| panic!("{}{}", printed.out, printed.err))
}

#[test]
fn the_commands_of_the_page_close_days_list_them_and_reopen_one() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    let [ran, shown, first, second, list, month, reopened, audit] = &commands[..] else {
        panic!("{commands:?}")
    };
    assert_eq!(run(&folder, ran).code, Some(0));
    let shown = run(&folder, shown);
    assert_eq!(shown.code, Some(1), "{}{}", shown.out, shown.err);
    assert!(shown.err.contains("1 theirs only"), "{}", shown.err);
    for command in [first, second] {
        let closed = run(&folder, command);
        assert_eq!(closed.code, Some(0), "{command}\n{}{}", closed.out, closed.err);
    }
    let evidence = fs::read(folder.path().join("2026-11-20.json")).unwrap();
    let closes = json(&run(&folder, &format!("{list} --json")));
    let close = &closes["closes"][1];
    assert_eq!((&close["day"], &close["reopened"]), (&"2026-11-20".into(), &Value::Null));
    let hash = ledger_core::hexadecimal::digits(&Sha256::digest(&evidence));
    assert_eq!(close["matching_sha256"], hash);
    assert_eq!(close["statements"].as_array().unwrap().len(), 3);
    assert_eq!(closes["statements"].as_array().unwrap().len(), 3);
    let month = run(&folder, month);
    assert_eq!(month.code, Some(1));
    assert!(
        month.err.contains("2026-11-21") && !month.err.contains("2026-11-20 "),
        "{}",
        month.err
    );
    let audited = run(&folder, audit);
    assert_eq!(audited.code, Some(0), "{}{}", audited.out, audited.err);
    let reopened = run(&folder, reopened);
    assert_eq!(reopened.code, Some(0), "{}{}", reopened.out, reopened.err);
    // It is closed again, under another id.
    let again = run(&folder, &second.replace("2026-11-21T12", "2026-11-23T12"));
    assert_eq!(again.code, Some(0), "{}{}", again.out, again.err);
    let closes = json(&run(&folder, &format!("{list} --json")));
    let reopened = closes["closes"].as_array().unwrap().iter().map(|it| it["reopened"].is_u64());
    assert_eq!(reopened.collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(run(&folder, audit).code, Some(0));
}

#[test]
fn what_came_late_is_listed_with_the_day_it_belongs_to() {
    let folder = tempfile::tempdir().unwrap();
    let day = fs::read_to_string(format!("{ROOT}/examples/matching/day.jsonl")).unwrap();
    let charge = r#"{"at":"2026-11-20T23:00:00Z","as":"c9","key":"svc_live_loja","request":"POST /cashin/charge","body":{"destino":"saldo","customer_ref":"ana","amount_cents":7000,"payer_tax_number":"52998224725"}}"#;
    let paid = r#"{"at":"2026-11-21T12:00:00Z","fact":"pix.received","body":{"cashin_id":"$c9.cashin_id","e2e":"E9999999920261120230500000000009","amount_cents":7000,"paid_at":"2026-11-20T23:05:00Z"}}"#;
    fs::write(folder.path().join("late.jsonl"), format!("{day}{charge}\n{paid}\n")).unwrap();
    let ran = run(&folder, "run late.jsonl --store ledger.db");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let options = "--store ledger.db --at 2026-11-22T12:00:00Z --accept-differences --json";
    let own = json(&run(&folder, &format!("close 2026-11-20 {options}")));
    assert_eq!(own["came_after"][0]["amount"], "70.00 brl", "{own:#}");
    assert_eq!(
        (&own["late"], &own["came_after"][0]["account"]),
        (&Value::Array(vec![]), &"prov.pix + prov.pay".into())
    );
    let next = json(&run(&folder, &format!("close 2026-11-21 {options}")));
    assert_eq!(next["late"][0]["belongs_to"], "2026-11-20", "{next:#}");
    assert_eq!(next["late"][0]["id"], "E9999999920261120230500000000009");
}

#[test]
fn a_day_is_refused_that_is_not_over_or_not_next() {
    let folder = tempfile::tempdir().unwrap();
    run(&folder, &commands()[0]);
    let close = |day: &str, at: &str| {
        let options = "--store ledger.db --accept-differences --commit --operator bia";
        run(&folder, &format!("close {day} --at {at} {options}"))
    };
    let early = close("2026-11-20", "2026-11-20T23:00:00Z");
    assert!(early.err.contains("2026-11-20 is not over"), "{}", early.err);
    let before = close("2026-11-18", "2026-11-21T12:00:00Z");
    assert!(before.err.contains("the ledger had no record by 2026-11-18"), "{}", before.err);
    assert_eq!(close("2026-11-19", "2026-11-21T12:00:00Z").code, Some(0));
    let skipped = close("2026-11-21", "2026-11-22T12:00:00Z");
    assert!(skipped.err.contains("2026-11-19 is the last closed day"), "{}", skipped.err);
    let again = close("2026-11-19", "2026-11-22T12:00:00Z");
    assert!(again.err.contains("2026-11-19 is closed already"), "{}", again.err);
    // Statements that are missing are accepted by name.
    let bare = "close 2026-11-20 --store ledger.db --at 2026-11-21T12:00:00Z";
    let missing = run(&folder, bare);
    assert!(missing.err.contains("no statement of the day was received"), "{}", missing.err);
}

#[test]
fn a_clock_far_from_the_last_record_closes_nothing_unless_a_person_names_the_instant() {
    let folder = TempDir::new().unwrap();
    let line =
        r#"{"at":"2020-11-20T12:00:00Z","fact":"time.passed","environment":"live","body":{}}"#;
    fs::write(folder.path().join("day.jsonl"), format!("{line}\n")).unwrap();
    assert_eq!(run(&folder, "run day.jsonl --store ledger.db").code, Some(0));
    let before = run(&folder, "audit ledger.db").out;
    let close = "close 2020-11-20 --store ledger.db --accept-differences --commit --operator bia";
    let refused = run(&folder, close);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("by the last record: --at names the instant"), "{}", refused.err);
    assert_eq!(run(&folder, "audit ledger.db").out, before);
    let named = run(&folder, &format!("{close} --at 2020-11-21T12:00:00Z"));
    assert_eq!(named.code, Some(0), "{}", named.err);
}
