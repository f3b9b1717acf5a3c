//! The vault stands outside the chain: each of its rows proves itself, and the ledger's key too.

use std::path::Path;

use ledger_core::hexadecimal::digits;
use ledger_store::ObjectJournal;
use ledger_store::audit::{Finding, FollowingAudit};
use ledger_store::engine::Engine;
use ledger_store::journal::{
    Journal, JournalError, ObjectStorage, OpenError, OpenMode, Token, VaultRow,
};
use ledger_store::records::{self, ExportError, ImportError, Persons};
use ledger_store::sequencer::{ReplayError, Sequencer};
use ledger_store::vault::Vault;

use super::setup::{LIVE, lived_in_commits_of, mode, shell, write};
use super::stores::Store;
use super::{audited, verified};

/// Returns what is wrong with the vault, as whoever reads it says.
fn fault(journal: &mut dyn Journal) -> String {
    let error = Vault::open(journal).unwrap_err();
    match &error {
        JournalError::Vault { token, source } => format!("{token}: {source}"),
        JournalError::VaultKey => "key".to_owned(),
        other => panic!("{other:?}"),
    }
}

/// That opening, auditing and exporting say what reading the vault says.
fn nothing_is_made_of_it(store: &Store) {
    let named = fault(&mut *store.reader());
    let says = |error: &ReplayError| match error {
        ReplayError::Journal(JournalError::Vault { token, source }) => {
            format!("{token}: {source}")
        }
        ReplayError::Journal(JournalError::VaultKey) => "key".to_owned(),
        other => panic!("{other:?}"),
    };
    let error = Sequencer::open(&mut *store.reader(), LIVE, |_, _| ()).unwrap_err();
    assert_eq!(says(&error), named);
    match audited(&mut *store.reader(), None).unwrap_err() {
        Finding::Broken(error) => assert_eq!(says(&error), named),
        other => panic!("{other:?}"),
    }
    let mut ledgers = [(LIVE, store.reader())];
    match records::export(&mut ledgers, Persons::Included, Vec::new()).unwrap_err() {
        ExportError::Ledger { source, .. } => assert_eq!(says(&source), named),
        other @ ExportError::Write(_) => panic!("{other:?}"),
    }
    let started = Engine::start(store.open(mode()).unwrap(), LIVE, |_, _| ());
    assert!(started.is_err(), "no engine decides on it");
}

/// The token of the row that is changed, the first of a PIX key.
const VICTIM: &str = "(SELECT token FROM vault WHERE kind = 3 ORDER BY token LIMIT 1)";

fn as_value(store: &Store, text: &str) -> String {
    if store.is_sqlite() { format!("'{text}'") } else { format!("'{text}'::bytea") }
}

#[test]
fn a_changed_value_mask_or_kind_of_the_vault_is_named_by_its_token() {
    for (column, value, what) in [
        ("value", "11144477735", "its value is not the one"),
        ("mask", "***.111.111-**", "its mask is not"),
    ] {
        for store in Store::both() {
            let value = as_value(&store, value);
            store.tamper(&format!("UPDATE vault SET {column} = {value} WHERE token = {VICTIM}"));
            let named = fault(&mut *store.reader());
            assert!(named.contains(what), "{named}");
            let hex = if store.is_sqlite() { "lower(hex(token))" } else { "encode(token, 'hex')" };
            let found = shell::query(
                &store.target,
                &format!("SELECT {hex} FROM vault WHERE token = {VICTIM}"),
            );
            assert!(named.starts_with(&found[0][0]), "{named} {found:?}");
            nothing_is_made_of_it(&store);
        }
    }
    let store = Store::sqlite();
    store.tamper(&format!("UPDATE vault SET kind = 4 WHERE token = {VICTIM}"));
    assert!(fault(&mut *store.reader()).contains("its value is not the one"));
    store.tamper("UPDATE vault SET kind = 77 WHERE kind = 4");
    assert!(fault(&mut *store.reader()).contains("kind is 77"));
}

#[test]
fn two_persons_whose_rows_changed_places_are_named() {
    for store in Store::both() {
        let name = |order| {
            format!("(SELECT token FROM vault WHERE kind = 2 ORDER BY token {order} LIMIT 1)")
        };
        let (one, other) = (name("ASC"), name("DESC"));
        store.tamper(&format!(
            "UPDATE vault SET value = (SELECT value FROM vault WHERE token = {other})
             WHERE token = {one}"
        ));
        assert!(fault(&mut *store.reader()).contains("its value is not the one"));
    }
}

#[test]
fn an_erased_person_is_no_fault() {
    for store in Store::both() {
        let whole = verified(&audited(&mut *store.reader(), None).unwrap());
        let mut writer = store.open(mode()).unwrap();
        writer.open_writer().unwrap();
        let rows = writer.vault().unwrap();
        assert!(rows.len() > 3, "the story names persons");
        for row in &rows {
            assert_eq!(verified(&audited(&mut *store.reader(), None).unwrap()), whole);
            assert!(writer.erase(row.token).unwrap());
        }
        assert_eq!(verified(&audited(&mut *store.reader(), None).unwrap()), whole);
    }
}

/// Returns what an audit finds of the values, and one that follows finds the same.
fn found_of_values(store: &Store) -> Finding {
    let mut following = FollowingAudit::open(store.reader(), LIVE).unwrap();
    following.catch_up(|_| ()).unwrap();
    let found = audited(&mut *store.reader(), None).unwrap_err();
    assert_eq!(following.hold_vault().unwrap_err().to_string(), found.to_string());
    found
}

fn hex(token: Token) -> String {
    digits(&token)
}

#[test]
fn a_value_that_was_removed_without_an_erasure_is_named_by_its_token() {
    for store in Store::both() {
        let rows = store.reader().vault().unwrap();
        let column = if store.is_sqlite() { "lower(hex(token))" } else { "encode(token, 'hex')" };
        let remove = |row: &VaultRow| {
            let token = hex(row.token);
            store.tamper(&format!("DELETE FROM vault WHERE {column} = '{token}'"));
            token
        };
        let gone = remove(&rows[0]);
        match found_of_values(&store) {
            Finding::ValueMissing { seq, token, others: 0 } => {
                assert_eq!(token, gone);
                assert!(0 < seq && seq <= store.reader().head().unwrap().seq, "{seq}");
            }
            other => panic!("{other:?}"),
        }
        // One that is erased besides is not counted, and another that is removed is.
        let mut writer = store.open(mode()).unwrap();
        writer.open_writer().unwrap();
        assert!(writer.erase(rows[1].token).unwrap());
        let _ = remove(&rows[2]);
        match found_of_values(&store) {
            Finding::ValueMissing { others: 1, .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn each_value_of_a_vault_is_missed_once_it_is_removed() {
    let store = Store::sqlite();
    let rows = store.reader().vault().unwrap().len() as u64;
    assert!(rows > 10, "the story names persons");
    // One stays: a vault that never knew anybody is that of a ledger that keeps no values.
    store.tamper("DELETE FROM vault WHERE token <> (SELECT min(token) FROM vault)");
    match found_of_values(&store) {
        Finding::ValueMissing { others, .. } => assert_eq!(others + 2, rows),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_erased_value_that_was_put_back_is_named_by_its_token() {
    for store in Store::both() {
        let row = store.reader().vault().unwrap().remove(0);
        let mut writer = store.open(mode()).unwrap();
        let head = writer.open_writer().unwrap().head;
        store.tamper("CREATE TABLE copied AS SELECT * FROM vault");
        assert!(writer.erase(row.token).unwrap());
        audited(&mut *store.reader(), None).unwrap();
        let erased = "token IN (SELECT token FROM vault_erasure)";
        store.tamper(&format!("INSERT INTO vault SELECT * FROM copied WHERE {erased}"));
        match found_of_values(&store) {
            Finding::ValueBack { token, erased } => {
                assert_eq!((token, erased), (hex(row.token), head.seq));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_value_that_is_erased_before_its_record_is_written_is_no_fault() {
    let (_, mut commits) = lived_in_commits_of(super::IN_A_ROW, super::STEPS);
    let first = commits.iter().position(|commit| !commit.vault.is_empty()).unwrap();
    let gone = commits[first].vault.remove(0).token;
    for store in [Store::empty_sqlite(), Store::empty_postgres()] {
        let mut writer = store.open(mode()).unwrap();
        write(&mut *writer, &commits[..first]);
        assert!(!writer.erase(gone).unwrap(), "nothing was written of it");
        for commit in &commits[first..] {
            writer.append(commit).unwrap();
        }
        audited(&mut *store.reader(), None).unwrap();
    }
}

#[test]
fn records_that_came_without_their_persons_are_audited_as_they_are() {
    let store = Store::sqlite();
    let whole = verified(&audited(&mut *store.reader(), None).unwrap());
    for persons in [Persons::Left, Persons::Included] {
        let mut file = Vec::new();
        records::export(&mut [(LIVE, store.reader())], persons, &mut file).unwrap();
        for into in [Store::empty_sqlite(), Store::empty_postgres()] {
            records::import(&file[..], None, |name, mode| into.ledger(name, mode)).unwrap();
            assert_eq!(verified(&audited(&mut *into.reader(), None).unwrap()), whole);
        }
        let folder = tempfile::tempdir().unwrap();
        let objects = objects(folder.path());
        let open = |mode| ObjectJournal::open(&objects, LIVE, mode);
        records::import(&file[..], None, |_, mode| Ok(Box::new(open(mode)?))).unwrap();
        let mut journal = open(OpenMode::ReadOnly).unwrap();
        assert_eq!(verified(&audited(&mut journal, None).unwrap()), whole);
    }
}

fn objects(folder: &Path) -> ObjectStorage {
    format!("file://{}", folder.display()).parse().unwrap()
}

#[test]
fn an_object_of_a_value_that_was_deleted_without_an_erasure_is_named_by_its_token() {
    let folder = tempfile::tempdir().unwrap();
    let objects = objects(folder.path());
    let (_, commits) = lived_in_commits_of(super::IN_A_ROW, super::STEPS);
    let mut writer = ObjectJournal::open(&objects, LIVE, mode()).unwrap();
    write(&mut writer, &commits);
    let rows = writer.vault().unwrap();
    assert!(writer.erase(rows[0].token).unwrap());
    let read = || ObjectJournal::open(&objects, LIVE, OpenMode::ReadOnly).unwrap();
    audited(&mut read(), None).unwrap();
    let gone = hex(rows[1].token);
    let values = std::fs::read_dir(folder.path().join(LIVE).join("vault")).unwrap();
    let mut values = values.map(|entry| entry.unwrap());
    let its = values.find(|value| value.file_name().to_string_lossy().starts_with(&gone)).unwrap();
    std::fs::remove_file(its.path()).unwrap();
    match audited(&mut read(), None).unwrap_err() {
        Finding::ValueMissing { token, others: 0, .. } => assert_eq!(token, gone),
        other => panic!("{other:?}"),
    }
}

/// Tells whether opening says that the key beside the ledger was changed.
fn key_is_named(store: &Store, mode: OpenMode) {
    match store.open(mode).map(drop).unwrap_err() {
        OpenError::VaultKeyChanged { name } => assert_eq!(name, LIVE),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_changed_vault_key_is_named_whoever_opens_the_ledger() {
    for store in Store::both() {
        let another =
            if store.is_sqlite() { "zeroblob(32)" } else { "decode(repeat('00', 32), 'hex')" };
        store.tamper(&format!("UPDATE ledger SET vault_key = {another}"));
        for mode in [OpenMode::ReadOnly, OpenMode::create(), mode()] {
            key_is_named(&store, mode);
        }
        // Without its check, the tokens of the vault say so.
        store.tamper("UPDATE ledger SET key_check = NULL");
        assert_eq!(fault(&mut *store.reader()), "key");
        // A writer gives the wrong key no check.
        drop(store.open(OpenMode::create()).unwrap());
        let unchecked = "SELECT count(*) FROM ledger WHERE key_check IS NULL";
        assert_eq!(shell::query(&store.target, unchecked), [["1"]]);
        assert_eq!(fault(&mut *store.reader()), "key");
    }
}

#[test]
fn a_ledger_of_an_earlier_version_is_read_as_it_is_and_checked_once_it_is_written() {
    for store in Store::both() {
        let whole = verified(&audited(&mut *store.reader(), None).unwrap());
        store.tamper("ALTER TABLE ledger DROP COLUMN key_check");
        // That version had none of the later steps either.
        shell::drop_append_function(&store.target);
        shell::drop_erasures(&store.target);
        for table in ["ledger_lease", "legal_hold_token", "legal_hold"] {
            store.tamper(&format!("DROP TABLE {table}"));
        }
        store.tamper("ALTER TABLE ledger DROP COLUMN environment");
        let later =
            "description IN ('vault key check', 'lease', 'environment', 'legal hold', 'holder')";
        store.tamper(&format!("DELETE FROM _sqlx_migrations WHERE {later}"));
        assert_eq!(verified(&audited(&mut *store.reader(), None).unwrap()), whole);
        drop(store.open(OpenMode::create()).unwrap());
        let checked = "SELECT count(*) FROM ledger WHERE key_check IS NOT NULL";
        assert_eq!(shell::query(&store.target, checked), [["1"]]);
        assert_eq!(verified(&audited(&mut *store.reader(), None).unwrap()), whole);
        // Nobody noted then who was erased.
        store.tamper(&format!("DELETE FROM vault WHERE token = {VICTIM}"));
        assert_eq!(verified(&audited(&mut *store.reader(), None).unwrap()), whole);
        store.tamper("UPDATE ledger SET vault_key = key_check");
        key_is_named(&store, OpenMode::ReadOnly);
    }
}

/// The bytes of a file's end after everything it checks: its length, and what says what it is.
const END: usize = 4 + 5 + 32;

#[test]
fn a_file_whose_persons_were_changed_is_not_imported() {
    let store = Store::sqlite();
    let mut file = Vec::new();
    records::export(&mut [(LIVE, store.reader())], Persons::Included, &mut file).unwrap();
    records::prove(&file[..]).unwrap();
    // Another document of the same length in every place, and the check over it made anew.
    let value = b"52998224725";
    while let Some(place) = file.windows(value.len()).position(|window| window == value) {
        file[place..place + value.len()].copy_from_slice(b"11144477735");
    }
    let checked = file.len() - END;
    let check = *blake3::hash(&file[..checked]).as_bytes();
    let end = file.len() - 32;
    file[end..].copy_from_slice(&check);
    for error in [
        records::prove(&file[..]).unwrap_err(),
        records::import(&file[..], None, |_, mode| {
            Ok(Box::new(ledger_store::MemoryJournal::open(
                &ledger_store::MemoryDisk::new(),
                LIVE,
                mode,
            )?))
        })
        .unwrap_err(),
    ] {
        assert!(matches!(error, ImportError::Value { .. }), "{error:?}");
    }
}
