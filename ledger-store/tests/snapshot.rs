//! A ledger opened from a snapshot is the ledger that its journal gives; a snapshot that is not to
//! be trusted costs time only.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use std::fs;
use std::path::Path;

use ledger_core::contract::Call;
use ledger_core::ledger::Event;
use ledger_core::time::Span;
use ledger_store::digest::digest;
use ledger_store::engine::{Engine, EngineBuilder, StartError};
use ledger_store::journal::{Identity, Journal, JournalError, MemoryDisk, MemoryJournal, OpenMode};
use ledger_store::sequencer::{ReplayError, Sequencer};
use ledger_store::snapshot::{Began, SnapshotError, Snapshots, Unused};
use ledger_store::{Commit, Head, Link};
use setup::{IDENTITY, LIVE, call, lived_in_commits_of, memory, story, tick, write};

const STEPS: usize = 2_000;

/// The story with a silence longer than memory in its midst, in commits.
fn long_story() -> (Sequencer, Vec<Commit>) {
    let mut sequencer = setup::sequencer();
    let mut commits = Vec::new();
    let mut step = 0;
    story::each_line(STEPS, |text| {
        step += 1;
        if step == STEPS / 2 {
            for _ in 0..70_000 {
                sequencer.execute(tick(&sequencer)).unwrap();
            }
        }
        let response = sequencer.call(&call(text));
        if sequencer.pending() >= 100 {
            commits.extend(sequencer.cut());
        }
        response
    });
    commits.extend(sequencer.cut());
    (sequencer, commits)
}

fn journal_of(commits: &[Commit]) -> MemoryJournal {
    let mut journal = memory(&MemoryDisk::new());
    write(&mut journal, commits);
    journal
}

fn standing(sequencer: &Sequencer) -> (Head, Link) {
    (sequencer.head(), digest(sequencer.ledger()))
}

fn opened(journal: &mut dyn Journal, snapshots: &Snapshots) -> (Sequencer, Began) {
    Sequencer::open_with(journal, LIVE, snapshots, |_, _| ()).unwrap()
}

/// Why the snapshot was not taken up; the sequencer is the journal's all the same.
fn unused(journal: &mut dyn Journal, snapshots: &Snapshots) -> Unused {
    let whole = Sequencer::open(journal, LIVE, |_, _| ()).unwrap();
    let (sequencer, began) = opened(journal, snapshots);
    assert_eq!(standing(&sequencer), standing(&whole));
    match began {
        Began::First(unused) => unused,
        Began::After(head) => panic!("it was taken up at {head:?}"),
    }
}

#[test]
fn a_ledger_opened_from_a_snapshot_stands_where_its_journal_does() {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path().join("deep/down"));
    let (whole, commits) = long_story();
    // Everywhere in the story, its silence included: each snapshot replaces the one before.
    for split in [1, 3, commits.len() / 4, commits.len() / 2, commits.len() - 2, commits.len()] {
        let mut before = journal_of(&commits[..split]);
        let sequencer = Sequencer::open(&mut before, LIVE, |_, _| ()).unwrap();
        let path = snapshots.save(&sequencer, IDENTITY).unwrap();
        assert_eq!(path, snapshots.path(LIVE, IDENTITY));
        let (again, began) = opened(&mut before, &snapshots);
        assert!(matches!(began, Began::After(head) if head == sequencer.head()), "{began:?}");
        assert_eq!(standing(&again), standing(&sequencer));
        let mut after = journal_of(&commits);
        let (sequencer, began) = opened(&mut after, &snapshots);
        assert!(matches!(began, Began::After(_)), "{began:?}");
        assert_eq!(standing(&sequencer), standing(&whole));
    }
    assert_eq!(fs::read_dir(snapshots.folder()).unwrap().count(), 1);
}

#[test]
fn a_ledger_opened_from_a_snapshot_goes_on_as_the_one_that_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path());
    let (_, commits) = lived_in_commits_of(100, STEPS);
    let half = commits.len() / 2;
    let mut journal = journal_of(&commits[..half]);
    let sequencer = Sequencer::open(&mut journal, LIVE, |_, _| ()).unwrap();
    snapshots.save(&sequencer, IDENTITY).unwrap();
    let (mut resumed, _) = opened(&mut journal, &snapshots);
    let mut undisturbed = setup::sequencer();
    story::each_line(STEPS, |text| {
        let line = call(text);
        let known = undisturbed.head().seq < commits[half - 1].head().seq;
        let response = undisturbed.call(&line);
        if !known {
            assert_eq!(resumed.call(&line), response, "{text}");
        }
        response
    });
    assert_eq!(standing(&resumed), standing(&undisturbed));
}

#[test]
fn a_snapshot_with_any_byte_changed_or_cut_is_damaged_and_costs_time_only() {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path());
    let (_, commits) = lived_in_commits_of(100, 300);
    let mut journal = journal_of(&commits);
    assert!(matches!(unused(&mut journal, &snapshots), Unused::None));
    let sequencer = Sequencer::open(&mut journal, LIVE, |_, _| ()).unwrap();
    let path = snapshots.save(&sequencer, IDENTITY).unwrap();
    let sound = fs::read(&path).unwrap();
    for place in (0..sound.len()).step_by(sound.len() / 97) {
        let mut bytes = sound.clone();
        bytes[place] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        let reason = unused(&mut journal, &snapshots);
        assert!(
            matches!(reason, Unused::Damaged(_) | Unused::Foreign("it is no snapshot")),
            "{reason}"
        );
        fs::write(&path, &sound[..place]).unwrap();
        assert!(matches!(unused(&mut journal, &snapshots), Unused::Damaged(_)));
    }
    fs::write(&path, [&sound[..], b"more"].concat()).unwrap();
    assert!(matches!(unused(&mut journal, &snapshots), Unused::Damaged(_)));
    fs::write(&path, &sound).unwrap();
    assert!(matches!(opened(&mut journal, &snapshots).1, Began::After(_)));
}

/// Changes a snapshot and puts the right hash before it, as another version might.
fn rehashed(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    let hash = blake3::hash(&bytes[24 + 32..]);
    bytes[24..24 + 32].copy_from_slice(hash.as_bytes());
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_foreign_snapshot_is_named_and_costs_time_only() {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path());
    let (_, commits) = lived_in_commits_of(100, 300);
    let mut journal = journal_of(&commits);
    let sequencer = Sequencer::open(&mut journal, LIVE, |_, _| ()).unwrap();
    let path = snapshots.save(&sequencer, IDENTITY).unwrap();

    // A journal that does not reach so far: an older copy of the database.
    let mut shorter = journal_of(&commits[..1]);
    let reason = unused(&mut shorter, &snapshots);
    let (record, last) = (sequencer.head().seq, commits[0].head().seq);
    let ends = format!("is of record {record}, and the journal ends at {last}");
    assert!(reason.to_string().ends_with(&ends), "{reason}");
    // A journal of as many records and another past.
    let mut other = setup::sequencer();
    for _ in 0..sequencer.head().seq {
        other.execute(tick(&other)).unwrap();
    }
    let mut strange = journal_of(&other.cut().into_iter().collect::<Vec<_>>());
    let reason = unused(&mut strange, &snapshots);
    assert_eq!(reason.to_string(), "the snapshot is foreign: the journal has another past");
    // The same name and another key.
    let keyed = Identity { vault_key: [43; 32], ..IDENTITY };
    let mode =
        OpenMode::Create { vault_key: Some(keyed.vault_key), algorithm: None, designation: None };
    let mut elsewhere = MemoryJournal::open(&MemoryDisk::new(), LIVE, mode).unwrap();
    assert_eq!(snapshots.path(LIVE, keyed), path);
    let reason = unused(&mut elsewhere, &snapshots);
    assert!(reason.to_string().ends_with("and the journal ends at 0"), "{reason}");
    // Another ledger's, put in this one's place.
    let theirs = snapshots.path("sandbox", IDENTITY);
    assert_ne!(theirs, path);
    fs::rename(&path, &theirs).unwrap();
    assert!(matches!(unused(&mut journal, &snapshots), Unused::None));
    fs::rename(&theirs, &path).unwrap();
    // Sources of the rules, and of the store.
    for place in [24 + 32 + 8, 24 + 32 + 8 + 16] {
        rehashed(&path, |bytes| bytes[place] ^= 1);
        let reason = unused(&mut journal, &snapshots);
        assert_eq!(reason.to_string(), "the snapshot is foreign: another version wrote it");
        rehashed(&path, |bytes| bytes[place] ^= 1);
    }
    rehashed(&path, |bytes| bytes[24 + 32 + 8 + 32] ^= 1);
    let reason = unused(&mut journal, &snapshots);
    assert_eq!(reason.to_string(), "the snapshot is foreign: it is of another ledger");
}

#[test]
fn what_waits_to_be_written_is_not_saved_and_the_snapshot_before_stays() {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path());
    let (_, commits) = lived_in_commits_of(100, 300);
    let mut journal = journal_of(&commits);
    let mut sequencer = Sequencer::open(&mut journal, LIVE, |_, _| ()).unwrap();
    let path = snapshots.save(&sequencer, IDENTITY).unwrap();
    let before = fs::read(&path).unwrap();
    sequencer.execute(tick(&sequencer)).unwrap();
    assert!(matches!(snapshots.save(&sequencer, IDENTITY), Err(SnapshotError::Pending(1))));
    assert_eq!(fs::read(&path).unwrap(), before);
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    let sequencer = Sequencer::open(&mut journal, LIVE, |_, _| ()).unwrap();
    let error = Snapshots::in_folder(file.join("under")).save(&sequencer, IDENTITY).unwrap_err();
    assert!(error.to_string().ends_with("file/under cannot be written"), "{error}");
}

/// Goes on with a journal that an engine started so, which records a second and ends.
fn ticked(disk: &MemoryDisk, snapshots: &Snapshots, accepted: Option<Head>) -> Head {
    let engine = Engine::builder(LIVE).snapshots(snapshots.clone());
    let engine = accepted.into_iter().fold(engine, EngineBuilder::accept_loss);
    let engine = engine.start(Box::new(memory(disk))).unwrap();
    let now = engine.committed_now().unwrap().now;
    engine.call(Call::time_passed(now.after(Span::seconds(1)))).wait().unwrap();
    engine.stop().unwrap()
}

/// The records of a journal by which losses were accepted.
fn losses(disk: &MemoryDisk) -> Vec<u64> {
    let mut found = Vec::new();
    Sequencer::open(&mut memory(disk), LIVE, |_, record| {
        let accepts = |event: &Event| matches!(event, Event::LossAccepted { .. });
        found.extend(record.events.iter().any(accepts).then_some(record.seq.0));
    })
    .unwrap();
    found
}

#[test]
fn a_loss_is_accepted_once_whatever_snapshots_there_are_of_what_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path());
    let (_, commits) = lived_in_commits_of(10, 200);
    let mut whole = journal_of(&commits);
    let last = whole.head().unwrap();
    snapshots.refresh(&mut whole, LIVE).unwrap();

    let disk = MemoryDisk::new();
    write(&mut memory(&disk), &commits[..4]);
    let left = commits[3].head();
    let refused = Engine::builder(LIVE).snapshots(snapshots.clone());
    let refused = refused.start(Box::new(memory(&disk))).unwrap_err();
    let StartError::Replay(ReplayError::Journal(JournalError::Lost { head, .. })) = refused else {
        panic!("{refused}")
    };
    assert_eq!(head, left);
    // It is recorded first of all, and once; started again, by that head too, it goes on.
    let mut end = left;
    for accepted in [Some(left), Some(left), None] {
        let before = std::mem::replace(&mut end, ticked(&disk, &snapshots, accepted));
        assert!(end.seq > before.seq, "{} after {}", end.seq, before.seq);
        assert_eq!(losses(&disk), [left.seq + 1]);
    }
    let aside = folder.path().join(format!("lost/{}", snapshot_name(&snapshots, last.seq)));
    assert!(aside.exists() && !snapshots.path(LIVE, IDENTITY).exists());
    for (record, _) in snapshots.earlier(LIVE, IDENTITY) {
        assert!(record <= left.seq, "{record}");
    }
    // From a snapshot of later records it goes on as well.
    snapshots.refresh(&mut memory(&disk), LIVE).unwrap();
    assert_eq!(ticked(&disk, &snapshots, Some(left)).seq, left.seq + 5);
    // What is lost after that is lost, although the first loss was accepted.
    let older = MemoryDisk::new();
    let rows = memory(&disk).read(1, 1_000).unwrap();
    let mut previous = memory(&older).head().unwrap();
    let mut journal = memory(&older);
    journal.open_writer().unwrap();
    for row in rows.into_iter().filter(|row| row.last() <= left.seq + 1) {
        let head = Head { seq: row.last(), link: row.link };
        journal.append(&Commit { previous, rows: vec![row], vault: Vec::new() }).unwrap();
        previous = head;
    }
    drop(journal);
    let again = Engine::builder(LIVE).snapshots(snapshots).accept_loss(left);
    let again = again.start(Box::new(memory(&older))).unwrap_err();
    assert!(again.to_string().contains("cannot be replayed"), "{again}");
}

fn snapshot_name(snapshots: &Snapshots, record: u64) -> String {
    let path = snapshots.path(LIVE, IDENTITY).with_extension(format!("{record}.snapshot"));
    path.file_name().unwrap().to_str().unwrap().to_owned()
}
