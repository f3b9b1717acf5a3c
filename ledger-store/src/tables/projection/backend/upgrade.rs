//! Bringing tables of an older version to this one, where they stand.

use super::{Backend, Step, TablesFailed};
use crate::tables::projection::schema::{CHECKPOINT, OPERATIONS, OUTBOX};

/// Version 2 tells of each entry of the outbox the account that it is about.
const ACCOUNT: &str = "ALTER TABLE outbox ADD COLUMN account TEXT";

const FILLED: &str = "UPDATE outbox SET account = (SELECT operations.account FROM operations \
    WHERE operations.ledger = outbox.ledger AND operations.operation = outbox.operation)";

const OF_VERSION_2: &str = "UPDATE projection_checkpoint SET version = 2 WHERE version = 1";

/// An id names its record, by which its row is found: an index of ids only costs whoever writes.
const INDEX_OF_IDS: &str = "outbox_by_id";

/// One by kind takes its place, so that instructions are found however many notices wait.
const INDEX_OF_ALL: &str = "outbox_in_order";

/// Upgrades the tables that are there; nothing where they are of this version.
pub(super) fn upgrade<B: Backend + ?Sized>(backend: &mut B) -> Result<(), TablesFailed> {
    let mut steps = Vec::new();
    if !backend.has_column(OUTBOX.name, "account")? {
        steps.push(ACCOUNT.to_owned());
        if backend.has(OPERATIONS.name)? && backend.has(CHECKPOINT.name)? {
            steps.extend([FILLED.to_owned(), OF_VERSION_2.to_owned()]);
        }
    }
    if backend.owns_index(INDEX_OF_IDS)? {
        // Of two that open the tables at once, one finds it gone.
        steps.push(format!("DROP INDEX IF EXISTS {INDEX_OF_IDS}"));
    }
    if backend.owns_index(INDEX_OF_ALL)? {
        steps.extend(OUTBOX.own_indexes().map(|index| index.sql));
        steps.push(format!("DROP INDEX IF EXISTS {INDEX_OF_ALL}"));
    }
    if steps.is_empty() {
        return Ok(());
    }
    let steps: Vec<_> = steps.into_iter().map(|sql| Step::Run(sql, Vec::new(), None)).collect();
    backend.write(&steps).map(drop)
}
