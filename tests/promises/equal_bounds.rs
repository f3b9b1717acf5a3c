//! The least and the most of a range may be one sum, and the most is never below the least (LIM).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day};
use crate::selling::{STANDARD, of_depix};

const NOON: &str = "2026-10-20T12:00:00Z";

/// A policy or terms that say this: the outcome, or what is wrong with it.
fn said(day: &mut Day, fact: &str, mut body: Value) -> String {
    body["id"] = day.outside_id().into();
    let mut line = json!({ "at": NOON, "fact": fact });
    if fact == "policy.adopted" {
        line["environment"] = "live".into();
    } else {
        body["account"] = "loja".into();
    }
    line["body"] = body;
    let answer = day.line(&line.to_string()).body;
    answer["outcome"].as_str().or(answer["detail"].as_str()).unwrap().to_owned()
}

#[test]
fn the_least_and_the_most_may_be_the_same_and_the_most_is_never_below() {
    for (fact, least, most) in [
        ("terms.adopted", "cashin_min_cents", "cashin_max_cents"),
        ("terms.adopted", "payout_min_cents", "payout_max_cents"),
        ("policy.adopted", "cashout_min_cents", "cashout_max_cents"),
        ("policy.adopted", "depix_min_cents", "depix_max_cents"),
    ] {
        let mut day = Day::with_terms(NOON, AT_ONCE);
        assert_eq!(said(&mut day, fact, json!({ least: 5_000, most: 5_000 })), "applied", "{most}");
        assert_eq!(said(&mut day, fact, json!({ least: 5_000, most: 5_001 })), "applied", "{most}");
        let before = day.digest();
        let wrong = said(&mut day, fact, json!({ least: 5_000, most: 4_999 }));
        assert_eq!(wrong, format!("{most} must not be below {least}"));
        assert_eq!(day.digest(), before, "{most}");
    }
}

#[test]
fn a_fee_of_its_own_for_depix_is_what_its_sales_cost_from_then_on() {
    let mut day = Day::selling(NOON, STANDARD);
    let costs = |day: &mut Day, id: &str| {
        let quoted = day.sell(id, NOON, ("depix", "liquid"), of_depix("100.00"));
        assert_eq!(quoted.status, 200, "{}", quoted.body);
        quoted.body["amount"].as_str().unwrap().to_owned()
    };
    assert_eq!(costs(&mut day, "v"), "102.50000000", "1.5 % and R$ 1.00");
    assert_eq!(day.agree(NOON, json!({ "depix_fee_bps": 200 })), "applied");
    assert_eq!(costs(&mut day, "w"), "103.00000000", "2 % and R$ 1.00");
}
