//! Earlier snapshots bring a moment near, and one that is not to be trusted costs time only.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod setup;

use std::fs;
use std::path::PathBuf;

use ledger_store::Link;
use ledger_store::digest::digest;
use ledger_store::journal::{Head, Identity, Journal, MemoryDisk, MemoryJournal, OpenMode};
use ledger_store::moment::Moment;
use ledger_store::sequencer::Sequencer;
use ledger_store::snapshot::{Began, Snapshots};
use setup::{IDENTITY, LIVE, lived_in_commits_of, memory, write};
use tempfile::TempDir;

/// A ledger in commits of a hundred records, and snapshots of it of which none was made yet.
struct SnapshotFixture {
    _folder: TempDir,
    snapshots: Snapshots,
    journal: MemoryJournal,
    last: u64,
}

fn lived(steps: usize) -> SnapshotFixture {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path().join("snapshots"));
    let (sequencer, commits) = lived_in_commits_of(100, steps);
    let mut journal = memory(&MemoryDisk::new());
    write(&mut journal, &commits);
    SnapshotFixture { _folder: folder, snapshots, journal, last: sequencer.head().seq }
}

impl SnapshotFixture {
    fn refresh(&mut self) -> Began {
        self.snapshots.refresh(&mut self.journal, LIVE).unwrap().2
    }

    /// The records of the earlier snapshots, and their files.
    fn earlier(&self) -> (Vec<u64>, Vec<PathBuf>) {
        self.snapshots.earlier(LIVE, IDENTITY).into_iter().unzip()
    }

    /// The ledger after so many records, and how many were replayed for it.
    fn at(&mut self, records: u64) -> ((Head, Link), u64) {
        state_at(&mut self.journal, Some(&self.snapshots), records)
    }

    /// How many records were replayed for this moment, which is what a replay of all gives.
    fn replayed(&mut self, records: u64) -> u64 {
        let (state, replayed) = self.at(records);
        assert_eq!(state, state_at(&mut self.journal, None, records).0);
        replayed
    }
}

fn state_at(
    journal: &mut dyn Journal,
    snapshots: Option<&Snapshots>,
    records: u64,
) -> ((Head, Link), u64) {
    let mut replayed = 0;
    let moment = Moment::Records(records);
    let opened = Sequencer::open_at(journal, LIVE, snapshots, moment, |_, _| replayed += 1);
    let opened = opened.unwrap();
    ((opened.head(), digest(opened.ledger())), replayed)
}

/// The least power of two that parts a journal into no more than sixteen.
fn step(last: u64) -> u64 {
    (0..63).map(|power| 1 << power).find(|step| last.div_ceil(*step) <= 16).unwrap()
}

/// The records that those kept of a journal end with.
fn kept_of(last: u64) -> Vec<u64> {
    let step = step(last);
    (1..=15).map(|place| place * step).filter(|record| *record < last).collect()
}

#[test]
fn a_moment_is_replayed_from_the_snapshot_before_it_within_rows_too() {
    let mut kept = lived(900);
    let (last, step) = (kept.last, step(kept.last));
    assert!(matches!(kept.refresh(), Began::First(_)));
    let expected = kept_of(last);
    assert_eq!(kept.earlier().0, expected);
    assert!((8..=16).contains(&expected.len()), "{expected:?}");
    // Rows are of other lengths, so most of these end within one.
    let mut within = |record: u64| kept.journal.read(record, 1).unwrap()[0].last() != record;
    assert!(expected.iter().filter(|record| within(**record)).count() > 3);
    for records in (0..last).step_by(37).chain(expected).chain([last]) {
        let near = if records == last { last } else { records - records % step };
        assert_eq!(kept.replayed(records), records - near, "{records}");
    }
}

/// Changes a snapshot and puts the right hash before it, as another version might.
fn rehashed(bytes: &[u8], place: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place] ^= 1;
    let hash = blake3::hash(&bytes[24 + 32..]);
    bytes[24..24 + 32].copy_from_slice(hash.as_bytes());
    bytes
}

#[test]
fn an_earlier_snapshot_that_is_not_to_be_trusted_is_passed_over_for_the_one_before() {
    let mut kept = lived(900);
    kept.refresh();
    let (records, paths) = kept.earlier();
    let place = records.len() / 2;
    let (near, far) = (records[place], records[place - 1]);
    let (sound, other) = (fs::read(&paths[place]).unwrap(), fs::read(&paths[place - 1]).unwrap());
    let moment = near + 3;
    assert_eq!(kept.replayed(moment), 3);
    let beginning = 24 + 32 + 8;
    let spoilt = [
        Vec::new(),
        sound[..40].to_vec(),
        sound[..sound.len() / 2].to_vec(),
        [&sound[..], b"more"].concat(),
        b"something else".to_vec(),
        // Its magic, its hash, and a byte of what it says.
        [&b"C"[..], &sound[1..]].concat(),
        [&sound[..30], &[sound[30] ^ 1], &sound[31..]].concat(),
        [&sound[..sound.len() - 9], &[sound[sound.len() - 9] ^ 1], &sound[sound.len() - 8..]]
            .concat(),
        // Its version, ledger, key, record and link, under the right hash.
        rehashed(&sound, beginning),
        rehashed(&sound, beginning + 32),
        rehashed(&sound, beginning + 64),
        rehashed(&sound, beginning + 96),
        rehashed(&sound, beginning + 104),
        // That of another record under its name.
        other,
    ];
    for (number, bytes) in spoilt.iter().enumerate() {
        fs::write(&paths[place], bytes).unwrap();
        assert_eq!(kept.replayed(moment), moment - far, "{number}");
    }
    fs::remove_file(&paths[place]).unwrap();
    assert_eq!(kept.replayed(moment), moment - far);
    fs::create_dir(&paths[place]).unwrap();
    assert_eq!(kept.replayed(moment), moment - far);
    fs::remove_dir(&paths[place]).unwrap();
    // The next refresh writes it again as it was, by replaying from the one before.
    let began = kept.refresh();
    assert!(matches!(began, Began::After(head) if head.seq == far), "{began:?}");
    assert_eq!(kept.replayed(moment), 3);
    assert!(matches!(kept.refresh(), Began::After(head) if head.seq == kept.last));
    // Where none can be trusted, everything is replayed.
    for path in paths.iter().chain([&kept.snapshots.path(LIVE, IDENTITY)]) {
        fs::write(path, &sound[..sound.len() - 1]).unwrap();
    }
    assert_eq!(kept.replayed(moment), moment);
    assert!(matches!(kept.refresh(), Began::First(_)));
    assert_eq!(kept.replayed(moment), 3);
}

#[test]
fn earlier_snapshots_of_another_past_or_key_are_passed_over() {
    let mut kept = lived(900);
    kept.refresh();
    let (last, newest) = (kept.last, kept.snapshots.path(LIVE, IDENTITY));
    let mut other = setup::sequencer();
    for _ in 0..last {
        other.execute(setup::tick(&other)).unwrap();
    }
    let mut strange = memory(&MemoryDisk::new());
    write(&mut strange, &other.cut().into_iter().collect::<Vec<_>>());
    let (state, replayed) = state_at(&mut strange, Some(&kept.snapshots), last - 1);
    assert_eq!((state.0.seq, replayed), (last - 1, last - 1));
    let keyed = Identity { vault_key: [43; 32], ..IDENTITY };
    let mode =
        OpenMode::Create { vault_key: Some(keyed.vault_key), algorithm: None, designation: None };
    let mut elsewhere = MemoryJournal::open(&MemoryDisk::new(), LIVE, mode).unwrap();
    let (state, _) = state_at(&mut elsewhere, Some(&kept.snapshots), 0);
    assert_eq!(state.0.seq, 0);
    // An older copy of the database: what is beyond its end is of no moment, and is deleted.
    let (sequencer, commits) = lived_in_commits_of(100, 500);
    let mut shorter = memory(&MemoryDisk::new());
    write(&mut shorter, &commits);
    let shorter_last = sequencer.head().seq;
    assert!(shorter_last < last);
    let moment = shorter_last - 1;
    let whole = state_at(&mut shorter, None, moment).0;
    assert_eq!(state_at(&mut shorter, Some(&kept.snapshots), moment).0, whole);
    kept.snapshots.refresh(&mut shorter, LIVE).unwrap();
    assert!(kept.earlier().0.iter().all(|record| *record < shorter_last));
    assert!(newest.exists());
}

#[test]
fn what_was_being_written_when_a_crash_came_leaves_those_before_and_is_cleared_away() {
    let mut kept = lived(900);
    kept.refresh();
    let (records, paths) = kept.earlier();
    let newest = kept.snapshots.path(LIVE, IDENTITY);
    let whole = fs::read(&newest).unwrap();
    // Cut off while the third was written again, and while the newest was.
    fs::remove_file(&paths[2]).unwrap();
    for path in [&paths[2], &newest] {
        fs::write(path.with_extension("part"), &whole[..whole.len() / 2]).unwrap();
    }
    assert_eq!(kept.replayed(records[2] + 1), 1 + records[2] - records[1]);
    kept.refresh();
    assert_eq!(kept.earlier().0, records);
    assert_eq!(kept.replayed(records[2] + 1), 1);
    let folder = kept.snapshots.folder().to_owned();
    let parts = |folder: &PathBuf| {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        names.filter(|path| path.extension().is_some_and(|ending| ending == "part")).count()
    };
    assert_eq!(parts(&folder), 0);
    // Where one cannot be written, those before it were, and the newest stays as it was.
    for path in &paths {
        fs::remove_file(path).unwrap();
    }
    let before = fs::read(&newest).unwrap();
    fs::create_dir(paths[5].with_extension("part")).unwrap();
    let error = kept.snapshots.refresh(&mut kept.journal, LIVE).unwrap_err();
    assert!(error.to_string().contains(&format!("{}.part", records[5])), "{error}");
    assert_eq!(kept.earlier().0, records[..5]);
    assert!(fs::read(&newest).unwrap() == before, "the newest was written again");
    assert_eq!(kept.replayed(records[5]), records[5] - records[4]);
}

#[test]
fn as_a_journal_grows_those_that_stay_were_written_once_and_the_others_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let snapshots = Snapshots::in_folder(folder.path());
    let (_, commits) = lived_in_commits_of(10, 1_200);
    let mut journal = memory(&MemoryDisk::new());
    let mut sandbox = MemoryJournal::open(
        &MemoryDisk::new(),
        "sandbox",
        OpenMode::Create { vault_key: None, algorithm: None, designation: None },
    )
    .unwrap();
    snapshots.refresh(&mut sandbox, "sandbox").unwrap();
    let others = [
        snapshots.path("sandbox", sandbox.identity()),
        folder.path().join("notes.txt"),
        snapshots.path(LIVE, IDENTITY).with_extension("007.snapshot"),
        snapshots.path(LIVE, IDENTITY).with_extension("of-mine.snapshot"),
    ];
    others[1..].iter().for_each(|path| fs::write(path, b"mine").unwrap());
    let kept = || -> Vec<(u64, std::time::SystemTime)> {
        let earlier = snapshots.earlier(LIVE, IDENTITY).into_iter();
        earlier.map(|(at, path)| (at, path.metadata().unwrap().modified().unwrap())).collect()
    };
    let mut grew = 0;
    for commits in commits.chunks(7) {
        write(&mut journal, commits);
        let before = kept();
        let (_, head, _) = snapshots.refresh(&mut journal, LIVE).unwrap();
        let (after, expected) = (kept(), kept_of(head.seq));
        assert_eq!(after.iter().map(|(record, _)| *record).collect::<Vec<_>>(), expected);
        let stayed = before.iter().filter(|(record, _)| expected.contains(record));
        for of_before in stayed {
            assert!(after.contains(of_before), "{of_before:?} was written again");
        }
        grew += usize::from(before.iter().any(|(record, _)| !expected.contains(record)));
    }
    assert!(grew > 3, "the steps grew {grew} times");
    assert!(others.iter().all(|path| path.exists()));
    // Fewer are wanted, then none, then as many as before.
    for most in [3, 1, 0, 15] {
        snapshots.clone().keeping(most).refresh(&mut journal, LIVE).unwrap();
        let many = kept().len() as u64;
        assert!(many <= most && most <= 2 * many, "{many} of {most}");
    }
}
