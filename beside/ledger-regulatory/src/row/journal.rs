//! The rows of a span of a journal.

use std::collections::BTreeMap;

use ledger_core::ledger::{Event, Record};
use ledger_core::time::Instant;
use ledger_store::Journal;
use ledger_store::days::Span;
use ledger_store::moment::{Moment, MomentError};
use ledger_store::sequencer::Sequencer;
use thiserror::Error;

use super::{Row, record_rows};
use crate::account::Commodity;

/// The error of rows that cannot be stated.
#[derive(Debug, Error)]
pub enum RowsError {
    /// The journal has no such moment, or cannot be replayed.
    #[error(transparent)]
    Moment(#[from] MomentError),
    /// The rows of a record are not what its entries move.
    #[error("record {record}: its rows come to {rows}, and its entries move {moved}")]
    Unequal {
        /// The number of the record, from 1.
        record: u64,
        /// The sum of the parts of its rows, in smallest units.
        rows: u128,
        /// The sum of the moves of its entries, in smallest units.
        moved: u128,
    },
}

/// Returns the rows of the days of a span, in the order of the journal, and the ledger after them.
/// The journal is replayed from its first record.
///
/// # Errors
///
/// [`RowsError`].
pub fn ledger_rows(
    journal: &mut dyn Journal,
    name: &str,
    span: Span,
) -> Result<(Vec<Row>, Sequencer), RowsError> {
    let after = records_before(journal, span.begins())?;
    let until = records_before(journal, span.ends())?;
    let (mut rows, mut unequal) = (Vec::new(), None);
    let observe = |sequencer: &Sequencer, record: &Record| {
        if record.seq.0 <= after || unequal.is_some() {
            return;
        }
        let found = record_rows(sequencer, record);
        unequal = difference(&found, record);
        rows.extend(found);
    };
    let moment = Moment::Records(until);
    let sequencer = Sequencer::open_at(journal, name, None, moment, observe)?;
    unequal.map_or(Ok((rows, sequencer)), Err)
}

/// Returns how many records were decided before an instant.
pub(crate) fn records_before(journal: &mut dyn Journal, at: Instant) -> Result<u64, MomentError> {
    let last = Instant::from_micros(at.micros() - 1).unwrap_or(at);
    match Moment::Instant(last).records(journal) {
        Err(MomentError::BeforeTheFirst { .. } | MomentError::Empty) => Ok(0),
        records => records,
    }
}

/// Returns the sum of the parts of rows by commodity, in smallest units.
#[must_use]
pub fn sum_parts(rows: &[Row]) -> BTreeMap<Commodity, u128> {
    let mut sums = BTreeMap::new();
    for part in rows.iter().flat_map(Row::parts) {
        *sums.entry(part.commodity).or_default() += part.amount;
    }
    sums
}

fn difference(rows: &[Row], record: &Record) -> Option<RowsError> {
    let mut moved: BTreeMap<Commodity, u128> = BTreeMap::new();
    for entry in record.events.iter().map(Event::entry) {
        for one in entry.moves() {
            let amount = u128::from(one.amount.cents().unsigned_abs());
            *moved.entry(Commodity::Reais).or_default() += amount;
        }
        for one in entry.coin_moves() {
            *moved.entry(Commodity::Asset(one.asset)).or_default() += one.units.get();
        }
    }
    let rows = sum_parts(rows);
    let keys = moved.keys().chain(rows.keys());
    let sum = |sums: &BTreeMap<_, u128>, key| sums.get(key).copied().unwrap_or_default();
    let mut pairs = keys.map(|key| (sum(&rows, key), sum(&moved, key)));
    let (rows, moved) = pairs.find(|(rows, moved)| rows != moved)?;
    Some(RowsError::Unequal { record: record.seq.0, rows, moved })
}
