//! The work of engines, and how each ledger stands.

use ledger_store::engine::{Engine, EngineStatus};

use super::family::{Counts, Gauges, Levels, Scrape, Sums, labels, level, seconds};
use crate::operation::health;

/// Adds what engines, each with its ledger's label, have done until now, and where their ledgers
/// stand.
pub(super) fn add<'a>(
    scrape: &mut Scrape,
    ledgers: impl IntoIterator<Item = (&'a str, &'a Engine)>,
) {
    let commands: Counts = scrape.family("commands", "Calls and commands, reads included");
    let refusals: Counts = scrape.family("refusals", "Those of them that were refused");
    let records: Counts = scrape.family("records", "Records made durable");
    let commits: Counts = scrape.family("commits", "Commits made durable");
    let bytes: Counts = scrape.family("commit_bytes", "Bytes of those commits");
    let failures: Counts = scrape.family("commit_failures", "Commits that failed");
    let deciding: Sums = scrape.in_seconds("deciding", "Time spent deciding");
    let writing: Sums = scrape.in_seconds("writing", "Time spent writing");
    let reading: Sums =
        scrape.in_seconds("reading", "Time spent reading beside the thread that decides");
    let reads: Counts = scrape.family("reads", "Reads beside the thread that decides");
    let queued: Levels = scrape.family("queued_calls", "Calls that wait to be decided");
    let head: Levels = scrape.family("head_seq", "The last durable record; -1 once fenced");
    let status: Levels =
        scrape.family("ledger_status", "How a ledger stands: 1 where it stands so");
    let failing: Gauges = scrape.in_seconds(
        "commits_failing",
        "For how long the store has taken no commit; 0 where it takes them",
    );
    let behind: Levels =
        scrape.family("outbox_behind", "Entries of the outbox not yet in its table");
    for (label, engine) in ledgers {
        let of = labels([("ledger", label)]);
        let counted = engine.counters();
        let counts = [
            (&commands, counted.commands),
            (&refusals, counted.refusals),
            (&records, counted.records),
            (&commits, counted.commits),
            (&bytes, counted.bytes),
            (&failures, counted.failures),
            (&reads, counted.reads),
        ];
        for (family, count) in counts {
            family.get_or_create(&of).inc_by(count);
        }
        deciding.get_or_create(&of).inc_by(seconds(counted.deciding_micros));
        writing.get_or_create(&of).inc_by(seconds(counted.writing_micros));
        reading.get_or_create(&of).inc_by(seconds(counted.reading_micros));
        queued.get_or_create(&of).set(level(counted.queued));
        let last = engine.head().map_or(-1, |head| level(head.seq));
        head.get_or_create(&of).set(last);
        let stands = engine.status();
        for name in health::STATUSES {
            let of = labels([("ledger", label), ("status", name)]);
            let is = name == health::status_name(&stands);
            status.get_or_create(&of).set(i64::from(is));
        }
        let since = match &stands {
            EngineStatus::Failing(failing) => failing.since.elapsed().as_secs_f64(),
            _ => 0.0,
        };
        failing.get_or_create(&of).set(since);
        if let Some(outbox) = engine.outbox() {
            behind.get_or_create(&of).set(i64::try_from(outbox.waiting()).unwrap_or(i64::MAX));
        }
    }
}
