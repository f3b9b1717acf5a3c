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
use crate::bytes::chain::Chain;
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
    let kept =
        pruned_here(journal, &found).map_err(crate::engines::sequencer::ReplayError::from)?;
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

/// Removes rows of a ledger whose tables stand before its first record: no checkpoint is about
/// them, so whoever fills the tables would find them in the way. The outbox's stay, as what was
/// acknowledged of it does.
pub(super) fn remove_rows_of_nothing(
    extent: Extent,
    backend: &mut dyn Backend,
    name: &str,
) -> Result<(), TablesFailed> {
    let sql =
        format!("UPDATE {} SET seq = 0 WHERE ledger = $1 AND seq = 0", extent.checkpoint().name);
    let still = Step::Run(sql, vec![name.into()], Some(1));
    let mut steps = vec![still];
    steps.extend(deletions(extent, name, Rows::OfLedger));
    // Somebody else has filled them meanwhile, and will be found to have.
    backend.write(&steps).map(drop)
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
    steps.extend(deletions(extent, name, rows));
    if extent.has_outbox() {
        for sql in [FORGET, REMEMBER] {
            steps.push(Step::Run(sql.to_owned(), vec![name.into()], None));
        }
    }
    steps
}

/// The steps that delete rows of all tables but the outbox.
fn deletions<'a>(extent: Extent, name: &str, rows: Rows) -> impl Iterator<Item = Step<'a>> {
    let tables = extent.tables().filter(|table| table.name != OUTBOX.name);
    tables.map(move |table| match rows {
        Rows::All => Step::Run(format!("DELETE FROM {}", table.name), Vec::new(), None),
        Rows::OfLedger => {
            let sql = format!("DELETE FROM {} WHERE ledger = $1", table.name);
            Step::Run(sql, vec![name.into()], None)
        }
    })
}

/// Tells whether the record up to which the outbox was pruned is this journal's.
pub(super) fn pruned_here(
    journal: &mut dyn Journal,
    found: &Checkpoint,
) -> Result<bool, JournalError> {
    if found.pruned == 0 {
        return Ok(found.pruned_check.is_empty());
    }
    let rows = journal.read(found.pruned, 1)?;
    let frames = rows.iter().flat_map(crate::bytes::frame::Row::frames).map_while(Result::ok);
    let mut same = frames.filter(|frame| frame.seq == found.pruned);
    Ok(same.next().is_some_and(|frame| digits(&frame.check) == found.pruned_check))
}
