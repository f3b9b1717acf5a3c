//! The first accept of a test sale that ends in `.07`: what stands against it comes before the
//! settler that is away (contract 3.3; SBX-06).

use ledger_core::contract::Response;
use serde_json::json;

use crate::sandbox::Trial;

/// When a quote of the sandbox on Polygon ends: 15 minutes after it was made.
const EXPIRES: u32 = 15 * 60;

fn quoted() -> (Trial, String) {
    let mut trial = Trial::new();
    let made = trial.sell(0, json!({ "amount": "100.07" }));
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.body["cashout_id"].as_str().unwrap().to_owned();
    (trial, id)
}

fn refused(answer: &Response) -> (u16, &str) {
    (answer.status, answer.body["erro"].as_str().unwrap_or("none"))
}

#[test]
fn sbx_06_up_to_its_deadline_the_settler_is_away_at_first() {
    let (mut trial, id) = quoted();
    assert_eq!(refused(&trial.accept(EXPIRES - 1, &id)), (503, "liquidante_indisponivel"));
}

#[test]
fn sbx_06_a_quote_that_is_over_is_refused_as_such() {
    for late in [EXPIRES, EXPIRES + 1] {
        let (mut trial, id) = quoted();
        assert_eq!(refused(&trial.accept(late, &id)), (409, "cotacao_expirada"), "{late}");
    }
}

#[test]
fn sbx_06_while_sales_are_paused_they_are_refused_as_paused() {
    let (mut trial, id) = quoted();
    trial.report(1, "policy.adopted", json!({ "id": "pol-2", "cashouts_paused": true }));
    assert_eq!(refused(&trial.accept(2, &id)), (503, "cashout_indisponivel"));
    trial.report(3, "policy.adopted", json!({ "id": "pol-3", "cashouts_paused": false }));
    assert_eq!(
        refused(&trial.accept(4, &id)),
        (503, "liquidante_indisponivel"),
        "as if never asked"
    );
}
