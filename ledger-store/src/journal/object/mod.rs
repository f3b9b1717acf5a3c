//! The journal as objects: on S3, Google Cloud Storage or Azure, or in a folder.
//!
//! A ledger is a log of numbered objects, each made only if there is none of its name, and that is
//! all that is asked of a store beside reading what was written. A commit is such an object, and so
//! is taking over, renewing a lease, erasing a value or placing a hold; so all of them stand in one
//! order, and whoever adds one meets what came before. An overtaken writer meets its successor at
//! the next number, and stops. [`Merging`] joins small objects behind the writer.
//!
//! It stands in the store, and in no crate beside: with the journals of databases it shares who a
//! writer is and whether it died, locks of a file, how identities are made and checked, how rows
//! and tokens are counted, and how a call blocks within async code. That is three types and 27
//! functions which nobody else is to call.

mod ending;
mod format;
mod lease;
mod log;
mod lost;
mod merging;
mod opening;
mod posting;
mod reached;
mod rows;
mod store;
mod values;
mod vault_index;
mod writing;

use std::fmt;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// A store of objects of whatever kind, to make an [`ObjectStorage`] of: that of the crate
/// `object_store`.
pub use object_store::ObjectStore;

use ending::Marking;
use format::block::Block;
use format::state::State;
use lease::Sighting;
use log::Log;
pub use store::storage::{Merging, ObjectStorage};
pub use store::url::ObjectUrlMalformed;

use super::open_mode::random;
use super::writer::file_lock::FileLocks;
use super::writer::holder::Holder;
use super::writer::lock::Heed;
use super::writer::noted_file::NotedFile;
use super::{
    AppendError, Commit, Head, Identity, Journal, JournalError, OpenError, OpenMode, Opening,
    Reopen, Row, Scrub, Token, VaultRow, continuous,
};
use crate::bytes::chain::Chain;
use crate::state::vault::hold::{LegalHold, OperatorNote};
use crate::state::vault::named::KeptTokens;

/// The shortest and the longest rest between two looks of whoever follows a ledger.
const SOONEST_LOOK: Duration = Duration::from_millis(50);
const LATEST_LOOK: Duration = Duration::from_secs(2);

/// One ledger of a store of objects.
///
/// It blocks, within async code too, where opening it and reading from it belong under
/// `spawn_blocking`.
///
/// ```
/// use ledger_store::{
///     AppendError, Commit, FrameWriter, Journal as _, ObjectJournal, ObjectStorage, OpenMode,
/// };
///
/// let folder = tempfile::tempdir()?;
/// let storage: ObjectStorage = format!("file://{}", folder.path().display()).parse()?;
/// let mut old = ObjectJournal::open(&storage, "live", OpenMode::create())?;
/// let opening = old.open_writer()?;
/// let mut rows = FrameWriter::new(opening.head.chain(opening.algorithm));
/// rows.push(b"a record");
/// let rows = rows.cut().into_iter().collect();
/// let commit = Commit { previous: opening.head, rows, vault: Vec::new() };
///
/// // Another writer takes over: what the old one appends meets it, and never lands.
/// let mut new = ObjectJournal::open(&storage, "live", OpenMode::create())?;
/// new.open_writer()?;
/// assert!(matches!(old.append(&commit), Err(AppendError::Fenced { mine: 1, current: 2 })));
/// new.append(&commit)?;
/// assert_eq!(old.head()?, commit.head());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ObjectJournal {
    storage: ObjectStorage,
    name: String,
    identity: Identity,
    log: Log,
    /// Tells this writer's objects from any other's.
    nonce: [u8; 16],
    epoch: Option<u64>,
    /// Who this writer is.
    me: Holder,
    /// The epoch under which it last held the ledger.
    held: Option<u64>,
    /// Where it ends whatever was lost after it, as an operator says.
    accepted: Option<Head>,
    /// Of a folder; a cloud has none.
    locks: Option<FileLocks>,
    /// The files that stay in a folder while this writer holds the ledger; a cloud has none.
    places: Vec<NotedFile>,
    sighted: Option<Sighting>,
    /// What a thread of its own is merging.
    merging: Option<Receiver<Option<Block>>>,
    /// How far it has come, as that is written down behind it.
    marking: Marking,
    read_only: bool,
}

impl ObjectJournal {
    /// Opens the ledger named `name` in `storage`.
    ///
    /// # Errors
    ///
    /// When the store cannot be reached or writes over what is there, or the ledger is not there
    /// or not the one asked for.
    pub fn open(storage: &ObjectStorage, name: &str, mode: OpenMode) -> Result<Self, OpenError> {
        mode.assert_name(name)?;
        let nonce = random().map_err(OpenError::Random)?;
        let (requests, names) = (storage.requests(), storage.names(name));
        let (identity, log) = storage.run(async || {
            let found = opening::identity(storage, (&requests, &names), name, mode).await?;
            let genesis = Head::from_chain(&Chain::genesis(found.algorithm, name));
            let log = Log::open(requests.clone(), names.clone(), State::genesis(genesis)).await;
            let log = log.map_err(|error| opening::unreachable(storage, error.into()))?;
            Ok::<_, OpenError>((found, log))
        })?;
        let locks = storage.folder().map(|folder| FileLocks::new(names.locks(folder)));
        Ok(Self {
            storage: storage.clone(),
            name: name.to_owned(),
            identity,
            log,
            nonce,
            epoch: None,
            me: Holder::of_this_process(),
            held: None,
            accepted: None,
            locks,
            places: Vec::new(),
            sighted: None,
            merging: None,
            marking: Marking::default(),
            read_only: mode == OpenMode::ReadOnly,
        })
    }

    /// Runs `work` where it may wait for the store.
    fn run<T: Send>(&mut self, work: impl AsyncFnOnce(&mut Self) -> T + Send) -> T {
        let storage = self.storage.clone();
        storage.run(async || work(self).await)
    }

    fn writable(&self) -> Result<(), JournalError> {
        if self.read_only { Err(JournalError::ReadOnly) } else { Ok(()) }
    }

    /// Tells whether the ledger's folder is the one that this writer took over: a folder that was
    /// moved or deleted is made anew by whatever is written next.
    fn assert_in_place(&mut self) -> Result<(), JournalError> {
        let kept = self.places.iter().try_for_each(NotedFile::assert_kept);
        kept.map_err(|error| JournalError::Medium(error.into()))?;
        if let Some(locks) = &mut self.locks {
            locks.restore();
        }
        Ok(())
    }
}

impl Journal for ObjectJournal {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        self.writable()?;
        self.assert_in_place()?;
        self.run(async |journal| journal.take_over(None, Heed::Nobody).await)
    }

    fn claim(&mut self, lease: Option<Duration>) -> Result<Opening, JournalError> {
        self.writable()?;
        self.assert_in_place()?;
        let claimed = self.run(async |journal| journal.take_over(lease, Heed::Holders).await);
        if let (Err(_), Some(locks)) = (&claimed, &mut self.locks) {
            locks.abandon_epoch();
        }
        claimed
    }

    fn accept_loss(&mut self, head: Head) {
        self.accepted = Some(head);
    }

    fn locked_by(&mut self) -> Result<Option<Holder>, JournalError> {
        if self.read_only || self.locks.is_none() {
            return Ok(None);
        }
        self.run(async |journal| journal.locked_by_another().await)
    }

    fn lock_fault(&self) -> Option<String> {
        match &self.locks {
            Some(locks) => locks.fault().map(str::to_owned),
            None => Some("a store of objects has no locks".to_owned()),
        }
    }

    fn renew(&mut self, lease: Duration) -> Result<(), JournalError> {
        self.writable()?;
        let mine = self.epoch.ok_or(JournalError::NotWriting)?;
        self.assert_in_place()?;
        self.run(async |journal| journal.post_renewal(mine, lease).await)
    }

    fn release(&mut self) -> Result<(), JournalError> {
        self.writable()?;
        let Some(mine) = self.held.take() else { return Ok(()) };
        let kept = self.assert_in_place();
        if let Some(locks) = &mut self.locks {
            locks.release();
        }
        kept?;
        self.run(async |journal| journal.post_release(mine).await)
    }

    fn lease_left(&mut self) -> Result<Option<Duration>, JournalError> {
        self.run(async |journal| {
            journal.log.follow().await?;
            let died = journal.log.state.holder().is_some_and(|holder| holder.has_died());
            if died { Ok(None) } else { journal.remaining_lease().await }
        })
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        commit.assert_whole();
        let mine = self.epoch.ok_or(AppendError::NotWriting)?;
        self.assert_in_place().map_err(|error| AppendError::Failed(error.into()))?;
        let appended = self.run(async |journal| journal.append_entry(mine, commit).await);
        match &appended {
            Ok(()) => {
                self.mark();
                self.merge();
            }
            // The store may yet make the object. Taking over finds it, or stands in its place.
            Err(AppendError::Unknown(_)) => self.epoch = None,
            Err(_) => {}
        }
        appended
    }

    fn is_last_writer(&mut self) -> Result<bool, JournalError> {
        let Some(mine) = self.epoch else { return Ok(false) };
        self.assert_in_place()?;
        self.run(async |journal| {
            if journal.log.state.epoch == mine {
                journal.log.look().await?;
            }
            Ok(journal.log.state.epoch == mine)
        })
    }

    fn may_recover(&self) -> bool {
        true
    }

    fn probe(&mut self) -> Result<(), JournalError> {
        self.writable()?;
        self.assert_in_place()?;
        self.run(async |journal| journal.probe_store().await)
    }

    fn identity(&self) -> Identity {
        self.identity
    }

    fn reopen(&self) -> Reopen {
        let (storage, name) = (self.storage.clone(), self.name.clone());
        let (its, of, places) = (storage.clone(), name.clone(), self.places.clone());
        Reopen::by(move || Self::open(&storage, &name, OpenMode::ReadOnly)).writing_by(move || {
            // A ledger that is not there any more is not made anew.
            let kept = places.iter().try_for_each(NotedFile::assert_kept);
            kept.map_err(|error| opening::unreachable(&its, error.into()))?;
            Self::open(&its, &of, OpenMode::create())
        })
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        self.run(async |journal| {
            journal.log.follow().await?;
            journal.log.assert_end().await?;
            Ok(journal.log.state.head())
        })
    }

    fn check(&mut self) -> Result<(), JournalError> {
        self.run(async |journal| journal.check_log().await)
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        let from_seq = from_seq.max(1);
        let rows = self.run(async |journal| journal.log.read(from_seq, max_rows).await);
        continuous(from_seq, rows?)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        self.run(async |journal| {
            journal.log.follow().await?;
            journal.log.values().await
        })
    }

    fn values(&mut self, tokens: &[Token]) -> Result<Vec<VaultRow>, JournalError> {
        self.run(async |journal| {
            journal.log.follow().await?;
            journal.log.values_of(tokens).await
        })
    }

    fn kept_tokens(&mut self) -> Result<KeptTokens, JournalError> {
        self.run(async |journal| {
            journal.log.follow().await?;
            journal.log.kept_tokens().await
        })
    }

    /// Each look is a request that is paid for: after a minute without a commit one in two seconds.
    fn next_look(&self, quiet: Duration) -> Duration {
        (quiet / 30).clamp(SOONEST_LOOK, LATEST_LOOK)
    }

    fn erase(&mut self, token: Token) -> Result<bool, JournalError> {
        self.writable()?;
        let mine = self.epoch.ok_or(JournalError::NotWriting)?;
        self.assert_in_place()?;
        self.run(async |journal| journal.post_erasure(mine, token).await)
    }

    fn scrub(&mut self, _: Scrub) -> Result<Vec<String>, JournalError> {
        self.writable()?;
        self.assert_in_place()?;
        self.run(async |journal| journal.scrub_log().await)
    }

    fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError> {
        self.run(async |journal| {
            journal.log.follow().await?;
            Ok(journal.log.state.holds())
        })
    }

    fn place_hold(&mut self, hold: &LegalHold) -> Result<bool, JournalError> {
        self.writable()?;
        self.assert_in_place()?;
        self.run(async |journal| journal.hold_placed(hold).await)
    }

    fn release_hold(&mut self, id: &str, note: &OperatorNote) -> Result<bool, JournalError> {
        self.writable()?;
        self.assert_in_place()?;
        self.run(async |journal| journal.hold_released(id, note).await)
    }
}

impl fmt::Debug for ObjectJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectJournal")
            .field("storage", &self.storage)
            .field("name", &self.name)
            .field("identity", &self.identity)
            .field("epoch", &self.epoch)
            .finish_non_exhaustive()
    }
}
