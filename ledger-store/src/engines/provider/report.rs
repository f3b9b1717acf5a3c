//! Reports: the facts that a provider tells, and the door they come in by.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Weak};

use ledger_core::contract::{Call, CallKind, Response};
use ledger_core::ledger::Origin;
use ledger_core::time::Instant;
use serde_json::Value;
use thiserror::Error;

use crate::engines::clock::{Clock, ClockDoubt};
use crate::engines::engine::{Engine, EngineError, Ticket};

/// After how long without any report the ledger is first told of the time, in microseconds: half
/// an hour (rulings 3).
const QUIET: i64 = 30 * 60 * 1_000_000;

/// A fact that is told: its name and body, as `custody-ledger facts` lists them. Its `Debug` shows
/// no body.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The fact's name: `pix.received`.
    pub fact: String,
    /// Its body, an object.
    pub body: Value,
    /// What comes beside it: an account's key.
    pub supplied: Value,
}

impl Report {
    /// The report of a fact by its name and body.
    ///
    /// ```
    /// # use ledger_store::provider::Report;
    /// use serde_json::json;
    /// let e2e = "E9040088820261120120000123873170";
    /// let seen = Report::new("pix.received", json!({ "e2e": e2e, "amount_cents": 10_000 }));
    /// assert_eq!(seen.fact, "pix.received");
    /// ```
    #[must_use]
    pub fn new(fact: &str, body: Value) -> Self {
        Self { fact: fact.to_owned(), body, supplied: Value::Null }
    }

    fn call(&self, at: Instant) -> Call {
        let (ask, origin) = (CallKind::Fact(self.fact.clone()), Origin::Call);
        let (body, supplied) = (self.body.clone(), self.supplied.clone());
        Call { at, origin, ask, body, supplied, ip: None }
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report").field("fact", &self.fact).finish_non_exhaustive()
    }
}

/// What became of a report; the record behind it is durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    /// It happened, and the books have it.
    Applied,
    /// It was told before.
    Known,
    /// It contradicts the books: it is kept, and a person looks.
    SetAside,
}

/// Why a report is not in the books.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TellError {
    /// The ledger has ended, or is somebody else's now.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The machine's clock is not believed, and nothing is dated by it (rulings 69).
    #[error(transparent)]
    ClockDoubted(#[from] ClockDoubt),
    /// It is no fact of the ledger, or says something that no fact can.
    #[error("{fact} was not understood: {reason}")]
    Malformed {
        /// The fact's name.
        fact: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The door for what the provider tells. Clones are the same door; it keeps no ledger open.
#[derive(Clone)]
pub struct Reports(Arc<Door>);

struct Door {
    engine: Weak<Engine>,
    clock: Arc<dyn Clock>,
    /// The latest instant that came in by this door, in microseconds.
    latest: AtomicI64,
}

impl Reports {
    /// The door to an engine's ledger; what comes in is dated by `clock`.
    #[must_use]
    pub fn new(engine: &Arc<Engine>, clock: Arc<dyn Clock>) -> Self {
        let latest = AtomicI64::new(clock.now().micros());
        Self(Arc::new(Door { engine: Arc::downgrade(engine), clock, latest }))
    }

    /// Tells a fact, and waits until it is durable. Blocks; async code uses
    /// [`Reports::tell_async`].
    ///
    /// # Errors
    ///
    /// [`TellError`] when it is not in the books: tell it again, with the same id.
    pub fn tell(&self, report: &Report) -> Result<Reported, TellError> {
        self.begin(report)?.wait()
    }

    /// Tells a fact, and returns once it is durable; holds no thread. Dropped, it may have told it:
    /// tell it again, with the same id.
    ///
    /// # Errors
    ///
    /// [`TellError`] when it is not in the books: tell it again, with the same id.
    pub async fn tell_async(&self, report: &Report) -> Result<Reported, TellError> {
        let (engine, now) = (self.engine()?, self.now()?);
        if self.is_after_silence(now) {
            drop(engine.reserve().await?.call(Call::time_passed(now)));
        }
        let answer = engine.reserve().await?.call(report.call(now));
        reported_by_answer(&report.fact, &answer.await?)
    }

    /// Tells a fact, and leaves the waiting until it is durable for later.
    pub(super) fn begin(&self, report: &Report) -> Result<Told, TellError> {
        let (engine, now) = (self.engine()?, self.now()?);
        if self.is_after_silence(now) {
            drop(engine.call(Call::time_passed(now)));
        }
        Ok(Told { fact: report.fact.clone(), answer: engine.call(report.call(now)) })
    }

    /// Takes note of an instant; tells whether the ledger is first told of the time.
    fn is_after_silence(&self, now: Instant) -> bool {
        let before = self.0.latest.fetch_max(now.micros(), Ordering::Relaxed);
        now.micros() - before > QUIET
    }

    /// The instant that is said of what comes in now; none while the clock is not believed.
    pub(super) fn now(&self) -> Result<Instant, ClockDoubt> {
        self.0.clock.doubt().map_or_else(|| Ok(self.0.clock.now()), Err)
    }

    pub(super) fn engine(&self) -> Result<Arc<Engine>, EngineError> {
        Weak::upgrade(&self.0.engine).ok_or(EngineError::Ended)
    }
}

/// A fact that was told, and may not be durable yet.
pub(super) struct Told {
    pub(super) fact: String,
    answer: Ticket<Response>,
}

impl Told {
    /// Waits until it is durable.
    pub(super) fn wait(self) -> Result<Reported, TellError> {
        reported_by_answer(&self.fact, &self.answer.wait()?)
    }
}

/// The outcome of a fact, by its durable answer.
fn reported_by_answer(fact: &str, answer: &Response) -> Result<Reported, TellError> {
    let body = &answer.body;
    match body.get("outcome").and_then(Value::as_str) {
        Some("applied") => Ok(Reported::Applied),
        Some("known") => Ok(Reported::Known),
        Some("set_aside") => Ok(Reported::SetAside),
        _ => {
            let text = |name: &str| body.get(name).and_then(Value::as_str);
            let reason = text("mensagem").or_else(|| text("erro")).unwrap_or("it was refused");
            Err(TellError::Malformed { fact: fact.to_owned(), reason: reason.to_owned() })
        }
    }
}

impl fmt::Debug for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reports").finish_non_exhaustive()
    }
}
