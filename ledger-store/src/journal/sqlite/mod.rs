//! The journal in an SQLite file: WAL, `synchronous = FULL`, one connection per open ledger.
//!
//! A commit of one row and no vault rows is one guarded statement, which SQLite makes durable by
//! itself; any other commit is a transaction around the same statement.
//! The guard and the write are one step either way, so no other writer comes between them.

mod codes;
mod schema;
mod statements;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sqlx::Connection as _;
use sqlx::sqlite::SqliteConnection;
use tokio::runtime::{Builder, Handle, Runtime};

#[cfg(test)]
pub(super) use schema::MIGRATIONS;
pub(crate) use schema::read as read_sqlite;
use statements::Guard;

use super::{
    AppendError, Commit, Head, Identity, Journal, JournalError, OpenError, OpenMode, Opening,
    Reopen, Row, TABLES, Token, VaultRow, assert_counted, assert_rules, continuous,
};
use crate::chain::Chain;

/// One ledger of an SQLite file.
///
/// It brings its own runtime and is used from plain threads: a call from within async code panics.
pub struct SqliteJournal {
    runtime: Runtime,
    // `None` after a failure that may have left it in any state, until the next call makes another.
    connection: Option<SqliteConnection>,
    path: PathBuf,
    name: String,
    ledger: i64,
    identity: Identity,
    genesis: Head,
    epoch: Option<u64>,
    read_only: bool,
}

impl SqliteJournal {
    /// Opens the ledger named `name` in the file at `path`.
    ///
    /// # Errors
    ///
    /// When the file cannot be used, or the ledger is not there or not the one asked for.
    pub fn open(path: impl AsRef<Path>, name: &str, mode: OpenMode) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let runtime = Builder::new_current_thread()
            .build()
            .map_err(|error| OpenError::Database { path: path.to_owned(), source: error.into() })?;
        let opened = runtime.block_on(schema::open(path, name, mode))?;
        Ok(Self {
            runtime,
            connection: Some(opened.connection),
            // The program may change its folder.
            path: std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
            name: name.to_owned(),
            ledger: opened.ledger,
            identity: opened.identity,
            genesis: Head::of(&Chain::genesis(opened.identity.algorithm, name)),
            epoch: None,
            read_only: mode == OpenMode::ReadOnly,
        })
    }

    fn run<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut SqliteConnection) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        let done = self.runtime.block_on(async {
            let connection = match &mut self.connection {
                Some(connection) => connection,
                lost => lost.insert(schema::reconnect(&self.path, self.read_only).await?),
            };
            work(connection).await
        });
        if done.as_ref().is_err_and(|error| !codes::surely_not_written(error)) {
            self.part();
        }
        done
    }

    /// Parts with the connection, and waits until the file is closed.
    fn part(&mut self) {
        if let Some(connection) = self.connection.take() {
            // Nothing durable depends on closing well, and there is nobody left to tell.
            let _ = self.runtime.block_on(connection.close());
        }
    }

    /// The epoch and the head as they stand.
    fn standing(&mut self) -> sqlx::Result<(u64, Head)> {
        let (ledger, genesis) = (self.ledger, self.genesis);
        self.run(async |connection| statements::standing(connection, ledger, genesis).await)
    }

    fn rows(&mut self, from_seq: u64, max_rows: usize) -> sqlx::Result<Vec<Row>> {
        let ledger = self.ledger;
        self.run(async |connection| statements::read(connection, ledger, from_seq, max_rows).await)
    }

    /// Reads row by row what could not be read at once, up to the row at fault.
    fn rows_before_damage(
        &mut self,
        from_seq: u64,
        max_rows: usize,
    ) -> Result<Vec<Row>, JournalError> {
        let mut rows = Vec::new();
        let mut seq = from_seq;
        while rows.len() < max_rows {
            match self.rows(seq, 1) {
                Ok(mut next) => match next.pop() {
                    Some(row) => {
                        seq = row.last() + 1;
                        rows.push(row);
                    }
                    None => break,
                },
                Err(_) if !rows.is_empty() => break,
                Err(error) if codes::is_damage(&error) => {
                    return Err(JournalError::Damaged { seq, source: error.into() });
                }
                Err(error) => return Err(medium(error)),
            }
        }
        Ok(rows)
    }

    /// The head, which goes by the index, compared with what the table itself holds.
    fn counted_head(&mut self) -> Result<Head, JournalError> {
        let (ledger, genesis) = (self.ledger, self.genesis);
        let before = self.standing().map_err(medium)?.1;
        let counted = self.run(async |connection| {
            // One moment for both: another writer may go on between two.
            let mut moment = connection.begin().await?;
            let (_, head) = statements::standing(&mut moment, ledger, genesis).await?;
            let counted = statements::counted(&mut moment, ledger).await?;
            moment.rollback().await?;
            Ok((head, counted))
        });
        let (head, counted) = counted.map_err(|error| {
            if codes::is_damage(&error) {
                JournalError::Damaged { seq: before.seq + 1, source: error.into() }
            } else {
                medium(error)
            }
        })?;
        assert_counted(head, counted)?;
        Ok(head)
    }

    /// Brings what the log holds into the file before anything is acknowledged on top of it.
    ///
    /// A writer whose sync failed may have left pages in the log that are read back and that the
    /// disk does not have; no later sync of the log writes them. Copied into the file, and that
    /// synced, they are written.
    fn settle(&mut self) -> Result<(), JournalError> {
        let start = Instant::now();
        loop {
            let settled = self.run(async |connection| statements::settle_log(connection).await);
            if settled.map_err(medium)? {
                return Ok(());
            }
            // Of two that would settle the log at once, one is turned away without waiting.
            if start.elapsed() > schema::BUSY_TIMEOUT {
                let why = "its log cannot be settled while another program reads the file";
                return Err(JournalError::Medium(why.into()));
            }
            std::thread::sleep(schema::BUSY_PAUSE);
        }
    }

    fn writable(&self) -> Result<(), JournalError> {
        if self.read_only { Err(JournalError::ReadOnly) } else { Ok(()) }
    }

    /// Says why the guard let nothing through.
    fn refusal(&mut self, expected: Head, mine: u64) -> AppendError {
        match self.standing() {
            Err(error) => AppendError::Failed(codes::told(error)),
            Ok((current, _)) if current != mine => AppendError::Fenced { mine, current },
            Ok((_, found)) => AppendError::HeadMoved { expected, found },
        }
    }
}

impl Journal for SqliteJournal {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        self.writable()?;
        let (ledger, genesis) = (self.ledger, self.genesis);
        let (epoch, _) = self
            .run(async |connection| {
                let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
                statements::take_over(&mut transaction, ledger).await?;
                let standing = statements::standing(&mut transaction, ledger, genesis).await?;
                transaction.commit().await?;
                Ok(standing)
            })
            .map_err(medium)?;
        self.settle()?;
        let head = self.counted_head()?;
        self.epoch = Some(epoch);
        let Identity { algorithm, vault_key } = self.identity;
        Ok(Opening { head, epoch, algorithm, vault_key })
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        commit.assert_whole();
        let mine = self.epoch.ok_or(AppendError::NotWriting)?;
        let guard = Guard { ledger: self.ledger, epoch: mine, genesis: self.genesis.link };
        let written = self.run(async |connection| match (&commit.rows[..], &commit.vault[..]) {
            ([row], []) => guard.append(connection, commit.previous, row).await,
            (rows, vault) => {
                let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
                let mut previous = commit.previous;
                for row in rows {
                    if !guard.append(&mut transaction, previous, row).await? {
                        return Ok(false);
                    }
                    previous = Head { seq: row.last(), link: row.link };
                }
                for row in vault {
                    guard.keep(&mut transaction, row).await?;
                }
                transaction.commit().await?;
                Ok(true)
            }
        });
        match written {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.refusal(commit.previous, mine)),
            Err(error) if codes::surely_not_written(&error) => {
                Err(AppendError::Failed(codes::told(error)))
            }
            Err(error) => {
                // The commit may yet be recovered from the file. Taking over writes, and what was
                // left of it is then either part of the head or overwritten.
                self.epoch = None;
                Err(AppendError::Unknown(codes::told(error)))
            }
        }
    }

    fn identity(&self) -> Identity {
        self.identity
    }

    fn reopen(&self) -> Reopen {
        let (path, name) = (self.path.clone(), self.name.clone());
        Reopen::by(move || Self::open(&path, &name, OpenMode::ReadOnly))
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        self.counted_head()
    }

    fn check(&mut self) -> Result<(), JournalError> {
        let head = self.head()?;
        let told = self.run(async |connection| statements::integrity(connection).await);
        let told = told.unwrap_or_else(|error| Some(error.to_string()));
        if let Some(told) = told {
            return Err(JournalError::Damaged { seq: head.seq + 1, source: told.into() });
        }
        let (expected, found) = self
            .run(async |connection| {
                let expected = schema::expected_triggers(connection, &TABLES).await?;
                Ok((expected, statements::triggers(connection, &TABLES).await?))
            })
            .map_err(medium)?;
        assert_rules(expected, found)
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        let from_seq = from_seq.max(1);
        let rows = match self.rows(from_seq, max_rows) {
            Err(error) if codes::is_damage(&error) => {
                self.rows_before_damage(from_seq, max_rows)?
            }
            rows => rows.map_err(medium)?,
        };
        continuous(from_seq, rows)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        let ledger = self.ledger;
        self.run(async |connection| statements::vault(connection, ledger).await).map_err(medium)
    }

    fn erase(&mut self, token: Token) -> Result<bool, JournalError> {
        self.writable()?;
        let ledger = self.ledger;
        self.run(async |connection| statements::erase(connection, ledger, token).await)
            .map_err(medium)
    }
}

impl Drop for SqliteJournal {
    /// Waits until the file is closed, so that whoever opens it next finds no log to recover.
    fn drop(&mut self) {
        if Handle::try_current().is_err() {
            self.part();
        }
    }
}

impl fmt::Debug for SqliteJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteJournal")
            .field("ledger", &self.ledger)
            .field("identity", &self.identity)
            .field("epoch", &self.epoch)
            .finish_non_exhaustive()
    }
}

fn medium(error: sqlx::Error) -> JournalError {
    JournalError::Medium(codes::told(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::FrameWriter;

    /// A writer on a new file, its head, and the file's folder.
    fn writer() -> (SqliteJournal, Head, tempfile::TempDir) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ledger.db");
        let mut journal = SqliteJournal::open(path, "live", OpenMode::create()).unwrap();
        let head = journal.open_writer().unwrap().head;
        (journal, head, dir)
    }

    fn commit(previous: Head) -> Commit {
        let mut writer = FrameWriter::new(previous.chain(crate::Algorithm::Blake3));
        writer.push(&vec![7; 100_000]);
        Commit { previous, rows: vec![writer.cut().unwrap()], vault: Vec::new() }
    }

    fn execute(journal: &mut SqliteJournal, sql: &'static str) {
        journal.run(async |connection| sqlx::query(sql).execute(connection).await).unwrap();
    }

    #[test]
    fn after_an_unknown_outcome_the_writer_takes_over_anew() {
        let (mut journal, head, _dir) = writer();
        execute(&mut journal, "PRAGMA max_page_count = 1");
        assert!(matches!(journal.append(&commit(head)), Err(AppendError::Unknown(_))));
        execute(&mut journal, "PRAGMA max_page_count = 100000");
        assert!(matches!(journal.append(&commit(head)), Err(AppendError::NotWriting)));
        let opening = journal.open_writer().unwrap();
        assert_eq!((opening.head, opening.epoch), (head, 2));
        journal.append(&commit(head)).unwrap();
    }

    #[test]
    fn a_transaction_that_the_database_itself_undid_leaves_nothing_behind() {
        let (mut journal, head, _dir) = writer();
        let mut commit = commit(head);
        let (token, value) = ([1; 16], "value".to_owned());
        commit.vault.push(VaultRow { token, kind: 1, value, mask: String::new() });
        execute(&mut journal, "PRAGMA max_page_count = 1");
        assert!(matches!(journal.append(&commit), Err(AppendError::Unknown(_))));
        assert_eq!(journal.open_writer().unwrap().head, head);
        journal.append(&commit).unwrap();
        assert_eq!(journal.head().unwrap(), commit.head());
    }

    #[test]
    fn a_busy_file_refuses_the_commit_and_keeps_the_writer() {
        let (mut journal, head, dir) = writer();
        let path = dir.path().join("ledger.db");
        let mut other = SqliteJournal::open(path, "sandbox", OpenMode::create()).unwrap();
        execute(&mut journal, "PRAGMA busy_timeout = 0");
        execute(&mut other, "BEGIN IMMEDIATE");
        assert!(matches!(journal.append(&commit(head)), Err(AppendError::Failed(_))));
        execute(&mut other, "COMMIT");
        journal.append(&commit(head)).unwrap();
    }
}
