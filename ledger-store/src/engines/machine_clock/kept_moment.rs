//! The last believed moment of a clock, kept beside a ledger's records (rulings 69).

use std::time::Duration;

use ledger_core::time::Instant;

use crate::ServiceTables;
use crate::engines::clock::{BootMoment, Clock};
use crate::tables::projection::schema::table::Cell;
use crate::tables::projection::{TablesFailed, Target};

const TABLE: &str = "ledger_moment";

const MAKE: &str = "CREATE TABLE IF NOT EXISTS ledger_moment (ledger TEXT NOT NULL PRIMARY KEY, \
    boot TEXT NOT NULL, elapsed BIGINT NOT NULL, wall BIGINT NOT NULL)";

const READ: &str = "SELECT boot, elapsed, wall FROM ledger_moment WHERE ledger = $1";

const KEEP: &str = "INSERT INTO ledger_moment (ledger, boot, elapsed, wall) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (ledger) DO UPDATE \
    SET boot = excluded.boot, elapsed = excluded.elapsed, wall = excluded.wall";

/// How long a kept moment is recent enough, while records are written.
const RECENT: Duration = Duration::from_mins(1);

/// How far a clock may drift from the kept moment before it is kept anew.
const SET_ANEW: Duration = Duration::from_secs(1);

/// The row of a ledger in the table `ledger_moment`: boot, elapsed time and wall time, in
/// microseconds, within a minute of its last record.
///
/// Journals on objects and in memory have no such table: a start is held against the last record
/// alone.
#[derive(Debug)]
pub struct KeptMoment {
    target: Target,
    ledger: String,
    kept: Option<BootMoment>,
    /// How many records the engine had written then.
    records: u64,
}

impl KeptMoment {
    /// Reads the row of a ledger, and makes nothing; none where the target has no tables of a
    /// database. A row that cannot be read counts as missing.
    #[must_use]
    pub fn read(target: &Target, ledger: &str) -> Option<Self> {
        if matches!(target, Target::Memory(_)) {
            return None;
        }
        let kept = read_boot_moment(target, ledger).unwrap_or_else(|error| {
            tracing::warn!(%error, ledger, "the moment of the last record cannot be read");
            None
        });
        Some(Self { target: target.clone(), ledger: ledger.to_owned(), kept, records: 0 })
    }

    /// The moment that is kept.
    #[must_use]
    pub const fn moment(&self) -> Option<&BootMoment> {
        self.kept.as_ref()
    }

    /// Keeps the clock's moment, while that is believed: the first of a boot, one a minute while
    /// the engine writes more `records`, and one when the clock was set anew. Blocks.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be written.
    pub fn look(&mut self, clock: &dyn Clock, records: u64) -> Result<(), TablesFailed> {
        match clock.moment() {
            Some(moment) if self.is_due(&moment, records) => self.keep(moment, records),
            _ => Ok(()),
        }
    }

    /// Keeps the clock's moment at the end of an engine, while that is believed, if records were
    /// written since the last one. Blocks.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be written.
    pub fn end(&mut self, clock: &dyn Clock, records: u64) -> Result<(), TablesFailed> {
        match clock.moment().filter(|_| records > self.records) {
            Some(moment) => self.keep(moment, records),
            None => Ok(()),
        }
    }

    fn is_due(&self, moment: &BootMoment, records: u64) -> bool {
        let Some(kept) = self.kept.as_ref().filter(|kept| kept.boot == moment.boot) else {
            return true;
        };
        let elapsed = moment.elapsed.saturating_sub(kept.elapsed);
        let micros = i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX);
        let expected = kept.wall.micros().saturating_add(micros);
        let drift = Duration::from_micros(expected.abs_diff(moment.wall.micros()));
        (records > self.records && elapsed >= RECENT) || drift > SET_ANEW
    }

    fn keep(&mut self, moment: BootMoment, records: u64) -> Result<(), TablesFailed> {
        let elapsed = i64::try_from(moment.elapsed.as_micros()).unwrap_or(i64::MAX);
        let values = vec![
            Cell::from(&*self.ledger),
            (&*moment.boot).into(),
            elapsed.into(),
            moment.wall.micros().into(),
        ];
        (self.kept, self.records) = (Some(moment), records);
        // Once a minute: a connection that stays costs more.
        let kept = ServiceTables::open(&self.target, TABLE, &[MAKE])
            .and_then(|mut tables| tables.write(&[(KEEP.to_owned(), values)]));
        kept.map(drop).inspect_err(|error| {
            tracing::warn!(%error, ledger = self.ledger, "the moment of a record is not kept");
        })
    }
}

fn read_boot_moment(target: &Target, ledger: &str) -> Result<Option<BootMoment>, TablesFailed> {
    let Some(mut backend) = target.connect()? else { return Ok(None) };
    if !backend.has(TABLE)? {
        return Ok(None);
    }
    let rows = backend.read(READ, &[ledger.into()])?;
    Ok(rows.first().and_then(|row| {
        let elapsed = u64::try_from(row.get(1)?.number()?).ok()?;
        Some(BootMoment {
            boot: row.first()?.text()?.to_owned(),
            elapsed: Duration::from_micros(elapsed),
            wall: Instant::from_micros(row.get(2)?.number()?)?,
        })
    }))
}
