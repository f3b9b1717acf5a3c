//! What an engine tells those who trace it, heard by a subscriber of the test's own.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use ledger_store::engine::Engine;
use ledger_store::journal::MemoryDisk;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::gate::{Fate, Gate};
use super::setup::{LIVE, call, memory};
use super::{OPEN, charge, is_not_written};

/// Everything traced, a line each: spans when they open, their later fields, events.
#[derive(Clone, Default)]
struct Ear(Arc<Mutex<Vec<String>>>);

/// A line of fields.
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

impl Ear {
    fn hear(&self, mut line: Line, record: impl FnOnce(&mut Line)) -> u64 {
        record(&mut line);
        let mut heard = self.0.lock().unwrap();
        heard.push(line.0);
        heard.len() as u64
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Subscriber for Ear {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("ledger_")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let line = Line(format!("span {}", span.metadata().name()));
        Id::from_u64(self.hear(line, |line| span.record(line)))
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        self.hear(Line(format!("  of {}", span.into_u64())), |line| values.record(line));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.hear(Line("event".to_owned()), |line| event.record(line));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn openings_commits_take_overs_and_rebuilds_are_traced_and_no_secret_with_them() {
    let ear = Ear::default();
    // The engine's threads are not this one: only a global subscriber hears them. The other tests
    // of this binary are heard too, so that lines are looked for and not counted.
    tracing::subscriber::set_global_default(ear.clone()).unwrap();
    let (disk, gate) = (MemoryDisk::new(), Gate::default());
    let start = || Engine::builder(LIVE).start(gate.journal(memory(&disk))).unwrap();
    let engine = start();
    engine.call(call(OPEN)).wait().unwrap();
    gate.next([Fate::Failed, Fate::UnknownLanded]);
    assert!(is_not_written(&engine.call(charge(1)).wait()));
    engine.call(charge(1)).wait().unwrap();
    engine.stop().unwrap();
    drop(start());

    let heard = ear.lines();
    let traced = |all: &[&str]| {
        let matches = |line: &String| all.iter().all(|part| line.contains(part));
        assert!(heard.iter().any(matches), "{all:?} is not among {heard:#?}");
    };
    traced(&["span ledger.open", "ledger=live"]);
    traced(&["span ledger.take_over"]);
    traced(&["of", "head=2"]);
    traced(&["of", "epoch=3"]);
    traced(&["of", "records=2"]);
    traced(&["span ledger.commit", "ledger=live", "records=1", "bytes="]);
    traced(&["of", "micros="]);
    traced(&["event", "a commit failed", "the disk is full"]);
    traced(&["span ledger.rebuild", "ledger=live"]);
    let all = heard.join("\n");
    // An API key, a customer's reference, a tax number.
    for secret in ["svc_live", "c-1", "100000001"] {
        assert!(!all.contains(secret), "{secret} is traced");
    }
}
