//! The journal in a PostgreSQL database: one connection per open ledger, or a few for many.
//!
//! A commit, whatever it holds, is one guarded statement, which PostgreSQL makes durable by itself:
//! one way there and back, and no transaction that a lost connection could leave open.
//! A connection that is lost is made anew by the next call. What became of an append on it is not
//! known, so the writer takes over: the statement still under way is either waited for or fenced.

mod codes;
mod connections;
mod hosts;
mod limit;
mod locks;
mod pool;
mod running;
mod schema;
mod scrub;
mod server;
mod spread;
mod statements;
mod tls;
mod url;

use std::fmt;
use std::time::Duration;

/// Options of a connection, to make a [`PostgresServer`] of: sqlx's own.
pub use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection as _, Postgres};

pub(crate) use connections::Connections;
use locks::SessionLocks;
#[cfg(test)]
pub(super) use schema::MIGRATIONS;
pub use server::PostgresServer;
pub use tls::TlsMalformed;
pub use url::malformed::UrlMalformed;

use super::checks::assert_counted;
use super::database::{JournalDatabase as _, damage_or_medium, medium, same_calls};
use super::statements::{Ledger, rows_up_to_damage};
use super::writer::holder::Holder;
use super::writer::lock::Heed;
use super::{
    AppendError, Commit, Head, Identity, Journal, JournalError, OpenError, OpenMode, Opening,
    Reopen, Row, Scrub, TABLES, Token, VaultRow, assert_rules, continuous,
};
use crate::state::vault::hold::{LegalHold, OperatorNote};
use crate::state::vault::named::KeptTokens;

/// How long taking over waits for a server that is away: restarted, or replaced by its standby.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long taking over rests before it tries again.
const PAUSE: Duration = Duration::from_millis(100);

/// One ledger of a PostgreSQL database.
///
/// It brings its own runtime, and every call blocks; within async code too, where opening it and
/// reading from it belong under `spawn_blocking`.
pub struct PostgresJournal {
    connections: Connections,
    server: PostgresServer,
    name: String,
    ledger: Ledger<Postgres>,
    identity: Identity,
    epoch: Option<u64>,
    /// Who this writer is.
    me: Holder,
    /// The epoch under which it last held the ledger.
    held: Option<u64>,
    /// Where it ends whatever was lost after it, as an operator says.
    accepted: Option<Head>,
    locks: SessionLocks,
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
        mode.assert_name(name)?;
        let unreachable = |source: sqlx::Error| OpenError::Unreachable {
            server: server.to_string(),
            source: source.into(),
        };
        let mut connections = Connections::open(server).map_err(unreachable)?;
        // Only what connects fails here; what is found there is the answer.
        let found = connections
            .run(
                async || server.connect().await,
                async |connection| Ok(schema::open(connection, server, name, mode).await),
            )
            .map_err(unreachable)?;
        if matches!(found, Err(OpenError::Database { .. })) {
            connections.abandon();
        }
        let found = found?;
        Ok(Self {
            connections,
            server: server.clone(),
            name: name.to_owned(),
            ledger: found.ledger,
            identity: found.identity,
            epoch: None,
            me: Holder::of_this_process(),
            held: None,
            accepted: None,
            locks: SessionLocks::new(server, name, &found.identity.vault_key),
            read_only: mode == OpenMode::ReadOnly,
        })
    }

    fn writable(&self) -> Result<(), JournalError> {
        if self.read_only { Err(JournalError::ReadOnly) } else { Ok(()) }
    }
}

impl Journal for PostgresJournal {
    same_calls!(Postgres);

    fn locked_by(&mut self) -> Result<Option<Holder>, JournalError> {
        if self.read_only {
            return Ok(None);
        }
        self.look_for_locks();
        let (me, mine) = (self.me.clone(), self.held);
        let holder =
            self.run_with_locks(self.server.patience(), async |connection, ledger, locks| {
                ledger.locked_by(connection, locks, (&me, mine)).await
            });
        holder.map_err(medium::<Postgres>)
    }

    fn release(&mut self) -> Result<(), JournalError> {
        self.writable()?;
        let Some(mine) = self.held.take() else { return Ok(()) };
        let released =
            self.run_with_locks(self.server.patience(), async |connection, ledger, locks| {
                locks.release(connection).await?;
                ledger.release(connection, mine).await
            });
        released.map_err(medium::<Postgres>)
    }

    fn append(&mut self, commit: &Commit) -> Result<(), AppendError> {
        commit.assert_whole();
        let mine = self.epoch.ok_or(AppendError::NotWriting)?;
        let written =
            self.run(async |connection, ledger| ledger.append(connection, mine, commit).await);
        let failed = match written {
            Ok(true) => return Ok(()),
            Ok(false) => None,
            Err(error) if Postgres::surely_not_written(&error) => Some(error),
            Err(error) => {
                // The server may yet write it. Taking over waits for that, or forestalls it.
                self.epoch = None;
                return Err(AppendError::Unknown(error.into()));
            }
        };
        // Why the guard let nothing through; a strict isolation level may say it as an error.
        Err(match (self.head_and_epoch(), failed) {
            (Ok(found), None) => commit.append_error(mine, found),
            (Ok(found), Some(_)) if found.1 != mine => commit.append_error(mine, found),
            (_, Some(error)) | (Err(error), None) => AppendError::Failed(error.into()),
        })
    }

    fn probe(&mut self) -> Result<(), JournalError> {
        self.writable()?;
        let probed = self.run(async |connection, ledger| {
            let mut undone = connection.begin().await?;
            sqlx::query(statements::PROBE).bind(&ledger.key).execute(&mut *undone).await?;
            undone.rollback().await
        });
        probed.map_err(medium::<Postgres>)
    }

    fn reopen(&self) -> Reopen {
        let (server, name) = (self.server.clone(), self.name.clone());
        let (its, of) = (server.clone(), name.clone());
        Reopen::by(move || Self::open(&server, &name, OpenMode::ReadOnly))
            .writing_by(move || Self::open(&its, &of, OpenMode::create()))
    }

    fn head(&mut self) -> Result<Head, JournalError> {
        Ok(self.head_and_epoch().map_err(medium::<Postgres>)?.0)
    }

    fn check(&mut self) -> Result<(), JournalError> {
        let next = self.head()?.seq + 1;
        let counted = self.head_and_counted();
        let (head, counted) = counted.map_err(|error| damage_or_medium::<Postgres>(error, next))?;
        assert_counted(head, counted)?;
        let rules = self.run(async |connection, _| {
            let expected = schema::functions(connection).await?;
            let mut found = statements::rules(connection, &TABLES).await?;
            found.extend(statements::functions(connection).await?);
            Ok((expected, found))
        });
        let (expected, found) = rules.map_err(medium::<Postgres>)?;
        assert_rules(expected, found)
    }

    fn read(&mut self, from_seq: u64, max_rows: usize) -> Result<Vec<Row>, JournalError> {
        let from_seq = from_seq.max(1);
        let rows = rows_up_to_damage::<Postgres>(from_seq, max_rows, |seq, max_rows| {
            self.run(async |connection, ledger| ledger.read(connection, seq, max_rows).await)
        });
        continuous(from_seq, rows?)
    }

    fn vault(&mut self) -> Result<Vec<VaultRow>, JournalError> {
        self.run_long(async |connection, ledger| ledger.whole_vault(connection).await)
            .map_err(medium::<Postgres>)
    }

    fn kept_tokens(&mut self) -> Result<KeptTokens, JournalError> {
        self.run_long(async |connection, ledger| ledger.kept_tokens(connection).await)
            .map_err(medium::<Postgres>)
    }

    fn note_erased(&mut self, tokens: &[Token]) -> Result<(), JournalError> {
        self.writable()?;
        let mine = self.epoch.ok_or(JournalError::NotWriting)?;
        let noted = self.run_long(async |connection, ledger| {
            ledger.note_erased(connection, mine, tokens).await
        });
        noted.map_err(medium::<Postgres>)?.into_result(mine).map(drop)
    }

    fn scrub(&mut self, scrub: Scrub) -> Result<Vec<String>, JournalError> {
        self.writable()?;
        self.run_long(async |connection, _| scrub::scrub(connection, scrub).await)
            .map_err(medium::<Postgres>)
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
