//! Snapshots: a ledger as it stood after one record, so that opening it need not begin at the
//! first.
//!
//! A snapshot is a file in a folder of the embedding service's own, never a source of truth: it is
//! restored only when its hash is right, the same version wrote it, it is of this ledger, and the
//! journal holds the record it ends with under the same link. Anything else costs a longer replay,
//! and [`Began`] says why. An audit never reads one. Beside the newest, from which a ledger is
//! opened, [`Snapshots::refresh`] keeps earlier ones, from which it is opened as it stood at a
//! moment.
//!
//! ```text
//! file = magic ‖ BLAKE3 of the rest ‖ sources ‖ genesis ‖ key check ‖ head
//!        ‖ state (CBOR) ‖ open operations, each with its records ‖ archive
//! ```

mod earlier;
mod file;
pub(super) mod opening;
pub(crate) mod wire;

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

pub use earlier::EARLIER;
use file::{Reading, Writing};
use ledger_core::id::{OpId, Seq};
use ledger_core::ledger::{Ledger, Operation, State, StateSnapshot};
use thiserror::Error;
use wire::{Take, encode};

use crate::bytes::chain::{Algorithm, Chain, LINK_BYTES, Link};
use crate::bytes::codec;
use crate::engines::sequencer::{ReplayError, Sequencer};
use crate::journal::{Head, Identity, Journal};
use crate::state::archive::JournalArchive;
use crate::state::private::{private, private_folders};

/// Returns what wrote a snapshot: the sources of the rules and of this store.
pub(crate) fn sources() -> Vec<u8> {
    [ledger_core::SOURCES, env!("LEDGER_SOURCES")].concat().into_bytes()
}

/// What is wrong with parts that do not belong together.
const SEVERAL: &str = "its parts are of several moments";

/// A folder that holds snapshots of each of several ledgers: the newest, and earlier ones.
///
/// ```
/// # use ledger_store::snapshot::{Began, Snapshots, Unused};
/// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let folder = tempfile::tempdir()?;
/// let snapshots = Snapshots::in_folder(folder.path());
/// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let (file, _, began) = snapshots.refresh(&mut journal, "live")?;
/// assert!(matches!(began, Began::First(Unused::None)) && file.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshots {
    folder: PathBuf,
    /// How many earlier ones are kept of each ledger.
    most: u64,
}

/// Where opening a ledger began.
#[derive(Debug)]
pub enum Began {
    /// With the record after a snapshot.
    After(Head),
    /// With the first record.
    First(Unused),
}

/// Why no snapshot was restored.
#[derive(Debug, Error)]
pub enum Unused {
    /// There is none.
    #[error("there is no snapshot")]
    None,
    /// It cannot be read.
    #[error("the snapshot cannot be read")]
    Unreadable(#[source] io::Error),
    /// It is not as it was written.
    #[error("the snapshot is damaged: {0}")]
    Damaged(&'static str),
    /// It is of another version, ledger, key or past.
    #[error("the snapshot is foreign: {0}")]
    Foreign(&'static str),
    /// It is of a record that the journal does not hold any more.
    #[error(
        "the snapshot {} is of record {record}, and the journal ends at {last}", path.display()
    )]
    Ahead {
        /// The path of the snapshot's file.
        path: PathBuf,
        /// The last record in it.
        record: u64,
        /// The last record of the journal.
        last: u64,
    },
}

/// Why a snapshot could not be saved. The one before it stays.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// Its folder or file cannot be written.
    #[error("{} cannot be written", path.display())]
    Unwritable {
        /// The folder or the file.
        path: PathBuf,
        /// What the system says of it.
        #[source]
        source: io::Error,
    },
    /// The journal cannot be replayed.
    #[error("the journal cannot be replayed")]
    Replay(#[from] ReplayError),
    /// The records of an open operation could not be read back.
    #[error("the journal cannot be read back: {0}")]
    Unreadable(String),
    /// The sequencer holds what was decided and not yet cut.
    #[error("{0} records wait to be written to the journal")]
    Pending(usize),
}

impl Snapshots {
    /// Snapshots in `folder`, which is made by the first that is saved.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), most: EARLIER }
    }

    /// The folder that the snapshots are kept in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the newest snapshot of this ledger stands.
    #[must_use]
    pub fn path(&self, name: &str, identity: Identity) -> PathBuf {
        let genesis = Chain::genesis(identity.algorithm, name).link().to_string();
        self.folder.join(format!("{}.snapshot", &genesis[..16]))
    }

    /// Saves `sequencer` as it stands, in place of the newest snapshot, and gives the file's path.
    /// The earlier ones stay as they are.
    ///
    /// What is saved must be durable: a snapshot of more than the journal holds is never restored.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`]; the snapshot before is then still there.
    pub fn save(
        &self,
        sequencer: &Sequencer,
        identity: Identity,
    ) -> Result<PathBuf, SnapshotError> {
        if sequencer.pending() > 0 {
            return Err(SnapshotError::Pending(sequencer.pending()));
        }
        let path = self.path(&sequencer.ledger().state.name, identity);
        self.save_as(&path, sequencer, identity)?;
        Ok(path)
    }

    /// Saves `sequencer` as it stands at `path`: nothing takes that place before it was read back.
    fn save_as(
        &self,
        path: &Path,
        sequencer: &Sequencer,
        identity: Identity,
    ) -> Result<(), SnapshotError> {
        let unwritable = |path: &Path| {
            let path = path.to_owned();
            |source| SnapshotError::Unwritable { path, source }
        };
        let was_there = self.folder.exists();
        private_folders().create(&self.folder).map_err(unwritable(&self.folder))?;
        let part = path.with_extension("part");
        if part.metadata().is_ok_and(|there| !there.is_file()) {
            let other = io::Error::other("it is no regular file");
            return Err(unwritable(&part)(other));
        }
        // What a crash left of another may be read by others.
        let _ = fs::remove_file(&part);
        let made = private(File::options().write(true).create_new(true)).open(&part);
        let written = made.and_then(|file| {
            let mut writing = Writing::new(file)?;
            write(&mut writing, sequencer, identity)?;
            writing.finish()
        });
        written.map_err(unwritable(&part)).inspect_err(|_| {
            // What could not be written is not left half, nor a folder that was made for it.
            let _ = fs::remove_file(&part);
            if !was_there {
                let _ = fs::remove_dir(&self.folder);
            }
        })?;
        if let Some(fault) = sequencer.fault() {
            return Err(SnapshotError::Unreadable(fault));
        }
        // Read once more before it takes the other's place.
        let name = &sequencer.ledger().state.name;
        read(&part, name, identity)
            .map_err(io::Error::other)
            .and_then(|_| fs::rename(&part, path))
            .map_err(unwritable(path))
    }

    /// The sequencer as the newest snapshot has it; the vault is the journal's.
    pub(crate) fn load(&self, journal: &mut dyn Journal, name: &str) -> Result<Resumed, Unused> {
        read_trusted(&self.path(name, journal.identity()), journal, name)
    }
}

/// The sequencer as the snapshot at `path` has it, where the journal has that past.
fn read_trusted(path: &Path, journal: &mut dyn Journal, name: &str) -> Result<Resumed, Unused> {
    let identity = journal.identity();
    let resumed = match read(path, name, identity) {
        Err(Unused::Foreign(reason)) => {
            return Err(foreign_ahead(path, journal, name).unwrap_or(Unused::Foreign(reason)));
        }
        read => read?,
    };
    if is_past_of(journal, resumed.head, identity.algorithm) {
        return Ok(resumed);
    }
    let record = resumed.head.seq;
    match journal.head() {
        Ok(Head { seq: last, .. }) if last < record => {
            Err(Unused::Ahead { path: path.to_owned(), record, last })
        }
        _ => Err(Unused::Foreign("the journal has another past")),
    }
}

/// Says that a snapshot of this name, which cannot be restored, speaks of more than the journal
/// holds: one of its vault key, by whatever version, and of any key where it holds nothing.
fn foreign_ahead(path: &Path, journal: &mut dyn Journal, name: &str) -> Option<Unused> {
    let (identity, last) = (journal.identity(), journal.head().ok()?.seq);
    let mut from = Reading::open(path).ok()?;
    from.take_bytes().ok()?;
    let of_name = from.take_array().ok()? == Chain::genesis(identity.algorithm, name).link().0;
    let of_key = from.take_array().ok()? == key_check(&identity);
    let record = from.take_number().ok()?;
    let speaks = of_name && (of_key || last == 0) && last < record;
    speaks.then(|| Unused::Ahead { path: path.to_owned(), record, last })
}

/// Tells whether a journal holds the record that a snapshot ends with under the same link: as the
/// last of a row, or within one whose rest leads from that link to the row's.
fn is_past_of(journal: &mut dyn Journal, head: Head, algorithm: Algorithm) -> bool {
    let Ok(rows) = journal.read(head.seq, 1) else { return false };
    rows.first().is_some_and(|row| {
        if row.last() == head.seq {
            row.link == head.link
        } else {
            row.verify_rest(&mut head.chain(algorithm), |_, _| ()).is_ok()
        }
    })
}

/// A ledger as a snapshot has it.
pub(crate) struct Resumed {
    pub(crate) ledger: Ledger<JournalArchive>,
    pub(crate) head: Head,
}

/// Writes the ledger as it stands, without any hash.
pub(crate) fn write(
    into: &mut impl Write,
    sequencer: &Sequencer,
    identity: Identity,
) -> io::Result<()> {
    let ledger = sequencer.ledger();
    encode::bytes(into, &sources())?;
    into.write_all(&Chain::genesis(identity.algorithm, &ledger.state.name).link().0)?;
    into.write_all(&key_check(&identity))?;
    encode::number(into, sequencer.head().seq)?;
    into.write_all(&sequencer.head().link.0)?;
    let snapshot =
        minicbor::to_vec(ledger.state.snapshot()).expect("writing to memory cannot fail");
    encode::bytes(into, &snapshot)?;
    let open = ledger.archive.moving();
    encode::number(into, open.len() as u64)?;
    for (op, trail) in open {
        encode::number(into, op.number())?;
        encode::number(into, trail.len() as u64)?;
        for seq in trail {
            encode::number(into, seq.0)?;
            let record = ledger.archive.bytes(seq).ok_or_else(|| {
                io::Error::other(
                    sequencer.fault().unwrap_or_else(|| "a record is missing".to_owned()),
                )
            })?;
            encode::bytes(into, &record)?;
        }
    }
    ledger.archive.write_to(into)
}

/// Reads the snapshot at `path`, its hash first.
fn read(path: &Path, name: &str, identity: Identity) -> Result<Resumed, Unused> {
    let mut from = Reading::open(path)?;
    let resumed = read_parts(&mut from, name, identity)?;
    if from.is_at_its_end()? { Ok(resumed) } else { Err(Unused::Damaged(SEVERAL)) }
}

/// Reads the ledger that [`write`] wrote; what follows it is left.
pub(crate) fn read_parts(
    from: &mut impl Read,
    name: &str,
    identity: Identity,
) -> Result<Resumed, Unused> {
    let head = read_head(from, name, identity)?;
    let snapshot: StateSnapshot =
        minicbor::decode(&from.take_bytes()?).map_err(|_| Unused::Damaged("its state"))?;
    let mut open = Vec::new();
    let mut moving = Vec::new();
    for _ in 0..from.take_number()? {
        let (op, trail, operation) = take_operation(from)?;
        open.push((op, operation));
        moving.push((op, trail));
    }
    let archive = JournalArchive::restore(name, identity, moving, from)?;
    let state = State::restore(identity.ledger_name(name), snapshot, open);
    let state = state.ok_or(Unused::Damaged("its state"))?;
    if state.seq.0 != head.seq || archive.last() != head.seq {
        return Err(Unused::Damaged(SEVERAL));
    }
    Ok(Resumed { ledger: Ledger::from_state(state, archive), head })
}

/// Reads what a snapshot begins with: which version wrote it, of which ledger, and the record that
/// it ends with.
fn read_head(from: &mut impl Read, name: &str, identity: Identity) -> Result<Head, Unused> {
    let foreign = |same: bool, reason| if same { Ok(()) } else { Err(Unused::Foreign(reason)) };
    foreign(from.take_bytes()? == sources(), "another version wrote it")?;
    let genesis = Link(from.take_array::<LINK_BYTES>()?);
    let expected = Chain::genesis(identity.algorithm, name).link();
    foreign(genesis == expected, "it is of another ledger")?;
    foreign(from.take_array()? == key_check(&identity), "it was made under another vault key")?;
    Ok(Head { seq: from.take_number()?, link: Link(from.take_array()?) })
}

/// An open operation, derived from the records that moved it.
fn take_operation(from: &mut impl Read) -> Result<(OpId, Vec<Seq>, Operation), Unused> {
    let damaged = || Unused::Damaged("an open operation");
    let op = OpId::from_number(from.take_number()?).ok_or_else(damaged)?;
    let mut trail = Vec::new();
    let mut records = Vec::new();
    for _ in 0..from.take_number()? {
        let seq = Seq(from.take_number()?);
        trail.push(seq);
        records.push(codec::decode(seq, &from.take_bytes()?).map_err(|_| damaged())?);
    }
    let operation = Operation::after(op, &records).ok_or_else(damaged)?;
    Ok((op, trail, operation))
}

/// Tells one vault key from another, and nothing about either.
fn key_check(identity: &Identity) -> [u8; 32] {
    blake3::derive_key("custody-ledger snapshot key check v1", &identity.vault_key)
}

impl From<io::Error> for Unused {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::None,
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => {
                Self::Damaged("it ends within itself")
            }
            _ => Self::Unreadable(error),
        }
    }
}
