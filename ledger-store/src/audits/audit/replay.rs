//! An audit's way through a journal, record by record: from the first or from a kept state, in one
//! go or as the journal grows.

use std::sync::Arc;

use ledger_core::ledger::Record;

use super::books::{AuditBooks, all_invariants};
use super::pace::{Checkpoints, STRIDE};
use super::twin::Twin;
use super::{AuditedState, Finding, InProgress, StateRefused, Stopped};
use crate::audits::digest::digest;
use crate::bytes::chain::Link;
use crate::engines::sequencer::Sequencer;
use crate::engines::sequencer::read_ahead::VerifiedRows;
use crate::journal::{Head, Journal};
use crate::state::vault::named::{NamedTokens, Unaccounted, ValuelessTokens};
use crate::state::vault::token_text;

/// An audit as far as it has come.
pub(super) struct Replay {
    name: String,
    from: Option<AuditedState>,
    pub(super) sequencer: Sequencer,
    pub(super) books: AuditBooks,
    checkpoints: Checkpoints,
    /// The persons that the records name.
    named: NamedTokens,
    valueless: ValuelessTokens,
    /// The second replay, where it is done beside this one.
    twin: Option<Twin>,
}

impl Replay {
    /// Begins with a kept state, or before the first record; the second replay comes at the end.
    pub(super) fn begin(
        journal: &mut dyn Journal,
        name: &str,
        from: Option<&AuditedState>,
    ) -> Result<Self, Stopped<std::convert::Infallible>> {
        let mut replay = Self::first(journal, name, from)?;
        replay.sequencer = replay.sequencer.exact();
        Ok(replay)
    }

    /// The same, with the second replay beside the first one, on a thread of its own.
    pub(super) fn begin_both(
        journal: &mut dyn Journal,
        name: &str,
        from: Option<&AuditedState>,
    ) -> Result<Self, Stopped<std::convert::Infallible>> {
        let mut replay = Self::first(journal, name, from)?;
        let (mut second, _) = starting_point(journal, name, from)?;
        second.read_from(journal).map_err(Finding::from)?;
        replay.twin = Twin::begin(second);
        if replay.twin.is_none() {
            // There is no other one to look at the bytes.
            replay.sequencer = replay.sequencer.exact();
        }
        Ok(replay)
    }

    /// A first replay that does not look yet whether records are in the bytes that a ledger writes.
    fn first(
        journal: &mut dyn Journal,
        name: &str,
        from: Option<&AuditedState>,
    ) -> Result<Self, Stopped<std::convert::Infallible>> {
        let (mut sequencer, books) = starting_point(journal, name, from)?;
        sequencer.read_from(journal).map_err(Finding::from)?;
        let checkpoints = Checkpoints::doubling_from(sequencer.head().seq);
        let (name, from) = (name.to_owned(), from.cloned());
        let (named, valueless) =
            (NamedTokens::after(sequencer.head().seq), ValuelessTokens::default());
        Ok(Self { name, from, sequencer, books, checkpoints, named, valueless, twin: None })
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
        let Self { sequencer, books, checkpoints, named, valueless, twin, .. } = self;
        let mut finding = None;
        let mut read = |rows: &VerifiedRows| {
            for row in &**rows {
                for frame in row.frames() {
                    named.read(frame.seq, frame.record);
                }
            }
            if let Some(twin) = twin {
                twin.take(Arc::clone(rows));
            }
        };
        let observe = &mut |sequencer: &Sequencer, record: &Record| {
            if finding.is_none() {
                finding = books.check(sequencer, record, checkpoints).err();
            }
            books.judge(sequencer, record);
            valueless.note(record);
            if record.seq.0.is_multiple_of(STRIDE) {
                progress(record.seq.0);
            }
        };
        let replayed = sequencer.replay_reading(journal, until, &mut read, observe);
        let broken = finding.is_some();
        let found = finding.or_else(|| replayed.err().map(Finding::from));
        self.twin_is_sound(found.as_ref().and_then(Finding::seq))?;
        match found {
            None => Ok(()),
            Some(finding) if broken => Err(self.trace(journal, finding)),
            Some(finding) => Err(finding),
        }
    }

    /// Waits for the second replay; fails where that found something no later than what the first
    /// did, whose record is given.
    fn twin_is_sound(&mut self, found: Option<u64>) -> Result<(), Finding> {
        let Some(twin) = self.twin.take() else { return Ok(()) };
        if twin.is_sound() {
            self.twin = Some(twin);
            return Ok(());
        }
        let ((), ended) = twin.end(|| ());
        match (ended, found) {
            (Err(error), Some(found)) if error.seq().is_none_or(|seq| found < seq) => Ok(()),
            (Err(error), _) => Err(error.into()),
            (Ok(_), _) => unreachable!("one that replays everything says so"),
        }
    }

    /// Checks every invariant over everything as it stands.
    pub(super) fn everything(&self, journal: &mut dyn Journal) -> Result<(), Finding> {
        all_invariants(&self.sequencer, self.head().seq)
            .map_err(|finding| self.trace(journal, finding))
    }

    /// Tells whether the vault accounts for everybody whom the records name.
    pub(super) fn values(&self, journal: &mut dyn Journal) -> Result<(), Finding> {
        let vault = journal.kept_tokens()?;
        match self.named.first_unaccounted(&self.valueless, &vault) {
            None => Ok(()),
            Some(Unaccounted::Missing { token, first, others }) => {
                Err(Finding::ValueMissing { seq: first, token: token_text(token), others })
            }
            Some(Unaccounted::Back { token, erased }) => {
                Err(Finding::ValueBack { token: token_text(token), erased })
            }
        }
    }

    /// Returns what is kept of it, where nothing is wrong so far.
    /// Its state hash need not be computed where it is known.
    pub(super) fn in_progress(
        &self,
        journal: &dyn Journal,
        known: Option<Link>,
    ) -> Option<InProgress<'_>> {
        let Self { sequencer, books, .. } = self;
        let state = || known.unwrap_or_else(|| digest(sequencer.ledger()));
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
        &mut self,
        journal: &mut dyn Journal,
    ) -> Result<Link, Stopped<std::convert::Infallible>> {
        let hash = || digest(self.sequencer.ledger());
        if let Some(twin) = self.twin.take() {
            let (first, second) = twin.end(hash);
            return common_hash(first, second.map_err(Finding::from)?);
        }
        let first = hash();
        // Nothing is replayed to nothing.
        if let until @ 1.. = self.head().seq {
            let (mut again, _) = starting_point(journal, &self.name, self.from.as_ref())?;
            again.go_on_until(journal, until, &mut |_, _| ()).map_err(Finding::from)?;
            return common_hash(first, digest(again.ledger()));
        }
        Ok(first)
    }

    /// The finding as near to its cause as a stride: between checkpoints lie more and more records,
    /// so those after the last sound one are replayed with a check after every stride.
    fn trace(&self, journal: &mut dyn Journal, finding: Finding) -> Finding {
        let again = starting_point(journal, &self.name, self.from.as_ref());
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

/// The state hash to which both replays came.
fn common_hash(first: Link, second: Link) -> Result<Link, Stopped<std::convert::Infallible>> {
    if first == second {
        return Ok(first);
    }
    Err(Finding::NotDeterministic { first, second }.into())
}

/// Returns what an audit begins with: the state that was kept, or nothing.
fn starting_point(
    journal: &dyn Journal,
    name: &str,
    from: Option<&AuditedState>,
) -> Result<(Sequencer, AuditBooks), StateRefused> {
    let identity = journal.identity();
    match from {
        Some(state) => state.restore(name, identity),
        None => {
            let books = AuditBooks::new(identity.ledger_name(name));
            Ok((Sequencer::new(name, identity), books))
        }
    }
}
