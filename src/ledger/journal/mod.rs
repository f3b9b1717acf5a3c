//! The whole journal of an open ledger: proved, exported, read as it stood, signed, and proved to
//! strangers, while it is written on.
//!
//! Each of these reads the journal beside the writer, on a thread of its own when it is awaited,
//! and up to the end that it finds. What the files and proofs mean to those who check them stands
//! in `docs/FORMAT.md` and `docs/PROOFS.md`.

mod past;
#[cfg(feature = "proofs")]
mod proofs;

use std::io::Write;

#[cfg(feature = "matching")]
use ledger_matching::OwnBooks;
#[cfg(feature = "reconcile")]
use ledger_reconcile::{Compared, List, Ours, Period};
use ledger_store::export::export;
use ledger_store::records;
use ledger_store::{Journal, OpenMode};
#[cfg(feature = "trace")]
use ledger_trace::{Rule, TraceError, Traced};

#[cfg(feature = "proofs")]
pub use ledger_proofs::checkpoint::Checkpoint;
#[cfg(feature = "proofs")]
pub use ledger_proofs::checkpoints::{CheckpointError, CheckpointsFile, Policy, ProverError};
#[cfg(feature = "proofs")]
pub use ledger_proofs::document::Proof;
pub use ledger_store::Head;
pub use ledger_store::audit::{Expect, Finding};
pub use ledger_store::export::{ExportError, Format};
pub use ledger_store::moment::{Moment, MomentError};
pub use ledger_store::records::{Contents, ExportError as RecordsError, Persons};
pub use ledger_store::report::{Report, TrialAccount, TrialBalance};
#[cfg(any(feature = "reconcile", feature = "matching"))]
pub use ledger_store::sequencer::ReplayError;
pub use ledger_store::signing::key::{Signer, Verifier};
pub use ledger_store::signing::note::Note;
pub use ledger_store::snapshot::{SnapshotError, Snapshots};
pub use past::Past;
#[cfg(feature = "proofs")]
pub use proofs::{Checkpoints, Claim};

use super::{Ledger, Open, OpenError, Pending};

/// Why nothing came of reading the journal of an open ledger.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalFailed<E: std::error::Error + 'static> {
    /// The journal cannot be opened for reading beside its writer.
    #[error("the journal cannot be opened for reading")]
    Open(#[source] OpenError),
    /// The journal was read, and it came to this.
    #[error(transparent)]
    Read(E),
}

impl Open {
    /// Opens the journal once more, beside its writer.
    pub(super) fn journal(&self, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        self.store.journal(&self.name, mode)
    }
}

impl Ledger {
    /// Audits the ledger: replays its journal twice from the first record and proves chain, order,
    /// entries, invariants and outcomes, and that the heads kept elsewhere are of its past.
    ///
    /// A [`Finding`] is the first fault, with its record.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    /// use custody_ledger::journal::Expect;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let kept = ledger.head()?;
    /// let report = ledger.audit(Expect { heads: vec![kept] }).wait()?;
    /// assert_eq!(report.head(), Some(kept));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn audit(&self, expect: Expect) -> Pending<Result<Report, JournalFailed<Finding>>> {
        self.reading(|mut journal, name| {
            ledger_store::audit::audit(&mut *journal, name, expect, |_| ())
        })
    }

    /// Writes every entry for other people's tools, and gives back what it was written to.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    /// use custody_ledger::journal::Format;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let table = ledger.export(Format::Csv, Vec::new()).wait()?;
    /// assert!(table.starts_with(b"record,"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn export<W: Write + Send + 'static>(
        &self,
        format: Format,
        mut into: W,
    ) -> Pending<Result<W, JournalFailed<ExportError>>> {
        self.reading(move |mut journal, name| {
            export(&mut *journal, name, format, &mut into)?;
            Ok(into)
        })
    }

    /// Writes the journal's own records, proved on the way, as `custody-ledger import` reads them;
    /// gives back what they were written to, and the head that they come to. With
    /// [`Persons::Included`] the file is as secret as the vault.
    pub fn export_records<W: Write + Send + 'static>(
        &self,
        persons: Persons,
        mut into: W,
    ) -> Pending<Result<(W, Head), JournalFailed<RecordsError>>> {
        self.reading(move |journal, name| {
            let written = records::export(&mut [(name, journal)], persons, &mut into)?;
            Ok((into, written[0].head()))
        })
    }

    /// Holds a provider's list against what the ledger has booked, as `custody-ledger reconcile`
    /// does. Nothing is booked.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    /// use custody_ledger::reconcile::{List, Mapping, Period};
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let columns = "[columns]\nend_to_end_id = 'e2e'\namount = 'valor'\ndate = 'dia'";
    /// let file = "e2e,valor,dia\nE9040088820261120120000000000001,10.00,2026-11-20\n";
    /// let list = List::from_csv(file.as_bytes(), &Mapping::parse(columns)?)?;
    /// let period = Period::over(&list, None, None)?;
    /// let compared = ledger.reconcile(list, period).wait()?;
    /// assert_eq!(compared.only_theirs[0].cents, 1_000); // Nobody told the ledger of it.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "reconcile")]
    pub fn reconcile(
        &self,
        list: List,
        period: Period,
    ) -> Pending<Result<Compared, JournalFailed<ReplayError>>> {
        self.reading(move |mut journal, name| {
            Ok(Compared::new(&list, &Ours::read(&mut *journal, name)?, &period))
        })
    }

    /// Reads what the ledger moved at the provider, on networks and at the exchange, for
    /// [`match_statements`](crate::matching::match_statements).
    ///
    /// ```
    /// use custody_ledger::Ledger;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// assert!(ledger.own_books().wait()?.movements().is_empty()); // Nothing has happened yet.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "matching")]
    pub fn own_books(&self) -> Pending<Result<OwnBooks, JournalFailed<ReplayError>>> {
        self.reading(|mut journal, name| OwnBooks::read(&mut *journal, name))
    }

    /// Follows the money of a PIX or an operation through the whole journal, as `custody-ledger
    /// trace` does.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    /// use custody_ledger::trace::{Rule, TraceError};
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let traced = ledger.trace("E9040088820261120120000000000001", Rule::FirstIn).wait();
    /// assert!(traced.is_err()); // Nobody told the ledger of it.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "trace")]
    pub fn trace(
        &self,
        subject: &str,
        rule: Rule,
    ) -> Pending<Result<Traced, JournalFailed<TraceError>>> {
        let subject = subject.to_owned();
        self.reading(move |mut journal, name| {
            Traced::read(&mut *journal, name, (&subject, rule), None)
        })
    }

    /// Saves the ledger as it stands into a folder of snapshots, from which
    /// [`Builder::snapshots`](crate::Builder::snapshots) opens it, and gives the record's head.
    pub fn snapshot(
        &self,
        folder: &Snapshots,
    ) -> Pending<Result<Head, JournalFailed<SnapshotError>>> {
        let folder = folder.clone();
        self.reading(move |mut journal, name| {
            folder.refresh(&mut *journal, name).map(|(_, head, _)| head)
        })
    }

    /// Does work with the journal, opened for reading, and the ledger's name.
    fn reading<T: Send + 'static, E: std::error::Error + Send + 'static>(
        &self,
        work: impl FnOnce(Box<dyn Journal>, &str) -> Result<T, E> + Send + 'static,
    ) -> Pending<Result<T, JournalFailed<E>>> {
        let ledger = self.clone();
        Pending::blocking(move || {
            let journal = ledger.0.journal(OpenMode::ReadOnly).map_err(JournalFailed::Open)?;
            work(journal, &ledger.0.name).map_err(JournalFailed::Read)
        })
    }
}
