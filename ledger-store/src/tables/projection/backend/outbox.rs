//! What an outbox is asked, and the statements that ask a database.

use ledger_core::time::Instant;

use super::{Backend, Step, TablesFailed, Written};
use crate::tables::projection::outbox::rows::{INSTRUCTION, NOTICE};
use crate::tables::projection::schema::extent::Extent;
use crate::tables::projection::schema::labels::instant;
use crate::tables::projection::schema::table::{Cell, Cells};

/// What is not acknowledged, and how many entries of its line wait behind it.
const PENDING: &str = "\
    SELECT seq, place, kind, topic, operation, account, id, idempotency_key, recorded_at, body, \
        (SELECT count(*) FROM outbox AS later WHERE later.ledger = outbox.ledger \
            AND later.operation = outbox.operation AND later.kind = outbox.kind \
            AND later.acknowledged_at IS NULL \
            AND (later.seq, later.place) > (outbox.seq, outbox.place)) \
    FROM outbox WHERE ledger = $1 AND acknowledged_at IS NULL AND kind = $2";

const UNACKNOWLEDGED: &str = "SELECT count(*) FROM outbox \
    WHERE ledger = $1 AND acknowledged_at IS NULL AND kind = $2";

const FIRST: &str = " \
        AND NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.ledger = outbox.ledger \
            AND earlier.operation = outbox.operation AND earlier.kind = outbox.kind \
            AND earlier.acknowledged_at IS NULL \
            AND (earlier.seq, earlier.place) < (outbox.seq, outbox.place))";

const IN_ORDER: &str = " ORDER BY seq, place LIMIT $3";

/// An id names its record, by whose number rows are found.
const ACKNOWLEDGE: &str = "UPDATE outbox SET acknowledged_at = $4 \
    WHERE ledger = $1 AND seq = $2 AND id = $3 AND acknowledged_at IS NULL AND body IS NOT NULL";

/// The notices behind a place that are not acknowledged, each with how many of its line are before.
const AFTER: &str = "\
    SELECT seq, place, kind, id, topic, \
        (SELECT count(*) FROM outbox AS earlier WHERE earlier.ledger = outbox.ledger \
            AND earlier.operation = outbox.operation AND earlier.kind = outbox.kind \
            AND earlier.acknowledged_at IS NULL \
            AND (earlier.seq, earlier.place) < (outbox.seq, outbox.place)) \
    FROM outbox WHERE ledger = $1 AND kind = 'notice' AND acknowledged_at IS NULL \
        AND (seq, place) > ($2, $3) \
    ORDER BY seq, place LIMIT $4";

const KNOWN: &str = "SELECT count(*) FROM outbox \
    WHERE ledger = $1 AND seq = $2 AND id = $3 AND acknowledged_at IS NOT NULL";

/// The last acknowledged row before which nothing is pending, up to a record.
const PRUNABLE: &str = "\
    SELECT seq, record_check FROM outbox WHERE ledger = $1 AND acknowledged_at IS NOT NULL \
        AND body IS NOT NULL AND seq <= $2 \
        AND seq < coalesce((SELECT min(seq) FROM outbox WHERE ledger = $1 \
            AND kind = 'notice' AND acknowledged_at IS NULL), 9223372036854775807) \
        AND seq < coalesce((SELECT min(seq) FROM outbox WHERE ledger = $1 \
            AND kind = 'instruction' AND acknowledged_at IS NULL), 9223372036854775807) \
    ORDER BY seq DESC, place DESC LIMIT 1";

const PRUNE: &str =
    "DELETE FROM outbox WHERE ledger = $1 AND acknowledged_at IS NOT NULL AND seq <= $2";

const COUNT: &str = "SELECT count(*) FROM outbox WHERE ledger = $1 AND seq <= $2";

/// What an acknowledgement did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acknowledged {
    /// It is acknowledged now.
    Now,
    /// It was acknowledged before.
    Before,
}

/// Which entries are asked for that are not acknowledged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unacknowledged<'a> {
    pub(crate) ledger: &'a str,
    /// One kind of entries; all where it is empty.
    pub(crate) kind: &'a str,
    pub(crate) of_each_line: OfEachLine,
    pub(crate) limit: usize,
}

/// How many entries of a line are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfEachLine {
    First,
    All,
}

/// What pruning did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pruned {
    /// So many entries went.
    Gone(u64),
    /// None: a rebuild has not come to them.
    Rebuilding,
}

/// The record that an entry follows from, which its id names; none for what is no entry's id.
pub(super) fn seq_of(id: &str) -> Option<u64> {
    let rest = id.strip_prefix("ev_").or_else(|| id.strip_prefix("in_"))?;
    rest.split('_').next()?.parse().ok()
}

pub(super) fn unacknowledged_rows<B: Backend + ?Sized>(
    backend: &mut B,
    asked: &Unacknowledged<'_>,
) -> Result<Vec<Cells>, TablesFailed> {
    let first = if asked.of_each_line == OfEachLine::First { FIRST } else { "" };
    let limit = i64::try_from(asked.limit).unwrap_or(i64::MAX);
    let sql = [PENDING, first, IN_ORDER].concat();
    let mut found = Vec::new();
    // Each kind is found by an index of its own, whatever waits of the other.
    for kind in [NOTICE, INSTRUCTION] {
        if asked.kind.is_empty() || asked.kind == kind {
            let values: [Cell; 3] = [asked.ledger.into(), kind.into(), limit.into()];
            found.extend(backend.read(&sql, &values)?);
        }
    }
    let place = |row: &Cells| (row[0].number(), row[1].number());
    found.sort_by_key(place);
    found.truncate(asked.limit);
    Ok(found)
}

pub(super) fn unacknowledged_count<B: Backend + ?Sized>(
    backend: &mut B,
    ledger: &str,
    kind: &str,
) -> Result<u64, TablesFailed> {
    backend.count(UNACKNOWLEDGED, &[ledger.into(), kind.into()])
}

pub(super) fn acknowledge<B: Backend + ?Sized>(
    backend: &mut B,
    ledger: &str,
    id: &str,
    at: Instant,
) -> Result<Option<Acknowledged>, TablesFailed> {
    let Some(seq) = seq_of(id) else { return Ok(None) };
    let mut values: Vec<Cell> = vec![ledger.into(), seq.into(), id.into()];
    let known = values.clone();
    values.push(instant(at).into());
    let step = Step::Run(ACKNOWLEDGE.to_owned(), values, Some(1));
    if backend.write(&[step])? != Written::No {
        return Ok(Some(Acknowledged::Now));
    }
    let known = backend.read(KNOWN, &known)?;
    let known = known.first().and_then(|row| row.first()?.number()).unwrap_or_default() > 0;
    Ok(known.then_some(Acknowledged::Before))
}

/// Acknowledges entries by their ids, in one statement; those that nothing has are passed over.
pub(super) fn acknowledge_all<B: Backend + ?Sized>(
    backend: &mut B,
    ledger: &str,
    ids: &[String],
    at: Instant,
) -> Result<(), TablesFailed> {
    let (named, mut values) = id_condition(ids, 3);
    if values.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "UPDATE outbox SET acknowledged_at = $2 WHERE ledger = $1 AND {named} \
         AND acknowledged_at IS NULL AND body IS NOT NULL"
    );
    values.splice(0..0, [ledger.into(), instant(at).into()]);
    backend.write(&[Step::Run(sql, values, None)]).map(drop)
}

/// Entries behind a place that are not acknowledged, at most `limit`, whatever kind they are of.
pub(super) fn after<B: Backend + ?Sized>(
    backend: &mut B,
    ledger: &str,
    (seq, place): (u64, u64),
    limit: usize,
) -> Result<Vec<Cells>, TablesFailed> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    backend.read(AFTER, &[ledger.into(), seq.into(), place.into(), limit.into()])
}

/// The first entry that is not acknowledged of each line that one of these is of.
pub(super) fn next_of_lines<B: Backend + ?Sized>(
    backend: &mut B,
    ledger: &str,
    ids: &[String],
) -> Result<Vec<Cells>, TablesFailed> {
    let (named, mut values) = id_condition(ids, 2);
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT next.seq, next.place, next.kind, next.id, next.topic, CAST(0 AS BIGINT) \
         FROM (SELECT DISTINCT operation, kind FROM outbox WHERE ledger = $1 AND {named}) AS line \
         JOIN outbox AS next ON next.ledger = $1 AND next.operation = line.operation \
            AND next.kind = line.kind AND next.acknowledged_at IS NULL \
         WHERE NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.ledger = $1 \
            AND earlier.operation = next.operation AND earlier.kind = next.kind \
            AND earlier.acknowledged_at IS NULL \
            AND (earlier.seq, earlier.place) < (next.seq, next.place))"
    );
    values.insert(0, ledger.into());
    backend.read(&sql, &values)
}

/// The condition that a row has one of these ids, by whose records rows are found, and its values,
/// of which the first is `$first`. Ids that are no entry's are passed over.
fn id_condition(ids: &[String], first: usize) -> (String, Vec<Cell>) {
    let known: Vec<(u64, &String)> = ids.iter().filter_map(|id| Some((seq_of(id)?, id))).collect();
    let places = |from: usize| {
        let places: Vec<String> =
            (from..from + known.len()).map(|place| format!("${place}")).collect();
        places.join(", ")
    };
    let sql = format!("seq IN ({}) AND id IN ({})", places(first), places(first + known.len()));
    let seqs = known.iter().map(|(seq, _)| Cell::from(*seq));
    let values = seqs.chain(known.iter().map(|(_, id)| Cell::from(id.as_str()))).collect();
    (sql, values)
}

pub(super) fn prune<B: Backend + ?Sized>(
    backend: &mut B,
    extent: Extent,
    ledger: &str,
    seq: u64,
) -> Result<Pruned, TablesFailed> {
    let ledger = Cell::from(ledger);
    let found = backend.read(PRUNABLE, &[ledger.clone(), seq.into()])?;
    let Some([Cell::Integer(to), check]) = found.first().map(|row| &row[..]) else {
        return Ok(Pruned::Gone(0));
    };
    let to = Cell::Integer(*to);
    let going = backend.read(COUNT, &[ledger.clone(), to.clone()])?;
    let mark = vec![ledger.clone(), to.clone(), check.clone()];
    // Nothing is pruned that a rebuild has not come to again.
    let marked = format!(
        "UPDATE {} SET outbox_pruned_seq = $2, outbox_pruned_check = $3 \
         WHERE ledger = $1 AND seq >= $2",
        extent.checkpoint().name
    );
    let steps =
        [Step::Run(marked, mark, Some(1)), Step::Run(PRUNE.to_owned(), vec![ledger, to], None)];
    if backend.write(&steps)? == Written::No {
        return Ok(Pruned::Rebuilding);
    }
    let going = going.first().and_then(|row| row.first()?.number()).unwrap_or_default();
    Ok(Pruned::Gone(u64::try_from(going).unwrap_or_default()))
}
