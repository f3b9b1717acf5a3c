//! The journal in an SQLite file: WAL, `synchronous = FULL`, one connection per open ledger.
//!
//! A commit of one row and no vault rows is one guarded statement, which SQLite makes durable by
//! itself; any other commit is a transaction around the same statement.
//! The guard and the write are one step either way, so no other writer comes between them.

mod codes;
mod cut;
mod running;
mod schema;
mod scrub;
mod standing;
mod statements;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection as _, Sqlite};
use tokio::runtime::Builder;

#[cfg(test)]
pub(super) use schema::MIGRATIONS;
pub(crate) use schema::{create_private as create_sqlite, read as read_sqlite};
pub(crate) use standing::is_open_journal;

use self::standing::Standing;
use super::database::{JournalDatabase as _, medium, same_calls};
use super::session::{Session, wait_in};
use super::statements::{Ledger, rows_up_to_damage};
use super::writer::file_lock::FileLocks;
use super::writer::holder::Holder;
use super::writer::lock::Heed;
use super::writer::noted_file::NotedFile;
use super::{
    AppendError, Commit, Head, Identity, Journal, JournalError, OpenError, OpenMode, Opening,
    Reopen, Row, Scrub, TABLES, Token, VaultRow, assert_rules, continuous,
};
use crate::state::vault::hold::{LegalHold, OperatorNote};
use crate::state::vault::named::KeptTokens;

/// One ledger of an SQLite file.
///
/// It brings its own runtime, and every call blocks; within async code too, where opening it and
/// reading from it belong under `spawn_blocking`.
///
/// ```
/// use ledger_store::{Journal as _, OpenError, OpenMode, SqliteJournal};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("ledger.db");
/// let mut journal = SqliteJournal::open(&file, "live", OpenMode::create())?;
/// assert_eq!(journal.open_writer()?.head.seq, 0);
///
/// // Whoever only reads makes no ledger.
/// let unknown = SqliteJournal::open(&file, "sandbox", OpenMode::ReadOnly);
/// assert!(matches!(unknown, Err(OpenError::LedgerUnknown { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SqliteJournal {
    session: Session<SqliteConnection>,
    path: PathBuf,
    name: String,
    ledger: Ledger<Sqlite>,
    identity: Identity,
    epoch: Option<u64>,
    /// Who this writer is.
    me: Holder,
    /// The epoch under which it last held the ledger.
    held: Option<u64>,
    /// Where it ends whatever was lost after it, as an operator says.
    accepted: Option<Head>,
    locks: FileLocks,
    standing: Standing,
    read_only: bool,
}

impl SqliteJournal {
    /// Opens the ledger named `name` in the file at `path`.
    ///
    /// # Errors
    ///
    /// When the file cannot be used, or the ledger is not there or not the one asked for.
    pub fn open(path: impl AsRef<Path>, name: &str, mode: OpenMode) -> Result<Self, OpenError> {
        mode.assert_name(name)?;
        let path = path.as_ref();
        let runtime = Builder::new_current_thread()
            .build()
            .map_err(|error| OpenError::Database { path: path.to_owned(), source: error.into() })?;
        let (connection, found) = wait_in(&runtime, async || schema::open(path, name, mode).await)?;
        let standing = match mode {
            OpenMode::ReadOnly => Ok(Standing::of_reader()),
            OpenMode::Create { .. } | OpenMode::Directory { .. } => Standing::of_writer(path),
        };
        let unusable = |error| Sqlite::opening(path, sqlx::Error::Io(error));
        // Beside the file itself, by whatever links it is named.
        let mut stem = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
        stem.push(format!("-lock-{}", found.ledger.key));
        Ok(Self {
            session: Session::new(connection, runtime),
            // The program may change its folder.
            path: std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
            name: name.to_owned(),
            ledger: found.ledger,
            identity: found.identity,
            epoch: None,
            me: Holder::of_this_process(),
            held: None,
            accepted: None,
            locks: FileLocks::new(stem.into()),
            standing: standing.map_err(unusable)?,
            read_only: mode == OpenMode::ReadOnly,
        })
    }

    fn writable(&self) -> Result<(), JournalError> {
        if self.read_only { Err(JournalError::ReadOnly) } else { Ok(()) }
    }
}

impl Journal for SqliteJournal {
    same_calls!(Sqlite);

    fn locked_by(&mut self) -> Result<Option<Holder>, JournalError> {
        if self.read_only {
            return Ok(None);
        }
        self.assert_in_place()?;
        let Self { session, path, ledger, me, held, locks, .. } = self;
        let holder = session.run(
            async || schema::reconnect(path, false).await,
            async |connection| ledger.locked_by(connection, locks, (me, *held)).await,
        );
        holder.map_err(medium::<Sqlite>)
    }

    fn release(&mut self) -> Result<(), JournalError> {
        self.writable()?;
        let Some(mine) = self.held.take() else { return Ok(()) };
        self.locks.release();
        let released = self.run(async |connection, ledger| ledger.release(connection, mine).await);
        released.map_err(medium::<Sqlite>)
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        commit.assert_whole();
        let mine = self.epoch.ok_or(AppendError::NotWriting)?;
        self.look_each_second().map_err(|error| AppendError::Failed(error.into()))?;
        let written = self.run(async |connection, ledger| {
            if let ([row], []) = (&commit.rows[..], &commit.vault[..]) {
                return ledger.append(connection, mine, commit.previous, row).await;
            }
            let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
            let mut previous = commit.previous;
            for row in &commit.rows {
                if !ledger.append(&mut transaction, mine, previous, row).await? {
                    return Ok(false);
                }
                previous = Head { seq: row.last(), link: row.link };
            }
            for row in &commit.vault {
                ledger.keep(&mut transaction, row).await?;
            }
            transaction.commit().await?;
            Ok(true)
        });
        match written {
            Ok(true) => Ok(()),
            Ok(false) => Err(match self.head_and_epoch() {
                Ok(found) => commit.append_error(mine, found),
                Err(error) => AppendError::Failed(Sqlite::cause(error)),
            }),
            Err(error) if Sqlite::surely_not_written(&error) => {
                Err(AppendError::Failed(Sqlite::cause(error)))
            }
            Err(error) => {
                // The commit may yet be recovered from the file. Taking over writes, and what was
                // left of it is then either part of the head or overwritten.
                self.epoch = None;
                Err(AppendError::Unknown(Sqlite::cause(error)))
            }
        }
    }

    fn probe(&mut self) -> Result<(), JournalError> {
        self.writable()?;
        let probed = self.run(async |connection, ledger| {
            for step in statements::PROBE {
                sqlx::query(step).bind(ledger.key).execute(&mut *connection).await?;
            }
            Ok(())
        });
        probed.map_err(medium::<Sqlite>)
    }

    fn reopen(&self) -> Reopen {
        let (path, name, place) = (self.path.clone(), self.name.clone(), self.standing.place());
        let open = move |mode| {
            // A file that is not there any more is not made anew.
            let kept = place.iter().try_for_each(NotedFile::assert_kept);
            kept.map_err(|error| Sqlite::opening(&path, sqlx::Error::Io(error)))?;
            Self::open(&path, &name, mode)
        };
        let reading = open.clone();
        Reopen::by(move || reading(OpenMode::ReadOnly)).writing_by(move || open(OpenMode::create()))
    }

    fn file(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn rest(&mut self) {
        self.close();
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        self.counted_head()
    }

    fn check(&mut self) -> Result<(), JournalError> {
        let head = self.head()?;
        let fault = self.run(async |connection, _| statements::integrity(connection).await);
        let fault = fault.unwrap_or_else(|error| Some(error.to_string()));
        if let Some(fault) = fault {
            return Err(JournalError::Damaged { seq: head.seq + 1, source: fault.into() });
        }
        let (expected, found) = self
            .run(async |connection, _| {
                let expected = schema::expected_triggers(connection, &TABLES).await?;
                Ok((expected, statements::triggers(connection, &TABLES).await?))
            })
            .map_err(medium::<Sqlite>)?;
        assert_rules(expected, found)
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        let from_seq = from_seq.max(1);
        let rows = rows_up_to_damage::<Sqlite>(from_seq, max_rows, |seq, max_rows| {
            self.run(async |connection, ledger| ledger.read(connection, seq, max_rows).await)
        });
        continuous(from_seq, rows?)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        self.run(async |connection, ledger| ledger.vault(connection).await)
            .map_err(medium::<Sqlite>)
    }

    fn kept_tokens(&mut self) -> Result<KeptTokens, JournalError> {
        self.run(async |connection, ledger| ledger.kept_tokens(connection).await)
            .map_err(medium::<Sqlite>)
    }

    fn note_erased(&mut self, tokens: &[Token]) -> Result<(), JournalError> {
        self.writable()?;
        let mine = self.epoch.ok_or(JournalError::NotWriting)?;
        let noted =
            self.run(async |connection, ledger| ledger.note_erased(connection, mine, tokens).await);
        noted.map_err(medium::<Sqlite>)?.into_result(mine).map(drop)
    }

    fn scrub(&mut self, scrub: Scrub) -> Result<Vec<String>, JournalError> {
        self.writable()?;
        self.run(async |connection, _| scrub::scrub(connection, scrub).await)
            .map_err(medium::<Sqlite>)
    }
}

impl fmt::Debug for SqliteJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteJournal")
            .field("ledger", &self.ledger.key)
            .field("identity", &self.identity)
            .field("epoch", &self.epoch)
            .finish_non_exhaustive()
    }
}
