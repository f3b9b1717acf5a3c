//! Tables are what the fold says, whatever kept them and whatever came between; and the outbox
//! holds every notification and instruction, each once.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "../setup/mod.rs"]
mod setup;

mod crashes;
mod engine_outbox;
mod fold;
mod from_first;
mod grants;
mod in_memory;
mod inline;
mod lost;
mod outbox;
mod pages;
mod proof;
mod queries;
mod refused;
mod table_queries;

use ledger_core::contract::{Line, Response};
use ledger_core::ledger::Origin;
use ledger_store::journal::{Journal, MemoryDisk, MemoryJournal, OpenMode};
use ledger_store::projection::{Tables, Target};
use ledger_store::sequencer::Sequencer;
use ledger_store::{Commit, Vault};
use serde_json::Value;
use setup::LIVE;
use tempfile::TempDir;

/// A place for tables, gone with the test.
struct Home {
    target: Target,
    _folder: Option<TempDir>,
}

impl Home {
    fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { target: Target::Sqlite(folder.path().join("tables.db")), _folder: Some(folder) }
    }

    fn postgres() -> Self {
        let target = Target::Postgres(setup::server::database().parse().unwrap());
        Self { target, _folder: None }
    }

    /// One of each.
    fn both() -> [Self; 2] {
        [Self::sqlite(), Self::postgres()]
    }

    fn tables(&self) -> Tables {
        Tables::open_writing(&self.target, LIVE).unwrap().expect("the tables are there")
    }

    /// Returns what a query finds, as someone with a database shell would see it.
    fn query(&self, sql: &str) -> Vec<Vec<String>> {
        setup::shell::query(&self.target, sql)
    }

    fn execute(&self, sql: &str) {
        setup::shell::execute(&self.target, sql);
    }
}

/// A ledger that lived a story: its commits, and the notifications and instructions of them, as the
/// contract renders them.
struct Story {
    sequencer: Sequencer,
    commits: Vec<Commit>,
    effects: Vec<Value>,
}

/// Tells `lines` steps, cut whenever `size` records wait.
fn lived(size: usize, lines: usize) -> Story {
    let mut sequencer = setup::sequencer();
    let (mut commits, mut effects) = (Vec::new(), Vec::new());
    setup::story::each_line(lines, |text| {
        let response = say(&mut sequencer, text, &mut effects);
        if sequencer.pending() >= size {
            commits.extend(sequencer.cut());
        }
        response
    });
    commits.extend(sequencer.cut());
    Story { sequencer, commits, effects }
}

fn say(sequencer: &mut Sequencer, text: &str, effects: &mut Vec<Value>) -> Response {
    let line = Line::parse(text, |name| panic!("no line here is labelled {name}"));
    let call = line.unwrap_or_else(|problem| panic!("{text}: {problem:?}")).call(Origin::Call);
    let handled = sequencer.handle(&call);
    let harness = sequencer.views();
    for record in &handled.records {
        let notifications =
            handled.notifications.iter().filter(|notification| notification.seq == record.seq);
        effects.extend(notifications.map(|notification| harness.event(notification).into()));
        let tasks = handled.instructions.iter().filter(|task| task.seq == record.seq);
        effects.extend(tasks.map(|task| harness.instruction(task).into()));
    }
    handled.response
}

/// A journal in memory with these commits.
fn journal(commits: &[Commit]) -> MemoryJournal {
    let disk = MemoryDisk::new();
    let mut journal = setup::memory(&disk);
    setup::write(&mut journal, commits);
    MemoryJournal::open(&disk, LIVE, OpenMode::ReadOnly).unwrap()
}

/// The vault of a journal.
fn vault(journal: &mut dyn Journal) -> Vault {
    Vault::open(journal).unwrap()
}

/// Every body of the outbox in the order of records, persons filled in, whatever was acknowledged.
fn bodies(home: &Home, journal: &mut dyn Journal) -> Vec<Value> {
    let vault = vault(journal);
    let mut tables = home.tables();
    let rows = home.query("SELECT id FROM outbox WHERE ledger = 'live' ORDER BY seq, place");
    let mut found = std::collections::BTreeMap::new();
    // Only the first of each line is given: what was given is acknowledged, until nothing is left.
    loop {
        let entries = tables.pending(None, 10_000, &vault).unwrap();
        if entries.is_empty() {
            break;
        }
        for entry in entries {
            tables.acknowledge(&entry.id, ledger_core::time::Instant::default()).unwrap();
            let before = found.insert(entry.id.clone(), entry.body);
            assert_eq!(before, None, "{} was given after it was acknowledged", entry.id);
        }
    }
    rows.iter().filter_map(|row| found.remove(&row[0])).collect()
}
