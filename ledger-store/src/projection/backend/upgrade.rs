//! Bringing tables of an older version to this one, where they stand.

use super::{Backend, Step, TablesFailed};
use crate::projection::schema::{CHECKPOINT, OPERATIONS, OUTBOX};

/// Version 2 tells of each entry of the outbox the account that it is about.
const ACCOUNT: &str = "ALTER TABLE outbox ADD COLUMN account TEXT";

const FILLED: &str = "UPDATE outbox SET account = (SELECT operations.account FROM operations \
    WHERE operations.ledger = outbox.ledger AND operations.operation = outbox.operation)";

const OF_VERSION_2: &str = "UPDATE projection_checkpoint SET version = 2 WHERE version = 1";

/// Upgrades the tables that are there; nothing where they are of this version.
pub(super) fn upgrade<B: Backend + ?Sized>(backend: &mut B) -> Result<(), TablesFailed> {
    if backend.has_column(OUTBOX.name, "account")? {
        return Ok(());
    }
    let mut steps = vec![ACCOUNT];
    if backend.has(OPERATIONS.name)? && backend.has(CHECKPOINT.name)? {
        steps.extend([FILLED, OF_VERSION_2]);
    }
    let steps: Vec<_> =
        steps.into_iter().map(|sql| Step::Run(sql.to_owned(), Vec::new(), None)).collect();
    backend.write(&steps).map(drop)
}
