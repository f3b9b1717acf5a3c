//! What the tests of sequencers, engines and audits stand on: a sequencer, a story of lines, a
//! journal of it.
#![allow(dead_code)] // Each test binary uses its own part of the stage.

pub mod bucket;
pub mod medium;
pub mod rows_given;
pub mod server;
pub mod shell;
pub mod story;

use ledger_core::contract::{Call, Line};
use ledger_core::ledger::{Cause, Command, Fact, Intent, Origin, Reported};
use ledger_store::journal::{Identity, Journal, MemoryDisk, MemoryJournal, OpenMode};
use ledger_store::sequencer::Sequencer;
use ledger_store::{Algorithm, Commit};

/// The ledger of every test.
pub const LIVE: &str = "live";

/// The vault key of every test: two ledgers under one key can be compared.
pub const IDENTITY: Identity = Identity::by_name(Algorithm::Blake3, [42; 32]);

/// How a ledger of that key is opened.
pub fn mode() -> OpenMode {
    OpenMode::Create {
        vault_key: Some(IDENTITY.vault_key),
        algorithm: Some(IDENTITY.algorithm),
        designation: Some(IDENTITY.designation),
    }
}

/// The journal of [`LIVE`] on `disk`.
pub fn memory(disk: &MemoryDisk) -> MemoryJournal {
    MemoryJournal::open(disk, LIVE, mode()).unwrap()
}

/// An empty sequencer.
pub fn sequencer() -> Sequencer {
    Sequencer::new(LIVE, IDENTITY)
}

/// The call a line makes, as the embedding service would.
pub fn call(text: &str) -> Call {
    let line = Line::parse(text, |name| panic!("no line here is labelled {name}"));
    line.unwrap_or_else(|problem| panic!("{text}: {problem:?}")).call(Origin::Call)
}

/// A record that only fills the journal: time that passes where nothing is due.
pub fn tick(sequencer: &Sequencer) -> Command {
    let what = Intent::Fact(Reported { id: None, fact: Fact::TimePassed });
    Command { at: sequencer.ledger().state.now, cause: Cause::default(), what }
}

/// Writes commits as their only writer.
pub fn write(journal: &mut dyn Journal, commits: &[Commit]) {
    journal.open_writer().unwrap();
    for commit in commits {
        journal.append(commit).unwrap();
    }
}

/// A sequencer that lived `lines` steps of the story, cut whenever `size` records wait.
pub fn lived_in_commits_of(size: usize, lines: usize) -> (Sequencer, Vec<Commit>) {
    let mut sequencer = sequencer();
    let mut commits = Vec::new();
    story::each_line(lines, |text| {
        let response = sequencer.call(&call(text));
        if sequencer.pending() >= size {
            commits.extend(sequencer.cut());
        }
        response
    });
    commits.extend(sequencer.cut());
    (sequencer, commits)
}
