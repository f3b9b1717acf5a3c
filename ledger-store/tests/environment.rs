//! What a ledger's environment is: chosen when it is made, kept by every medium, and said of older
//! ledgers by their names (policy "Environments of ledgers").
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use std::sync::Arc;

use ledger_core::id::{Designation, Environment, Kind, OpId, Seq};
use ledger_store::engine::Engine;
use ledger_store::journal::{
    Identity, Journal, OpenError, OpenMode, PostgresJournal, PostgresServer, SqliteJournal,
};
use ledger_store::projection::Target;
use ledger_store::records::{self, ImportError, Persons};
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::Snapshots;
use ledger_store::{MemoryDisk, MemoryJournal};
use setup::medium::{Medium, on_every_medium};
use setup::{LIVE, call, lived_in_commits_of, mode, server, shell, write};

const LEDGERS: [(&str, Environment); 4] = [
    ("acme", Environment::Live),
    ("acme-tests", Environment::Sandbox),
    ("live", Environment::Sandbox),
    ("sandbox", Environment::Live),
];

const fn other(environment: Environment) -> Environment {
    match environment {
        Environment::Live => Environment::Sandbox,
        Environment::Sandbox => Environment::Live,
    }
}

fn identity<M: Medium>(medium: &M, name: &str, mode: OpenMode) -> Result<Identity, OpenError> {
    medium.open(name, mode).map(|journal| journal.identity())
}

fn a_ledger_keeps_the_environment_it_was_made_for<M: Medium>() {
    let medium = M::default();
    for (name, environment) in LEDGERS {
        let made = identity(&medium, name, OpenMode::made_for(environment)).unwrap();
        assert_eq!(made.designation, Designation::Chosen(environment));
        assert_eq!(made.environment(name), environment);
    }
    for (name, environment) in LEDGERS {
        for mode in [OpenMode::ReadOnly, OpenMode::create(), OpenMode::made_for(environment)] {
            let found = identity(&medium, name, mode).unwrap().designation;
            assert_eq!(found, Designation::Chosen(environment), "{name} {mode:?}");
        }
        let given = other(environment);
        let refused = identity(&medium, name, OpenMode::made_for(given)).unwrap_err();
        assert!(matches!(refused, OpenError::EnvironmentDiffers { .. }), "{refused:?}");
        let said =
            format!("ledger \"{name}\" was made for the environment {environment}, not {given}");
        assert_eq!(refused.to_string(), said);
    }
}

fn a_new_ledger_is_live_unless_it_is_said_or_named_sandbox<M: Medium>() {
    let medium = M::default();
    for (name, environment) in [
        ("live", Environment::Live),
        ("sandbox", Environment::Sandbox),
        ("acme", Environment::Live),
        ("Sandbox", Environment::Live),
    ] {
        let made = identity(&medium, name, OpenMode::create()).unwrap();
        assert_eq!(made.designation, Designation::Chosen(environment), "{name}");
    }
}

on_every_medium! {
    a_ledger_keeps_the_environment_it_was_made_for,
    a_new_ledger_is_live_unless_it_is_said_or_named_sandbox,
}

/// What a ledger of an earlier version is by its name, and what its cash-outs begin with.
const OLDER: [(&str, Environment, &str); 3] = [
    ("live", Environment::Live, "co_"),
    ("sandbox", Environment::Sandbox, "sbx_"),
    ("loja-2", Environment::Sandbox, "co_"),
];

/// Makes a database what it was before there were environments.
fn age(target: &Target) {
    if matches!(target, Target::Sqlite(_)) {
        shell::execute(target, "DROP TRIGGER ledger_keeps_its_environment");
    }
    shell::drop_append_function(target);
    shell::drop_erasures(target);
    for sql in [
        "ALTER TABLE ledger DROP COLUMN environment",
        "DROP TABLE legal_hold_token",
        "DROP TABLE legal_hold",
        "ALTER TABLE ledger_lease DROP COLUMN holder",
        "DELETE FROM _sqlx_migrations WHERE description IN ('environment', 'legal hold', 'holder')",
    ] {
        shell::execute(target, sql);
    }
}

fn an_older_database_opens_with_the_same_heads_and_ids(
    target: &Target,
    open: impl Fn(&str, OpenMode) -> Result<Box<dyn Journal>, OpenError>,
) {
    let (lived, commits) = lived_in_commits_of(20, 40);
    for (name, ..) in OLDER {
        let mut journal = open(name, mode()).unwrap();
        if name == LIVE {
            write(&mut *journal, &commits);
        }
    }
    age(target);
    for opened in [OpenMode::ReadOnly, mode(), OpenMode::create(), OpenMode::ReadOnly] {
        for (name, environment, prefix) in OLDER {
            let mut journal = open(name, opened).unwrap();
            let identity = journal.identity();
            assert_eq!(identity.designation, Designation::ByName, "{name}");
            assert_eq!(identity.environment(name), environment, "{name}");
            let sold = OpId::new(Kind::CashOut, Seq(7)).text(&identity.ledger_name(name));
            assert!(sold.starts_with(prefix), "{name}: {sold}");
            let sequencer = Sequencer::open(&mut *journal, name, |_, _| ()).unwrap();
            assert_eq!(sequencer.ledger().state.is_live(), environment == Environment::Live);
            if name == LIVE {
                assert_eq!(sequencer.head(), lived.head());
                assert!(sequencer.head().seq > 0);
            }
            journal.check().unwrap();
        }
    }
    let taken = open("loja-2", OpenMode::made_for(Environment::Live)).map(|it| it.identity());
    assert!(matches!(taken, Err(OpenError::EnvironmentDiffers { .. })), "{taken:?}");
    // What is made beside them from now on is what it is made for.
    let beside = open("loja-3", OpenMode::create()).unwrap().identity();
    assert_eq!(beside.designation, Designation::Chosen(Environment::Live));
}

#[test]
fn an_older_file_opens_with_the_same_heads_and_ids() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger.db");
    an_older_database_opens_with_the_same_heads_and_ids(
        &Target::Sqlite(file.clone()),
        |name, mode| Ok(Box::new(SqliteJournal::open(&file, name, mode)?)),
    );
}

#[test]
fn an_older_database_of_a_server_opens_with_the_same_heads_and_ids() {
    let server: PostgresServer = server::database().parse().unwrap();
    an_older_database_opens_with_the_same_heads_and_ids(
        &Target::Postgres(server.clone()),
        |name, mode| Ok(Box::new(PostgresJournal::open(&server, name, mode)?)),
    );
}

/// The file of one ledger's records.
fn exported(disk: &MemoryDisk, name: &str) -> Vec<u8> {
    let journal: Box<dyn Journal> =
        Box::new(MemoryJournal::open(disk, name, OpenMode::ReadOnly).unwrap());
    let mut file = Vec::new();
    records::export(&mut [(name, journal)], Persons::Left, &mut file).unwrap();
    file
}

fn imported(file: &[u8], disk: &MemoryDisk) -> Result<Vec<records::Contents>, ImportError> {
    records::import(file, None, |name, mode| Ok(Box::new(MemoryJournal::open(disk, name, mode)?)))
}

/// Where the contents of a file's one ledger begin: its first line, a length, and the arrays
/// around them.
const CONTENTS: usize = b"custody-ledger records 1\n".len() + 4 + 4;

#[test]
fn a_file_of_records_brings_the_environment_along() {
    for (name, environment) in LEDGERS {
        let (from, to) = (MemoryDisk::new(), MemoryDisk::new());
        let made = MemoryJournal::open(&from, name, OpenMode::made_for(environment)).unwrap();
        let file = exported(&from, name);
        assert_eq!(records::prove(&*file).unwrap()[0].environment().unwrap(), environment);
        let contents = imported(&file, &to).unwrap();
        assert_eq!(contents[0].environment().unwrap(), environment);
        let found = MemoryJournal::open(&to, name, OpenMode::ReadOnly).unwrap().identity();
        assert_eq!(found.designation, made.identity().designation);
        assert_eq!(exported(&to, name)[CONTENTS], file[CONTENTS]);
    }
}

#[test]
fn a_file_of_an_earlier_version_brings_what_its_ledgers_were_by_their_names() {
    for (name, environment, _) in OLDER {
        let (from, to) = (MemoryDisk::new(), MemoryDisk::new());
        MemoryJournal::open(&from, name, mode()).unwrap();
        let file = exported(&from, name);
        // Seven fields, as every version wrote them.
        assert_eq!(file[CONTENTS], 0x87);
        assert_eq!(imported(&file, &to).unwrap()[0].environment().unwrap(), environment);
        let found = MemoryJournal::open(&to, name, OpenMode::ReadOnly).unwrap().identity();
        assert_eq!(found.designation, Designation::ByName);
        assert_eq!(exported(&to, name)[CONTENTS], 0x87);
    }
}

#[test]
fn records_are_not_imported_into_a_ledger_of_another_environment() {
    let (from, to) = (MemoryDisk::new(), MemoryDisk::new());
    MemoryJournal::open(&from, "acme", OpenMode::made_for(Environment::Sandbox)).unwrap();
    MemoryJournal::open(&to, "acme", OpenMode::made_for(Environment::Live)).unwrap();
    let refused = imported(&exported(&from, "acme"), &to).unwrap_err();
    let differs = matches!(&refused, ImportError::Open(OpenError::EnvironmentDiffers { .. }));
    assert!(differs, "{refused:?}");
}

#[test]
fn a_file_that_says_an_environment_nobody_knows_is_damaged() {
    let disk = MemoryDisk::new();
    MemoryJournal::open(&disk, "acme", OpenMode::made_for(Environment::Sandbox)).unwrap();
    let mut file = exported(&disk, "acme");
    let length = file[CONTENTS - 8..CONTENTS - 4].try_into().unwrap();
    let last = CONTENTS - 4 + u32::from_le_bytes(length) as usize - 1;
    assert_eq!(file[last], 2);
    file[last] = 3;
    for refused in [records::prove(&*file).unwrap_err(), imported(&file, &disk).unwrap_err()] {
        let said = "the file is damaged: the environment of ledger \"acme\" cannot be read";
        assert_eq!(refused.to_string(), said);
    }
}

#[test]
fn a_ledger_that_opens_from_its_snapshot_is_of_its_environment() {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path());
    let disk = MemoryDisk::new();
    let open = |mode| Box::new(MemoryJournal::open(&disk, "acme", mode).unwrap());
    let engine = |mode| {
        let engine = Engine::builder("acme").snapshots(snapshots.clone()).start(open(mode));
        Arc::new(engine.unwrap())
    };
    let first = engine(OpenMode::made_for(Environment::Sandbox));
    let opened = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"acc-1",
        "account":"loja"},"supplied":{"key":"svc_test_loja"}}"#;
    assert_eq!(first.call(call(opened)).wait().unwrap().body["outcome"], "applied");
    first.stop().unwrap();
    let (path, head, _) = snapshots.refresh(&mut *open(OpenMode::ReadOnly), "acme").unwrap();
    assert!(path.exists() && head.seq > 0);
    let again = engine(OpenMode::create());
    assert!(again.view().wait().unwrap().is_sandbox());
}
