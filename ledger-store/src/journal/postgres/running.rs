//! What a journal on a PostgreSQL server runs on its connection, and how it takes a ledger over.

use std::time::{Duration, Instant};

use sqlx::Postgres;
use sqlx::postgres::PgConnection;

use super::limit::within;
use super::locks::{self, SessionLocks};
use super::{PATIENCE, PAUSE, PostgresJournal, codes};
use crate::journal::checks::{Counted, assert_counted};
use crate::journal::database::medium;
use crate::journal::statements::Ledger;
use crate::journal::writer::evidence::{assert_holds, read_evidence, set_back};
use crate::journal::writer::lease::Claimed;
use crate::journal::writer::lock::Heed;
use crate::journal::{Head, JournalError, Opening};

impl PostgresJournal {
    /// Runs `work` on the connection, or on a new one where it was lost.
    pub(super) fn run<T: Send>(
        &mut self,
        work: impl AsyncFnOnce(&mut PgConnection, &Ledger<Postgres>) -> sqlx::Result<T> + Send,
    ) -> sqlx::Result<T> {
        self.run_within(self.server.patience(), work)
    }

    /// Runs `work` that reads the whole journal, or all that is beside it.
    pub(super) fn run_long<T: Send>(
        &mut self,
        work: impl AsyncFnOnce(&mut PgConnection, &Ledger<Postgres>) -> sqlx::Result<T> + Send,
    ) -> sqlx::Result<T> {
        self.run_within(self.server.long_patience(), work)
    }

    pub(super) fn run_within<T: Send>(
        &mut self,
        limit: Duration,
        work: impl AsyncFnOnce(&mut PgConnection, &Ledger<Postgres>) -> sqlx::Result<T> + Send,
    ) -> sqlx::Result<T> {
        self.run_with_locks(limit, async |connection, ledger, _| work(connection, ledger).await)
    }

    /// The same with the locks, which are taken again by a connection that is made anew.
    pub(super) fn run_with_locks<T: Send>(
        &mut self,
        limit: Duration,
        work: impl AsyncFnOnce(
            &mut PgConnection,
            &Ledger<Postgres>,
            &mut SessionLocks,
        ) -> sqlx::Result<T>
        + Send,
    ) -> sqlx::Result<T> {
        let Self { connections, server, ledger, locks, .. } = self;
        let held = locks.share_again();
        let done = connections.run(
            async || {
                let mut connection = server.connect().await?;
                if let Some(key) = held {
                    // A courtesy: what protects the ledger is the epoch.
                    let _ = locks::share(&mut connection, key).await;
                }
                Ok(connection)
            },
            async |connection| within(limit, work(connection, ledger, locks)).await,
        );
        if let (Ok(_), Some(pool)) = (&done, server.pool()) {
            pool.hold_again(server);
        }
        done
    }

    pub(super) fn head_and_epoch(&mut self) -> sqlx::Result<(Head, u64)> {
        self.run(async |connection, ledger| ledger.head_and_epoch(connection).await)
    }

    /// The head by the index, and what the table holds.
    pub(super) fn head_and_counted(&mut self) -> sqlx::Result<(Head, Counted)> {
        self.run_long(async |connection, ledger| ledger.head_and_counted(connection).await)
    }

    /// Takes over, and gives what the new writer starts from.
    pub(super) fn taken_over(
        &mut self,
        lease: Option<Duration>,
        heeded: Heed,
    ) -> Result<Opening, JournalError> {
        self.writable()?;
        let taken = self.patiently(|journal| {
            match journal.claim_epoch(lease, heeded)? {
                // Statements of their own: they begin after the epoch is committed, so they see
                // whatever an append that came first has written.
                Claimed::Taken { epoch, predecessor_lease } => {
                    Ok(Ok((epoch, predecessor_lease, journal.head_and_counted()?)))
                }
                Claimed::Leased(left, holder) => {
                    Ok(Err(JournalError::Leased { left, holder: holder.map(Box::new) }))
                }
                Claimed::InUse(holder) => {
                    Ok(Err(JournalError::InUse { holder: holder.map(Box::new) }))
                }
            }
        });
        let (epoch, predecessor_lease, (head, counted)) = taken.map_err(medium::<Postgres>)??;
        assert_counted(head, counted)?;
        let name = self.name.clone();
        let accepted = self.accepted == Some(head);
        let evidence = self.run(async |connection, ledger| {
            if accepted {
                set_back::<Postgres>(connection, (&name, ledger.genesis), head).await?;
            }
            read_evidence::<Postgres>(connection, &name).await
        });
        assert_holds(head, evidence.map_err(medium::<Postgres>)?)?;
        self.epoch = Some(epoch);
        Ok(self.identity.opening(head, epoch, predecessor_lease))
    }

    pub(super) fn claim_epoch(
        &mut self,
        lease: Option<Duration>,
        heeded: Heed,
    ) -> sqlx::Result<Claimed> {
        self.look_for_locks();
        let (me, mine) = (self.me.clone(), self.held);
        let claimed =
            self.run_with_locks(self.server.patience(), async |connection, ledger, locks| {
                ledger.claim(connection, locks, (&me, mine), (lease, heeded)).await
            });
        match &claimed {
            Ok(Claimed::Taken { epoch, .. }) => self.held = Some(*epoch),
            Ok(_) => {}
            Err(_) => {
                // A session that is given up holds no lock.
                self.locks.abandon_epoch();
                self.connections.abandon();
            }
        }
        claimed
    }

    /// Finds out whether the server's locks are to be trusted.
    pub(super) fn look_for_locks(&mut self) {
        let Self { connections, server, locks, .. } = self;
        let limit = server.patience();
        locks.look(|key| {
            connections.run(
                async || server.connect().await,
                async |connection| within(limit, locks::probe(connection, key)).await,
            )
        });
    }

    /// Tries `work` for as long as a server may be away.
    pub(super) fn patiently<T>(
        &mut self,
        mut work: impl FnMut(&mut Self) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        let start = Instant::now();
        loop {
            match work(self) {
                Err(error) if codes::may_recover(&error) && start.elapsed() < PATIENCE => {
                    // Whoever answers next may be another server.
                    self.connections.abandon();
                    std::thread::sleep(PAUSE);
                }
                outcome => return outcome,
            }
        }
    }
}
