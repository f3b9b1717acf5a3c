//! What a run that is resumed knows of its earlier answers: what they named, and no more.

use ledger_core::contract::{Environment, created_ids};
use ledger_core::id::Seq;
use ledger_store::codec;
use serde_json::{Value, json};

use crate::day::{Day, judged};
use crate::market::WALLET;

const NOON: &str = "2026-11-20T12:00:00Z";

/// Returns what the records since the last cut made.
fn remade(day: &mut Day) -> Vec<(&'static str, String)> {
    let first = day.sequencer().ledger().state.seq.0;
    let commit = day.cut(Environment::Live).unwrap();
    let frames: Vec<_> = commit.rows.iter().flat_map(|row| row.frames()).collect();
    let start = first + 1 - frames.len() as u64;
    let records = frames
        .into_iter()
        .zip(start..)
        .map(|(frame, seq)| codec::decode(Seq(seq), frame.unwrap().record).unwrap());
    records.flat_map(|record| created_ids(&record, &"live".into())).collect()
}

fn named(answer: &Value, name: &str) -> String {
    answer[name].as_str().unwrap().to_owned()
}

#[test]
fn a_deposit_that_a_client_asked_for_names_what_must_be_sent() {
    let mut day = Day::walleted(NOON);
    remade(&mut day);
    let asked = day.deposit_usdt("w", NOON, &json!({ "amount": "10" })).body;
    let expected =
        ["deposit_id", "amount_to_send"].map(|name| (name, named(&asked, name))).to_vec();
    assert_eq!(remade(&mut day), expected);
}

#[test]
fn a_deposit_that_support_made_names_its_id_alone() {
    let mut day = Day::walleted(NOON);
    remade(&mut day);
    let body = judged(json!({ "id": "a", "account": "loja", "amount": "10", "address": WALLET }));
    let answer = day.report_as("w", NOON, "wallet.deposit.assigned", &body);
    assert_eq!(answer.get("amount_to_send"), None, "{answer}");
    assert_eq!(remade(&mut day), [("deposit_id", named(&answer, "deposit_id"))]);
}
