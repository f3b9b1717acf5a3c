//! An audit's way through a journal, record by record: from the first or from a kept state, in one
//! go or as the journal grows.

use ledger_core::ledger::Record;

use super::books::{AuditBooks, all_invariants};
use super::pace::{Checkpoints, STRIDE};
use super::{AuditedState, Finding, InProgress, StateRefused, Stopped};
use crate::chain::Link;
use crate::digest::digest;
use crate::journal::{Head, Journal};
use crate::sequencer::Sequencer;

/// An audit as far as it has come.
pub(super) struct Replay {
    name: String,
    from: Option<AuditedState>,
    pub(super) sequencer: Sequencer,
    pub(super) books: AuditBooks,
    checkpoints: Checkpoints,
}

impl Replay {
    /// Begins with a kept state, or before the first record.
    pub(super) fn begin(
        journal: &mut dyn Journal,
        name: &str,
        from: Option<&AuditedState>,
    ) -> Result<Self, Stopped<std::convert::Infallible>> {
        let (sequencer, books) = begun(journal, name, from)?;
        let mut sequencer = sequencer.exact();
        sequencer.read_from(journal).map_err(Finding::from)?;
        let checkpoints = Checkpoints::doubling_from(sequencer.head().seq);
        Ok(Self { name: name.to_owned(), from: from.cloned(), sequencer, books, checkpoints })
    }

    pub(super) fn head(&self) -> Head {
        self.sequencer.head()
    }

    /// Replays and checks what follows, record `until` last.
    pub(super) fn go_on(
        &mut self,
        journal: &mut dyn Journal,
        until: u64,
        mut progress: impl FnMut(u64),
    ) -> Result<(), Finding> {
        let Self { sequencer, books, checkpoints, .. } = self;
        let mut finding = None;
        let replayed = sequencer.replay_until(journal, until, &mut |sequencer, record: &Record| {
            if finding.is_none() {
                finding = books.check(sequencer, record, checkpoints).err();
            }
            books.judge(sequencer, record);
            if record.seq.0.is_multiple_of(STRIDE) {
                progress(record.seq.0);
            }
        });
        if let Some(finding) = finding {
            return Err(self.trace(journal, finding));
        }
        Ok(replayed?)
    }

    /// Checks every invariant over everything as it stands.
    pub(super) fn everything(&self, journal: &mut dyn Journal) -> Result<(), Finding> {
        all_invariants(&self.sequencer, self.head().seq)
            .map_err(|finding| self.trace(journal, finding))
    }

    /// What is kept of it, where nothing is wrong so far.
    pub(super) fn in_progress(&self, journal: &dyn Journal) -> Option<InProgress<'_>> {
        let Self { sequencer, books, .. } = self;
        let state = || digest(sequencer.ledger());
        (books.is_sound() && self.head().seq > 0).then(|| InProgress {
            sequencer,
            books,
            identity: journal.identity(),
            state: state(),
        })
    }

    /// The state hash, to which another replay comes, too: as of this record, since a writer may go
    /// on meanwhile, or what it was killed over may still land.
    pub(super) fn state_twice(
        &self,
        journal: &mut dyn Journal,
    ) -> Result<Link, Stopped<std::convert::Infallible>> {
        let first = digest(self.sequencer.ledger());
        // Nothing is replayed to nothing.
        if let until @ 1.. = self.head().seq {
            let (mut again, _) = begun(journal, &self.name, self.from.as_ref())?;
            again.go_on_until(journal, until, &mut |_, _| ()).map_err(Finding::from)?;
            let second = digest(again.ledger());
            if first != second {
                return Err(Finding::NotDeterministic { first, second }.into());
            }
        }
        Ok(first)
    }

    /// The finding as near to its cause as a stride: between checkpoints lie more and more records,
    /// so those after the last sound one are replayed with a check after every stride.
    fn trace(&self, journal: &mut dyn Journal, finding: Finding) -> Finding {
        let again = begun(journal, &self.name, self.from.as_ref());
        let Ok((mut sequencer, mut books)) = again else { return finding };
        let mut checkpoints = Checkpoints::even_from(self.checkpoints.sound());
        let mut nearer = None;
        let again = sequencer.go_on_until(journal, u64::MAX, &mut |sequencer, record| {
            if nearer.is_none() {
                nearer = books.check(sequencer, record, &mut checkpoints).err();
            }
        });
        drop(again);
        nearer.unwrap_or(finding)
    }
}

/// What an audit begins with: the state that was kept, or nothing.
fn begun(
    journal: &dyn Journal,
    name: &str,
    from: Option<&AuditedState>,
) -> Result<(Sequencer, AuditBooks), StateRefused> {
    let identity = journal.identity();
    match from {
        Some(state) => state.restored(name, identity),
        None => {
            let books = AuditBooks::new(identity.ledger_name(name));
            Ok((Sequencer::new(name, identity), books))
        }
    }
}
