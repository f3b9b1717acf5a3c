//! How a sequencer is opened from its snapshot.

use ledger_core::ledger::Record;

use super::{Began, Resumed, Snapshots};
use crate::journal::Journal;
use crate::sequencer::{ReplayError, Sequencer};

impl Sequencer {
    /// Opens a journal from its snapshot, if there is one to be restored, and replays what follows;
    /// says where it began. `observe` sees what is replayed.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] naming the first record at fault.
    pub fn open_with(
        journal: &mut dyn Journal,
        name: &str,
        snapshots: &Snapshots,
        mut observe: impl FnMut(&Self, &Record),
    ) -> Result<(Self, Began), ReplayError> {
        let Resumed { ledger, head } = match snapshots.load(journal, name) {
            Ok(resumed) => resumed,
            Err(unused) => {
                let sequencer = Self::open(journal, name, observe)?;
                return Ok((sequencer, Began::First(unused)));
            }
        };
        let identity = journal.identity();
        let mut sequencer = Self::resumed(name, identity, ledger, head);
        sequencer.go_on(journal, &mut observe)?;
        Ok((sequencer, Began::After(head)))
    }
}
