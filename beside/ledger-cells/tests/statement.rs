//! One statement over the cells an account lived in, wherever its move stands; and moves given up.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

#[path = "../../../ledger-store/tests/setup/mod.rs"]
mod setup;

use std::sync::Arc;

use ledger_cells::directory::DIRECTORY;
use ledger_cells::{Cells, CellsBuilder};
use ledger_core::contract::{Call, CallKind, CellReport, MovePlan, Response, Side};
use ledger_core::directory::Command;
use ledger_core::id::Environment;
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
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

fn statement_call(query: &str) -> Call {
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
    let response = whole_answer(cells, &statement_call(query))?;
    assert_eq!(response.status, 200, "{query}: {}", response.body);
    Some(response.body.into())
}

fn whole_answer(cells: &Cells<Arc<Engine>>, call: &Call) -> Option<Response> {
    let whole = cells.of_statement(KEY, call).unwrap()?;
    let outcome = whole.home.handle(whole.call.clone()).wait().unwrap();
    Some(whole.complete(outcome).unwrap().response)
}

/// Returns the answer to a call over the cells, whether or not it is for one statement over them.
fn answer_over(cells: &Cells<Arc<Engine>>, call: &Call) -> Response {
    whole_answer(cells, call).unwrap_or_else(|| {
        let asked = cells.of_key(KEY, call).unwrap();
        asked.ask(call, |engine, call| engine.handle(call).wait()).unwrap().response
    })
}

fn cells(disk: &MemoryDisk, left: &Arc<Engine>, entered: &Arc<Engine>) -> Cells<Arc<Engine>> {
    let builder = CellsBuilder::new([left.clone(), entered.clone()]).unwrap();
    let mode = OpenMode::Directory { environment: Some(Environment::Live) };
    let directory = MemoryJournal::open(disk, DIRECTORY, mode).unwrap();
    builder.open(Box::new(directory), at()).unwrap()
}

fn begin(cells: &Cells<Arc<Engine>>) {
    let (id, account, to) = ("mv-1".into(), "loja".into(), "cell-b".into());
    cells.execute(&Command::BeginMove { id, account, to }, at()).unwrap();
}

/// Returns what is to be reported next of the move.
fn plan(left: &Engine) -> MovePlan {
    let plan = left.decide(|sequencer| {
        let tokens = *sequencer.tokens();
        sequencer.views().moving("loja", "cell-b", "mv-1", &tokens).unwrap()
    });
    plan.wait().unwrap()
}

/// Reports it; tells whether it was applied.
fn take(report: &CellReport, left: &Engine, entered: &Engine) -> bool {
    let CellReport { to, fact, body } = report.clone();
    let ask = CallKind::Fact(fact.to_owned());
    let (origin, supplied) = (Origin::Call, Value::Null);
    let fact = Call { at: at(), origin, ask, body, supplied, ip: None };
    let engine = if to == Side::Source { left } else { entered };
    engine.call(fact).wait().unwrap().body["outcome"] == "applied"
}

/// A transfer in a ledger; gives the status.
fn transferred(engine: &Engine, id: &str) -> u16 {
    let line = format!(
        r#"{{"at":"2026-11-20T13:00:00Z","key":"{KEY}","request":"POST /saldo/transferir","body":{{"from_customer_ref":"ana","to_customer_ref":"bia","amount_cents":1,"external_id":"{id}"}}}}"#
    );
    engine.call(call(&line)).wait().unwrap().status
}

/// Returns what is available to everybody, over both ledgers.
fn owed(left: &Engine, entered: &Engine) -> i64 {
    let of = |engine: &Engine| {
        let state = engine.view().wait().unwrap();
        state.books.subaccounts().map(|(_, buckets)| buckets.available.cents()).sum::<i64>()
    };
    of(left) + of(entered)
}

/// The other cell may be gone: it is not asked. It comes back as it was, and a later move goes on
/// from there.
#[test]
fn a_move_that_is_given_up_between_any_two_facts_leaves_the_account_whole_in_one_cell() {
    let (mut given_up, mut refused) = (0, 0);
    for before in 0.. {
        let (left, entered) = (lived(), engine("cell-b"));
        let total = owed(&left, &entered);
        let disk = MemoryDisk::new();
        let at_work = cells(&disk, &left, &entered);
        begin(&at_work);
        let (mut reported, mut over, mut late) = (0, false, Vec::new());
        'moving: while !over {
            let MovePlan { reports, last, .. } = plan(&left);
            over = last;
            for (place, report) in reports.iter().enumerate() {
                if reported == before {
                    (over, late) = (false, reports[place..].to_vec());
                    break 'moving;
                }
                reported += 1;
                take(report, &left, &entered);
            }
        }
        if over {
            break;
        }
        if at_work.abandon_move("mv-1", at()).is_ok() {
            at_work.abandon_move("mv-1", at()).unwrap();
            // What a mover that knew nothing of it reports late is set aside.
            for report in late.iter().filter(|report| report.body["step"] != "leaving") {
                take(report, &left, &entered);
            }
            assert_eq!(transferred(&left, "t-9"), 200, "{before}");
            assert_eq!(owed(&left, &entered), total, "{before}");
            drop(at_work);
            // All is opened again, with whatever the other cell was told.
            let again = cells(&disk, &left, &entered);
            again.move_account("loja", "cell-b", "mv-2", at()).unwrap();
            given_up += 1;
        } else {
            assert_eq!(transferred(&left, "t-9"), 503, "{before}");
            at_work.move_account("loja", "cell-b", "mv-1", at()).unwrap();
            refused += 1;
        }
        assert_eq!(transferred(&left, "t-10"), 503, "{before}");
        assert_eq!(transferred(&entered, "t-10"), 200, "{before}");
        assert_eq!(owed(&left, &entered), total, "{before}");
    }
    // Before and after it was to leave, and once the other cell knew of it.
    assert!(given_up == 3 && refused > 5, "{given_up} {refused}");
}

#[test]
fn between_any_two_facts_of_a_move_the_statement_is_what_it_was_before() {
    let (left, entered) = (lived(), engine("cell-b"));
    let before = QUERIES.map(|query| left.call(statement_call(query)).wait().unwrap().body);
    assert!(before[1]["items"].as_array().unwrap().len() > 1, "{}", before[1]);
    let cells = cells(&MemoryDisk::new(), &left, &entered);
    // Of an account that never moved, the cell that it lives in answers.
    assert_eq!(whole(&cells, ""), None);
    begin(&cells);
    let (mut reported, mut over) = (0, false);
    while !over {
        let MovePlan { reports, last, .. } = plan(&left);
        over = last;
        for report in reports {
            reported += usize::from(take(&report, &left, &entered));
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
    let balance = Call { ask: CallKind::Fact("time.passed".to_owned()), ..statement_call("") };
    assert!(cells.of_statement(KEY, &balance).unwrap().is_none());
    assert!(cells.of_statement(KEY, &statement_call("?limit=0")).unwrap().is_none());
    assert!(cells.of_statement("svc_live_nobody", &statement_call("")).unwrap().is_none());
}

#[test]
fn a_query_that_one_ledger_refuses_is_refused_over_the_cells() {
    let (left, entered) = (lived(), engine("cell-b"));
    let cells = cells(&MemoryDisk::new(), &left, &entered);
    cells.move_account("loja", "cell-b", "mv-1", at()).unwrap();
    for query in ["?visao=razao", "?limit=0", "?limit=201", "?limit=201&visao=operacoes"] {
        let call = statement_call(query);
        let (over, alone) = (answer_over(&cells, &call), entered.call(call).wait().unwrap());
        assert_eq!((over.status, &over.body["erro"]), (400, &json!("requisicao_invalida")));
        assert_eq!(over.body["detail"], alone.body["detail"], "{query}");
    }
}
