//! One ledger by figures, without a service around it.

use ledger_core::ledger::State;
use ledger_core::time::Instant;
use ledger_store::engine::Engine;
use prometheus_client::encoding::text::encode;

use super::books::Books;
use super::family::Scrape;
use super::{add_clock, classic, engines};

/// Writes the figures of one ledger in Prometheus' text format (`text/plain; version=0.0.4`), in
/// the families that a service shows of its ledgers: the engine's work, the machine's clock, and at
/// `now` the books of a committed state, where there is one.
///
/// ```
/// use ledger_core::time::Instant;
/// use ledger_http::ledger_metrics;
/// use ledger_store::engine::Engine;
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let engine = Engine::builder("live").start(Box::new(journal))?;
/// let state = engine.committed_now()?;
/// let text = ledger_metrics("live", &engine, Some(&state), (Instant::default(), true));
/// assert!(text.contains("custody_ledger_records_total{ledger=\"live\"} 0\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn ledger_metrics(
    label: &str,
    engine: &Engine,
    state: Option<&State>,
    (now, clock_believed): (Instant, bool),
) -> String {
    let mut scrape = Scrape::new();
    engines::add(&mut scrape, [(label, engine)]);
    add_clock(&mut scrape, clock_believed);
    let books = Books::register(&mut scrape);
    if let Some(state) = state {
        books.add(label, state, now);
    }
    let mut text = String::new();
    let encoded = encode(&mut text, scrape.registry());
    debug_assert!(encoded.is_ok(), "text is written to a string");
    let (_, classic) = classic::negotiate(text, "text/plain");
    classic
}
