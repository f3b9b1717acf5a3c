//! The journal of a directory: what it does on every medium, what it refuses, and what it finds.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod bytes;
mod every_medium;
mod faults;
mod names;
#[path = "../../../../ledger-store/tests/setup/mod.rs"]
mod setup;
mod tampered;

use ledger_cells::directory::{DIRECTORY, DirectoryJournal};
use ledger_core::directory::{CellIdentity, Command, Directory, Event, Placement};
use ledger_core::id::Environment;
use ledger_core::time::Instant;
use ledger_store::{Head, Journal, MemoryDisk, MemoryJournal, OpenMode};
use setup::medium::Medium;

/// How every test opens a directory for writing.
const WRITING: OpenMode = OpenMode::Directory { environment: Some(Environment::Live) };

fn at(second: u32) -> Instant {
    Instant::parse(&format!("2026-11-20T12:00:{second:02}Z")).unwrap()
}

fn cell(name: &str) -> Command {
    let (environment, key_check) = (Environment::Live, [7; 32]);
    Command::AddCell(CellIdentity { name: name.into(), environment, key_check })
}

fn place(account: &str) -> Command {
    Command::Place { account: account.into(), placement: Placement::FewestAccounts }
}

/// Every command once, by a directory that knows its own keys.
fn story(directory: &DirectoryJournal) -> Vec<Command> {
    let begin = |id: &str, account: &str, to: &str| Command::BeginMove {
        id: id.into(),
        account: account.into(),
        to: to.into(),
    };
    let key = directory.key_hash("svc_live_loja");
    vec![
        cell("cell-b"),
        cell("cell-a"),
        place("loja"),
        place("bazar"),
        Command::BindKey { key, account: "loja".into() },
        begin("move-1", "loja", "cell-b"),
        Command::FinishMove { id: "move-1".into() },
        begin("move-2", "bazar", "cell-a"),
        Command::AbandonMove { id: "move-2".into() },
        begin("move-3", "bazar", "cell-a"),
    ]
}

fn opened(journal: Box<dyn Journal>) -> DirectoryJournal {
    DirectoryJournal::open(journal).unwrap()
}

fn on<M: Medium>(medium: &M) -> DirectoryJournal {
    let mut journal = medium.open(DIRECTORY, WRITING).unwrap();
    // Whoever had it before is overtaken.
    journal.open_writer().unwrap();
    opened(journal)
}

fn in_memory(disk: &MemoryDisk) -> DirectoryJournal {
    opened(Box::new(MemoryJournal::open(disk, DIRECTORY, WRITING).unwrap()))
}

/// Carries out commands, a second apart.
fn carried_out(directory: &mut DirectoryJournal, commands: &[Command]) -> Vec<Option<Event>> {
    let seconds = (1..).zip(commands);
    seconds.map(|(second, command)| directory.execute(command, at(second)).unwrap()).collect()
}

/// A directory in memory in which the whole story happened.
fn lived(disk: &MemoryDisk) -> (Directory, Head) {
    let mut directory = in_memory(disk);
    let commands = story(&directory);
    carried_out(&mut directory, &commands);
    (directory.directory().clone(), directory.head())
}
