//! Checkpoints sent to a witness: whoever keeps them where this service cannot change them.
//!
//! ```text
//! table of checkpoints -> first that was not sent -> POST -> 2xx -> remembered -> the next
//!                                 ^                    |
//!                                 '-- waits, twice as long each time --'  anything else
//! ```
//!
//! The body is the signed note as it stands in the table. Each is sent at least once, in order per
//! ledger, and none is given up: what a process could not send, the next one does. Nothing waits
//! for it, and nothing of the ledger stops where it fails.

use std::sync::Arc;
use std::time::Duration;

use ledger_proofs::checkpoints::{CheckpointError, CheckpointsTable};
use ledger_store::clock::{Clock as _, SystemClock};
use ledger_store::signing::note::Note;
use thiserror::Error;

use crate::courier::Patience;
use crate::courier::guard::{Forbidden, Guard};
use crate::courier::resolver::SystemLookup;
use crate::courier::schedule::Outcome;
use crate::courier::sender::{Sender, SenderFailed};
use crate::push::wait;
use crate::server::{Background, Ended};

/// How many are taken from the table at once.
const AT_ONCE: u32 = 16;

/// Where checkpoints are sent, and how patiently.
#[derive(Clone, Debug)]
pub struct WitnessSettings {
    url: String,
    /// The names of the ledgers whose checkpoints are sent.
    pub ledgers: Vec<String>,
    /// How often it is looked whether there is something new.
    pub look: Duration,
    /// How long the witness is waited for.
    pub patience: Patience,
    /// How long is waited after the first failure; twice as long after each further one.
    pub first_wait: Duration,
    /// How long is waited after a failure, at most.
    pub longest_wait: Duration,
}

/// Why nothing is sent so.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WitnessFailed {
    /// The URL is none that is posted to.
    #[error("the URL of checkpoints: {0}")]
    Url(Forbidden),
    /// The client cannot be made.
    #[error(transparent)]
    Sender(#[from] SenderFailed),
    /// The system gives no threads.
    #[error("the system gives no threads")]
    Threads(#[from] std::io::Error),
}

/// What is reported of a checkpoint that was not taken, or could not be read or remembered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotSent {
    /// The witness did not take it.
    #[error("the checkpoint of {ledger} at {records} records was not taken: {outcome}{status}")]
    Refused {
        /// The ledger that the checkpoint is of.
        ledger: String,
        /// The number of records of the checkpoint.
        records: u64,
        /// What came of it.
        outcome: &'static str,
        /// The status it was answered with, after a blank; nothing where it was not.
        status: String,
    },
    /// The table cannot be used.
    #[error("the checkpoints of {ledger} cannot be sent")]
    Table {
        /// The ledger whose table it is.
        ledger: String,
        /// The error of the table.
        #[source]
        source: CheckpointError,
    },
}

/// Sends checkpoints until it is stopped or dropped.
#[derive(Debug)]
pub struct WitnessTask(Background);

impl WitnessSettings {
    /// Checkpoints of these ledgers go to this URL, http or https.
    ///
    /// ```
    /// use ledger_http::witness::WitnessSettings;
    ///
    /// let live = || vec!["live".to_owned()];
    /// assert!(WitnessSettings::new("https://witness.example/notes", live()).is_ok());
    /// assert!(WitnessSettings::new("ftp://witness.example/notes", live()).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`WitnessFailed::Url`].
    pub fn new(url: &str, ledgers: Vec<String>) -> Result<Self, WitnessFailed> {
        let url = Guard::anywhere().check(url).map_err(WitnessFailed::Url)?;
        Ok(Self {
            url: url.into(),
            ledgers,
            look: Duration::from_millis(250),
            patience: Patience::default(),
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_mins(5),
        })
    }
}

impl WitnessTask {
    /// Begins to send what stands in the table and was not sent; `failed` is given each failure.
    ///
    /// # Errors
    ///
    /// [`WitnessFailed`] when the client or its threads cannot be made.
    pub fn start(
        table: CheckpointsTable,
        settings: WitnessSettings,
        failed: impl Fn(&NotSent) + Send + Sync + 'static,
    ) -> Result<Self, WitnessFailed> {
        let sender = Sender::new(Guard::anywhere(), Arc::new(SystemLookup), settings.patience)?;
        let witness = Witness { table, settings, sender, failed: Box::new(failed) };
        Ok(Self(Background::start("ledger-witness", 1, |ended| witness.run(ended))?))
    }

    /// Sends what stands in the table once more, each at most once, and ends.
    pub fn stop(self) {
        drop(self.0);
    }
}

struct Witness {
    table: CheckpointsTable,
    settings: WitnessSettings,
    sender: Sender,
    failed: Box<dyn Fn(&NotSent) + Send + Sync>,
}

impl Witness {
    async fn run(self, mut ended: Ended) {
        let mut failures = 0;
        loop {
            let rest = match self.send_all().await {
                Ok(()) => {
                    failures = 0;
                    self.settings.look
                }
                Err(outcome) => {
                    failures += 1;
                    let bounds = (self.settings.first_wait, self.settings.longest_wait);
                    wait::after(failures, outcome, bounds, getrandom::u64().unwrap_or_default())
                }
            };
            tokio::select! {
                () = ended.wait() => break,
                () = tokio::time::sleep(rest) => {}
            }
        }
        // What was signed last is sent before the process ends, if it can be.
        let _ = self.send_all().await;
    }

    /// Sends what was not sent, ledger by ledger; the first failure of one ends that one's turn.
    async fn send_all(&self) -> Result<(), Outcome> {
        let mut came = Ok(());
        for ledger in &self.settings.ledgers {
            if let Err((outcome, not_sent)) = self.send(ledger).await {
                (self.failed)(&not_sent);
                came = Err(outcome);
            }
        }
        came
    }

    async fn send(&self, ledger: &str) -> Result<(), (Outcome, NotSent)> {
        let url = &self.settings.url;
        let failed = |source| {
            let not_sent = NotSent::Table { ledger: ledger.to_owned(), source };
            (Outcome::Unreachable, not_sent)
        };
        loop {
            let unsent =
                self.within(ledger, |table, ledger, url| table.unsent(ledger, url, AT_ONCE));
            let unsent: Vec<(u64, Note)> = unsent.await.map_err(failed)?;
            let whole = unsent.len() == AT_ONCE as usize;
            for (records, note) in unsent {
                let outcome = self.sender.post_text(url, note.to_string(), SystemClock.now()).await;
                if !outcome.is_success() {
                    let status = outcome.status();
                    let status = status.map_or_else(String::new, |status| format!(" {status}"));
                    let (ledger, outcome_is) = (ledger.to_owned(), outcome.name());
                    let not_sent =
                        NotSent::Refused { ledger, records, outcome: outcome_is, status };
                    return Err((outcome, not_sent));
                }
                let sent = self.within(ledger, move |table, ledger, url| {
                    table.record_sent(ledger, url, records)
                });
                sent.await.map_err(failed)?;
            }
            if !whole {
                return Ok(());
            }
        }
    }

    /// Asks the table on a thread that may wait for it.
    async fn within<T: Send + 'static>(
        &self,
        ledger: &str,
        ask: impl FnOnce(&CheckpointsTable, &str, &str) -> Result<T, CheckpointError> + Send + 'static,
    ) -> Result<T, CheckpointError> {
        let (table, url, ledger) =
            (self.table.clone(), self.settings.url.clone(), ledger.to_owned());
        let asked = tokio::task::spawn_blocking(move || ask(&table, &ledger, &url)).await;
        asked.expect("the table does not panic, and nobody cancels it")
    }
}
