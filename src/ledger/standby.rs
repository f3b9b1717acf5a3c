//! A standby: follows a ledger that another process writes, and opens it when that ends.

use std::future::Future;
use std::pin::Pin;

use ledger_store::engine;

use super::opening::Opening;
use super::pending::Begin;
use super::{Ledger, OpenError, Pending};

pub use ledger_store::engine::Position;

/// A warm standby of a ledger; see [`Builder::standby`](crate::Builder::standby).
///
/// It replays what the ledger's writer commits, so it answers soon after it takes over: when the
/// writer has shut down, or its lease has lapsed because it was killed, hangs, or does not reach
/// the store. Two processes that both stand by, and serve once they are promoted, are one ledger
/// that outlives either of them.
///
/// ```no_run
/// use std::time::Duration;
///
/// use custody_ledger::Ledger;
///
/// let lease = Duration::from_secs(2);
/// let standby = Ledger::builder("postgres://ledger@/live").lease(lease).standby().wait()?;
/// let position = standby.position(); // For whoever looks how far it follows.
/// let ledger = standby.promotion().wait()?; // Serve from here on.
/// let why = ledger.termination().wait(); // Taken over from, or shut down.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "it stands by until it is dropped"]
pub struct Standby {
    standby: engine::Standby,
    opening: Opening,
}

impl Standby {
    pub(super) const fn new(standby: engine::Standby, opening: Opening) -> Self {
        Self { standby, opening }
    }

    /// The number of the last record that it has replayed.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.standby.seq()
    }

    /// Where it stands, to be looked at beside whoever awaits its promotion.
    #[must_use]
    pub fn position(&self) -> Position {
        self.standby.position()
    }

    /// The ledger, once this has taken over. Dropped before, it stands by no more.
    pub fn promotion(self) -> Pending<Result<Ledger, OpenError>> {
        Pending::new(self)
    }

    /// Stands by no more.
    pub fn stop(self) {
        self.standby.stop();
    }
}

impl Begin<Result<Ledger, OpenError>> for Standby {
    fn wait(self: Box<Self>) -> Result<Ledger, OpenError> {
        self.opening.ledger(self.standby.wait()?)
    }

    fn await_it(
        self: Box<Self>,
    ) -> Pin<Box<dyn Future<Output = Result<Ledger, OpenError>> + Send>> {
        let Self { mut standby, opening } = *self;
        Box::pin(async move {
            let engine = standby.promotion().await?;
            Pending::blocking(move || opening.ledger(engine)).await
        })
    }
}

impl std::fmt::Debug for Standby {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.standby.fmt(f)
    }
}
