//! The second example file, read as a story: purchases, conversions, payouts, disputes, commission.

use std::fmt::Write as _;
use std::process::Command;

use ledger_core::accounting::Control;
use ledger_core::contract::Response;
use serde_json::Value;

use crate::day::Day;
use crate::killed::{Folder, PROGRAM, ending, finished, run, said};

/// The lines of the example.
pub const LINES: &str = include_str!("../../examples/settlement-day.jsonl");

/// What the reader expects, line by line: its label, then the answer in a few words.
const STORY: &str = include_str!("settlement_day.expected");

/// The whole day, with the answer to every line.
pub fn lived() -> (Day, Vec<Response>) {
    let mut day = Day::new();
    let answers = LINES.lines().map(|line| day.line(line)).collect();
    (day, answers)
}

/// An answer in a few words: the HTTP status, what came of it, and the fields that tell most.
fn in_short(status: &Value, body: &Value) -> String {
    const SHOWN: [&str; 19] = [
        "settlement_status",
        "minimo_estimado_cents",
        "stage",
        "instant_available_cents",
        "held",
        "fee_total_cents",
        "net_cents",
        "fee_cents",
        "debited_cents",
        "usdt_amount",
        "amount",
        "settlement_tx_hash",
        "returned_cents",
        "disponivel_cents",
        "bloqueado_cents",
        "saldo_cents",
        "total_cents",
        "retry_after_seconds",
        "campos_divergentes",
    ];
    let mut words = vec![status.to_string()];
    let word =
        ["outcome", "erro", "status", "visao"].into_iter().find_map(|name| body[name].as_str());
    let listed =
        ["charges", "payouts"].into_iter().find_map(|name| body[name][0]["status"].as_str());
    words.extend(word.or(listed).map(str::to_owned));
    for name in SHOWN {
        let value = match &body[name] {
            Value::Null | Value::Bool(false) => continue,
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        words.push(format!("{name}={value}"));
    }
    for list in ["items", "movimentos"] {
        let Some(rows) = body[list].as_array() else { continue };
        words.extend(rows.iter().map(|row| {
            format!("{}:{}", row["tipo"].as_str().unwrap_or("row"), row["valor_cents"])
        }));
    }
    words.join(" ")
}

/// The story as the answers tell it.
fn story<'a>(answers: impl Iterator<Item = (&'a Value, &'a Value)>) -> String {
    let mut story = String::new();
    for (line, (status, body)) in LINES.lines().zip(answers) {
        let line: Value = serde_json::from_str(line).unwrap();
        writeln!(story, "{:<30} {}", line["as"].as_str().unwrap(), in_short(status, body)).unwrap();
    }
    story
}

#[test]
fn every_line_of_the_settlement_day_is_answered_as_its_reader_expects() {
    let folder = Folder::new("settlement");
    let file = folder.file("", "settlement-day.jsonl", LINES);
    let store = folder.path().join("ledger.db");
    let answers = said(&finished(run(&file, &store)));
    assert_eq!(answers.len(), LINES.lines().count());
    let heard = story(answers.values().map(|answer| (&answer["status"], &answer["body"])));
    assert_eq!(heard, STORY);
    let mut audit = Command::new(PROGRAM);
    audit.arg("audit").arg(&store);
    let report = String::from_utf8(finished(audit).stdout).unwrap();
    assert!(report.contains("Ledger live: verified"), "{report}");
}

#[test]
fn the_settlement_day_is_the_same_at_the_counter() {
    let (day, answers) = lived();
    let answers: Vec<(Value, Value)> =
        answers.into_iter().map(|answer| (answer.status.into(), answer.body.into())).collect();
    assert_eq!(story(answers.iter().map(|(status, body)| (status, body))), STORY);
    let flights = [Control::PixInFlight, Control::ConversionInFlight, Control::PayoutInFlight];
    assert_eq!(flights.map(|control| day.money(control)), [0; 3], "everything ended");
    for asset in ["usdt", "usdc", "depix"] {
        assert_eq!(day.coins(asset, "flight.deliv"), 0, "{asset}");
    }
}

#[test]
fn a_settlement_day_resumed_after_any_line_ends_at_the_same_head() {
    let folder = Folder::new("settlement-resumed");
    let lines: Vec<&str> = LINES.lines().collect();
    let file = folder.file("", "settlement-day.jsonl", LINES);
    let whole = finished(run(&file, &folder.path().join("whole.db")));
    for cut in (1..lines.len()).step_by(23) {
        let store = folder.path().join(format!("cut-{cut}.db"));
        let part = folder.file("part", "settlement-day.jsonl", &lines[..cut].join("\n"));
        finished(run(&part, &store));
        let rest = finished(run(&file, &store));
        assert_eq!(ending(&rest), ending(&whole), "after line {cut}");
    }
}

#[test]
fn a_settlement_day_run_again_moves_no_money() {
    let folder = Folder::new("settlement-again");
    let file = folder.file("", "settlement-day.jsonl", LINES);
    let store = folder.path().join("ledger.db");
    let first = finished(run(&file, &store));
    let originals = said(&first);
    let mut again = run(&file, &store);
    again.arg("--again");
    let again = finished(again);
    assert_eq!(ending(&again).0, ending(&first).0, "the balances");
    for (number, repeat) in &said(&again) {
        let original = &originals[number];
        let line = LINES.lines().nth(number - 1).unwrap();
        for id in ["cashin_id", "payout_id", "withdrawal_id", "suspense_id", "stray_id", "hold_id"]
        {
            if original["status"] == 200 && repeat["status"] == 200 {
                assert_eq!(repeat["body"][id], original["body"][id], "line {number}");
            }
        }
        if original["body"].get("outcome").is_some() && !line.contains("time.passed") {
            assert_eq!(repeat["body"]["outcome"], "known", "line {number}: {line}");
        }
    }
}

#[test]
fn the_program_writes_events_and_instructions_in_order_as_the_counter_has_them() {
    let folder = Folder::new("settlement-events");
    let file = folder.file("", "settlement-day.jsonl", LINES);
    let mut whole = run(&file, &folder.path().join("ledger.db"));
    let written = folder.path().join("events.jsonl");
    whole.arg("--events").arg(&written);
    let answers = said(&finished(whole));
    let text = std::fs::read_to_string(&written).unwrap();
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines: Vec<u64> = all.iter().map(|note| note["line"].as_u64().unwrap()).collect();
    assert!(lines.is_sorted(), "in the order of the lines");
    assert!(lines.iter().all(|line| answers.contains_key(&usize::try_from(*line).unwrap())));
    let (day, _) = lived();
    let of = |name: &str| -> Vec<&Value> { all.iter().filter_map(|note| note.get(name)).collect() };
    let names = |events: Vec<&Value>, name: &str| -> Vec<Value> {
        events.into_iter().map(|event| event[name].clone()).collect()
    };
    let (events, tasks) = (day.events().iter().collect(), day.instructions().iter().collect());
    assert_eq!(names(of("event"), "event"), names(events, "event"));
    assert_eq!(names(of("instruction"), "instruction"), names(tasks, "instruction"));
}
