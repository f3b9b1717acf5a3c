//! What was erased is in no file of a folder of objects, nor what a killed writer left of values.

use std::path::Path;

use ledger_store::journal::{Journal, Merging, ObjectStorage, Scrub, VaultRow};
use ledger_store::{ObjectJournal, OpenMode};

use super::{LIVE, OFTEN, commit, opened};

fn storage(folder: &Path) -> ObjectStorage {
    let storage: ObjectStorage = format!("file://{}", folder.display()).parse().unwrap();
    storage.merging(OFTEN)
}

fn person(token: u8, value: &str) -> VaultRow {
    VaultRow { token: [token; 16], kind: 1, value: value.to_owned(), mask: "***".to_owned() }
}

/// Every file below a folder that holds this text.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(text) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn an_erased_value_is_in_no_file_and_the_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let storage = storage(folder.path());
    let mut journal = opened(&storage);
    let mut head = journal.open_writer().unwrap().head;
    for token in 1..=4 {
        let mut commit = commit(head, &["record"]);
        commit.vault = vec![person(token, &format!("Ana Souza {token}"))];
        journal.append(&commit).unwrap();
        head = commit.head();
    }
    assert_eq!(files_with(folder.path(), "Ana Souza 2").len(), 1);
    assert!(journal.erase([2; 16]).unwrap());
    assert_eq!(journal.scrub(Scrub::Tables).unwrap(), Vec::<String>::new());
    assert_eq!(files_with(folder.path(), "Ana Souza 2"), Vec::<String>::new());
    let mut reader = ObjectJournal::open(&storage, LIVE, OpenMode::ReadOnly).unwrap();
    let kept: Vec<u8> = reader.vault().unwrap().iter().map(|row| row.token[0]).collect();
    assert_eq!(kept, [1, 3, 4]);
}

/// The process dies after it has said that a value is erased and before the value is deleted.
#[test]
fn an_erasure_that_was_cut_after_its_entry_is_ended_by_whoever_writes_next() {
    let folder = tempfile::tempdir().unwrap();
    let storage = storage(folder.path()).merging(Merging::default());
    let mut journal = opened(&storage);
    let head = journal.open_writer().unwrap().head;
    let mut commit = commit(head, &["record"]);
    commit.vault = vec![person(1, "Ana Souza")];
    journal.append(&commit).unwrap();
    let [value] = &files_with(folder.path(), "Ana Souza")[..] else { panic!("one has her name") };
    let bytes = std::fs::read(value).unwrap();
    assert!(journal.erase([1; 16]).unwrap());
    std::fs::write(value, bytes).unwrap();
    drop(journal);
    let mut next = opened(&storage);
    assert_eq!(next.vault().unwrap(), [], "she is erased for whoever reads");
    next.open_writer().unwrap();
    assert_eq!(files_with(folder.path(), "Ana Souza"), Vec::<String>::new());
}

#[test]
fn values_that_nothing_names_are_swept_and_those_of_a_commit_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let storage = storage(folder.path());
    let mut journal = opened(&storage);
    let head = journal.open_writer().unwrap().head;
    let mut first = commit(head, &["record"]);
    first.vault = vec![person(1, "Ana Souza")];
    journal.append(&first).unwrap();
    // A writer that was killed after it wrote a value, and one that was killed while it did.
    let vault = folder.path().join(LIVE).join("vault");
    let named = |token: &str, number: u64| vault.join(format!("{token}-{:020}-{number:020}", 1));
    let token = "09".repeat(16);
    std::fs::write(named(&token, 3), "Bia Lima").unwrap();
    std::fs::write(vault.join("unfinished#1"), "Caio Reis").unwrap();

    // While its epoch is in force it may yet write its commit; only it may sweep.
    let mut beside = opened(&storage);
    beside.scrub(Scrub::Tables).unwrap();
    assert_eq!(files_with(folder.path(), "Bia Lima").len(), 1);
    assert_eq!(files_with(folder.path(), "Caio Reis"), Vec::<String>::new());
    beside.open_writer().unwrap();
    beside.scrub(Scrub::Tables).unwrap();
    assert_eq!(files_with(folder.path(), "Bia Lima"), Vec::<String>::new());
    assert_eq!(beside.vault().unwrap(), first.vault);
}
