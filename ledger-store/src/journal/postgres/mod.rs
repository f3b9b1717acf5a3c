//! The journal in a PostgreSQL database: one connection per open ledger.
//!
//! A commit, whatever it holds, is one guarded statement, which PostgreSQL makes durable by itself:
//! one way there and back, and no transaction that a lost connection could leave open.
//! A connection that is lost is made anew by the next call. What became of an append on it is not
//! known, so the writer takes over: the statement still under way is either waited for or fenced.

mod schema;
mod server;
mod statements;

use std::fmt;
use std::time::{Duration, Instant};

use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::runtime::{Builder, Handle, Runtime};

#[cfg(test)]
pub(super) use schema::MIGRATIONS;
use server::within;
pub use server::{PostgresServer, UrlMalformed};
use statements::Guard;

use super::{
    AppendError, Commit, Counted, Head, Identity, Journal, JournalError, OpenError, OpenMode,
    Opening, Reopen, Row, TABLES, Token, VaultRow, assert_counted, assert_rules, continuous,
};
use crate::chain::Chain;

/// How long taking over waits for a server that is away: restarted, or replaced by its standby.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long taking over rests before it tries again.
const PAUSE: Duration = Duration::from_millis(100);

/// One ledger of a PostgreSQL database.
///
/// It brings its own runtime and is used from plain threads: a call from within async code panics.
pub struct PostgresJournal {
    // `None` once it was lost, until the next call makes another.
    connection: Option<PgConnection>,
    runtime: Runtime,
    server: PostgresServer,
    name: String,
    identity: Identity,
    genesis: Head,
    epoch: Option<u64>,
    read_only: bool,
}

impl PostgresJournal {
    /// Opens the ledger named `name` in the database `server` names.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, its database cannot be used, or the ledger is not there
    /// or not the one asked for.
    pub fn open(server: &PostgresServer, name: &str, mode: OpenMode) -> Result<Self, OpenError> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            OpenError::Database { path: server.to_string().into(), source: error.into() }
        })?;
        let (connection, identity) = runtime.block_on(schema::open(server, name, mode))?;
        Ok(Self {
            connection: Some(connection),
            runtime,
            server: server.clone(),
            name: name.to_owned(),
            identity,
            genesis: Head::of(&Chain::genesis(identity.algorithm, name)),
            epoch: None,
            read_only: mode == OpenMode::ReadOnly,
        })
    }

    /// Runs `work` on the connection, or on a new one where it was lost.
    fn run<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut PgConnection, Guard<'_>) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        self.run_within(self.server.patience(), work)
    }

    /// Runs `work` that reads the whole journal, or all that is beside it.
    fn run_long<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut PgConnection, Guard<'_>) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        self.run_within(self.server.long_patience(), work)
    }

    fn run_within<T>(
        &mut self,
        limit: Duration,
        work: impl AsyncFnOnce(&mut PgConnection, Guard<'_>) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        let epoch = self.epoch.unwrap_or_default();
        let guard = Guard { ledger: &self.name, epoch, genesis: self.genesis };
        let done = self.runtime.block_on(async {
            let connection = match &mut self.connection {
                Some(connection) => connection,
                lost => lost.insert(self.server.connect().await?),
            };
            within(limit, work(connection, guard)).await
        });
        if done.as_ref().is_err_and(|error| !is_told(error)) {
            self.connection = None;
        }
        done
    }

    /// The epoch and the head as they stand.
    fn standing(&mut self) -> sqlx::Result<(u64, Head)> {
        self.run(async |connection, guard| statements::standing(connection, guard).await)
    }

    fn take_over(&mut self) -> sqlx::Result<(u64, Head, Counted)> {
        let start = Instant::now();
        loop {
            // Two statements: the second begins after the first is committed, so it sees whatever
            // an append that came first has written.
            let taken = self
                .run(async |connection, guard| {
                    statements::take_over(connection, guard.ledger).await
                })
                .and_then(|epoch| {
                    let ((_, head), counted) = self.run_long(statements::counted)?;
                    Ok((epoch, head, counted))
                });
            match taken {
                Err(error)
                    if (!is_told(&error) || is_standby(&error)) && start.elapsed() < PATIENCE =>
                {
                    // Whoever answers next may be another server.
                    self.connection = None;
                    std::thread::sleep(PAUSE);
                }
                outcome => return outcome,
            }
        }
    }

    fn writable(&self) -> Result<(), JournalError> {
        if self.read_only { Err(JournalError::ReadOnly) } else { Ok(()) }
    }
}

impl Journal for PostgresJournal {
    fn open_writer(&mut self) -> Result<Opening, JournalError> {
        self.writable()?;
        let (epoch, head, counted) = self.take_over().map_err(medium)?;
        assert_counted(head, counted)?;
        self.epoch = Some(epoch);
        let Identity { algorithm, vault_key } = self.identity;
        Ok(Opening { head, epoch, algorithm, vault_key })
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        commit.assert_whole();
        let mine = self.epoch.ok_or(AppendError::NotWriting)?;
        let refused =
            match self.run(async |connection, guard| guard.append(connection, commit).await) {
                Ok(true) => return Ok(()),
                Ok(false) => None,
                Err(error) if surely_not_written(&error) => Some(error),
                Err(error) => {
                    // The server may yet write it. Taking over waits for that, or forestalls it.
                    self.epoch = None;
                    return Err(AppendError::Unknown(error.into()));
                }
            };
        // Why the guard let nothing through; a strict isolation level may say it as an error.
        let expected = commit.previous;
        Err(match (self.standing(), refused) {
            (Ok((current, _)), _) if current != mine => AppendError::Fenced { mine, current },
            (_, Some(error)) | (Err(error), None) => AppendError::Failed(error.into()),
            (Ok((_, found)), None) => AppendError::HeadMoved { expected, found },
        })
    }

    fn identity(&self) -> Identity {
        self.identity
    }

    fn reopen(&self) -> Reopen {
        let (server, name) = (self.server.clone(), self.name.clone());
        Reopen::by(move || Self::open(&server, &name, OpenMode::ReadOnly))
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        Ok(self.standing().map_err(medium)?.1)
    }

    fn check(&mut self) -> Result<(), JournalError> {
        let next = self.head()?.seq + 1;
        let ((_, head), counted) =
            self.run_long(statements::counted).map_err(|error| damage_or_medium(error, next))?;
        assert_counted(head, counted)?;
        let found = self.run(async |connection, _| statements::rules(connection, &TABLES).await);
        assert_rules(Vec::new(), found.map_err(medium)?)
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        let from_seq = from_seq.max(1);
        let rows = self.run(async |connection, guard| {
            statements::read(connection, guard.ledger, from_seq, max_rows).await
        });
        let rows = match rows {
            // Row by row, the rows before the damage are still given.
            Err(error) if is_damage(&error) && max_rows > 1 => {
                let mut rows: Vec<Row> = Vec::new();
                while rows.len() < max_rows {
                    let next = rows.last().map_or(from_seq, |row| row.last() + 1);
                    match self.read(next, 1) {
                        Ok(row) if row.is_empty() => break,
                        Ok(row) => rows.extend(row),
                        Err(_) if !rows.is_empty() => break,
                        Err(error) => return Err(error),
                    }
                }
                rows
            }
            rows => rows.map_err(|error| damage_or_medium(error, from_seq))?,
        };
        continuous(from_seq, rows)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        self.run_long(async |connection, guard| statements::vault(connection, guard.ledger).await)
            .map_err(medium)
    }

    fn erase(&mut self, token: Token) -> Result<bool, JournalError> {
        self.writable()?;
        self.run(async |connection, guard| statements::erase(connection, guard.ledger, token).await)
            .map_err(medium)
    }
}

impl Drop for PostgresJournal {
    /// Takes leave of the server, so that it keeps no session waiting.
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take()
            && Handle::try_current().is_err()
        {
            // Nothing durable depends on closing well, and there is nobody left to tell.
            let _ = self.runtime.block_on(connection.close());
        }
    }
}

impl fmt::Debug for PostgresJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresJournal")
            .field("server", &self.server)
            .field("name", &self.name)
            .field("identity", &self.identity)
            .field("epoch", &self.epoch)
            .finish_non_exhaustive()
    }
}

/// The server's own code for what it refused (PostgreSQL documentation, appendix A).
fn code(error: &sqlx::Error) -> Option<String> {
    Some(error.as_database_error()?.code()?.into_owned())
}

/// Whether `error` was told by a server that goes on serving this connection.
fn is_told(error: &sqlx::Error) -> bool {
    const LEAVING: [&str; 4] = ["08", "57", "58", "XX"];
    match code(error) {
        Some(code) => code == "57014" || !LEAVING.iter().any(|class| code.starts_with(class)),
        None => matches!(error, sqlx::Error::ColumnDecode { .. } | sqlx::Error::RowNotFound),
    }
}

/// Whether `error` says that the server only follows another, so far.
fn is_standby(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code == "25006")
}

/// Whether `error` says that the server undid the statement or never began it.
///
/// Anything else, a lost connection above all, may have left a whole commit behind.
fn surely_not_written(error: &sqlx::Error) -> bool {
    // Data, integrity, state, rights and syntax, resources, limits, what another holds.
    const UNDONE: [&str; 7] = ["22", "23", "25", "42", "53", "54", "55"];
    // Serialisation failure, deadlock, cancelled.
    const ROLLED_BACK: [&str; 3] = ["40001", "40P01", "57014"];
    code(error).is_some_and(|code| {
        UNDONE.iter().any(|class| code.starts_with(class)) || ROLLED_BACK.contains(&&code[..])
    })
}

/// Whether `error` says that the table is not as it was written.
fn is_damage(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::ColumnDecode { .. })
        || code(error).is_some_and(|code| ["XX001", "XX002"].contains(&&code[..]))
}

fn damage_or_medium(error: sqlx::Error, seq: u64) -> JournalError {
    if is_damage(&error) {
        JournalError::Damaged { seq, source: error.into() }
    } else {
        medium(error)
    }
}

fn medium(error: sqlx::Error) -> JournalError {
    JournalError::Medium(error.into())
}
