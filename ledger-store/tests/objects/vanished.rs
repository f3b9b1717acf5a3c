//! Objects that vanish: what is lost is named, by whoever writes, reads or proves, or nothing is
//! lost.

use std::path::{Path, PathBuf};

use ledger_core::contract::Call;
use ledger_core::time::Instant;
use ledger_store::engine::{Engine, EngineBuilder, StartError};
use ledger_store::journal::{
    AppendError, Head, Journal, JournalError, ObjectStorage, OpenError, Scrub, VaultRow,
};
use ledger_store::vault::{LegalHold, OperatorNote};
use ledger_store::{ObjectJournal, OpenMode};

use super::{LIVE, OFTEN, all_rows, commit, opened};

fn storage(folder: &Path) -> ObjectStorage {
    let storage: ObjectStorage = format!("file://{}", folder.display()).parse().unwrap();
    storage.merging(OFTEN)
}

fn person(token: u8) -> VaultRow {
    let (value, mask) = (format!("value {token}"), "***".to_owned());
    VaultRow { token: [token; 16], kind: 1, value, mask }
}

/// A ledger of so many commits, every second with a value; its writer has ended or was killed.
fn written(storage: &ObjectStorage, commits: u8, ends: bool) -> Head {
    let mut journal = opened(storage);
    let mut head = journal.open_writer().unwrap().head;
    for number in 1..=commits {
        let mut commit = commit(head, &["a record"]);
        if number % 2 == 0 {
            commit.vault.push(person(number));
        }
        journal.append(&commit).unwrap();
        head = commit.head();
    }
    if ends {
        journal.release().unwrap();
    }
    head
}

/// The files of a folder of the ledger, in order.
fn files(folder: &Path, kind: &str) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder.join(LIVE).join(kind));
    let mut files: Vec<PathBuf> =
        listed.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Writes, reads and proves, each anew: each is refused, or all are answered.
fn try_doors(storage: &ObjectStorage) -> [Result<(), String>; 3] {
    let text = |error: JournalError| error.to_string();
    let mode = OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None };
    let open = |mode| ObjectJournal::open(storage, LIVE, mode).map_err(|error| error.to_string());
    let written = open(mode).and_then(|mut it| it.open_writer().map(drop).map_err(text));
    let read = open(OpenMode::ReadOnly).and_then(|mut reader| {
        let mut next = 1;
        loop {
            let rows = reader.read(next, 7).map_err(text)?;
            let Some(last) = rows.last() else { return reader.vault().map(drop).map_err(text) };
            next = last.last() + 1;
        }
    });
    let checked = open(OpenMode::ReadOnly).and_then(|mut it| it.check().map_err(text));
    [written, read, checked]
}

/// Everybody names what is missing, and nobody has written anything.
fn assert_named(folder: &Path, missing: &Path) {
    let (storage, before) = (storage(folder), files(folder, "commit"));
    let name = missing.file_name().unwrap().to_str().unwrap();
    for said in try_doors(&storage) {
        let error = said.expect_err(name);
        assert!(error.contains(name), "{name}: {error}");
    }
    assert_eq!(files(folder, "commit"), before);
}

#[test]
fn a_lost_entry_in_the_middle_is_not_the_end() {
    let folder = tempfile::tempdir().unwrap();
    written(&storage(folder.path()).merging(super::Merging::default()), 20, true);
    let lost = files(folder.path(), "commit").remove(9);
    let bytes = std::fs::read(&lost).unwrap();
    std::fs::remove_file(&lost).unwrap();
    assert_named(folder.path(), &lost);
    // Put back, it is as it was.
    std::fs::write(&lost, bytes).unwrap();
    assert_eq!(try_doors(&storage(folder.path())), [Ok(()), Ok(()), Ok(())]);
}

#[test]
fn a_lost_last_entry_is_not_the_end_although_nothing_stands_after_it() {
    for ends in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        written(&storage(folder.path()), 20, ends);
        // The last commit, and the end of its writer after it.
        let lost = files(folder.path(), "commit")
            .split_off(files(folder.path(), "commit").len() - 1 - usize::from(ends));
        for path in &lost {
            std::fs::remove_file(path).unwrap();
        }
        assert_named(folder.path(), &lost[0]);
    }
}

#[test]
fn a_value_says_that_what_was_read_before_it_was_written_was_there() {
    let folder = tempfile::tempdir().unwrap();
    written(&storage(folder.path()), 14, false);
    for path in files(folder.path(), "mark") {
        std::fs::remove_file(path).unwrap();
    }
    // Of the last commit there is a value, and the one before it is gone as well.
    let entries = files(folder.path(), "commit");
    let lost = &entries[entries.len() - 2..];
    for path in lost {
        std::fs::remove_file(path).unwrap();
    }
    assert_named(folder.path(), &lost[0]);
}

#[test]
fn a_lost_merged_object_is_not_an_empty_ledger() {
    let folder = tempfile::tempdir().unwrap();
    written(&storage(folder.path()), 20, true);
    let merged = files(folder.path(), "merged");
    assert!(merged.len() > 3);
    for lost in [&merged[merged.len() - 1], &merged[0]] {
        let bytes = std::fs::read(lost).unwrap();
        std::fs::remove_file(lost).unwrap();
        let [written, read, checked] = try_doors(&storage(folder.path()));
        // Whoever writes need not read the first one again.
        assert!(written.is_err() || lost == &merged[0]);
        for said in [read, checked] {
            said.unwrap_err();
        }
        std::fs::write(lost, bytes).unwrap();
    }
}

#[test]
fn a_lost_identity_makes_no_new_key() {
    let folder = tempfile::tempdir().unwrap();
    written(&storage(folder.path()), 5, true);
    let lost = folder.path().join(LIVE).join("identity");
    std::fs::remove_file(&lost).unwrap();
    for mode in [OpenMode::create(), OpenMode::ReadOnly] {
        let opened = ObjectJournal::open(&storage(folder.path()), LIVE, mode);
        let Err(error @ OpenError::IdentityLost { .. }) = opened else { panic!("{opened:?}") };
        assert!(error.to_string().contains("live/identity"), "{error}");
    }
    assert!(!lost.exists());
}

#[test]
fn values_of_a_commit_that_never_landed_keep_nobody_out_and_are_swept() {
    let folder = tempfile::tempdir().unwrap();
    let head = written(&storage(folder.path()), 6, false);
    // Its writer was killed between the value and the commit, whose number it was to have.
    let next = files(folder.path(), "commit").last().unwrap().clone();
    let next = next.file_name().unwrap().to_str().unwrap().split_once('-').unwrap().0.to_owned();
    let next = next.parse::<u64>().unwrap() + 1;
    let left = folder.path().join(LIVE).join("vault");
    let left = left.join(format!("{}-{:020}-{next:020}", "09".repeat(16), 1));
    std::fs::write(&left, "left").unwrap();
    let mut journal = opened(&storage(folder.path()));
    assert_eq!(journal.open_writer().unwrap().head, head);
    journal.scrub(ledger_store::journal::Scrub::Tables).unwrap();
    assert!(!left.exists());
}

/// Rounds of ledgers of which some object vanishes: `ROUNDS` of them, 12 unless it is said.
#[test]
fn vanished_objects_are_named_or_nothing_is_lost() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(12_u64);
    let mut named = 0;
    for round in 0..rounds {
        let mut dice = round.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |bound: usize| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(dice >> 33).unwrap() % bound
        };
        let folder = tempfile::tempdir().unwrap();
        let storage = storage(folder.path());
        let head = written(&storage, u8::try_from(5 + below(40)).unwrap(), below(2) == 0);
        let rows = all_rows(&mut opened(&storage));
        let objects = ["commit", "merged", "mark"].map(|kind| files(folder.path(), kind)).concat();
        // One anywhere, or the last few of the log.
        let first = below(objects.len());
        let count = 1 + below(3);
        for lost in objects.iter().skip(first).take(count) {
            std::fs::remove_file(lost).unwrap();
        }
        let [written, read, checked] = try_doors(&storage);
        if let (Ok(()), Ok(()), Ok(())) = (&written, &read, &checked) {
            let mut reader = ObjectJournal::open(&storage, LIVE, OpenMode::ReadOnly).unwrap();
            assert_eq!((reader.head().unwrap(), all_rows(&mut reader)), (head, rows), "{round}");
        } else {
            named += 1;
            // Whoever reads everything says so as well.
            assert!(read.is_err() && checked.is_err(), "{round}: {written:?} {read:?} {checked:?}");
        }
    }
    assert!(named > 0 && named < rounds);
}

/// A ledger of records as an engine writes them, of which the last object is gone; where it ended
/// before that, and where it seems to end.
fn lost_end(folder: &Path) -> (Head, Head) {
    let storage = storage(folder).merging(super::Merging::default());
    let engine = |journal: ObjectJournal| Engine::builder("live").start(Box::new(journal)).unwrap();
    let mut heads = Vec::new();
    for day in 20..24 {
        let engine = engine(opened(&storage));
        let at = Instant::parse(&format!("2026-11-{day}T12:00:00Z")).unwrap();
        engine.call(Call::time_passed(at)).wait().unwrap();
        heads.push(engine.stop().unwrap());
    }
    let entries = files(folder, "commit");
    // The last commit, and the end of its writer's hold; the mark says that they were there.
    for path in &entries[entries.len() - 2..] {
        std::fs::remove_file(path).unwrap();
    }
    (heads[3], heads[2])
}

#[test]
fn a_loss_that_is_accepted_is_the_next_record_and_nothing_of_it_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, left) = lost_end(folder.path());
    let storage = storage(folder.path());
    let start = |accepted: Option<Head>| {
        let engine = Engine::builder("live");
        let engine = accepted.into_iter().fold(engine, EngineBuilder::accept_loss);
        engine.start(Box::new(opened(&storage)))
    };
    let refused = start(None).unwrap_err();
    let StartError::Journal(JournalError::Lost { head, .. }) = refused else { panic!("{refused}") };
    assert_eq!(head, left);
    // Another head is not accepted in its place, and nothing is moved.
    assert!(matches!(start(Some(whole)), Err(StartError::Journal(JournalError::Lost { .. }))));
    assert!(files(folder.path(), "lost").is_empty());

    let engine = start(Some(left)).unwrap();
    let accepted = engine.stop().unwrap();
    assert_eq!(accepted.seq, left.seq + 1);
    assert_eq!(try_doors(&storage), [Ok(()), Ok(()), Ok(())]);
    // It is recorded once, whoever starts it so again; another head is told where it ends.
    assert_eq!(start(Some(left)).unwrap().stop().unwrap(), accepted);
    let elsewhere = start(Some(whole)).unwrap_err();
    assert!(matches!(elsewhere, StartError::EndsElsewhere { found, .. } if found == accepted));
    assert_eq!(start(None).unwrap().stop().unwrap(), accepted);
}

#[test]
fn what_stands_after_an_accepted_loss_is_moved_aside_whole() {
    let folder = tempfile::tempdir().unwrap();
    let storage = storage(folder.path());
    written(&storage.clone().merging(super::Merging::default()), 20, true);
    let entries = files(folder.path(), "commit");
    std::fs::remove_file(&entries[9]).unwrap();
    let mut journal = opened(&storage);
    let Err(JournalError::Lost { head, .. }) = journal.open_writer() else { panic!("it is lost") };
    let mut journal = opened(&storage);
    journal.accept_loss(head);
    assert_eq!(journal.open_writer().unwrap().head, head);
    let at = entries[9].file_name().unwrap().to_str().unwrap().split_once('-').unwrap().0;
    let moved = files(folder.path(), &format!("lost/{at}/commit"));
    let names = |paths: &[PathBuf]| -> Vec<_> {
        paths.iter().map(|path| path.file_name().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&moved), names(&entries[10..]));
    // Values of the lost commits are gone, and those of the records that are left are there.
    let rows = journal.vault().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|row| u64::from(row.token[0]) <= head.seq));
    drop(journal);
    assert_eq!(try_doors(&storage), [Ok(()), Ok(()), Ok(())]);
}

#[test]
fn a_folder_that_vanishes_under_its_writer_takes_no_commit() {
    for lost in ["", LIVE, "live/commit", "live/identity"] {
        let home = tempfile::tempdir().unwrap();
        let (folder, aside) = (home.path().join("books"), home.path().join("aside"));
        std::fs::create_dir(&folder).unwrap();
        let mut journal = opened(&storage(&folder));
        let first = commit(journal.open_writer().unwrap().head, &["a record"]);
        journal.append(&first).unwrap();
        std::fs::rename(folder.join(lost), &aside).unwrap();
        let next = commit(first.head(), &["another"]);
        let refused = journal.append(&next).unwrap_err();
        let AppendError::Failed(why) = &refused else { panic!("{lost}: {refused}") };
        let why = why.source().expect("the medium says why").to_string();
        assert!(why.contains("was moved or deleted"), "{lost}: {why}");
        assert!(journal.is_last_writer().is_err(), "{lost}");
        let note = OperatorNote {
            at: Instant::default(),
            by: "ana".to_owned(),
            reason: "case 1".to_owned(),
        };
        let hold = LegalHold {
            id: "a".to_owned(),
            tokens: vec![[1; 16]],
            placed: note.clone(),
            released: None,
        };
        let refused = [
            journal.scrub(Scrub::Tables).map(drop),
            journal.place_hold(&hold).map(drop),
            journal.release_hold("a", &note).map(drop),
        ];
        for refused in refused {
            let Err(JournalError::Medium(why)) = refused else { panic!("{lost}: {refused:?}") };
            assert!(why.to_string().contains("was moved or deleted"), "{lost}: {why}");
        }
        assert!(!folder.join(lost).exists(), "{lost}");
        // Put back, it is as it was.
        std::fs::rename(&aside, folder.join(lost)).unwrap();
        journal.append(&next).unwrap();
        // Whoever ends writes nothing there either.
        std::fs::rename(folder.join(lost), &aside).unwrap();
        assert!(matches!(journal.release(), Err(JournalError::Medium(_))), "{lost}");
        assert!(!folder.join(lost).exists(), "{lost}");
    }
}
