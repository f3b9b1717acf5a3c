//! The vault stands outside the chain: each of its rows proves itself, and the ledger's key too.

use ledger_store::audit::Finding;
use ledger_store::engine::Engine;
use ledger_store::journal::{Journal, JournalError, OpenError, OpenMode};
use ledger_store::records::{self, ExportError, ImportError, Persons};
use ledger_store::sequencer::{ReplayError, Sequencer};
use ledger_store::vault::Vault;

use super::setup::{LIVE, mode, shell};
use super::stores::Store;
use super::{audited, verified};

/// What is wrong with the vault, as whoever reads it says.
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

/// Whether opening says that the key beside the ledger was changed.
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
