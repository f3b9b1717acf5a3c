//! Every order in which payouts moved in simulated histories, a line each, for the model of one
//! payout in `tests/tla`.
//!
//! ```console
//! $ cargo run -p ledger-sim --example payout_traces -- 40
//! ```
//!
//! It says how many histories it runs, each of 600 commands under many faults.

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::id::{OpId, Seq};
use ledger_core::ledger::{Event, TaskKind};
use ledger_core::machine::payout;
use ledger_core::time::Instant;
use ledger_sim::{Faults, Settings, Store, simulate_on};
use ledger_store::{Journal as _, OpenMode, SqliteJournal, codec};

type Failure = Box<dyn std::error::Error>;

/// How many rows are read at once.
const ROWS: usize = 64;

/// A payout with the steps that it made.
#[derive(Default)]
struct Trace {
    state: payout::State,
    steps: Vec<&'static str>,
}

fn main() -> Result<(), Failure> {
    let histories = std::env::args().nth(1).map_or(Ok(20), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let mut lines = BTreeSet::new();
    for seed in 1..=histories {
        let path = folder.path().join(format!("{seed}.db"));
        let settings = Settings::commands(seed, 600).with_faults(Faults::Many);
        let store = Store::SqliteFile(path.clone());
        simulate_on(&settings, &store, &mut |_| ()).map_err(|failure| failure.to_string())?;
        let mut journal = SqliteJournal::open(&path, "simulated", OpenMode::ReadOnly)?;
        for trace in traces(&mut journal)?.into_values() {
            lines.insert(trace.steps.join(" "));
        }
    }
    for line in lines {
        println!("{line}");
    }
    Ok(())
}

/// The steps of every payout of a ledger.
fn traces(journal: &mut SqliteJournal) -> Result<BTreeMap<OpId, Trace>, Failure> {
    let (mut traces, mut next) = (BTreeMap::new(), 1);
    loop {
        let rows = journal.read(next, ROWS)?;
        if rows.is_empty() {
            return Ok(traces);
        }
        for row in &rows {
            for frame in row.frames() {
                let frame = frame?;
                let record = codec::decode(Seq(frame.seq), frame.record)?;
                for event in &record.events {
                    note(&mut traces, event, record.at);
                }
                next = frame.seq + 1;
            }
        }
    }
}

fn note(traces: &mut BTreeMap<OpId, Trace>, event: &Event, at: Instant) {
    match event {
        Event::Payout { op, event } => {
            let trace: &mut Trace = traces.entry(*op).or_default();
            trace.state = payout::evolve(&trace.state, event, at);
            let step = name(event, &trace.state);
            // Money comes back in any number of parts; the model knows one and the last.
            let has_part = trace.steps.last() == Some(&"part");
            if step == "returned" && !has_part {
                trace.steps.push("part");
            }
            if step != "part" || !has_part {
                trace.steps.push(step);
            }
        }
        Event::HandedOut { op, kind: TaskKind::SendPix, .. } => {
            traces.entry(*op).or_default().steps.push("handed");
        }
        _ => {}
    }
}

/// How the model names a step.
fn name(event: &payout::Event, after: &payout::State) -> &'static str {
    match event {
        payout::Event::Requested(_) => "requested",
        payout::Event::Submitted => "submitted",
        payout::Event::Uncertain => "uncertain",
        payout::Event::Completed { .. } => "completed",
        payout::Event::Failed { .. } => "failed",
        payout::Event::Returned { .. } if matches!(after, payout::State::Returned(_)) => "returned",
        payout::Event::Returned { .. } => "part",
        payout::Event::Stopped => "stopped",
        payout::Event::Cleared => "cleared",
    }
}
