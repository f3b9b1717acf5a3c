//! Queries of an operator over the projection's tables: few at once, each bounded.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ledger_store::projection::{QueryBounds, QueryError, QueryRows, TableQueries, TablesFailed};
use tokio::sync::Semaphore;

/// How many queries run at once: the database has other work.
const AT_ONCE: usize = 2;

/// How long a query may take.
const LONGEST: Duration = Duration::from_secs(5);

/// What stands on a page.
pub(crate) const PAGE: QueryBounds =
    QueryBounds { rows: 1_000, bytes: 4 * 1024 * 1024, time: LONGEST };

/// What a file holds.
pub(crate) const WHOLE: QueryBounds =
    QueryBounds { rows: 100_000, bytes: 32 * 1024 * 1024, time: LONGEST };

/// As many queries run as may.
pub(crate) struct Busy;

/// The tables that the console's queries read; clones share its limit.
#[derive(Clone)]
pub(crate) struct Queries {
    tables: TableQueries,
    room: Arc<Semaphore>,
}

impl Queries {
    pub(crate) fn new(tables: TableQueries) -> Self {
        Self { tables, room: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Returns what a query finds. Blocks.
    pub(crate) fn ask(
        &self,
        sql: &str,
        bounds: QueryBounds,
    ) -> Result<Result<QueryRows, QueryError>, Busy> {
        let _place = self.room.try_acquire().map_err(|_| Busy)?;
        Ok(self.tables.ask(sql, bounds))
    }

    /// Up to which record the tables of a ledger are. Blocks.
    pub(crate) fn tables_at(&self, ledger: &str) -> Result<Option<u64>, TablesFailed> {
        self.tables.tables_at(ledger)
    }
}

impl fmt::Debug for Queries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queries").finish_non_exhaustive()
    }
}
