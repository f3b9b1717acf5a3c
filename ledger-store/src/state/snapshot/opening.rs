//! How a sequencer is opened from its snapshot.

use ledger_core::ledger::Record;

use super::{Began, Resumed, Snapshots};
use crate::engines::sequencer::{ReplayError, Sequencer};
use crate::journal::Journal;

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
        let mut sequencer = Self::resume(name, identity, ledger, head);
        sequencer.go_on(journal, &mut observe)?;
        Ok((sequencer, Began::After(head)))
    }

    /// Opens a journal that is only read, from its snapshot where there is one to be trusted. No
    /// value of the vault is taken of it: those that an answer shows are read for that answer.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] naming the first record at fault.
    pub(crate) fn open_to_read(
        journal: &mut dyn Journal,
        name: &str,
        snapshots: Option<&Snapshots>,
    ) -> Result<(Self, Option<Began>), ReplayError> {
        let identity = journal.identity();
        let (mut sequencer, began) = match snapshots.map(|it| it.load(journal, name)) {
            None => (Self::new(name, identity), None),
            Some(Ok(Resumed { ledger, head })) => {
                (Self::resume(name, identity, ledger, head), Some(Began::After(head)))
            }
            Some(Err(unused)) => (Self::new(name, identity), Some(Began::First(unused))),
        };
        sequencer.read_only();
        sequencer.read_back_from(journal)?;
        sequencer.replay_until(journal, u64::MAX, &mut |_, _| ())?;
        Ok((sequencer, began))
    }
}
