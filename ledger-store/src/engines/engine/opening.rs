//! How an engine opens its sequencer: from a snapshot that can be trusted, or from the first
//! record.

use ledger_core::ledger::Record;
use tracing::{debug, warn};

use crate::engines::sequencer::{ReplayError, Sequencer};
use crate::journal::{Head, Journal, JournalError};
use crate::state::snapshot::{Began, Snapshots, Unused};

/// The sequencer of a journal, from its snapshot where there is one to be trusted.
pub(crate) fn open_sequencer(
    journal: &mut dyn Journal,
    name: &str,
    snapshots: Option<&Snapshots>,
    observe: impl FnMut(&Sequencer, &Record),
) -> Result<Sequencer, ReplayError> {
    open_accepting(journal, (name, None), snapshots, observe)
}

/// The same of a journal that an operator says ends at `accepted`: a snapshot of later records says
/// nothing against that.
pub(super) fn open_accepting(
    journal: &mut dyn Journal,
    (name, accepted): (&str, Option<Head>),
    snapshots: Option<&Snapshots>,
    observe: impl FnMut(&Sequencer, &Record),
) -> Result<Sequencer, ReplayError> {
    let Some(snapshots) = snapshots else {
        return Sequencer::open(journal, name, observe);
    };
    let (sequencer, began) = Sequencer::open_with(journal, name, snapshots, observe)?;
    if let Began::First(Unused::Ahead { path, record, .. }) = &began {
        let head = sequencer.head();
        if accepted == Some(head) {
            return Ok(sequencer);
        }
        let missing = format!("records {} to {record}", head.seq + 1);
        let evidence = format!("the snapshot {} is of record {record}", path.display());
        return Err(JournalError::loss(head, missing, evidence).into());
    }
    report(began);
    Ok(sequencer)
}

/// The same of a journal that is only read, without a personal value in memory.
pub(super) fn opened_to_read(
    journal: &mut dyn Journal,
    name: &str,
    snapshots: Option<&Snapshots>,
) -> Result<Sequencer, ReplayError> {
    let (sequencer, began) = Sequencer::open_to_read(journal, name, snapshots)?;
    if let Some(began) = began {
        report(began);
    }
    Ok(sequencer)
}

fn report(began: Began) {
    match began {
        Began::After(head) => debug!(record = head.seq, "opened from a snapshot"),
        Began::First(Unused::None) => debug!("there is no snapshot yet"),
        Began::First(why) => warn!(%why, "the snapshot costs time"),
    }
}
