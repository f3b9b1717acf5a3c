//! Balances under a lease: read beside the thread that decides, and answered as it answers them.

use ledger_core::contract::Environment;
use ledger_core::time::Span;
use serde_json::{Value, json};

use crate::served::{KEY, Served};

const WITH_KEY: [(&str, &str); 1] = [("x-api-key", KEY)];

/// Nine reais of the house, of which Ana gets one.
fn funded(served: Served) -> Served {
    let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 900, "actor": "bia",
        "reason": "a gift", "evidence": "case-1" });
    served.report("fee.adjusted", &gift, &Value::Null);
    let moved = json!({ "amount_cents": 100, "from_customer_ref": "casa",
        "to_customer_ref": "ana", "external_id": "t-1" });
    assert_eq!(served.post("/saldo/transferir", &WITH_KEY, &moved).status, 200);
    served
}

/// How many calls the thread that decides has handled.
fn decided(served: &Served) -> u64 {
    served.service.ledgers().for_environment(Environment::Live).engine().counters().commands
}

#[test]
fn a_balance_under_a_lease_is_the_same_and_keeps_nobody_from_deciding() {
    let (leased, plain) = (funded(Served::leased()), funded(Served::start()));
    for target in ["/saldo", "/saldo?customer_ref=ana", "/saldo?customer_ref=nobody"] {
        let expected = plain.get(target, &WITH_KEY);
        for _ in 0..3 {
            assert_eq!(leased.get(target, &WITH_KEY).text, expected.text, "{target}");
        }
    }
    let before = decided(&leased);
    for _ in 0..10 {
        assert_eq!(leased.get("/saldo", &WITH_KEY).body()["disponivel_cents"], 800);
        let ana = leased.get("/saldo?customer_ref=ana", &WITH_KEY);
        assert_eq!(ana.body()["disponivel_cents"], 100);
    }
    assert_eq!(decided(&leased), before, "nothing was asked of it");
    let before = decided(&plain);
    assert_eq!(plain.get("/saldo", &WITH_KEY).status, 200);
    assert_eq!(decided(&plain), before + 1, "without a lease it is asked whether it stands");
}

#[test]
fn the_balance_of_an_instant_is_the_same_under_a_lease() {
    let (leased, plain) = (funded(Served::leased()), funded(Served::start()));
    for target in ["/saldo", "/saldo?customer_ref=ana", "/saldo?customer_ref=nobody"] {
        let now = plain.get(target, &WITH_KEY).body();
        let joined = if target.contains('?') { '&' } else { '?' };
        let em = now["as_of"].as_str().unwrap();
        for (em, expected) in [(em, &now["disponivel_cents"]), ("2001-01-01T00:00:00Z", &json!(0))]
        {
            let target = format!("{target}{joined}em={em}");
            let shown = plain.get(&target, &WITH_KEY);
            assert_eq!(shown.body(), json!({ "saldo_cents": expected, "as_of": em }), "{target}");
            assert_eq!(leased.get(&target, &WITH_KEY).text, shown.text, "{target}");
        }
    }
}

#[test]
fn whoever_was_answered_reads_what_was_answered() {
    let served = funded(Served::leased());
    for number in 0..50 {
        let moved = json!({ "amount_cents": 1, "from_customer_ref": "casa",
            "to_customer_ref": "ana", "external_id": format!("more-{number}") });
        assert_eq!(served.post("/saldo/transferir", &WITH_KEY, &moved).status, 200);
        let ana = served.get("/saldo?customer_ref=ana", &WITH_KEY);
        assert_eq!(ana.body()["disponivel_cents"], 101 + number);
    }
}

#[test]
fn what_is_refused_is_refused_alike() {
    let (leased, plain) = (funded(Served::leased()), funded(Served::start()));
    let id = ("x-request-id", "req-of-this-test");
    for (target, key) in [
        ("/saldo?customer_ref=casa", KEY),
        ("/saldo?customer=ana", KEY),
        ("/saldo?customer_ref=ana&customer_ref=bia", KEY),
        ("/saldo?customer_ref=%00", KEY),
        ("/saldo/", KEY),
        ("/saldo?em=tomorrow", KEY),
        ("/saldo?em=2999-01-01T00:00:00Z", KEY),
        ("/saldo", "svc_live_nobody"),
        ("/saldo", ""),
    ] {
        let headers = [("x-api-key", key), id];
        let (one, other) = (leased.get(target, &headers), plain.get(target, &headers));
        assert_eq!((one.status, one.text), (other.status, other.text), "{target}");
    }
}

#[test]
fn a_deadline_that_has_come_is_not_read_over() {
    let served = funded(Served::leased());
    let policy = json!({ "id": "p-1", "precautionary_hours": 1 });
    served.report("policy.adopted", &policy, &Value::Null);
    let hold = json!({ "id": "h-1", "account": "loja", "customer_ref": "ana",
        "kind": "precautionary", "amount_cents": 60, "actor": "bia", "reason": "a look" });
    served.report("hold.placed", &hold, &Value::Null);
    let available = || {
        let ana = served.get("/saldo?customer_ref=ana", &WITH_KEY).body();
        (ana["disponivel_cents"].as_i64(), ana["bloqueado_cents"].as_i64())
    };
    assert_eq!((available(), available()), ((Some(40), Some(60)), (Some(40), Some(60))));
    served.clock.advance(Span::hours(2));
    assert_eq!(available(), (Some(100), Some(0)), "the block lasted an hour");
    // After days of silence, too.
    served.clock.advance(Span::days(9));
    assert_eq!(available(), (Some(100), Some(0)));
    let as_of = served.get("/saldo", &WITH_KEY).body()["as_of"].clone();
    assert_eq!(as_of, served.clock.now().to_string());
}
