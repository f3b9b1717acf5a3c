//! What a journal in an SQLite file runs on its connection, and how it takes a ledger over.

use std::cmp::Ordering::{Equal, Less};
use std::time::{Duration, Instant};

use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection as _, Sqlite};

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
        // A connection to what was moved away stays: it has what the file at the path has not.
        self.standing.assert_kept().map_err(sqlx::Error::Io)?;
        let Self { session, path, ledger, read_only, .. } = self;
        let done = session.run(
            async || schema::reconnect(path, *read_only).await,
            async |connection| work(connection, ledger).await,
        );
        if done.as_ref().is_err_and(|error| !Sqlite::surely_not_written(error)) {
            // The failure may have left it in any state.
            self.close();
        } else {
            self.standing.note_beside();
        }
        done
    }

    /// Gives the connection up; the next call makes another.
    pub(super) fn close(&mut self) {
        self.session.close();
        self.standing.forget_connection();
    }

    /// Tells whether the file of a writer is the one that stands at its path, and nobody else has
    /// written it.
    ///
    /// # Errors
    ///
    /// [`JournalError::Medium`], which names the file.
    pub(super) fn assert_in_place(&mut self) -> Result<(), JournalError> {
        self.look_each_second()?;
        let kept = self.standing.assert_kept();
        kept.map_err(|error| JournalError::Medium(error.into()))
    }

    /// Looks each second who wrote the file. Whether it stands at its path, [`Self::run`] checks
    /// before each call.
    ///
    /// # Errors
    ///
    /// [`JournalError::Medium`], which names the file.
    pub(super) fn look_each_second(&mut self) -> Result<(), JournalError> {
        if self.standing.is_due() {
            self.look_who_wrote().map_err(medium::<Sqlite>)?;
            self.locks.restore();
        }
        Ok(())
    }

    /// Looks whether the file was written by anybody but SQLite, which brings its log into it.
    pub(super) fn look_who_wrote(&mut self) -> sqlx::Result<()> {
        let copied = self.run(async |connection, _| statements::count_copied(connection).await)?;
        let Some(now) = self.standing.see(copied)? else { return Ok(()) };
        if self.standing.suspects(now) {
            match self.compare_anew()? {
                Some(fault) => self.standing.spoil(&fault),
                None => self.standing.trust(now),
            }
        }
        Ok(())
    }

    /// Reads the file by a connection that knows nothing of it yet, and returns what is wrong.
    fn compare_anew(&mut self) -> sqlx::Result<Option<String>> {
        let path = self.path.clone();
        self.run(async |connection, ledger| {
            let (known, _) = ledger.head_and_epoch(connection).await?;
            let compared = async {
                let mut anew = schema::reconnect(&path, true).await?;
                let fault = statements::integrity(&mut anew).await?;
                let (found, _) = ledger.head_and_epoch(&mut anew).await?;
                anew.close().await?;
                let another = || match found.seq.cmp(&known.seq) {
                    Less => Some(format!("it ends at record {}, not {}", found.seq, known.seq)),
                    Equal if found != known => Some(format!("record {} is another", found.seq)),
                    _ => None,
                };
                Ok(fault.or_else(another))
            };
            match compared.await {
                Err(error) if Sqlite::is_damage(&error) => Ok(Some(error.to_string())),
                compared => compared,
            }
        })
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
        self.assert_in_place()?;
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
                    self.close();
                }
                Err(error)
            }
        }
    }
}
