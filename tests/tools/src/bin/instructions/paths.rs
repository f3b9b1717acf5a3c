//! The twelve paths: what each prepares uncounted, and what it does then.

use std::hint::black_box;

use ledger_core::contract::{Call, Line};
use ledger_core::id::Seq;
use ledger_core::ledger::{Command, Origin};
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use ledger_store::{Algorithm, Journal as _, MemoryDisk, MemoryJournal, OpenMode, codec};

use crate::workload;

/// Between how many subaccounts money moves.
const TOWN: u32 = 100;

/// A hot path.
pub struct Path {
    pub name: &'static str,
    /// How many operations are counted.
    pub count: u64,
    pub prepare: fn(u64) -> Box<dyn FnMut()>,
}

const fn path(name: &'static str, count: u64, prepare: fn(u64) -> Box<dyn FnMut()>) -> Path {
    Path { name, count, prepare }
}

pub const PATHS: [Path; 12] = [
    path("transfers", 2_000, |count| decided(false, |_| workload::transfers(TOWN, 0, count))),
    path("transfers, watched", 1_000, |count| {
        decided(true, |_| workload::transfers(TOWN, 0, count))
    }),
    path("groups of three legs", 1_000, |count| {
        decided(false, |_| workload::groups(TOWN, 0, count))
    }),
    path("purchases", 500, |count| decided(false, |seq| workload::purchases(seq, count))),
    path("payouts", 500, |count| decided(false, |seq| workload::payouts(TOWN, seq, count))),
    path("sales", 500, |count| decided(false, |seq| workload::sales(seq, count))),
    path("replayed records", 2_000, replayed),
    path("decoded records", 2_000, decoded),
    path("parsed lines", 2_000, parsed),
    path("answered transfers", 1_000, |count| answer_all(&transfers(count))),
    path("answered balances", 1_000, |count| answer_all(&reads("/saldo", count))),
    path("answered statements", 200, |count| answer_all(&reads("/saldo/extrato", count))),
];

/// Commands decided, applied, encoded and chained.
fn decided(is_watched: bool, commands: impl FnOnce(u64) -> Vec<Command>) -> Box<dyn FnMut()> {
    let mut sequencer = workload::sequencer(TOWN);
    if is_watched {
        sequencer.watch();
    }
    let mut commands = Some(commands(sequencer.head().seq));
    Box::new(move || {
        workload::run(&mut sequencer, commands.take().expect("it is counted once"));
        black_box(sequencer.cut());
    })
}

/// A journal of `count` records; the opening's are among them.
fn journal(count: u64) -> MemoryJournal {
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", mode).expect("memory opens");
    journal.open_writer().expect("memory is written");
    let mut sequencer = Sequencer::new("live", journal.identity());
    let mut commands = workload::opening(TOWN);
    let transfers = count - commands.len() as u64;
    commands.extend(workload::transfers(TOWN, 0, transfers));
    workload::run(&mut sequencer, commands);
    journal.append(&sequencer.cut().expect("records")).expect("memory is written");
    journal
}

fn replayed(count: u64) -> Box<dyn FnMut()> {
    let mut journal = journal(count);
    Box::new(move || {
        let opened = Sequencer::open(&mut journal, "live", |_, _| ()).expect("it replays");
        assert_eq!(black_box(opened).head().seq, count);
    })
}

fn decoded(count: u64) -> Box<dyn FnMut()> {
    let rows = journal(count).read(1, usize::MAX).expect("memory is read");
    Box::new(move || {
        for frame in rows.iter().flat_map(|row| row.frames()) {
            let frame = frame.expect("the row is whole");
            black_box(codec::decode(Seq(frame.seq), frame.record).expect("it decodes"));
        }
    })
}

fn parsed(count: u64) -> Box<dyn FnMut()> {
    let lines = transfers(count);
    Box::new(move || {
        for line in &lines {
            black_box(parse(line));
        }
    })
}

/// Requests answered as a service answers them, by an account whose house has money.
fn answer_all(lines: &[String]) -> Box<dyn FnMut()> {
    let mut sequencer = Sequencer::new("live", Identity::by_name(Algorithm::Blake3, [7; 32]));
    let opened = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","environment":"live","body":{"id":"acc-1","account":"loja","terms":{"liberacao":"imediata","carencia_horas":0,"sem_retencao":true}},"supplied":{"key":"svc_live_loja"}}"#;
    let given = r#"{"at":"2026-11-20T12:00:00Z","fact":"fee.adjusted","body":{"id":"g","account":"loja","effect_cents":500000000,"actor":"bia","reason":"start","evidence":"case"}}"#;
    let first = (0..50).map(|number| transfer(1, &format!("first-{number}")));
    for line in [opened.to_owned(), given.to_owned()].into_iter().chain(first) {
        assert_eq!(sequencer.call(&call(&line)).status, 200, "{line}");
    }
    drop(sequencer.cut());
    let calls: Vec<Call> = lines.iter().map(|line| call(line)).collect();
    Box::new(move || {
        for call in &calls {
            assert_eq!(black_box(sequencer.call(call)).status, 200);
        }
        black_box(sequencer.cut());
    })
}

fn transfers(count: u64) -> Vec<String> {
    (0..count).map(|number| transfer(number % 50, &format!("t-{number}"))).collect()
}

/// The same read of a customer's, so many times.
fn reads(path: &str, count: u64) -> Vec<String> {
    (0..count).map(|_| request(&format!("GET {path}?customer_ref=c1"), "{}")).collect()
}

fn transfer(customer: u64, id: &str) -> String {
    let body = format!(
        r#"{{"from_customer_ref":"casa","to_customer_ref":"c{customer}","amount_cents":900,"external_id":"{id}"}}"#
    );
    request("POST /saldo/transferir", &body)
}

fn request(request: &str, body: &str) -> String {
    format!(
        r#"{{"at":"2026-11-20T13:00:00Z","key":"svc_live_loja","request":"{request}","body":{body}}}"#
    )
}

fn call(line: &str) -> Call {
    parse(line).call(Origin::Call)
}

fn parse(line: &str) -> Line {
    Line::parse(line, |label| Ok(label.to_owned())).expect("it is well formed")
}
