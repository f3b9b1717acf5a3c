//! Emptying tables, so that they are made again: all but what was acknowledged of the outbox.
//!
//! An acknowledged row stays as what it is known by, without its body, until the record behind it
//! is projected again; it then is the same row, acknowledged. An acknowledgement counts for the
//! record it was given for: the row keeps the first digits of that record's link, and a record of
//! another past in its place is pending.

use super::backend::{Backend, Step, TablesFailed, Written};
use super::checkpoint::Checkpoint;
use super::error::ProjectError;
use super::from_first::alone;
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
    // Where writers take turns, what holds for the first step holds for the others: whole tables
    // are emptied at once, where no other ledger has rows in them.
    if backend.turn().is_none() {
        let set_back = format!("{set_back} AND {}", alone(extent));
        let back = Step::Run(set_back, back.clone(), Some(1));
        if backend.write(&steps(extent, name, back, Rows::All))? != Written::No {
            return Ok(());
        }
    }
    let back = Step::Run(set_back, back, Some(1));
    if backend.write(&steps(extent, name, back, Rows::OfLedger))? == Written::No {
        return Err(TablesFailed("the checkpoint is gone".into()).into());
    }
    Ok(())
}

/// Which rows of a table are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    All,
    OfLedger,
}

/// The steps that empty tables, behind the one that sets their checkpoint back.
fn steps<'a>(extent: Extent, name: &str, set_back: Step<'a>, rows: Rows) -> Vec<Step<'a>> {
    let mut steps = vec![set_back];
    for table in extent.tables().filter(|table| table.name != OUTBOX.name) {
        steps.push(match rows {
            Rows::All => Step::Run(format!("DELETE FROM {}", table.name), Vec::new(), None),
            Rows::OfLedger => {
                let sql = format!("DELETE FROM {} WHERE ledger = $1", table.name);
                Step::Run(sql, vec![name.into()], None)
            }
        });
    }
    if extent.has_outbox() {
        for sql in [FORGET, REMEMBER] {
            steps.push(Step::Run(sql.to_owned(), vec![name.into()], None));
        }
    }
    steps
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
