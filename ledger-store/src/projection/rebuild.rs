//! Emptying tables, so that they are made again: all but what was acknowledged of the outbox.
//!
//! An acknowledged row stays as what it is known by, without its body, until the record behind it
//! is projected again; it then is the same row, acknowledged. An acknowledgement counts for the
//! record it was given for: the row keeps the first digits of that record's link, and a record of
//! another past in its place is pending.

use super::backend::{Backend, Step, TablesFailed};
use super::checkpoint::Checkpoint;
use super::error::ProjectError;
use super::schema::extent::Extent;
use super::schema::{OUTBOX, VERSION};
use crate::chain::Chain;
use crate::journal::{Journal, JournalError};
use ledger_core::hexadecimal::digits;

const FORGET: &str = "DELETE FROM outbox WHERE ledger = $1 AND acknowledged_at IS NULL";

const REMEMBER: &str = "UPDATE outbox SET body = NULL WHERE ledger = $1";

/// Empties the tables of the ledger named `name`, in one transaction.
pub(super) fn empty(
    extent: Extent,
    backend: &mut dyn Backend,
    journal: &mut dyn Journal,
    name: &str,
) -> Result<(), ProjectError> {
    let Some(found) = Checkpoint::find(extent, backend, name)? else { return Ok(()) };
    if found.version != VERSION {
        let ledger = name.to_owned();
        return Err(ProjectError::Version { ledger, found: found.version });
    }
    let kept = pruned_here(journal, &found).map_err(crate::sequencer::ReplayError::from)?;
    let (pruned, check) =
        if kept { (found.pruned, found.pruned_check) } else { (0, String::new()) };
    let genesis = Chain::genesis(journal.identity().algorithm, name).link().to_string();
    let back = vec![name.into(), genesis.into(), pruned.into(), check.into()];
    let set_back = format!(
        "UPDATE {} SET seq = 0, link = $2, as_of = NULL, outbox_pruned_seq = $3, \
         outbox_pruned_check = $4 WHERE ledger = $1",
        extent.checkpoint().name
    );
    let mut steps = vec![Step::Run(set_back, back, Some(1))];
    for table in extent.tables().filter(|table| table.name != OUTBOX.name) {
        let sql = format!("DELETE FROM {} WHERE ledger = $1", table.name);
        steps.push(Step::Run(sql, vec![name.into()], None));
    }
    if extent.has_outbox() {
        for sql in [FORGET, REMEMBER] {
            steps.push(Step::Run(sql.to_owned(), vec![name.into()], None));
        }
    }
    let written = backend.write(&steps)?;
    if written == super::backend::Written::No {
        return Err(TablesFailed("the checkpoint is gone".into()).into());
    }
    Ok(())
}

/// Whether the record up to which the outbox was pruned is this journal's.
pub(super) fn pruned_here(
    journal: &mut dyn Journal,
    found: &Checkpoint,
) -> Result<bool, JournalError> {
    if found.pruned == 0 {
        return Ok(true);
    }
    let rows = journal.read(found.pruned, 1)?;
    let frames = rows.iter().flat_map(crate::frame::Row::frames).map_while(Result::ok);
    let mut same = frames.filter(|frame| frame.seq == found.pruned);
    Ok(same.next().is_some_and(|frame| digits(&frame.check) == found.pruned_check))
}
