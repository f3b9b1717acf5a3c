//! One statement over the cells an account lived in, wherever its move stands.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use std::sync::Arc;

use ledger_core::contract::{Call, CallKind, CellReport, MovePlan, Side};
use ledger_core::directory::Command;
use ledger_core::id::Environment;
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use ledger_store::cells::{Cells, CellsBuilder};
use ledger_store::directory::DIRECTORY;
use ledger_store::engine::Engine;
use ledger_store::journal::{MemoryDisk, MemoryJournal, OpenMode};
use serde_json::{Value, json};
use setup::call;

const KEY: &str = "svc_live_loja";

fn at() -> Instant {
    Instant::parse("2026-11-20T13:00:00Z").unwrap()
}

fn engine(name: &str) -> Arc<Engine> {
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    let journal = MemoryJournal::open(&MemoryDisk::new(), name, mode).unwrap();
    Arc::new(Engine::builder(name).start(Box::new(journal)).unwrap())
}

/// A ledger in which Loja has money of the house and of two customers.
fn lived() -> Arc<Engine> {
    let engine = engine("cell-a");
    let transfer = |minute: u32, from: &str, to: &str, cents: u32| {
        format!(
            r#"{{"at":"2026-11-20T12:{minute:02}:00Z","key":"{KEY}","request":"POST /saldo/transferir","body":{{"from_customer_ref":"{from}","to_customer_ref":"{to}","amount_cents":{cents},"external_id":"t-{minute}"}}}}"#
        )
    };
    let lines = [
        format!(
            r#"{{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{{"id":"a-1","account":"loja"}},"supplied":{{"key":"{KEY}"}}}}"#
        ),
        r#"{"at":"2026-11-20T12:00:00Z","fact":"fee.adjusted","body":{"id":"gift","account":"loja","effect_cents":900000,"actor":"bia","reason":"a gift","evidence":"case-1"}}"#.to_owned(),
        transfer(1, "casa", "ana", 5_000),
        transfer(2, "casa", "bia", 3_000),
        transfer(3, "ana", "bia", 700),
        transfer(4, "bia", "casa", 250),
    ];
    for line in lines {
        assert_eq!(engine.call(call(&line)).wait().unwrap().status, 200, "{line}");
    }
    engine
}

fn asked(query: &str) -> Call {
    let ask = CallKind::Request {
        method: "GET".to_owned(),
        target: format!("/saldo/extrato{query}"),
        key: Some(KEY.to_owned()),
    };
    Call { at: at(), origin: Origin::Call, ask, body: Value::Null, supplied: json!({}), ip: None }
}

/// The statements of everybody, in both views and by pages.
const QUERIES: [&str; 6] = [
    "",
    "?customer_ref=ana",
    "?customer_ref=bia&limit=2",
    "?visao=operacoes",
    "?customer_ref=ana&visao=operacoes&limit=1",
    "?customer_ref=nobody",
];

fn whole(cells: &Cells<Arc<Engine>>, query: &str) -> Option<Value> {
    let whole = cells.of_statement(KEY, &asked(query)).unwrap()?;
    let outcome = whole.home.handle(whole.call.clone()).wait().unwrap();
    let outcome = whole.completed(outcome).unwrap();
    assert_eq!(outcome.response.status, 200, "{query}: {}", outcome.response.body);
    Some(outcome.response.body.into())
}

#[test]
fn between_any_two_facts_of_a_move_the_statement_is_what_it_was_before() {
    let (left, entered) = (lived(), engine("cell-b"));
    let before = QUERIES.map(|query| left.call(asked(query)).wait().unwrap().body);
    assert!(before[1]["items"].as_array().unwrap().len() > 1, "{}", before[1]);
    let builder = CellsBuilder::new([left.clone(), entered.clone()]).unwrap();
    let mode = OpenMode::Directory { environment: Some(Environment::Live) };
    let directory = MemoryJournal::open(&MemoryDisk::new(), DIRECTORY, mode).unwrap();
    let cells = builder.open(Box::new(directory), at()).unwrap();
    // Of an account that never moved, the cell that it lives in answers.
    assert_eq!(whole(&cells, ""), None);
    let (id, account, to) = ("mv-1".into(), "loja".into(), "cell-b".into());
    cells.execute(&Command::BeginMove { id, account, to }, at()).unwrap();
    let (mut reported, mut over) = (0, false);
    while !over {
        let plan = left.decide(|sequencer| {
            let tokens = *sequencer.tokens();
            sequencer.views().moving("loja", "cell-b", "mv-1", &tokens).unwrap()
        });
        let MovePlan { reports, last, .. } = plan.wait().unwrap();
        over = last;
        for CellReport { to, fact, body } in reports {
            let ask = CallKind::Fact(fact.to_owned());
            let (origin, supplied) = (Origin::Call, Value::Null);
            let fact = Call { at: at(), origin, ask, body, supplied, ip: None };
            let engine = if to == Side::Source { &left } else { &entered };
            let answer = engine.call(fact).wait().unwrap().body;
            reported += usize::from(answer["outcome"] == "applied");
            for (query, before) in QUERIES.iter().zip(&before) {
                assert_eq!(whole(&cells, query).as_ref(), Some(&**before), "{reported} {query}");
            }
        }
    }
    // It leaves, arrives, each of three balances in both ledgers, has departed, and has arrived.
    assert_eq!(reported, 1 + 1 + 2 * 3 + 1 + 1);
    cells.execute(&Command::FinishMove { id: "mv-1".into() }, at()).unwrap();
    for (query, before) in QUERIES.iter().zip(&before) {
        assert_eq!(whole(&cells, query).as_ref(), Some(&**before), "{query}");
    }
    // Other calls are answered as they are without a move.
    let balance = Call { ask: CallKind::Fact("time.passed".to_owned()), ..asked("") };
    assert!(cells.of_statement(KEY, &balance).unwrap().is_none());
    assert!(cells.of_statement(KEY, &asked("?limit=0")).unwrap().is_none());
    assert!(cells.of_statement("svc_live_nobody", &asked("")).unwrap().is_none());
}
