//! Connections of a journal or of tables: one of its own, or some that all ledgers of a database
//! share.

use std::sync::Arc;

use sqlx::postgres::PgConnection;

use super::codes;
use super::limit::within;
use super::pool::{Pool, lazy_session};
use super::server::PostgresServer;
use crate::journal::session::Session;

/// How a journal, or whoever uses tables, reaches a database.
pub(crate) enum Connections {
    Own(Session<PgConnection>),
    Shared(Arc<Pool>),
}

impl Connections {
    /// Those that the clones of `server` share, or one of its own; connects with the first call.
    pub(crate) fn open(server: &PostgresServer) -> sqlx::Result<Self> {
        Ok(match server.pool() {
            Some(pool) => Self::Shared(Arc::clone(pool)),
            None => Self::own()?,
        })
    }

    /// One that nobody shares.
    pub(crate) fn own() -> sqlx::Result<Self> {
        Ok(Self::Own(lazy_session()?))
    }

    /// Runs `work` on a connection, or on a new one by `connect` where it was lost.
    pub(super) fn run<T: Send>(
        &mut self,
        connect: impl AsyncFnOnce() -> sqlx::Result<PgConnection> + Send,
        work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T> + Send,
    ) -> sqlx::Result<T> {
        self.run_unless(is_lost, connect, work)
    }

    /// The same for work of several statements: what failed may be in the midst of a transaction,
    /// so the next call begins on a new connection.
    pub(crate) fn transact<T: Send>(
        &mut self,
        server: &PostgresServer,
        work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T> + Send,
    ) -> sqlx::Result<T> {
        let limit = server.long_patience();
        self.run_unless(
            |_| true,
            async || server.connect().await,
            async |connection| within(limit, work(connection)).await,
        )
    }

    /// Runs `work`; gives its connection up after an error of which `spoils` says so.
    fn run_unless<T: Send>(
        &mut self,
        spoils: impl Fn(&sqlx::Error) -> bool,
        connect: impl AsyncFnOnce() -> sqlx::Result<PgConnection> + Send,
        work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T> + Send,
    ) -> sqlx::Result<T> {
        match self {
            Self::Own(session) => {
                let done = session.run(connect, work);
                done.inspect_err(|error| {
                    if spoils(error) {
                        session.abandon();
                    }
                })
            }
            Self::Shared(pool) => {
                let mut lent = pool.lend()?;
                let session = lent.session.as_mut().expect("it was just lent");
                let done = session.run(connect, work);
                done.inspect_err(|error| {
                    if spoils(error) {
                        session.abandon();
                    }
                    if is_lost(error) {
                        pool.abandon();
                    }
                })
            }
        }
    }

    /// Gives up what is not in use: whoever answers next may be another server.
    pub(super) fn abandon(&mut self) {
        match self {
            Self::Own(session) => session.abandon(),
            Self::Shared(pool) => pool.abandon(),
        }
    }
}

/// Tells whether no connection is to be trusted any more.
fn is_lost(error: &sqlx::Error) -> bool {
    !codes::keeps_connection(error)
}
