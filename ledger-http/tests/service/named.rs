//! A service answers from ledgers of any names: one of real money, one of test keys.

use ledger_core::contract::Environment;
use serde_json::json;

use crate::served::{KEY, Served};

const LIVE: (&str, Environment) = ("acme", Environment::Live);

const TESTS: (&str, Environment) = ("acme-tests", Environment::Sandbox);

#[test]
fn keys_ids_and_facts_find_their_ledger_whatever_it_is_called() {
    let served = Served::named([LIVE, TESTS]);
    served.open_account();
    assert_eq!(served.get("/saldo", &[("x-api-key", KEY)]).status, 200);
    let made = served.post("/keys/sandbox", &[], &json!({ "email": "ana@exemplo.com.br" }));
    assert_eq!(made.status, 200, "{}", made.text);
    let key = made.body()["api_key"].as_str().unwrap().to_owned();
    assert!(key.starts_with("svc_test_"));
    let key = [("x-api-key", &*key)];
    let charge = json!({ "amount_cents": 5_000, "destino": "saldo", "customer_ref": "ana",
        "payer_tax_number": "52998224725", "external_id": "deposito-1" });
    let charge = served.post("/cashin/charge", &key, &charge);
    assert_eq!(charge.status, 200, "{}", charge.text);
    let id = charge.body()["cashin_id"].as_str().unwrap().to_owned();
    // A fact that names an operation needs no environment.
    let paid = json!({ "cashin_id": id, "e2e": "E9040088820261120120000000000001",
        "amount_cents": 5_000 });
    let answer = served.world().post("/facts/pix.received", &paid.to_string());
    assert_eq!(answer.body()["outcome"], "applied", "{}", answer.text);
    let status = served.get(&format!("/cashin/{id}/status"), &key);
    assert_eq!(status.status, 200, "{}", status.text);
    let live = served.get(&format!("/cashin/{id}/status"), &[("x-api-key", KEY)]);
    assert_eq!(live.status, 404, "{}", live.text);
    let names = served.service.ledgers().all().map(|ledger| ledger.name().to_string());
    assert_eq!(names.collect::<Vec<_>>(), ["acme", "acme-tests"]);
}

#[test]
#[should_panic(expected = "the first ledger is of real money")]
fn a_sandbox_is_not_served_in_the_place_of_real_money() {
    Served::named([TESTS, LIVE]);
}

#[test]
#[should_panic(expected = "the second is of test keys")]
fn real_money_is_not_served_in_the_place_of_test_keys() {
    Served::named([LIVE, LIVE]);
}
