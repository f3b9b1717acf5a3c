//! An audit that follows a ledger while another process writes it: each commit is replayed and
//! checked as it comes, and what stands beside the journal is held against it now and then.

use super::replay::Replay;
use super::{Finding, Stopped};
use crate::audits::report::Report;
use crate::bytes::located_record::{LocateError, locate_record};
use crate::engines::sequencer::ReplayError;
use crate::journal::{Head, Journal};
use crate::state::vault::Vault;
#[cfg(feature = "sqlite")]
use crate::tables::projection::{Proved, Target, prove};

/// An audit of one ledger that goes on as its journal grows.
///
/// ```
/// use ledger_store::audit::FollowingAudit;
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let disk = MemoryDisk::new();
/// MemoryJournal::open(&disk, "live", OpenMode::create())?;
/// let journal = MemoryJournal::open(&disk, "live", OpenMode::ReadOnly)?;
/// let mut audit = FollowingAudit::open(Box::new(journal), "live")?;
/// assert_eq!(audit.catch_up(|_| ())?, 0); // Nothing was recorded yet.
/// assert_eq!(audit.head().seq, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FollowingAudit {
    name: String,
    journal: Box<dyn Journal>,
    replay: Replay,
}

impl FollowingAudit {
    /// An audit of the ledger named `name` before its first record. The journal is opened for
    /// reading alone: nobody's place is taken.
    ///
    /// # Errors
    ///
    /// The first [`Finding`].
    pub fn open(mut journal: Box<dyn Journal>, name: &str) -> Result<Self, Finding> {
        let replay = Replay::begin(&mut *journal, name, None).map_err(Stopped::into_finding)?;
        Ok(Self { name: name.to_owned(), journal, replay })
    }

    /// The last record that was checked, and its link.
    #[must_use]
    pub fn head(&self) -> Head {
        self.replay.head()
    }

    /// Replays and checks what was appended since, as an audit does: what each record touched at
    /// once, its outcome too, and everything each time the journal has doubled. Says how many
    /// records there were; `progress` hears of each thousand.
    ///
    /// # Errors
    ///
    /// The first [`Finding`]; nothing is to be asked of the audit after it.
    pub fn catch_up(&mut self, progress: impl FnMut(u64)) -> Result<u64, Finding> {
        let before = self.head().seq;
        self.replay.go_on(&mut *self.journal, u64::MAX, progress)?;
        self.replay.books.sound()?;
        Ok(self.head().seq - before)
    }

    /// Proves that the journal still ends as it was read, or goes on from there, and every row of
    /// the vault; says how many rows that has.
    ///
    /// # Errors
    ///
    /// The first [`Finding`].
    pub fn hold_vault(&mut self) -> Result<usize, Finding> {
        let Head { seq, link } = self.head();
        if seq > 0 {
            let found = self.journal.head()?.seq;
            if found < seq {
                return Err(Finding::Truncated { expected: seq, found });
            }
            match locate_record(&mut *self.journal, &self.name, seq) {
                Ok(there) if there.chain.link() == link => {}
                Ok(_) => return Err(Finding::OtherPast { seq }),
                Err(error) => return Err(row_finding(error)),
            }
        }
        let vault = Vault::open(&mut *self.journal).map_err(ReplayError::from)?;
        self.replay.values(&mut *self.journal)?;
        Ok(vault.len())
    }

    /// Proves the tables of the ledger equal to the journal at their checkpoint, its outbox among
    /// them; none where there are none.
    ///
    /// # Errors
    ///
    /// [`Finding::Tables`] with the first difference.
    #[cfg(feature = "sqlite")]
    pub fn hold_tables(&mut self, target: &Target) -> Result<Option<Proved>, Finding> {
        Ok(prove(&mut *self.journal, &self.name, target)?)
    }

    /// Ends the audit as any ends: what the medium says of itself, every invariant over everything,
    /// and a second replay of what was followed.
    ///
    /// # Errors
    ///
    /// The first [`Finding`].
    pub fn finish(mut self) -> Result<Report, Finding> {
        let journal = &mut *self.journal;
        journal.check()?;
        self.replay.everything(journal)?;
        let state = self.replay.state_twice(journal).map_err(Stopped::into_finding)?;
        let Replay { sequencer, books, .. } = self.replay;
        let mut report = books.into_report()?;
        report.close(&sequencer, (state, None), &[]);
        Ok(report)
    }
}

/// Returns what is wrong with the row that holds a record which was read before.
fn row_finding(error: LocateError) -> Finding {
    match error {
        LocateError::Journal(error) => error.into(),
        LocateError::Row(error) => ReplayError::from(error).into(),
    }
}

impl std::fmt::Debug for FollowingAudit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let head = self.head();
        f.debug_struct("FollowingAudit").field("head", &head).finish_non_exhaustive()
    }
}
