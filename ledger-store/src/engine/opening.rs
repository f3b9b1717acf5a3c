//! How an engine opens its sequencer: from a snapshot that can be trusted, or from the first
//! record.

use ledger_core::ledger::Record;
use tracing::{debug, warn};

use crate::journal::Journal;
use crate::sequencer::{ReplayError, Sequencer};
use crate::snapshot::{Began, Snapshots, Unused};

/// The sequencer of a journal, from its snapshot where there is one to be trusted.
pub(crate) fn opened(
    journal: &mut dyn Journal,
    name: &str,
    snapshots: Option<&Snapshots>,
    observe: impl FnMut(&Sequencer, &Record),
) -> Result<Sequencer, ReplayError> {
    let Some(snapshots) = snapshots else {
        return Sequencer::open(journal, name, observe);
    };
    let (sequencer, began) = Sequencer::open_with(journal, name, snapshots, observe)?;
    match began {
        Began::After(head) => debug!(record = head.seq, "opened from a snapshot"),
        Began::First(Unused::None) => debug!("there is no snapshot yet"),
        Began::First(why) => warn!(%why, "the snapshot costs time"),
    }
    Ok(sequencer)
}
