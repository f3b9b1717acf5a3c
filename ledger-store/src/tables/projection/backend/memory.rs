//! Outboxes in memory: what the databases' outbox does, beside a journal in memory, and no other
//! table.
//!
//! Of what was acknowledged its id stays, so that it is known when it is acknowledged again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ledger_core::time::Instant;

use super::outbox::{OfEachLine, Pruned, Unacknowledged};
use super::step::Move;
use super::{Acknowledged, Backend, Step, TablesFailed, Written};
use crate::bytes::chain::Link;
use crate::journal::Head;
use crate::tables::projection::schema::extent::Extent;
use crate::tables::projection::schema::labels::instant;
use crate::tables::projection::schema::table::{Cell, Cells, Table};
use crate::tables::projection::schema::{OUTBOX, OUTBOX_CHECKPOINT, VERSION};

/// The outboxes of ledgers in memory; clones share them, and they are gone with the last.
#[derive(Clone, Debug, Default)]
pub struct MemoryOutboxes(Arc<Mutex<BTreeMap<String, Outbox>>>);

/// A record, and a place among what follows from it.
type RowKey = (i64, i64);

/// The outbox of one ledger.
#[derive(Debug)]
struct Outbox {
    at: Head,
    as_of: Option<Instant>,
    pruned: u64,
    pruned_check: String,
    /// Rows of the table that are not acknowledged.
    pending: BTreeMap<RowKey, Cells>,
    /// The same by operation and kind.
    lines: BTreeMap<(String, String), BTreeSet<RowKey>>,
    /// Of those that are, the id, and the first digits of their record's link.
    acknowledged: BTreeMap<RowKey, (String, String)>,
    ids: BTreeMap<String, RowKey>,
}

/// The places of columns in a row of the table.
mod column {
    pub(super) const KIND: usize = 2;
    pub(super) const OPERATION: usize = 4;
    pub(super) const ID: usize = 6;
    pub(super) const CHECK: usize = 8;
    /// Before it stand the check, which nobody is given, and the instant.
    pub(super) const BODY: usize = 10;
}

impl MemoryOutboxes {
    /// Without any entry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Outbox>> {
        // Nothing panics between two changes of one write, so a poisoned one is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns what is asked that memory has no answer to.
fn no_tables() -> TablesFailed {
    TablesFailed("memory has an outbox, and no tables beside it".into())
}

impl Backend for MemoryOutboxes {
    fn has(&mut self, table: &str) -> Result<bool, TablesFailed> {
        Ok([OUTBOX.name, OUTBOX_CHECKPOINT.name].contains(&table))
    }

    fn make(&mut self, tables: &[&'static Table]) -> Result<(), TablesFailed> {
        for table in tables {
            if !self.has(table.name)? {
                return Err(no_tables());
            }
        }
        Ok(())
    }

    fn has_column(&mut self, table: &str, column: &str) -> Result<bool, TablesFailed> {
        let outbox = table == OUTBOX.name;
        Ok(outbox && OUTBOX.columns.iter().any(|known| known.name == column))
    }

    fn owns_index(&mut self, _: &str) -> Result<bool, TablesFailed> {
        Ok(false)
    }

    fn turn(&self) -> Option<&'static str> {
        None
    }

    fn read(&mut self, _: &str, _: &[Cell]) -> Result<Vec<Cells>, TablesFailed> {
        Err(no_tables())
    }

    fn begin(&mut self) -> Result<(), TablesFailed> {
        Err(no_tables())
    }

    fn end(&mut self) -> Result<(), TablesFailed> {
        Err(no_tables())
    }

    fn write(&mut self, steps: &[Step<'_>]) -> Result<Written, TablesFailed> {
        let known = |step: &Step<'_>| match step {
            Step::Run(..) => false,
            Step::Add(table, _, rows) | Step::Put(table, _, rows) => {
                table.name == OUTBOX.name || rows.is_empty()
            }
            Step::Begin(extent, ..) | Step::Move(extent, ..) => *extent == Extent::Outbox,
        };
        if !steps.iter().all(known) {
            return Err(no_tables());
        }
        let mut all = self.all();
        // Where one is not what it must be, none is written.
        let stands = |step: &Step<'_>| match step {
            Step::Move(_, ledger, Move { from, .. }) => {
                all.get(*ledger).is_some_and(|outbox| outbox.at == *from)
            }
            _ => true,
        };
        if !steps.iter().all(stands) {
            return Ok(Written::No);
        }
        for step in steps {
            match step {
                Step::Begin(_, ledger, genesis) => {
                    all.entry((*ledger).to_owned()).or_insert_with(|| Outbox::before(*genesis));
                }
                Step::Move(_, ledger, Move { to, as_of, .. }) => {
                    if let Some(outbox) = all.get_mut(*ledger) {
                        (outbox.at, outbox.as_of) = (*to, Some(*as_of));
                    }
                }
                Step::Add(_, ledger, rows) | Step::Put(_, ledger, rows) => {
                    if let Some(outbox) = all.get_mut(*ledger) {
                        for row in rows.iter() {
                            outbox.insert(row);
                        }
                    }
                }
                Step::Run(..) => {}
            }
        }
        Ok(Written::Yes(steps.len() as u64))
    }

    fn checkpoint(&mut self, extent: Extent, ledger: &str) -> Result<Option<Cells>, TablesFailed> {
        let all = self.all();
        let outbox = all.get(ledger).filter(|_| extent == Extent::Outbox);
        Ok(outbox.map(|Outbox { at, as_of, pruned, pruned_check, .. }| {
            vec![
                at.seq.into(),
                at.link.to_string().into(),
                as_of.map(instant).into(),
                VERSION.into(),
                (*pruned).into(),
                pruned_check.as_str().into(),
            ]
        }))
    }

    fn unacknowledged_rows(
        &mut self,
        asked: &Unacknowledged<'_>,
    ) -> Result<Vec<Cells>, TablesFailed> {
        let all = self.all();
        let Some(outbox) = all.get(asked.ledger) else { return Ok(Vec::new()) };
        let given = outbox
            .pending
            .iter()
            .filter_map(|(place, row)| outbox.matching_row(*place, row, asked));
        Ok(given.take(asked.limit).collect())
    }

    fn unacknowledged_count(&mut self, ledger: &str, kind: &str) -> Result<u64, TablesFailed> {
        let all = self.all();
        let pending = all.get(ledger).into_iter().flat_map(|outbox| outbox.pending.values());
        Ok(pending.filter(|row| row[column::KIND].text() == Some(kind)).count() as u64)
    }

    fn acknowledge(
        &mut self,
        ledger: &str,
        id: &str,
        _: Instant,
    ) -> Result<Option<Acknowledged>, TablesFailed> {
        Ok(self.all().get_mut(ledger).and_then(|outbox| outbox.acknowledge(id)))
    }

    fn acknowledge_all(
        &mut self,
        ledger: &str,
        ids: &[String],
        _: Instant,
    ) -> Result<(), TablesFailed> {
        if let Some(outbox) = self.all().get_mut(ledger) {
            for id in ids {
                outbox.acknowledge(id);
            }
        }
        Ok(())
    }

    fn prune(&mut self, _: Extent, ledger: &str, seq: u64) -> Result<Pruned, TablesFailed> {
        let mut all = self.all();
        Ok(Pruned::Gone(all.get_mut(ledger).map_or(0, |outbox| outbox.prune(seq))))
    }
}

impl Outbox {
    /// Before the first record.
    fn before(genesis: Link) -> Self {
        Self {
            at: Head { seq: 0, link: genesis },
            as_of: None,
            pruned: 0,
            pruned_check: String::new(),
            pending: BTreeMap::new(),
            lines: BTreeMap::new(),
            acknowledged: BTreeMap::new(),
            ids: BTreeMap::new(),
        }
    }

    /// Adds a row; one that was acknowledged for the same record stays so.
    fn insert(&mut self, row: &Cells) {
        let (Some(seq), Some(place)) = (row[0].number(), row[1].number()) else { return };
        let (place, id, check) = ((seq, place), text(row, column::ID), text(row, column::CHECK));
        if self.acknowledged.get(&place) == Some(&(id.clone(), check)) {
            return;
        }
        self.acknowledged.remove(&place);
        self.ids.insert(id, place);
        self.lines.entry(line(row)).or_default().insert(place);
        self.pending.insert(place, row.clone());
    }

    /// An entry as a reader is given it; none that was not asked for.
    fn matching_row(
        &self,
        place: RowKey,
        row: &Cells,
        asked: &Unacknowledged<'_>,
    ) -> Option<Cells> {
        if !asked.kind.is_empty() && row[column::KIND].text() != Some(asked.kind) {
            return None;
        }
        let line = self.lines.get(&line(row))?;
        if asked.of_each_line == OfEachLine::First && line.first() != Some(&place) {
            return None;
        }
        let behind = line.range(place..).count() - 1;
        let mut given: Cells = row[..=column::BODY].to_vec();
        given.remove(column::CHECK);
        given.push((behind as u64).into());
        Some(given)
    }

    fn acknowledge(&mut self, id: &str) -> Option<Acknowledged> {
        let place = *self.ids.get(id)?;
        let Some(row) = self.pending.remove(&place) else { return Some(Acknowledged::Before) };
        let of_its_line = line(&row);
        if let Some(line) = self.lines.get_mut(&of_its_line) {
            line.remove(&place);
            if line.is_empty() {
                self.lines.remove(&of_its_line);
            }
        }
        self.acknowledged.insert(place, (id.to_owned(), text(&row, column::CHECK)));
        Some(Acknowledged::Now)
    }

    fn prune(&mut self, seq: u64) -> u64 {
        let first_pending = self.pending.keys().next().map_or(i64::MAX, |(seq, _)| *seq);
        let to = i64::try_from(seq).unwrap_or(i64::MAX).min(first_pending.saturating_sub(1));
        let left = self.acknowledged.split_off(&(to.saturating_add(1), 0));
        let gone = std::mem::replace(&mut self.acknowledged, left);
        if let Some(((to, _), (_, check))) = gone.last_key_value() {
            self.pruned = u64::try_from(*to).unwrap_or_default();
            self.pruned_check.clone_from(check);
        }
        for (id, _) in gone.values() {
            self.ids.remove(id);
        }
        gone.len() as u64
    }
}

/// The line of a row: its operation, and its kind.
fn line(row: &Cells) -> (String, String) {
    (text(row, column::OPERATION), text(row, column::KIND))
}

fn text(row: &Cells, column: usize) -> String {
    row[column].text().unwrap_or_default().to_owned()
}
