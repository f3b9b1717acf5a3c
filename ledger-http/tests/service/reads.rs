//! Reads of real money: computed beside the thread that decides, and answered as it answers them.

use ledger_core::contract::{Call, CallKind, Environment};
use ledger_core::ledger::Origin;
use ledger_core::time::Span;
use ledger_store::engine::{Counters, Engine};
use serde_json::{Value, json};

use crate::served::{KEY, Served};

const WITH_KEY: [(&str, &str); 1] = [("x-api-key", KEY)];

/// Nine reais of the house, of which each of nine customers gets one centavo twice.
fn funded(served: Served) -> Served {
    let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 900, "actor": "bia",
        "reason": "a gift", "evidence": "case-1" });
    served.report("fee.adjusted", &gift, &Value::Null);
    (0..18).for_each(|number| transfer(&served, &format!("c{}", number % 9), number));
    served
}

fn transfer(served: &Served, customer: &str, number: i64) {
    let moved = json!({ "amount_cents": 1, "from_customer_ref": "casa",
        "to_customer_ref": customer, "external_id": format!("{customer}-{number}") });
    assert_eq!(served.post("/saldo/transferir", &WITH_KEY, &moved).status, 200);
}

fn engine(served: &Served) -> &Engine {
    served.service.ledgers().for_environment(Environment::Live).engine()
}

fn counters(served: &Served) -> Counters {
    engine(served).counters()
}

/// The answer of the thread that decides.
fn decided(served: &Served, target: &str) -> Value {
    let (method, target, key) = ("GET".to_owned(), target.to_owned(), Some(KEY.to_owned()));
    let (ask, origin) = (CallKind::Request { method, target, key }, Origin::Call);
    let (at, body, supplied) = (served.clock.now(), Value::Null, Value::Null);
    let call = Call { at, origin, ask, body, supplied, ip: None };
    let answer = engine(served).call(call).wait().expect("it answers");
    serde_json::from_str(&answer.body.to_string()).expect("it is JSON")
}

const TARGETS: [&str; 8] = [
    "/saldo/extrato",
    "/saldo/extrato?limit=3&visao=operacoes",
    "/saldo/extrato?customer_ref=c1",
    "/saldo/consolidado",
    "/saldo/clientes?limit=4",
    "/comissao/extrato",
    "/payouts?external_id=nobody",
    "/keys/me",
];

#[test]
fn what_only_reads_is_computed_beside_the_thread_that_decides() {
    for served in [funded(Served::leased()), funded(Served::start())] {
        for target in TARGETS {
            let before = counters(&served);
            let shown = served.get(target, &WITH_KEY);
            let after = counters(&served);
            assert_eq!(shown.status, 200, "{target}: {}", shown.text);
            assert_eq!(shown.body(), decided(&served, target), "{target}");
            assert_eq!(after.reads, before.reads + 1, "{target}");
            assert_eq!(after.commands, before.commands + 1, "{target} is counted once");
        }
        let before = counters(&served);
        assert_eq!(served.get("/saldo/extrato?before=nothing", &WITH_KEY).status, 400);
        assert_eq!(served.get("/saldo/extrato", &[]).status, 401);
        let after = counters(&served);
        assert_eq!((after.reads, after.refusals), (before.reads + 2, before.refusals + 2));
    }
}

#[test]
fn a_statement_asked_after_an_answer_shows_what_was_answered() {
    let served = funded(Served::start());
    std::thread::scope(|scope| {
        for customer in ["dora", "edu", "fabio", "gil"] {
            let served = &served;
            scope.spawn(move || {
                for number in 1..=25 {
                    transfer(served, customer, number);
                    let target = format!("/saldo/extrato?customer_ref={customer}&limit=1");
                    let shown = served.get(&target, &WITH_KEY).body();
                    assert_eq!(shown["items"][0]["saldo_apos_cents"], number, "{shown}");
                }
            });
        }
    });
}

#[test]
fn lookups_that_are_counted_stay_counted() {
    let served = funded(Served::start());
    let reads = counters(&served).reads;
    let target = "/pix/keys/lookup?key=52998224725&type=cpf";
    let statuses: Vec<_> = (0..6).map(|_| served.get(target, &WITH_KEY).status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429]);
    assert_eq!(counters(&served).reads, reads);
}

#[test]
fn what_has_come_due_is_recorded_before_it_is_read() {
    let served = funded(Served::start());
    let policy = json!({ "id": "p-1", "precautionary_hours": 1 });
    served.report("policy.adopted", &policy, &Value::Null);
    let hold = json!({ "id": "h-1", "account": "loja", "customer_ref": "c1",
        "kind": "precautionary", "amount_cents": 2, "actor": "bia", "reason": "a look" });
    served.report("hold.placed", &hold, &Value::Null);
    let blocked = || {
        let shown = served.get("/saldo/consolidado", &WITH_KEY).body();
        shown["clientes"]["bloqueado_cents"].as_i64()
    };
    assert_eq!(blocked(), Some(2));
    served.clock.advance(Span::hours(2));
    let (records, reads) = (counters(&served).records, counters(&served).reads);
    assert_eq!(blocked(), Some(0), "the block lasted an hour");
    assert_eq!((counters(&served).records, counters(&served).reads), (records + 1, reads));
    // After days of silence, too.
    served.clock.advance(Span::days(9));
    assert_eq!(blocked(), Some(0));
}
