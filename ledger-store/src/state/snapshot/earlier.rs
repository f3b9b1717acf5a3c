//! Snapshots of earlier records, kept beside the newest so that a moment is replayed from near it.
//!
//! Between two of them lie as many records as a power of two, the least by which no more are kept
//! than are wanted; so those of a journal that has grown are among those that it had, and each was
//! written once. Where at most `k` are kept, they and the newest part a journal into `k + 1`: of
//! the `n` records that [`Snapshots::refresh`] found, no moment replays `2n / (k + 1)` or more.
//! Each is a file as the newest is, is trusted under the same conditions, and may be deleted at any
//! time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tracing::warn;

use super::file::Reading;
use super::{
    Began, Resumed, SnapshotError, Snapshots, Unused, is_past_of, read, read_head, read_trusted,
};
use crate::engines::sequencer::Sequencer;
use crate::journal::{Head, Identity, Journal};
use crate::state::private::private_folders;

/// How many earlier snapshots are kept of a ledger, unless it is said.
pub const EARLIER: u64 = 15;

/// How many records lie between two of at most so many snapshots of a journal that ends with record
/// `last`; `None` where none is kept.
fn step(last: u64, most: u64) -> Option<u64> {
    let parts = (most > 0).then(|| most.saturating_add(1))?;
    last.div_ceil(parts).checked_next_power_of_two()
}

/// The records that earlier snapshots are to end with.
fn wanted_records(last: u64, most: u64) -> Vec<u64> {
    let Some(step) = step(last, most) else { return Vec::new() };
    (1..=last / step).map(|place| place * step).filter(|record| *record < last).collect()
}

impl Snapshots {
    /// The same, keeping at most so many earlier snapshots of each ledger; [`EARLIER`] unless it is
    /// said, 0 for the newest alone.
    ///
    /// ```
    /// # use ledger_store::snapshot::Snapshots;
    /// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let snapshots = Snapshots::in_folder(folder.path()).keeping(4);
    /// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// snapshots.refresh(&mut journal, "live")?;
    /// // Nothing was recorded yet, so nothing was earlier.
    /// # use ledger_store::Journal as _;
    /// assert!(snapshots.earlier("live", journal.identity()).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn keeping(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// The earlier snapshots that stand here of this ledger: the record that each is named for,
    /// ascending, and its file. Whether one can be trusted shows when it is read.
    #[must_use]
    pub fn earlier(&self, name: &str, identity: Identity) -> Vec<(u64, PathBuf)> {
        self.numbered_files(name, identity, "snapshot")
    }

    /// Opens the ledger from a snapshot of its own past, replays what follows, saves on the way the
    /// earlier snapshots that are wanted and not there, and then the ledger as it stands; says
    /// where it began. Those that are no longer wanted are deleted. Reads only of the journal, so
    /// that an engine may go on writing meanwhile.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`]; the snapshots before are then still there.
    pub fn refresh(
        &self,
        journal: &mut dyn Journal,
        name: &str,
    ) -> Result<(PathBuf, Head, Began), SnapshotError> {
        let identity = journal.identity();
        let last = journal.head().map_err(crate::engines::sequencer::ReplayError::from)?.seq;
        let wanted = wanted_records(last, self.most);
        let mut missing = Vec::new();
        for record in &wanted {
            let head = sound(&self.path_at(*record, name, identity), name, identity);
            let there = head.is_some_and(|head| {
                head.seq == *record && is_past_of(journal, head, identity.algorithm)
            });
            if !there {
                missing.push(*record);
            }
        }
        let from = missing.first().copied().unwrap_or(u64::MAX);
        let (mut sequencer, began) = match self.latest(journal, name, from) {
            Ok(Resumed { ledger, head }) => {
                (Sequencer::resume(name, identity, ledger, head), Began::After(head))
            }
            Err(unused) => {
                // The newest may be too late to begin with, and worth a word all the same.
                let why = self.load(journal, name).err().unwrap_or(unused);
                (Sequencer::new(name, identity), Began::First(why))
            }
        };
        sequencer.read_from(journal)?;
        for record in missing {
            sequencer.replay_until(journal, record, &mut |_, _| ())?;
            self.save_as(&self.path_at(record, name, identity), &sequencer, identity)?;
        }
        sequencer.replay_until(journal, u64::MAX, &mut |_, _| ())?;
        let path = self.save(&sequencer, identity)?;
        self.prune(name, identity, &wanted)?;
        Ok((path, sequencer.head(), began))
    }

    /// The ledger as the latest snapshot of at most so many records has it, of those that can be
    /// trusted.
    ///
    /// # Errors
    ///
    /// Why not the newest, where none can.
    pub(crate) fn latest(
        &self,
        journal: &mut dyn Journal,
        name: &str,
        records: u64,
    ) -> Result<Resumed, Unused> {
        let identity = journal.identity();
        let newest = self.path(name, identity);
        let mut why = Unused::None;
        let mut found = Vec::new();
        match head_of(&newest, name, identity) {
            Ok(head) => found.push((head.seq, newest.clone())),
            // What is said of it is what is wrong with the whole file, its hash first.
            Err(unused) => why = read(&newest, name, identity).err().unwrap_or(unused),
        }
        for (_, path) in self.earlier(name, identity) {
            found.extend(head_of(&path, name, identity).ok().map(|head| (head.seq, path)));
        }
        found.retain(|(seq, _)| *seq <= records);
        found.sort();
        for (_, path) in found.into_iter().rev() {
            match read_trusted(&path, journal, name) {
                Ok(resumed) if resumed.head.seq <= records => return Ok(resumed),
                Ok(_) => {}
                Err(unused) if path == newest => why = unused,
                Err(_) => {}
            }
        }
        Err(why)
    }

    /// Moves the snapshots of records after `last`, which are lost and accepted as that, into the
    /// folder `lost` beside them. One that cannot be moved is said, and speaks of the loss again.
    pub(crate) fn set_aside(&self, name: &str, identity: Identity, last: u64) {
        let newest = self.path(name, identity);
        let head = head_of(&newest, name, identity).ok();
        let mut later = self.earlier(name, identity);
        later.extend(head.map(|head| (head.seq, newest)));
        later.retain(|(record, _)| *record > last);
        let folder = self.folder.join("lost");
        for (record, path) in later {
            let named = self.path_at(record, name, identity);
            let aside = folder.join(named.file_name().unwrap_or_default());
            let moved = private_folders().create(&folder).and_then(|()| fs::rename(&path, &aside));
            let (from, to) = (path.display(), aside.display());
            match moved {
                Ok(()) => warn!(record, "a loss is accepted: the snapshot {from} is moved to {to}"),
                Err(error) => warn!(record, %error, "the snapshot {from} cannot be moved to {to}"),
            }
        }
    }

    /// Where the earlier snapshot that ends with this record stands.
    fn path_at(&self, record: u64, name: &str, identity: Identity) -> PathBuf {
        self.path(name, identity).with_extension(format!("{record}.snapshot"))
    }

    /// The files of this ledger that are named for a record and have this extension, in the order
    /// of records.
    fn numbered_files(
        &self,
        name: &str,
        identity: Identity,
        extension: &str,
    ) -> Vec<(u64, PathBuf)> {
        let newest = self.path(name, identity);
        let Some(stem) = newest.file_stem().and_then(|stem| stem.to_str()) else {
            return Vec::new();
        };
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let record = |path: &Path| {
            let named = path.file_name()?.to_str()?.strip_prefix(stem)?.strip_prefix('.')?;
            let digits = named.strip_suffix(extension)?.strip_suffix('.')?;
            digits.parse().ok().filter(|record: &u64| record.to_string() == digits)
        };
        let paths = entries.flatten().map(|entry| entry.path());
        let mut found: Vec<_> = paths.filter_map(|path| Some((record(&path)?, path))).collect();
        found.sort();
        found
    }

    /// Deletes the earlier snapshots that are not of these records, and what a crash left of others
    /// that were being written.
    fn prune(&self, name: &str, identity: Identity, wanted: &[u64]) -> Result<(), SnapshotError> {
        let mut spare = self.earlier(name, identity);
        spare.retain(|(record, _)| !wanted.contains(record));
        spare.extend(self.numbered_files(name, identity, "part"));
        for (_, path) in spare {
            match fs::remove_file(&path) {
                // Somebody else deleted it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                done => done.map_err(|source| SnapshotError::Unwritable { path, source })?,
            }
        }
        Ok(())
    }
}

/// The record that a file says it ends with, which its hash has not confirmed.
fn head_of(path: &Path, name: &str, identity: Identity) -> Result<Head, Unused> {
    read_head(&mut Reading::open_unproved(path)?, name, identity)
}

/// The record that a file ends with, where its hash is right and it is of this ledger.
fn sound(path: &Path, name: &str, identity: Identity) -> Option<Head> {
    read_head(&mut Reading::open(path).ok()?, name, identity).ok()
}

#[cfg(test)]
mod tests {
    use super::{EARLIER, step, wanted_records};

    #[test]
    fn no_moment_is_as_far_from_the_snapshot_before_it_as_two_even_shares_of_the_journal() {
        for most in [1, 2, 3, EARLIER, 100] {
            for last in (0..5_000).chain([1 << 40, (1 << 40) + 1, 123_456_789_012]) {
                let step = step(last, most).unwrap();
                assert!(u128::from(step - 1) * u128::from(most + 1) < u128::from(2 * last.max(1)));
                let records = wanted_records(last, most);
                assert!(records.len() as u64 <= most, "{last} {most}");
                let ends = records.iter().copied().chain([last]);
                let starts = [0].into_iter().chain(records.iter().copied());
                assert!(starts.zip(ends).all(|(start, end)| end - start <= step), "{last} {most}");
            }
        }
    }

    #[test]
    fn what_is_kept_of_a_longer_journal_was_kept_of_the_shorter_one() {
        for last in 1..3_000 {
            let (before, after) =
                (wanted_records(last, EARLIER), wanted_records(last + 1, EARLIER));
            // The one that is new ends where the journal did.
            assert!(after.iter().all(|record| before.contains(record) || *record == last));
        }
    }

    #[test]
    fn none_is_wanted_where_none_is_kept_nor_of_an_empty_journal() {
        assert_eq!(wanted_records(1_000, 0), [0; 0]);
        assert_eq!(wanted_records(0, EARLIER), [0; 0]);
        assert_eq!(wanted_records(u64::MAX, 1), [1 << 63]);
    }
}
