//! Applying records: the fold of events into state and archive.

use std::sync::Arc;

use thiserror::Error;

use super::State;
use super::due::Due;
use crate::accounting::Fault;
use crate::id::{OpId, Seq};
use crate::ledger::archive::Archive;
use crate::ledger::decision::lookup;
use crate::ledger::notification::IntermediateStates;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::ledger::record::identity::{learn, learn_outside};
use crate::ledger::registry::{Machine, Operation, Registered};
use crate::machine::StateMachine;
use crate::time::Instant;

/// A record that no ledger in this state can have written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Corrupt {
    /// Its number is not the next.
    #[error("record {found:?} where {expected:?} was expected")]
    Sequence {
        /// The next number.
        expected: Seq,
        /// The number that the record bears.
        found: Seq,
    },
    /// It is dated before the record it follows.
    #[error("dated {found} after a record dated {last}")]
    Time {
        /// The last record's instant.
        last: Instant,
        /// The instant that the record bears.
        found: Instant,
    },
    /// An event that cannot follow what happened before.
    #[error("event {index} cannot follow: {what}")]
    Follows {
        /// The event's place in the record.
        index: usize,
        /// What does not fit.
        what: &'static str,
    },
    /// An entry that cannot be posted.
    #[error("event {index} cannot be posted")]
    Post {
        /// The event's place in the record.
        index: usize,
        /// What the books say against it.
        #[source]
        fault: Fault,
    },
}

impl State {
    /// Applies `record` to this state and the archive beside it.
    ///
    /// # Errors
    ///
    /// [`Corrupt`] when the record cannot follow. State and archive are then half-changed and must
    /// be dropped.
    pub fn apply(&mut self, archive: &mut impl Archive, record: &Record) -> Result<(), Corrupt> {
        self.apply_noting(archive, record, &mut IntermediateStates::new())
    }

    /// [`State::apply`], with how operations stood that a later event of the record moved again.
    pub(in crate::ledger) fn apply_noting(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        passing: &mut IntermediateStates,
    ) -> Result<(), Corrupt> {
        passing.clear();
        let expected = self.seq.next();
        if record.seq != expected {
            return Err(Corrupt::Sequence { expected, found: record.seq });
        }
        if record.at < self.now {
            return Err(Corrupt::Time { last: self.now, found: record.at });
        }
        self.end_day(record.at);
        self.seq = record.seq;
        self.now = record.at;
        for (index, event) in record.events.iter().enumerate() {
            let follows = learn(self, archive, event, record)
                .and_then(|()| self.remember(archive, record, event));
            follows.map_err(|what| Corrupt::Follows { index, what })?;
            self.count_event(archive, event);
            if let Some(op) = moved_again(record, index) {
                passing.extend(self.current(archive, op).map(|known| (index, known)));
            }
            let entry = event.entry();
            if !entry.is_empty() {
                let posted = self.post(archive, record, index, event, &entry);
                posted.map_err(|fault| Corrupt::Post { index, fault })?;
            }
        }
        if let Some(outside) = &record.outside {
            let event = record.events.iter().find(|event| event.chain().is_some());
            self.learn_spelling(archive, (event, outside), record.seq);
            let first = learn_outside(archive, outside, record.seq);
            first.map_err(|what| Corrupt::Follows { index: record.events.len(), what })?;
        }
        Ok(())
    }

    pub(in crate::ledger) fn current(
        &self,
        archive: &impl Archive,
        op: OpId,
    ) -> Option<Arc<Operation>> {
        lookup::operation(self, archive, op).map(|(_, operation)| operation)
    }

    /// An event of an operation: its machine says whether it may follow, and remembers it.
    pub(in crate::ledger) fn moves<M: Applied>(
        &mut self,
        archive: &mut impl Archive,
        record: &Record,
        (op, event): (OpId, &M::Event),
    ) -> Result<(), &'static str> {
        let at = record.at;
        let known = self.current(archive, op);
        let absent = M::default();
        let before =
            known.as_ref().and_then(|known| M::from_machine(&known.machine)).unwrap_or(&absent);
        if !M::is_of(op.kind()) || !before.follows(event) {
            return Err(M::MISPLACED);
        }
        let after = before.evolve(event, at);
        M::count(self, &Moved { op, event, before, after: &after, at })?;
        self.settle(archive, op, known, after.into_machine(), record)
    }

    /// Puts the operation where it belongs now, and its deadline on the agenda.
    pub(in crate::ledger) fn settle(
        &mut self,
        archive: &mut impl Archive,
        op: OpId,
        before: Option<Arc<Operation>>,
        machine: Machine,
        record: &Record,
    ) -> Result<(), &'static str> {
        if before.is_none() && op.seq() != self.seq {
            return Err("an operation is named after the record that creates it");
        }
        self.count_move(before.as_ref().map(|before| &before.machine), &machine);
        let was_due = before.as_ref().and_then(|before| before.machine.deadline());
        let is_due = machine.deadline();
        if was_due != is_due {
            if let Some((at, due)) = was_due {
                self.agenda.remove(&(at, op, due));
            }
            if let Some((at, due)) = is_due {
                self.agenda.insert((at, op, due));
            }
        }
        let waited = before.as_ref().and_then(|before| before.machine.waits_about());
        let waits = machine.waits_about();
        if waited != waits {
            if let Some(about) = waited {
                self.set_aside.remove(&(about, op));
            }
            if let Some(about) = waits {
                self.set_aside.insert((about, op));
            }
        }
        self.forget_reports(op, &machine);
        self.forget_handed_out(op, &machine);
        let is_new = before.is_none();
        let created_at = before.as_ref().map_or(record.at, |before| before.created_at);
        let metadata =
            before.as_ref().map_or_else(|| record.metadata(op), |before| before.metadata);
        // It is changed where it stands, unless somebody else still looks at it.
        drop(before);
        let ended = machine.has_ended();
        archive.note(op, self.seq);
        let operation = Operation { machine, created_at, updated_at: record.at, metadata };
        if ended {
            self.open.remove(&op);
            archive.keep(op, operation);
        } else {
            let known = if is_new { None } else { self.open.get_mut(&op).and_then(Arc::get_mut) };
            match known {
                Some(known) => *known = operation,
                None => drop(self.open.insert(op, Arc::new(operation))),
            }
        }
        Ok(())
    }
}

/// An event that an operation's machine made, and how it stands before and after.
pub(in crate::ledger) struct Moved<'a, M: StateMachine> {
    pub(in crate::ledger) op: OpId,
    pub(in crate::ledger) event: &'a M::Event,
    pub(in crate::ledger) before: &'a M,
    pub(in crate::ledger) after: &'a M,
    pub(in crate::ledger) at: Instant,
}

/// A machine whose events the state applies.
pub(in crate::ledger) trait Applied: Registered {
    /// Keeps what the state counts of the machine beside it.
    ///
    /// # Errors
    ///
    /// Why a record is corrupt that has the event, where what is counted says so.
    fn count(state: &mut State, moved: &Moved<'_, Self>) -> Result<(), &'static str> {
        let _ = (state, moved);
        Ok(())
    }

    /// The events of operation `op`, which this is, when what it waited for is due; none where it
    /// waits for nothing of the kind.
    fn come_due(&self, state: &State, op: OpId, due: (Instant, Due)) -> Option<Vec<Event>> {
        let _ = (state, op, due);
        None
    }

    /// Applies an event of operation `op`.
    ///
    /// # Errors
    ///
    /// Why a record that has it is corrupt.
    fn apply(
        state: &mut State,
        archive: &mut impl Archive,
        record: &Record,
        (op, event): (OpId, &Self::Event),
    ) -> Result<(), &'static str> {
        state.moves::<Self>(archive, record, (op, event))
    }
}

/// The operation of an event that a later event of its record moves again.
fn moved_again(record: &Record, index: usize) -> Option<OpId> {
    let later = record.events.get(index + 1..).filter(|later| !later.is_empty())?;
    let op = record.events[index].op()?;
    let touches = |event: &Event| {
        event.op() == Some(op) && event.operation().is_some()
            || event.unmatched_about().is_some_and(|(order, _)| order == op)
    };
    later.iter().any(touches).then_some(op)
}
