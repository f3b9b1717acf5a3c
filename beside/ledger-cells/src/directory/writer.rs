//! A directory that is open for writing: each command by a commit of its own.

use ledger_core::contract::Tokens;
use ledger_core::directory::{Command, Directory, Event, decide};
use ledger_core::id::KeyHash;
use ledger_core::time::Instant;

use super::replay::Replayed;
use super::{DirectoryError, DirectoryReplayError, Record};
use ledger_store::frame::FrameWriter;
use ledger_store::journal::{
    AppendError, Commit, Head, Journal, JournalError, Source, claim_when_unlocked,
};

/// A directory of cells that is open for writing: the one writer of its journal.
///
/// ```
/// use ledger_core::directory::{CellIdentity, Command, Placement};
/// use ledger_core::id::Environment;
/// use ledger_core::time::Instant;
/// use ledger_cells::directory::{DIRECTORY, DirectoryJournal};
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let disk = MemoryDisk::new();
/// let mode = OpenMode::Directory { environment: Some(Environment::Live) };
/// let open = || MemoryJournal::open(&disk, DIRECTORY, mode);
/// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
///
/// let mut directory = DirectoryJournal::open(Box::new(open()?))?;
/// let (name, environment, key_check) = ("cell-a".into(), Environment::Live, [7; 32]);
/// directory.execute(&Command::AddCell(CellIdentity { name, environment, key_check }), at)?;
/// let placement = Placement::FewestAccounts;
/// directory.execute(&Command::Place { account: "loja".into(), placement }, at)?;
///
/// // Nobody else writes it while this one does; whoever opens it next finds the same.
/// assert!(DirectoryJournal::open(Box::new(open()?)).is_err());
/// let head = directory.head();
/// drop(directory);
/// let next = DirectoryJournal::open(Box::new(open()?))?;
/// assert_eq!(next.directory().cell_of("loja"), Some("cell-a"));
/// assert_eq!(next.head(), head);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DirectoryJournal {
    journal: Box<dyn Journal>,
    replayed: Replayed,
    tokens: Tokens,
    /// A commit whose outcome is not known yet.
    unsettled: Option<Unsettled>,
    fenced: bool,
}

/// A record that may have been written.
struct Unsettled {
    record: Record,
    previous: Head,
    head: Head,
    source: Source,
}

impl DirectoryJournal {
    /// Replays the directory of a journal and takes the writer's place, unless another writer holds
    /// it whose process lives. The journal of a ledger is refused before anything is written to it.
    ///
    /// # Errors
    ///
    /// [`DirectoryReplayError`], when it is none of a directory or a record is at fault.
    pub fn open(mut journal: Box<dyn Journal>) -> Result<Self, DirectoryReplayError> {
        // A journal that does not replay is not taken over: whoever writes it goes on.
        let mut replayed = Replayed::for_journal(&mut *journal)?;
        replayed.go_on(&mut *journal, |_, _| ())?;
        claim_when_unlocked(&mut *journal, None)?;
        replayed.go_on(&mut *journal, |_, _| ())?;
        let tokens = Tokens::new(journal.identity().vault_key);
        Ok(Self { journal, replayed, tokens, unsettled: None, fenced: false })
    }

    /// Returns what the directory holds, as far as it is known to be durable.
    #[must_use]
    pub const fn directory(&self) -> &Directory {
        &self.replayed.directory
    }

    /// Where its journal ends, as far as it is known to be durable.
    #[must_use]
    pub fn head(&self) -> Head {
        self.replayed.head()
    }

    /// The hash that the directory knows an API key by: under a key of its own, so that it is no
    /// list of keys, and none of the hashes in the cells.
    #[must_use]
    pub fn key_hash(&self, key: &str) -> KeyHash {
        self.tokens.api_key(key)
    }

    /// Derives those hashes.
    #[must_use]
    pub const fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// Carries out a command: what came of it is durable, or `None` where it was done already. An
    /// instant before the last record's is recorded as that.
    ///
    /// A commit whose outcome is unknown is settled by taking over anew: where the journal ends
    /// says what became of it.
    ///
    /// # Errors
    ///
    /// [`DirectoryError`]; each says whether anything was written.
    pub fn execute(
        &mut self,
        command: &Command,
        at: Instant,
    ) -> Result<Option<Event>, DirectoryError> {
        match self.settle() {
            // What came of an earlier command is now known, and this one is judged by it.
            Ok(()) | Err(DirectoryError::NotWritten(_)) => {}
            Err(error) => return Err(error),
        }
        if self.fenced {
            return Err(DirectoryError::Fenced);
        }
        match decide(self.directory(), command) {
            Ok(Some(event)) => {
                self.append(Record { at: at.max(self.replayed.at), event: event.clone() })?;
                Ok(Some(event))
            }
            // It was judged by what this writer knows, which must be what the directory is.
            Ok(None) => self.assert_last_writer().map(|()| None),
            Err(refusal) => {
                self.assert_last_writer()?;
                Err(refusal.into())
            }
        }
    }

    fn append(&mut self, record: Record) -> Result<(), DirectoryError> {
        let mut frames = FrameWriter::new(self.replayed.chain());
        frames.push(&record.encode());
        let rows = frames.cut().into_iter().collect();
        let commit = Commit { previous: self.head(), rows, vault: Vec::new() };
        match self.journal.append(&commit) {
            Ok(()) => {
                self.replayed.remember_appended(&record, commit.head());
                Ok(())
            }
            Err(AppendError::Fenced { .. } | AppendError::HeadMoved { .. }) => Err(self.fence()),
            Err(AppendError::Failed(source)) => Err(DirectoryError::NotWritten(source)),
            Err(error @ AppendError::NotWriting) => Err(DirectoryError::NotWritten(error.into())),
            Err(AppendError::Unknown(source)) => {
                let (previous, head) = (commit.previous, commit.head());
                self.unsettled = Some(Unsettled { record, previous, head, source });
                self.settle()
            }
        }
    }

    /// Finds out what became of a commit whose outcome is not known, if there is one.
    fn settle(&mut self) -> Result<(), DirectoryError> {
        let Some(unsettled) = self.unsettled.take() else { return Ok(()) };
        let opening = match self.journal.claim(None) {
            Ok(opening) => opening,
            // Whoever holds it has taken over before.
            Err(JournalError::Leased { .. } | JournalError::InUse { .. }) => {
                return Err(self.fence());
            }
            Err(error) => {
                self.unsettled = Some(unsettled);
                return Err(DirectoryError::Unknown(error));
            }
        };
        if opening.head == unsettled.head {
            self.replayed.remember_appended(&unsettled.record, unsettled.head);
            Ok(())
        } else if opening.head == unsettled.previous {
            Err(DirectoryError::NotWritten(unsettled.source))
        } else {
            // Somebody wrote after it, so somebody had taken over.
            Err(self.fence())
        }
    }

    fn assert_last_writer(&mut self) -> Result<(), DirectoryError> {
        match self.journal.is_last_writer() {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.fence()),
            Err(error) => Err(DirectoryError::Unverified(error)),
        }
    }

    fn fence(&mut self) -> DirectoryError {
        self.fenced = true;
        DirectoryError::Fenced
    }
}

/// Shows no key: it must not reach a log.
impl std::fmt::Debug for DirectoryJournal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DirectoryJournal").field("head", &self.head()).finish_non_exhaustive()
    }
}
