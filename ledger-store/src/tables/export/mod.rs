//! The journal for other people's tools: hledger, beancount, CSV and JSON lines.
//!
//! An accountant should not have to trust us: every entry is written out leg by leg, and the
//! balances we claim stand at the end as assertions that the other tool checks.

mod beancount;
mod hledger;
mod legs;
mod table;

use std::io::{self, Write};

use ledger_core::ledger::Record;
use thiserror::Error;

use crate::engines::sequencer::{ReplayError, Sequencer};
use crate::journal::Journal;

pub use legs::{ChartAccount, Leg, balances, centavos, decimal, event_legs as legs};
pub(crate) use legs::{IN_PARTS, coin_place, in_transit, is_in_flight};

/// What an export is written as.
///
/// ```
/// # use ledger_store::export::{Format, export};
/// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let mut table = Vec::new();
/// export(&mut journal, "live", Format::Csv, &mut table)?;
/// assert!(String::from_utf8(table)?.starts_with("record,"));
/// assert_eq!(Format::parse("hledger"), Some(Format::Hledger));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A journal of hledger, with balance assertions at its end.
    Hledger,
    /// A journal of beancount, with balance directives at its end.
    Beancount,
    /// One row a leg.
    Csv,
    /// One JSON object an event, with its legs.
    JsonLines,
}

/// Why an export did not come to its end.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The journal cannot be replayed.
    #[error("the journal cannot be replayed")]
    Replay(#[from] ReplayError),
    /// What was written could not be kept.
    #[error("the export cannot be written")]
    Write(#[from] io::Error),
}

impl Format {
    /// Reads a format's name: `hledger`, `beancount`, `csv` or `jsonl`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "hledger" => Some(Self::Hledger),
            "beancount" => Some(Self::Beancount),
            "csv" => Some(Self::Csv),
            "jsonl" => Some(Self::JsonLines),
            _ => None,
        }
    }
}

/// Writes every entry of one ledger, first record first, and what it comes to.
///
/// # Errors
///
/// [`ExportError`] when the journal is broken or `into` takes no more; what was written before
/// stands.
pub fn export(
    journal: &mut dyn Journal,
    name: &str,
    format: Format,
    into: &mut dyn Write,
) -> Result<(), ExportError> {
    export_until(journal, name, format, u64::MAX, into)
}

/// As [`export`], of the first `records` records alone, and what they come to.
///
/// # Errors
///
/// As of [`export`].
pub fn export_until(
    journal: &mut dyn Journal,
    name: &str,
    format: Format,
    records: u64,
    into: &mut dyn Write,
) -> Result<(), ExportError> {
    let mut failed = head(format, name, into).err();
    let mut sequencer = Sequencer::new(name, journal.identity());
    sequencer.go_on_until(journal, records, &mut |sequencer: &Sequencer, record: &Record| {
        if failed.is_none() {
            failed = self::record(format, sequencer, record, into).err();
        }
    })?;
    if let Some(failed) = failed {
        return Err(failed.into());
    }
    match format {
        Format::Hledger => hledger::close(&sequencer, into)?,
        Format::Beancount => beancount::close(&sequencer, into)?,
        Format::Csv | Format::JsonLines => {}
    }
    into.flush()?;
    Ok(())
}

/// The operation an event belongs to, as clients know it.
fn operation(sequencer: &Sequencer, record: &Record, index: usize) -> Option<String> {
    record.events[index].op().map(|op| op.text(&sequencer.ledger().state.name))
}

/// The day of an instant, and what happened: `record 12 ci_...`.
fn title(sequencer: &Sequencer, record: &Record, index: usize) -> (String, String) {
    let of = operation(sequencer, record, index).map_or_else(String::new, |op| format!(" {op}"));
    (record.at.to_string()[..10].to_owned(), format!("record {}{of}", record.seq.0))
}

fn head(format: Format, name: &str, into: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Hledger => hledger::open(name, into),
        Format::Beancount => beancount::open(name, into),
        Format::Csv => table::open(into),
        Format::JsonLines => Ok(()),
    }
}

fn record(
    format: Format,
    sequencer: &Sequencer,
    record: &Record,
    into: &mut dyn Write,
) -> io::Result<()> {
    for (index, event) in record.events.iter().enumerate() {
        let legs = legs::event_legs(sequencer, event);
        if legs.is_empty() {
            continue;
        }
        match format {
            Format::Hledger => hledger::entry(sequencer, record, index, &legs, into)?,
            Format::Beancount => beancount::entry(sequencer, record, index, &legs, into)?,
            Format::Csv => table::rows(sequencer, record, index, &legs, into)?,
            Format::JsonLines => table::line(sequencer, record, index, &legs, into)?,
        }
    }
    Ok(())
}
