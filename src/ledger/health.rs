//! How an open ledger is watched: its health, its figures, the depth of its outbox.

#[cfg(feature = "http")]
use std::future::Future;
#[cfg(feature = "http")]
use std::pin::Pin;
#[cfg(feature = "http")]
use std::sync::Arc;

#[cfg(feature = "http")]
use ledger_core::ledger::State;
use ledger_store::engine::EngineStatus;
use ledger_store::projection::{EntryKind, Tables};

#[cfg(feature = "http")]
use super::pending::Begin;
use super::{Ledger, OutboxUnavailable, Pending};

/// How much of an outbox is not acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutboxDepth {
    /// Notifications of clients.
    pub notifications: u64,
    /// Instructions to the world.
    pub instructions: u64,
    /// Entries of both kinds that are durable in the journal, and not in the outbox yet.
    pub unwritten: u64,
}

impl Ledger {
    /// Tells whether it takes requests now, as `/health/ready` of a service does: it writes, and
    /// its clock is believed. [`Ledger::status`] and [`Ledger::clock_doubt`] say why not.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// assert!(ledger.healthy());
    /// ledger.shutdown()?;
    /// assert!(!ledger.healthy());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn healthy(&self) -> bool {
        self.status() == EngineStatus::Writing && self.clock_doubt().is_none()
    }

    /// Counts what stands in the outbox and is not acknowledged: what grows while nobody sends.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    ///
    /// let ledger = Ledger::builder("memory:").outbox().open().wait()?;
    /// assert_eq!(ledger.outbox_depth().wait()?.instructions, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outbox_depth(&self) -> Pending<Result<OutboxDepth, OutboxUnavailable>> {
        let ledger = self.clone();
        Pending::blocking(move || {
            let open = &*ledger.0;
            let progress = open.engine.outbox().ok_or(OutboxUnavailable::None)?;
            let target = open.store.target().map_err(|_| OutboxUnavailable::None)?;
            // Counted first: an entry that is written meanwhile is counted twice, and none never.
            let unwritten = u64::try_from(progress.waiting()).unwrap_or(u64::MAX);
            let mut tables = Tables::open(&target, &open.name)?.ok_or(OutboxUnavailable::None)?;
            Ok(OutboxDepth {
                notifications: tables.unacknowledged_count(EntryKind::Notification)?,
                instructions: tables.unacknowledged_count(EntryKind::Instruction)?,
                unwritten,
            })
        })
    }

    /// Writes its figures in Prometheus' text format: the families that the service's `/metrics`
    /// shows of each ledger, under its name. One that answers nothing shows no books.
    ///
    /// ```
    /// use custody_ledger::Ledger;
    ///
    /// let ledger = Ledger::open("memory:").wait()?;
    /// let text = ledger.metrics().wait();
    /// assert!(text.contains(r#"custody_ledger_head_seq{ledger="live"} 0"#));
    /// assert!(text.contains(r#"custody_ledger_owed{ledger="live",commodity="BRL"} 0"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "http")]
    pub fn metrics(&self) -> Pending<String> {
        Pending::new(Figures(self.clone()))
    }

    #[cfg(feature = "http")]
    fn figures(&self, state: Option<&State>) -> String {
        let open = &*self.0;
        let dated = (open.clock.now(), open.clock.doubt().is_none());
        ledger_http::ledger_metrics(&open.name, &open.engine, state, dated)
    }
}

/// The figures of a ledger, to be read off.
#[cfg(feature = "http")]
struct Figures(Ledger);

#[cfg(feature = "http")]
impl Begin<String> for Figures {
    fn wait(self: Box<Self>) -> String {
        let Self(ledger) = *self;
        ledger.figures(ledger.0.engine.committed_now().ok().as_deref())
    }

    fn await_it(self: Box<Self>) -> Pin<Box<dyn Future<Output = String> + Send>> {
        let Self(ledger) = *self;
        Box::pin(async move {
            let state: Option<Arc<State>> = ledger.0.engine.committed_state().await.ok();
            // Every open operation is looked at, which is no work for a thread that answers.
            Pending::blocking(move || ledger.figures(state.as_deref())).await
        })
    }
}
