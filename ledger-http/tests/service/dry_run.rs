//! `Prefer: dry-run`: a request is judged as it would be, and nothing is done.

use ledger_core::contract::Environment;
use serde_json::{Value, json};

use crate::served::{Answer, KEY, Served};

fn dry(served: &Served, target: &str, body: &Value) -> Answer {
    served.post(target, &[("x-api-key", KEY), ("prefer", "dry-run")], body)
}

fn funded() -> Served {
    let served = Served::start();
    let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 10_000, "actor": "bia",
        "reason": "a gift", "evidence": "case-1" });
    served.report("fee.adjusted", &gift, &Value::Null);
    served
}

fn transfer(cents: i64) -> Value {
    json!({ "amount_cents": cents, "from_customer_ref": "casa", "to_customer_ref": "ana",
        "external_id": "t-1" })
}

#[test]
fn a_dry_run_shows_what_would_be_booked_and_books_nothing() {
    let served = funded();
    let engine = served.service.ledgers().for_environment(Environment::Live).engine();
    let stood = engine.head().unwrap();
    let answer = dry(&served, "/saldo/transferir", &transfer(2_500));
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("preference-applied"), "dry-run");
    let body = answer.body();
    assert_eq!((&body["dry_run"], &body["outcome"]), (&json!(true), &json!("created")));
    let legs: Vec<&Value> = body["events"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|event| event["legs"].as_array().unwrap())
        .collect();
    let house = json!({ "account": "cust.avail", "kept_for": ["loja", "casa"],
        "commodity": "BRL", "amount": "25.00" });
    assert!(legs.contains(&&house), "{}", answer.text);
    assert_eq!(engine.head().unwrap(), stood, "nothing was recorded");
    let balance = served.get("/saldo", &[("x-api-key", KEY)]).body();
    assert_eq!(balance["disponivel_cents"], 10_000);
    // Done for good, it does what was shown, and is then a repeat.
    let done = served.post("/saldo/transferir", &[("x-api-key", KEY)], &transfer(2_500));
    assert_eq!((done.status, done.header("preference-applied")), (200, ""));
    let balance = served.get("/saldo", &[("x-api-key", KEY)]).body();
    assert_eq!(balance["disponivel_cents"], 7_500);
    let again = dry(&served, "/saldo/transferir", &transfer(2_500)).body();
    assert_eq!((&again["outcome"], &again["events"]), (&json!("repeated"), &json!([])));
}

#[test]
fn rulings_55_a_dry_run_names_the_fields_that_nobody_reads() {
    let served = funded();
    let mut body = transfer(2_500);
    body["custmer_ref"] = "ana".into();
    let shown = dry(&served, "/saldo/transferir", &body).body();
    assert_eq!(shown["campos_ignorados"], json!(["custmer_ref"]), "{shown}");
    let shown = dry(&served, "/saldo/transferir", &transfer(2_500)).body();
    assert_eq!(shown["campos_ignorados"], Value::Null, "{shown}");
}

#[test]
fn a_dry_run_is_preferred_in_letters_of_any_case_and_beside_other_preferences() {
    let served = funded();
    let engine = served.service.ledgers().for_environment(Environment::Live).engine();
    let stood = engine.head().unwrap();
    for prefer in ["Dry-Run", "DRY-RUN", "respond-async, Dry-run", "wait=5; DRY-run"] {
        let headers = [("x-api-key", KEY), ("prefer", prefer)];
        let answer = served.post("/saldo/transferir", &headers, &transfer(2_500));
        assert_eq!((answer.status, &answer.body()["dry_run"]), (200, &json!(true)), "{prefer}");
        assert_eq!(engine.head().unwrap(), stood, "{prefer}: nothing was recorded");
    }
}

#[test]
fn a_dry_run_is_refused_as_the_request_would_be() {
    let served = funded();
    let short = dry(&served, "/saldo/transferir", &transfer(10_001));
    let real = served.post("/saldo/transferir", &[("x-api-key", KEY)], &transfer(10_001));
    assert_eq!((short.status, real.status), (409, 409));
    for answer in [&short, &real] {
        assert_eq!(answer.body()["erro"], "saldo_insuficiente", "{}", answer.text);
    }
    assert_eq!(short.header("preference-applied"), "dry-run");
    let payout = json!({ "amount_cents": 50_000, "pix_key": "52998224725",
        "tax_number": "52998224725", "external_id": "p-1" });
    let dry = dry(&served, "/payouts", &payout);
    let real = served.post("/payouts", &[("x-api-key", KEY)], &payout);
    assert_eq!((dry.status, &dry.body()["erro"]), (real.status, &real.body()["erro"]));
    assert_eq!(real.status, 402, "{}", real.text);
}

#[test]
fn reads_are_answered_whatever_is_preferred() {
    let served = funded();
    let headers = [("x-api-key", KEY), ("prefer", "dry-run")];
    let answer = served.get("/saldo", &headers);
    assert_eq!((answer.status, answer.header("preference-applied")), (200, ""));
    assert_eq!(answer.body()["disponivel_cents"], 10_000);
    let unknown = served.post("/nothing", &headers, &json!({}));
    assert_eq!(unknown.status, 404);
}

#[test]
fn a_dry_run_makes_no_key() {
    let served = Served::start();
    let email = json!({ "email": "ana@exemplo.com.br" });
    let answer = served.post("/keys/sandbox", &[("prefer", "dry-run")], &email);
    assert_eq!((answer.status, &answer.body()["outcome"]), (200, &json!("done")));
    assert!(!answer.text.contains("svc_test_"), "{}", answer.text);
    let sandbox = served.service.ledgers().for_environment(Environment::Sandbox).engine();
    assert_eq!(sandbox.head().unwrap().seq, 0);
}
