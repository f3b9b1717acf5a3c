//! What a payer is told of the ladder, and when there is one (CIN-68, GEN-14).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, PAYER, judged};

const NOON: &str = "2026-10-20T12:00:00Z";

fn limits(day: &mut Day, at: &str) -> Value {
    day.get(at, &format!("/cashin/limits?payer_tax={PAYER}"))
}

#[test]
fn cin_68_every_stage_of_the_ladder_is_explained_in_words_of_its_own() {
    let mut day = Day::with_ladder(NOON, AT_ONCE);
    let mut told = vec![limits(&mut day, NOON)];
    let body = json!({ "id": "r-1", "payer_tax_number": PAYER, "finding": "identified" });
    assert_eq!(day.tell(NOON, "payer.reviewed", &judged(body)), "applied");
    told.push(limits(&mut day, NOON));
    day.deposit("d", NOON, "a", 1_000);
    told.push(limits(&mut day, NOON));
    told.push(limits(&mut day, "2026-10-21T12:00:01Z"));
    let all = |name: &str| -> BTreeSet<String> {
        told.iter().map(|told| told[name].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(all("stage").len(), 4, "{told:?}");
    let explanations = all("explicacao");
    assert_eq!(explanations.len(), 4, "{explanations:?}");
    assert!(explanations.iter().all(|words| words.contains(' ')), "{explanations:?}");
}

#[test]
fn gen_14_a_policy_that_says_nothing_of_the_ladder_begins_none() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let before = limits(&mut day, NOON);
    assert_eq!(before["instant_available_cents"], 600_000, "there is no ladder");
    assert_ne!(before["stage"], "provider_first_qr", "nor a first step of it");
    assert_eq!(day.adopt(NOON, json!({ "precautionary_hours": 48 })), "applied");
    assert_eq!(limits(&mut day, NOON), before);
}
