//! Tables that one ledger alone fills, from the first record on: their indexes are dropped before
//! it and made afterwards, which costs less than keeping them up row by row.
//!
//! Nothing depends on it: whoever opens tables for filling makes the indexes that are not there, so
//! what a crash leaves behind is made up for by the next projector.

use super::backend::{Backend, Step, TablesFailed};
use super::schema::OUTBOX;
use super::schema::extent::Extent;
use super::schema::table::{Index, Table};

/// Indexes that were dropped, each as the statement that makes it.
#[derive(Debug, Default)]
pub(super) struct Dropped(Vec<String>);

impl Dropped {
    /// Makes ready for records from the first on: what rows took that are gone is given back, and
    /// indexes are dropped.
    ///
    /// They are kept where another ledger has tables here, whose readers want them, where somebody
    /// reads for long, and where whoever is connected may not drop them. The outbox keeps its own
    /// everywhere, since entries are sent while it is filled.
    pub(super) fn before(
        extent: Extent,
        backend: &mut dyn Backend,
        ledger: &str,
    ) -> Result<Self, TablesFailed> {
        if extent == Extent::Outbox {
            return Ok(Self::default());
        }
        let tables = extent.tables().filter(|table| table.name != OUTBOX.name);
        let tables: Vec<_> = tables.collect();
        let dropped = if is_alone(extent, backend, ledger)? {
            Self::drop_of(&tables, backend)?
        } else {
            Self::default()
        };
        // What is not given back costs time, and no more.
        let _ = backend.reclaim(&tables);
        Ok(dropped)
    }

    fn drop_of(tables: &[&'static Table], backend: &mut dyn Backend) -> Result<Self, TablesFailed> {
        let step = |sql: String| Step::Run(sql, Vec::new(), None);
        let (mut steps, mut made) = (Vec::new(), Vec::new());
        steps.extend(backend.waits_briefly().map(|soon| step(soon.to_owned())));
        for Index { name, sql } in tables.iter().flat_map(|table| table.own_indexes()) {
            if backend.owns_index(name)? {
                steps.push(step(format!("DROP INDEX IF EXISTS {name}")));
                made.push(sql);
            }
        }
        // Where somebody reads for long they are kept up as ever. Whether they are gone after a
        // failure nobody knows, and what is there is not made again.
        let _ = backend.write(&steps);
        Ok(Self(made))
    }

    /// Makes them again, each in a transaction of its own; what fails is left for the next call.
    pub(super) fn make(&mut self, backend: &mut dyn Backend) -> Result<(), TablesFailed> {
        while let Some(sql) = self.0.last() {
            backend.write(&[Step::Run(sql.clone(), Vec::new(), None)])?;
            self.0.pop();
        }
        Ok(())
    }
}

/// Tells whether no other ledger has tables here.
pub(super) fn is_alone(
    extent: Extent,
    backend: &mut dyn Backend,
    ledger: &str,
) -> Result<bool, TablesFailed> {
    let sql = format!("SELECT count(*) WHERE {}", alone(extent));
    Ok(backend.count(&sql, &[ledger.into()])? == 1)
}

/// Returns what holds where no ledger but `$1` has tables here.
pub(super) fn alone(extent: Extent) -> String {
    let name = extent.checkpoint().name;
    format!("NOT EXISTS (SELECT 1 FROM {name} AS other WHERE other.ledger <> $1 AND other.seq > 0)")
}
