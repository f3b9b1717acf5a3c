//! Advisory locks of a session, which the end of the session releases: one for each epoch of a
//! ledger.
//!
//! A writer holds its lock shared, so that a session made anew after a lost one has it at once,
//! although the server may not have noticed the end of the first. Whoever looks tries to have it
//! alone, until the end of its transaction.

use std::fmt::Write as _;

use sqlx::postgres::PgConnection;

use super::codes;
use super::connections::Connections;
use super::limit::within;
use super::pool::{Locks, Pool, lazy_session};
use super::server::PostgresServer;
use crate::journal::writer::lease::WriterLock;
use crate::journal::writer::lock::LockState;

const TRY_ALONE: &str = "SELECT pg_try_advisory_xact_lock($1)";

const SHARE: &str = "SELECT pg_try_advisory_lock_shared($1)";

const UNSHARE: &str = "SELECT pg_advisory_unlock_shared($1)";

/// The process that serves this session, and whether it holds a lock as the server lists it.
const LISTED: &str = "\
    SELECT pg_backend_pid(), EXISTS (
        SELECT 1 FROM pg_locks
        WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted
            AND ((classid::bigint << 32) | objid::bigint) = $1)";

/// The locks of one ledger.
pub(super) struct SessionLocks {
    /// What tells its locks from those of another ledger of the database.
    seed: [u8; 32],
    server: PostgresServer,
    /// The lock that is held, or that is to be held again by a session made anew.
    held: Option<i64>,
    /// Why locks are not had or not trusted.
    fault: Option<String>,
}

impl SessionLocks {
    /// Those of the ledger that has this key: no other has it.
    pub(super) fn new(server: &PostgresServer, name: &str, vault_key: &[u8; 32]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("custody-ledger 2026-11 writer lock");
        hasher.update(vault_key).update(name.as_bytes());
        let seed = *hasher.finalize().as_bytes();
        Self { seed, server: server.clone(), held: None, fault: None }
    }

    fn key(&self, epoch: u64) -> i64 {
        let hash = blake3::keyed_hash(&self.seed, &epoch.to_be_bytes());
        let first = hash.as_bytes().first_chunk().expect("a hash is longer");
        i64::from_be_bytes(*first)
    }

    fn pool(&self) -> Option<&Pool> {
        self.server.pool().map(|pool| &**pool)
    }

    /// Finds out, once for a server, whether its locks are to be trusted: it must list them, and
    /// two connections must be two sessions.
    pub(super) fn look(&mut self, probed: impl FnOnce(i64) -> sqlx::Result<(i32, bool)>) {
        if self.server.locks().get().is_none() {
            let key = self.key(0);
            let Ok(found) = self.server.looked_for_locks(|| probed(key)) else { return };
            let _ = self.server.locks().set(found);
        }
        self.fault = self.server.locks().get().cloned().flatten();
    }

    /// Tells why locks are not had or not trusted.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The lock that a session made anew takes again; nothing where a pool does that.
    pub(super) fn share_again(&self) -> Option<i64> {
        self.held.filter(|_| self.pool().is_none())
    }

    /// Releases it, by the session that holds it.
    pub(super) async fn release(&mut self, connection: &mut PgConnection) -> sqlx::Result<()> {
        let Some(key) = self.held.take() else { return Ok(()) };
        match self.pool() {
            Some(pool) => pool.release(&self.server, key),
            None => sqlx::query(UNSHARE).bind(key).execute(connection).await.map(drop),
        }
    }

    /// An epoch has not begun whose lock may have been taken.
    pub(super) fn abandon_epoch(&mut self) {
        if let (Some(key), Some(pool)) = (self.held.take(), self.pool()) {
            let _ = pool.release(&self.server, key);
        }
    }
}

/// A pool holds locks beyond the journals that took them.
impl Drop for SessionLocks {
    fn drop(&mut self) {
        self.abandon_epoch();
    }
}

impl WriterLock<sqlx::Postgres> for SessionLocks {
    async fn state(
        &mut self,
        connection: &mut PgConnection,
        epoch: u64,
    ) -> sqlx::Result<LockState> {
        if self.fault.is_some() {
            return Ok(LockState::Free);
        }
        let alone = sqlx::query_scalar::<_, bool>(TRY_ALONE).bind(self.key(epoch));
        Ok(if alone.fetch_one(connection).await? { LockState::Free } else { LockState::Held })
    }

    async fn take(&mut self, connection: &mut PgConnection, epoch: u64) -> sqlx::Result<bool> {
        let before = self.held.take();
        if self.fault.is_some() {
            return Ok(false);
        }
        let key = self.key(epoch);
        let taken = match self.pool() {
            Some(pool) => pool.hold(&self.server, (before, key))?,
            None => {
                if let Some(before) = before {
                    sqlx::query(UNSHARE).bind(before).execute(&mut *connection).await?;
                }
                share(connection, key).await?
            }
        };
        self.held = taken.then_some(key);
        Ok(taken)
    }
}

/// The locks of the ledgers that share connections, held by a session of their own.
impl Pool {
    /// Takes a lock in the place of another; tells whether it could be had.
    pub(super) fn hold(
        &self,
        server: &PostgresServer,
        (before, key): (Option<i64>, i64),
    ) -> sqlx::Result<bool> {
        if let Some(before) = before {
            self.release(server, before)?;
        }
        let mut locks = self.locks();
        let taken = locks.run(server, async |connection| share(connection, key).await)?;
        if taken {
            locks.held.insert(key);
        }
        Ok(taken)
    }

    /// Releases a lock.
    pub(super) fn release(&self, server: &PostgresServer, key: i64) -> sqlx::Result<()> {
        let mut locks = self.locks();
        if locks.held.remove(&key) && !locks.lost {
            locks.run(server, async |connection| unshare(connection, key).await)?;
        }
        Ok(())
    }

    /// Takes the locks again that were lost with their session.
    pub(super) fn hold_again(&self, server: &PostgresServer) {
        let mut locks = self.locks();
        if locks.lost {
            let held: Vec<i64> = locks.held.iter().copied().collect();
            let again = locks.run(server, async |connection| {
                for key in held {
                    share(connection, key).await?;
                }
                Ok(())
            });
            locks.lost = again.is_err();
        }
    }
}

impl Locks {
    /// Runs `work` on the session; it is given up where that fails.
    fn run<T: Send>(
        &mut self,
        server: &PostgresServer,
        work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T> + Send,
    ) -> sqlx::Result<T> {
        let session = match &mut self.session {
            Some(session) => session,
            none => none.insert(lazy_session()?),
        };
        let done = session.run(
            async || server.connect().await,
            async |connection| within(server.patience(), work(connection)).await,
        );
        if done.is_err() {
            session.abandon();
            self.lost = true;
        }
        done
    }
}

impl PostgresServer {
    /// Looks whether advisory locks are to be trusted: `probe` takes one on the connection of a
    /// journal, and another connection must be another session.
    pub(super) fn looked_for_locks(
        &self,
        probe: impl FnOnce() -> sqlx::Result<(i32, bool)>,
    ) -> sqlx::Result<Option<String>> {
        let probed = match probe() {
            Err(error) if codes::may_recover(&error) => return Err(error),
            probed => probed,
        };
        let other = Connections::own()?.run(
            async || self.connect().await,
            async |connection| {
                sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(connection).await
            },
        );
        // Where there is no second connection to be had, nobody shares the first.
        Ok(distrust_reason(&probed, other.unwrap_or_default()))
    }
}

/// Shares a lock; nothing is waited for.
pub(super) async fn share(connection: &mut PgConnection, key: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar(SHARE).bind(key).fetch_one(connection).await
}

/// Releases a shared lock.
pub(super) async fn unshare(connection: &mut PgConnection, key: i64) -> sqlx::Result<()> {
    sqlx::query(UNSHARE).bind(key).execute(connection).await.map(drop)
}

/// Takes a lock and releases it: by which process, and whether the server lists it meanwhile.
pub(super) async fn probe(connection: &mut PgConnection, key: i64) -> sqlx::Result<(i32, bool)> {
    share(connection, key).await?;
    let listed = sqlx::query_as(LISTED).bind(key).fetch_one(&mut *connection).await?;
    unshare(connection, key).await?;
    Ok(listed)
}

/// Why locks of a server are not to be trusted, by what a probe of them came to, and the process
/// behind another connection.
pub(super) fn distrust_reason(probed: &sqlx::Result<(i32, bool)>, other: i32) -> Option<String> {
    match probed {
        Err(error) => {
            let mut text = "the server has no advisory locks".to_owned();
            write!(text, ": {error}").expect("a text takes any text");
            Some(text)
        }
        Ok((_, false)) => Some("the server does not list the advisory locks it gives".to_owned()),
        Ok((process, true)) if *process == other => Some(
            "a pooler lets several clients share a session, and with it the locks of one another"
                .to_owned(),
        ),
        Ok(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_trusted_only_of_a_server_that_lists_them_and_shares_no_session() {
        assert_eq!(distrust_reason(&Ok((7, true)), 8), None);
        let shared = distrust_reason(&Ok((7, true)), 7).unwrap();
        assert!(shared.contains("share a session"), "{shared}");
        assert!(distrust_reason(&Ok((7, false)), 8).is_some());
        assert!(distrust_reason(&Err(sqlx::Error::RowNotFound), 8).is_some());
    }
}
