//! Every flow of the contract's first section in one file, with its answers beside it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ledger_core::accounting::Control;
use ledger_core::contract::Environment;
use ledger_store::digest::digest;
use serde_json::{Value, json};

use crate::day::{Day, fields};
use crate::killed::Folder;
use crate::played::{self, run};
use crate::{custody_day, settlement_day};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/whole-contract.jsonl");
const ANSWERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/whole-contract.answers.jsonl");

/// The lines that are meant to be refused.
const REFUSED: [&str; 5] = ["sale-silent", "not-known", "dead", "agent-too-early", "agent-bound"];

/// The facts that are meant to be set aside.
const SET_ASIDE: [&str; 1] = ["swap-failed"];

#[test]
fn every_flow_of_the_contract_is_answered_as_the_file_beside_it_says() {
    let (now, _) = run(&Folder::new("whole-contract"), Path::new(FILE), &[]);
    played::compare(&now, ANSWERS);
}

#[test]
fn only_what_is_meant_to_be_refused_is_refused() {
    let lines = fs::read_to_string(FILE).unwrap();
    let answers = fs::read_to_string(ANSWERS).unwrap();
    for (line, answer) in lines.lines().zip(answers.lines()) {
        let line: Value = serde_json::from_str(line).unwrap();
        let answer: Value = serde_json::from_str(answer).unwrap();
        let (label, body) = (line["as"].as_str().unwrap(), &answer["body"]);
        let refused = body.get("erro").is_some();
        assert_eq!(refused, REFUSED.contains(&label), "{label}: {body}");
        let aside = body["outcome"] == "set_aside";
        assert_eq!(aside, SET_ASIDE.contains(&label), "{label}: {body}");
    }
    assert_eq!(lines.lines().count(), answers.lines().count());
}

#[test]
fn a_run_that_ended_early_goes_on_with_the_same_answers() {
    let whole = fs::read_to_string(ANSWERS).unwrap();
    let whole: Vec<_> = whole.lines().collect();
    for cut in [25, 62, 66, 75, 90] {
        let folder = Folder::new(&format!("whole-contract-{cut}"));
        let before = played::cut(&folder, Path::new(FILE), cut);
        assert_eq!(before, whole[..cut], "up to line {cut}");
        // What is not recorded is answered again: reads since the last record of their ledger.
        let (after, _) = run(&folder, Path::new(FILE), &[]);
        assert!(after.iter().all(|answer| whole.contains(&answer.as_str())), "after line {cut}");
        assert_eq!(after[after.len() + cut - whole.len()..], whole[cut..], "after line {cut}");
    }
}

#[test]
fn the_file_has_every_flow_of_the_first_section() {
    let lines = fs::read_to_string(FILE).unwrap();
    for request in [
        r#""destino":"saldo""#,
        r#""destino":"cripto""#,
        "POST /saldo/sacar-cripto",
        "POST /saldo/transferir",
        "POST /payouts",
        "POST /cash-outs",
        r#""path":"DEX""#,
        r#""path":"CONVERT""#,
        r#""path":"depix_liquid""#,
        "br_code",
        "POST /carteira-usdt/deposits",
        "POST /carteira-usdt/payments",
        "wallet.withdrawal.create",
        "GET /v1/verificar/",
        "commission.withdraw",
        "POST /mesh/agents",
        "POST /keys/sandbox",
        "key.rotate",
    ] {
        assert!(lines.contains(request), "{request}");
    }
}

#[test]
fn api_11_success_has_these_codes() {
    let lines = fs::read_to_string(FILE).unwrap();
    let answers = fs::read_to_string(ANSWERS).unwrap();
    let mut created = BTreeSet::new();
    for (line, answer) in lines.lines().zip(answers.lines()) {
        let line: Value = serde_json::from_str(line).unwrap();
        let answer: Value = serde_json::from_str(answer).unwrap();
        let asked = line["request"].as_str().or(line["command"].as_str());
        let (Some(asked), Some(status)) = (asked, answer["status"].as_u64()) else { continue };
        if status == 201 {
            created.insert(asked.to_owned());
        } else {
            assert!(status == 200 || answer["body"]["erro"].is_string(), "{answer}");
        }
    }
    let expected = [
        "POST /carteira-usdt/deposits",
        "POST /carteira-usdt/payments",
        "wallet.withdrawal.create",
        "wallet.withdrawal.quote",
    ];
    assert_eq!(created, expected.map(str::to_owned).into());
}

#[test]
fn inv_47_whatever_test_keys_do_no_entry_of_the_live_ledger_comes_of_it() {
    let mut kinds = BTreeSet::new();
    for lines in [custody_day::LINES, settlement_day::LINES, &fs::read_to_string(FILE).unwrap()] {
        let mut day = Day::new();
        let mut untouched = Some(day.digest());
        let sandbox = Environment::Sandbox;
        for text in lines.lines() {
            let line: Value = serde_json::from_str(text).unwrap();
            if line["environment"] == "sandbox" || line["request"] == "POST /keys" {
                continue;
            }
            // A test key asks for production, and the live ledger hears of the agent: of no money.
            let asked = line["request"].as_str().unwrap_or_default();
            let text = if asked.ends_with("production-request") {
                untouched = None;
                text.to_owned()
            } else {
                text.replace("svc_live_", "svc_test_")
            };
            let mut line: Value = serde_json::from_str(&text).unwrap();
            if line.get("key").is_none() {
                line["environment"] = "sandbox".into();
            }
            day.line(&line.to_string());
            let real = &day.sequencer().ledger().state.books;
            let empty = Control::ALL.into_iter().all(|control| real.balance(control) == 0);
            assert!(empty && real.coins().count() == 0, "{line}");
            assert!(untouched.is_none_or(|fresh| fresh == day.digest()), "{line}");
        }
        let books = &day.book_of(sandbox).ledger().state.books;
        assert_eq!(books.trial_balance(), 0);
        let moved = Control::ALL.into_iter().filter(|control| books.balance(*control) != 0);
        kinds.extend(moved.map(Control::name));
    }
    assert!(10 < kinds.len(), "test money stands on {kinds:?}");
}

#[test]
fn inv_26_every_fact_of_the_examples_reported_again_is_known_and_changes_nothing() {
    let mut kinds = BTreeSet::new();
    for lines in [custody_day::LINES, settlement_day::LINES, &fs::read_to_string(FILE).unwrap()] {
        let mut day = Day::new();
        for text in lines.lines() {
            let answer = day.line(text);
            let mut line: Value = serde_json::from_str(text).unwrap();
            let Some(fact) = line["fact"].as_str().map(str::to_owned) else { continue };
            if fact == "time.passed" || answer.body.get("outcome").is_none() {
                continue;
            }
            let before = Environment::ALL.map(|known| digest(day.book_of(known).ledger()));
            let events = day.events().len();
            line.as_object_mut().unwrap().remove("as");
            let again = day.line(&line.to_string());
            assert_eq!(again.body["outcome"], "known", "{text}: {}", again.body);
            let after = Environment::ALL.map(|known| digest(day.book_of(known).ledger()));
            assert_eq!(after, before, "{text}");
            assert_eq!(day.events().len(), events, "{text}");
            kinds.insert(fact);
        }
    }
    assert!(40 < kinds.len(), "{kinds:?}");
}

#[test]
fn evt_13_what_an_event_tells_is_what_the_canonical_read_shows() {
    let mut kinds = BTreeSet::new();
    for lines in [custody_day::LINES, settlement_day::LINES, &fs::read_to_string(FILE).unwrap()] {
        let mut day = Day::new();
        let mut seen = 0;
        for text in lines.lines() {
            let line: Value = serde_json::from_str(text).unwrap();
            day.line(text);
            let events = day.events()[seen..].to_vec();
            seen = day.events().len();
            for (place, event) in events.iter().enumerate() {
                let data = &event["data"];
                let ids = ["cashin_id", "payout_id", "cashout_id", "payment_id", "deposit_id"];
                let Some(name) = ids.into_iter().find(|name| data[*name].is_string()) else {
                    panic!("{event} is of nothing");
                };
                let same = |later: &Value| later["data"][name] == data[name];
                if events[place + 1..].iter().any(same) {
                    continue;
                }
                let id = data[name].as_str().unwrap();
                let target = match name {
                    "cashin_id" => format!("/cashin/{id}/status"),
                    "payout_id" => {
                        format!("/payouts?external_id={}", data["external_id"].as_str().unwrap())
                    }
                    "cashout_id" => format!("/cash-outs/{id}"),
                    "payment_id" => format!("/carteira-usdt/payments/{id}"),
                    _ => "/carteira-usdt/deposits".to_owned(),
                };
                let read = json!({
                    "at": line["at"], "key": "svc_live_loja", "request": format!("GET {target}"),
                });
                let answer = day.line(&read.to_string());
                let listed = answer.body["payouts"].as_array().or(answer.body["items"].as_array());
                let shown = match listed {
                    Some(items) => items.iter().find(|item| item[name] == data[name]).cloned(),
                    None => (answer.status == 200).then(|| answer.body.into()),
                };
                let Some(shown) = shown else { continue };
                assert_eq!(fields(data), fields(&shown), "{text}: {}", event["event"]);
                // It may have moved on in the same record, to where no event is sent (rulings 53).
                let stands = ["state", "status", "settlement_status"];
                if stands.iter().any(|name| data[*name] != shown[*name]) {
                    continue;
                }
                assert_eq!(*data, shown, "{text}: {}", event["event"]);
                kinds.insert(event["event"].as_str().unwrap().to_owned());
            }
        }
    }
    assert!(15 < kinds.len(), "{kinds:?}");
}
