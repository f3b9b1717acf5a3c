//! What a journal in an SQLite file runs on its connection, and how it takes a ledger over.

use std::time::{Duration, Instant};

use sqlx::Sqlite;
use sqlx::sqlite::SqliteConnection;

use super::{SqliteJournal, schema, statements};
use crate::journal::checks::assert_counted;
use crate::journal::database::{JournalDatabase as _, damage_or_medium, medium};
use crate::journal::statements::Ledger;
use crate::journal::writer::evidence::{assert_holds, read_evidence, set_back};
use crate::journal::writer::file_lock::FileLocks;
use crate::journal::writer::lease::{Claimed, WriterLock};
use crate::journal::writer::lock::{Heed, LockState};
use crate::journal::{Head, JournalError, Opening};

impl WriterLock<Sqlite> for FileLocks {
    async fn state(&mut self, _: &mut SqliteConnection, epoch: u64) -> sqlx::Result<LockState> {
        Ok(FileLocks::state(self, epoch))
    }

    async fn take(&mut self, _: &mut SqliteConnection, epoch: u64) -> sqlx::Result<bool> {
        Ok(FileLocks::take(self, epoch))
    }
}

impl SqliteJournal {
    pub(super) fn run<T: Send>(
        &mut self,
        work: impl AsyncFnOnce(&mut SqliteConnection, &Ledger<Sqlite>) -> sqlx::Result<T> + Send,
    ) -> sqlx::Result<T> {
        let Self { session, path, ledger, read_only, .. } = self;
        let done = session.run(
            async || schema::reconnect(path, *read_only).await,
            async |connection| work(connection, ledger).await,
        );
        if done.as_ref().is_err_and(|error| !Sqlite::surely_not_written(error)) {
            // The failure may have left it in any state.
            self.session.close();
        }
        done
    }

    /// The head and the epoch by the index, which is what an append goes by.
    pub(super) fn head_and_epoch(&mut self) -> sqlx::Result<(Head, u64)> {
        self.run(async |connection, ledger| ledger.head_and_epoch(connection).await)
    }

    /// The head, which goes by the index, compared with what the table itself holds.
    pub(super) fn counted_head(&mut self) -> Result<Head, JournalError> {
        let (before, _) = self.head_and_epoch().map_err(medium::<Sqlite>)?;
        let counted =
            self.run(async |connection, ledger| ledger.head_and_counted(connection).await);
        let (head, counted) =
            counted.map_err(|error| damage_or_medium::<Sqlite>(error, before.seq + 1))?;
        assert_counted(head, counted)?;
        Ok(head)
    }

    /// Tells whether nothing beside the journal speaks of more, but what an operator has accepted
    /// as lost.
    fn assert_end(&mut self, head: Head) -> Result<(), JournalError> {
        let name = self.name.clone();
        let accepted = self.accepted == Some(head);
        let evidence = self.run(async |connection, ledger| {
            if accepted {
                set_back::<Sqlite>(connection, (&name, ledger.genesis), head).await?;
            }
            read_evidence::<Sqlite>(connection, &name).await
        });
        assert_holds(head, evidence.map_err(medium::<Sqlite>)?)
    }

    /// Brings what the log holds into the file before anything is acknowledged on top of it.
    ///
    /// A writer whose sync failed may have left pages in the log that are read back and that the
    /// disk does not have; no later sync of the log writes them. Copied into the file, and that
    /// synced, they are written.
    pub(super) fn settle(&mut self) -> Result<(), JournalError> {
        let start = Instant::now();
        loop {
            let settled = self.run(async |connection, _| statements::settle_log(connection).await);
            if settled.map_err(medium::<Sqlite>)? {
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

    /// Takes over, and gives what the new writer starts from.
    pub(super) fn taken_over(
        &mut self,
        lease: Option<Duration>,
        heeded: Heed,
    ) -> Result<Opening, JournalError> {
        self.writable()?;
        let Self { session, path, ledger, me, held, locks, .. } = self;
        let claimed = session.run(
            async || schema::reconnect(path, false).await,
            async |connection| ledger.claim(connection, locks, (me, *held), (lease, heeded)).await,
        );
        let failed = claimed.as_ref().is_err_and(|error| !Sqlite::surely_not_written(error));
        match claimed.inspect_err(|_| locks.abandon_epoch()).map_err(medium::<Sqlite>) {
            Ok(Claimed::Taken { epoch, predecessor_lease }) => {
                locks.start_epoch(epoch);
                *held = Some(epoch);
                self.settle()?;
                let head = self.counted_head()?;
                self.assert_end(head)?;
                self.epoch = Some(epoch);
                Ok(self.identity.opening(head, epoch, predecessor_lease))
            }
            Ok(Claimed::Leased(left, holder)) => {
                Err(JournalError::Leased { left, holder: holder.map(Box::new) })
            }
            Ok(Claimed::InUse(holder)) => Err(JournalError::InUse { holder: holder.map(Box::new) }),
            Err(error) => {
                if failed {
                    self.session.close();
                }
                Err(error)
            }
        }
    }
}
