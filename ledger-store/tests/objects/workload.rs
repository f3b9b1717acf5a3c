//! Many histories of three writers over a store that fails, each by one seed: nothing that was
//! acknowledged is lost, nothing is there twice, and the journal in memory has the same heads.

use std::collections::BTreeMap;
use std::sync::Arc;

use ledger_core::id::Token;
use ledger_core::time::Instant;
use ledger_store::journal::{
    AppendError, Commit, Head, Journal, JournalError, MemoryDisk, MemoryJournal, Merging,
    ObjectJournal, ObjectStorage, OpenError, OpenMode, Scrub, VaultRow,
};
use ledger_store::vault::{LegalHold, OperatorNote};

use super::faulty::FaultyStore;
use super::{LIVE, all_rows, commit, impatient};

/// How often each thing happened, over all seeds.
#[derive(Debug, Default)]
struct Counts {
    acknowledged: usize,
    unknown: usize,
    unknown_landed: usize,
    fenced: usize,
    taken_over: usize,
    erased: usize,
}

struct Run {
    store: FaultyStore,
    storage: ObjectStorage,
    dice: u64,
    writers: Vec<ObjectJournal>,
    /// Where each writer believes the head to be.
    heads: Vec<Option<Head>>,
    oracle: MemoryJournal,
    values: BTreeMap<[u8; 16], VaultRow>,
    held: bool,
    records: u64,
}

impl Run {
    fn new(seed: u64) -> Self {
        let store = FaultyStore::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let storage =
            ObjectStorage::from_store(Arc::new(store.clone()), "books", "faulty").unwrap();
        let entries = 1 + usize::try_from(seed % 5).unwrap();
        let keep = usize::try_from(seed % 3).unwrap();
        let merging = Merging { entries, bytes: 1 << 20, keep, inline: true };
        let storage = impatient(storage).merging(merging);
        let mut oracle = MemoryJournal::open(&MemoryDisk::new(), LIVE, mode()).unwrap();
        oracle.open_writer().unwrap();
        let writers = (0..3).map(|_| open(&storage)).collect();
        let (heads, values) = (vec![None; 3], BTreeMap::new());
        let (dice, held, records) = (seed + 1, false, 0);
        Self { store, storage, dice, writers, heads, oracle, values, held, records }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.dice >> 33) % bound
    }

    fn step(&mut self, counts: &mut Counts) {
        let writer = usize::try_from(self.below(3)).unwrap();
        match self.below(20) {
            0..11 => self.append(writer, counts),
            11..14 => self.take_over(writer, counts),
            14 => {
                self.writers[writer] = {
                    self.heads[writer] = None;
                    open(&self.storage)
                }
            }
            15 => self.erase(writer, counts),
            16 => self.hold(),
            17 => self.scrub(writer),
            _ => self.assert_read(),
        }
    }

    fn append(&mut self, writer: usize, counts: &mut Counts) {
        let Some(head) = self.heads[writer] else { return };
        self.records += 1;
        let record = format!("record {} of writer {writer}", self.records);
        let mut commit = commit(head, &[&record, "and another"]);
        if self.below(3) == 0 {
            let token = u8::try_from(self.below(6)).unwrap();
            let (value, mask) = (format!("value {token}"), format!("mask {token}"));
            commit.vault.push(VaultRow { token: [token; 16], kind: 1, value, mask });
        }
        match self.writers[writer].append(&commit) {
            Ok(()) => {
                counts.acknowledged += 1;
                self.landed(writer, &commit);
            }
            Err(AppendError::Unknown(_)) => {
                counts.unknown += 1;
                self.heads[writer] = None;
                // Whoever takes over next finds out, for good.
                let next = usize::try_from(self.below(3)).unwrap();
                let head = self.taken_over(next);
                if head == commit.head() {
                    counts.unknown_landed += 1;
                    self.landed(next, &commit);
                } else {
                    assert_eq!(head, self.oracle.head().unwrap());
                }
            }
            Err(AppendError::Fenced { .. } | AppendError::NotWriting) => {
                counts.fenced += 1;
                self.heads[writer] = None;
            }
            Err(AppendError::Failed(_)) => {}
            Err(error @ AppendError::HeadMoved { .. }) => panic!("{error}"),
        }
    }

    /// The oracle refuses a commit that does not follow the last one.
    fn landed(&mut self, writer: usize, commit: &Commit) {
        self.oracle.append(commit).expect("what is acknowledged follows what was");
        self.heads[writer] = Some(commit.head());
        for row in &commit.vault {
            self.values.entry(row.token).or_insert_with(|| row.clone());
        }
    }

    fn take_over(&mut self, writer: usize, counts: &mut Counts) {
        counts.taken_over += 1;
        let head = self.taken_over(writer);
        assert_eq!(head, self.oracle.head().unwrap());
    }

    /// The head that a writer begins with, which takes over until it can.
    fn taken_over(&mut self, writer: usize) -> Head {
        loop {
            match self.writers[writer].open_writer() {
                Ok(opening) => {
                    self.heads[writer] = Some(opening.head);
                    return opening.head;
                }
                Err(JournalError::Medium(_)) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
    }

    fn erase(&mut self, writer: usize, counts: &mut Counts) {
        let token = [u8::try_from(self.below(6)).unwrap(); 16];
        match self.writers[writer].erase(token) {
            Ok(erased) => {
                counts.erased += usize::from(erased);
                assert_eq!(self.values.remove(&token).is_some(), erased);
            }
            Err(JournalError::Held { .. }) => assert!(self.held && token == [5; 16]),
            Err(JournalError::NotWriting | JournalError::Fenced { .. }) => {}
            // Nobody knows until somebody takes over.
            Err(JournalError::Medium(_)) => {
                self.taken_over(writer);
                let kept = self.read(Journal::vault);
                if kept.iter().all(|row| row.token != token) {
                    self.values.remove(&token);
                }
            }
            Err(error) => panic!("{error:?}"),
        }
    }

    fn hold(&mut self) {
        let note = OperatorNote {
            at: Instant::from_micros(1).unwrap(),
            by: "bia".into(),
            reason: "an order".into(),
        };
        let hold = LegalHold::new("one", [Token([5; 16])], note);
        loop {
            match open(&self.storage).place_hold(&hold) {
                Ok(placed) => {
                    // One whose answer was lost is there when it is asked for again.
                    assert!(placed || self.held || self.has_hold());
                    self.held = true;
                    return;
                }
                Err(JournalError::Medium(_)) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
    }

    fn has_hold(&self) -> bool {
        !self.read(Journal::holds).is_empty()
    }

    fn scrub(&mut self, writer: usize) {
        match self.writers[writer].scrub(Scrub::Tables) {
            Ok(_) | Err(JournalError::Medium(_)) => {}
            Err(error) => panic!("{error:?}"),
        }
    }

    /// Returns what a fresh reader reads, once the store lets it.
    fn read<T>(&self, read: impl Fn(&mut ObjectJournal) -> Result<T, JournalError>) -> T {
        loop {
            let Ok(mut reader) = ObjectJournal::open(&self.storage, LIVE, OpenMode::ReadOnly)
            else {
                continue;
            };
            match read(&mut reader) {
                Ok(read) => return read,
                Err(JournalError::Medium(_)) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
    }

    fn assert_read(&self) {
        let mut oracle = self.oracle.reader().unwrap();
        assert_eq!(self.read(Journal::head), oracle.head().unwrap());
        let from = oracle.head().unwrap().seq / 2;
        let expected = oracle.read(from, 20).unwrap();
        assert_eq!(self.read(|journal| journal.read(from, 20)), expected);
    }

    fn assert_whole(mut self) {
        self.store.rest();
        let mut reader = ObjectJournal::open(&self.storage, LIVE, OpenMode::ReadOnly).unwrap();
        assert_eq!(reader.head().unwrap(), self.oracle.head().unwrap());
        assert_eq!(all_rows(&mut reader), all_rows(&mut self.oracle));
        let values: Vec<_> = self.values.into_values().collect();
        assert_eq!(reader.vault().unwrap(), values);
        reader.check().unwrap();
    }
}

fn mode() -> OpenMode {
    OpenMode::Create { vault_key: Some([7; 32]), algorithm: None, designation: None }
}

fn open(storage: &ObjectStorage) -> ObjectJournal {
    loop {
        match ObjectJournal::open(storage, LIVE, mode()) {
            Ok(journal) => return journal,
            Err(OpenError::Unreachable { .. }) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[test]
fn over_a_store_that_fails_nothing_acknowledged_is_lost_and_nothing_is_there_twice() {
    let mut counts = Counts::default();
    for seed in 0..50 {
        let mut run = Run::new(seed);
        for _ in 0..120 {
            run.step(&mut counts);
        }
        run.assert_whole();
    }
    let Counts { acknowledged, unknown, unknown_landed, fenced, taken_over, erased } = counts;
    assert!(acknowledged > 700 && taken_over > 700, "{counts:?}");
    assert!(unknown > 10 && unknown_landed > 2 && unknown_landed < unknown, "{counts:?}");
    assert!(fenced > 200 && erased > 15, "{counts:?}");
}
