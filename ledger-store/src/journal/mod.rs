//! The journal: rows of records in one total order, appended by one writer at a time.
//!
//! ```text
//! open ─► open_writer ─► append ─► append ─► ...        head, read, vault: at any time
//!              ▲            │
//!              └────────────┘ Unknown: take over anew, and the head says what became of it
//! ```
//!
//! A writer may hold a lease, for which nobody who heeds it takes over: within it, what the writer
//! knows is what the ledger is, and it need not ask. One without a lease holds the ledger by a lock
//! that the death of its process releases, where there is such a lock. Both are courtesies: what
//! protects the ledger is the epoch.
//! A writer says with every commit where it believes the head is and, silently, which epoch it
//! opened; the journal checks both in the same step that writes.
//! So a stale writer cannot overwrite, and a fenced writer's append never lands.
//! All calls block, whatever thread they are made from: async code makes them where it may block.

mod checks;
mod commit;
#[cfg(feature = "_sql")]
mod database;
pub(crate) mod environment;
mod error;
mod faults;
#[cfg(feature = "_sql")]
mod holds;
mod memory;
#[cfg(feature = "_sql")]
mod migrations;
#[cfg(feature = "object")]
mod object;
mod open_mode;
#[cfg(feature = "postgres")]
mod postgres;
mod reopen;
#[cfg(feature = "_sql")]
mod schema;
#[cfg(any(feature = "_sql", feature = "object"))]
mod session;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "_sql")]
mod statements;
mod writer;

use std::time::Duration;

use ledger_core::id::Designation;

pub(crate) use checks::key_check;
#[cfg(feature = "_sql")]
use checks::{Counted, TABLES, assert_rules};
#[cfg(any(feature = "_sql", feature = "object"))]
use checks::{assert_key, continuous};
pub use commit::{Commit, Head};
#[cfg(feature = "_sql")]
pub(crate) use database::SqlDatabase;
#[cfg(any(feature = "sqlite", feature = "object"))]
use error::Displaced;
pub(crate) use error::in_one_line;
pub use error::{AppendError, JournalError, OpenError, Source, TAKE_OVER, TAKE_OVER_BY};
pub use faults::{AppendFault, AppendFaults};
pub use memory::{MemoryDisk, MemoryJournal};
#[cfg(feature = "object")]
pub use object::{Merging, ObjectJournal, ObjectStorage, ObjectStore, ObjectUrlMalformed};
pub use open_mode::{DIRECTORY, OpenMode};
#[cfg(feature = "postgres")]
pub(crate) use postgres::Connections as PostgresConnections;
#[cfg(feature = "postgres")]
pub use postgres::{PgConnectOptions, PostgresJournal, PostgresServer, TlsMalformed, UrlMalformed};
pub use reopen::Reopen;
#[cfg(feature = "sqlite")]
pub(crate) use session::{Session, wait_in};
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteJournal;
#[cfg(feature = "sqlite")]
pub(crate) use sqlite::{create_sqlite, is_open_journal, read_sqlite};
pub use writer::claim_when_unlocked;
pub use writer::holder::Holder;
pub(crate) use writer::holder::describe_holder;

use crate::bytes::chain::Algorithm;
pub use crate::bytes::frame::{MAX_ROW_RECORDS, Row};
use crate::state::vault::hold::{LegalHold, OperatorNote};
use crate::state::vault::named::KeptTokens;
pub use crate::state::vault::row::{Token, VaultRow};

/// What a ledger was created with and keeps for ever.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// The hash function of its chain.
    pub algorithm: Algorithm,
    /// The key its tokens are derived with.
    pub vault_key: [u8; 32],
    /// What decides its environment.
    pub designation: Designation,
}

/// What a writer starts from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// Where the journal ends.
    pub head: Head,
    /// The epoch this writer holds until another takes over.
    pub epoch: u64,
    /// The hash function of the ledger's chain.
    pub algorithm: Algorithm,
    /// The key the ledger's tokens are derived with.
    pub vault_key: [u8; 32],
    /// For how long yet whoever held the ledger may believe that it does, since it had a lease:
    /// until then it may answer reads within that, and nobody else does.
    pub predecessor_lease: Duration,
}

/// How much is written anew to leave no copy of what was erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scrub {
    /// The tables that held it, and the log of an SQLite file: beside a ledger that runs.
    Tables,
    /// The whole SQLite file; on PostgreSQL the server's statistics and its write-ahead log too.
    Whole,
}

/// One ledger's journal, whatever keeps it.
pub trait Journal: Send {
    /// Takes the writer's place from whoever holds it: an older writer's next append is fenced.
    ///
    /// Called again after [`AppendError::Unknown`], it settles what became of that commit:
    /// [`Opening::head`] tells, and cannot be contradicted later.
    ///
    /// # Errors
    ///
    /// When the journal is open read-only or its medium fails.
    fn open_writer(&mut self) -> Result<Opening, JournalError>;

    /// [`Journal::open_writer`] once nobody else holds the ledger, which is found out in the same
    /// step; with `lease`, takes a lease of its own for so long.
    ///
    /// A writer with a lease holds the ledger while that is in force, one without while a lock says
    /// that its process lives. A process of this machine that is known to have ended holds nothing.
    /// `open_writer` heeds neither, and ends both: until then a holder with a lease answers reads
    /// from what it knows, so its successor waits for [`Opening::predecessor_lease`].
    ///
    /// # Errors
    ///
    /// [`JournalError::Leased`] or [`JournalError::InUse`], and as of [`Journal::open_writer`].
    fn claim(&mut self, lease: Option<Duration>) -> Result<Opening, JournalError>;

    /// From the next taking over on, takes the journal to end at `head`, if it seems to end there,
    /// and whatever says that more was written: what that says it sets back, or moves aside. A
    /// journal that ends elsewhere, or of which nothing is lost, is taken over as ever. Nobody but
    /// an operator may say so, once every other writer has ended (rulings 79).
    fn accept_loss(&mut self, head: Head) {
        let _ = head;
    }

    /// The other writer that holds the ledger by a lock, which says that its process lives; nothing
    /// where none is known, and for whoever only reads.
    ///
    /// # Errors
    ///
    /// When the medium fails.
    fn locked_by(&mut self) -> Result<Option<Holder>, JournalError> {
        Ok(None)
    }

    /// Why no lock keeps other writers from the ledger that this one took over; nothing where one
    /// does.
    fn lock_fault(&self) -> Option<String> {
        None
    }

    /// Takes or renews the lease of this writer: for so long, by the medium's own clock, nobody
    /// takes over by [`Journal::claim`].
    ///
    /// # Errors
    ///
    /// [`JournalError::Fenced`] or [`JournalError::NotWriting`] when this writer does not hold the
    /// ledger; when the journal is open read-only or its medium fails.
    fn renew(&mut self, lease: Duration) -> Result<(), JournalError>;

    /// Ends the lease and releases the lock of this writer, as far as it has them: whoever claims
    /// the ledger need not wait.
    ///
    /// # Errors
    ///
    /// When the journal is open read-only or its medium fails.
    fn release(&mut self) -> Result<(), JournalError>;

    /// For how long the lease of the last writer is in force yet, unless it is renewed; `None`
    /// where none is in force, or its process is known to have ended.
    ///
    /// # Errors
    ///
    /// When the medium fails.
    fn lease_left(&mut self) -> Result<Option<Duration>, JournalError>;

    /// Makes `commit` durable, if this writer is the last and the head is where it believes.
    ///
    /// # Errors
    ///
    /// Nothing was written, unless the error is [`AppendError::Unknown`].
    ///
    /// # Panics
    ///
    /// When the commit has no row, or its rows do not continue one another.
    fn append(&mut self, commit: &Commit) -> Result<(), AppendError>;

    /// Tells whether this is still the last writer to have taken over: what it read and decided by
    /// is then what the ledger is.
    ///
    /// # Errors
    ///
    /// When the medium fails, and nobody can tell.
    fn is_last_writer(&mut self) -> Result<bool, JournalError>;

    /// Tells whether a medium that fails may answer later, so that it is waited for: a server may
    /// be started again, and a disk be given room.
    fn may_recover(&self) -> bool {
        false
    }

    /// Writes something beside the records, as much as a commit would, and takes it away again:
    /// what a writer whose appends fail finds out by that the medium takes them again.
    ///
    /// # Errors
    ///
    /// When the medium does not.
    fn probe(&mut self) -> Result<(), JournalError> {
        Ok(())
    }

    /// Returns what the ledger was created with.
    fn identity(&self) -> Identity;

    /// How the same ledger is opened once more, for reading only.
    fn reopen(&self) -> Reopen;

    /// The file that lets one writer in at a time, where the ledger is in one.
    fn file(&self) -> Option<&std::path::Path> {
        None
    }

    /// Another hand on the same ledger, for reading only: what this one writes, it sees.
    ///
    /// # Errors
    ///
    /// When it cannot be opened a second time.
    fn reader(&self) -> Result<Box<dyn Journal>, JournalError> {
        self.reopen().open().map_err(|error| JournalError::Medium(error.into()))
    }

    /// Where the journal ends now.
    ///
    /// # Errors
    ///
    /// When the medium fails.
    fn head(&mut self) -> Result<Head, JournalError>;

    /// Gives back what is needed only while the journal is used, such as a connection of its own to
    /// a file; the next call gets it again. A writer is still the writer.
    fn rest(&mut self) {}

    /// Examines the medium itself, beyond what reading it shows, and the rules it was given to
    /// keep.
    ///
    /// # Errors
    ///
    /// When it is damaged, lacks a rule or has a foreign one, or fails.
    fn check(&mut self) -> Result<(), JournalError> {
        Ok(())
    }

    /// The next rows holding record `from_seq` or a later one, in order, at most `max_rows`.
    ///
    /// Only an empty answer means that the end is reached.
    /// Rows before damage are still given; the next read then names where it begins.
    ///
    /// # Errors
    ///
    /// When rows are damaged or missing at `from_seq`, or the medium fails.
    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError>;

    /// Every value kept, in token order.
    ///
    /// # Errors
    ///
    /// When the medium fails.
    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError>;

    /// The values that are kept for some of these tokens, in token order.
    ///
    /// # Errors
    ///
    /// When the medium fails.
    fn values(&mut self, tokens: &[Token]) -> Result<Vec<VaultRow>, JournalError> {
        let mut rows = self.vault()?;
        rows.retain(|row| tokens.contains(&row.token));
        Ok(rows)
    }

    /// Of which tokens there are values, and which were erased. A medium that notes no erasure says
    /// that nothing can be said.
    ///
    /// # Errors
    ///
    /// When the medium fails.
    fn kept_tokens(&mut self) -> Result<KeptTokens, JournalError> {
        let kept = self.vault()?.into_iter().map(|row| row.token).collect();
        Ok(KeptTokens { kept, since: u64::MAX, ..KeptTokens::default() })
    }

    /// Notes that these tokens, which have no value here, have none on purpose, as if they had been
    /// erased: records came without them.
    ///
    /// # Errors
    ///
    /// As [`Journal::erase`].
    fn note_erased(&mut self, tokens: &[Token]) -> Result<(), JournalError> {
        let _ = tokens;
        Ok(())
    }

    /// How long whoever follows it rests before the next look, when nothing came for so long.
    fn next_look(&self, _quiet: Duration) -> Duration {
        Duration::from_millis(20)
    }

    /// Erases the value behind `token` for good; says whether there was one.
    ///
    /// Only the last writer may: an engine believes that what it wrote is there, so nobody erases
    /// beside it. A running engine erases by [`Engine::erase`](crate::engine::Engine::erase);
    /// whoever takes over to erase fences it.
    ///
    /// # Errors
    ///
    /// [`JournalError::Held`] when a legal hold forbids it; [`JournalError::NotWriting`] or
    /// [`JournalError::Fenced`] when this writer does not hold the ledger; when the journal is open
    /// read-only or its medium fails.
    fn erase(&mut self, token: Token) -> Result<bool, JournalError>;

    /// Leaves no copy of what was erased where the medium may keep one, as far as it can; what may
    /// still hold one, and what to do about it, a sentence each. No epoch is needed.
    ///
    /// # Errors
    ///
    /// When the journal is open read-only or its medium fails.
    fn scrub(&mut self, scrub: Scrub) -> Result<Vec<String>, JournalError> {
        let _ = scrub;
        Ok(Vec::new())
    }

    /// Every legal hold, by name, released ones too.
    ///
    /// # Errors
    ///
    /// When the medium fails.
    fn holds(&mut self) -> Result<Vec<LegalHold>, JournalError>;

    /// Places a legal hold; `false` where there is or was one of its name, and nothing is changed.
    /// No epoch is needed: whoever erases asks the medium.
    ///
    /// # Errors
    ///
    /// When the journal is open read-only or its medium fails.
    fn place_hold(&mut self, hold: &LegalHold) -> Result<bool, JournalError>;

    /// Releases a legal hold; `false` where none of this name is in force.
    ///
    /// # Errors
    ///
    /// When the journal is open read-only or its medium fails.
    fn release_hold(&mut self, id: &str, note: &OperatorNote) -> Result<bool, JournalError>;
}

impl Identity {
    /// Returns what a writer of this ledger starts from, once it holds `epoch`.
    fn opening(self, head: Head, epoch: u64, predecessor_lease: Duration) -> Opening {
        let Self { algorithm, vault_key, .. } = self;
        Opening { head, epoch, algorithm, vault_key, predecessor_lease }
    }
}
