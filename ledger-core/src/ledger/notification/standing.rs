//! Whether an instruction still stands, and its handing out (rulings 70).
//!
//! ```text
//! given --> due --hand out--> handed out --answered, called off--> over
//!            '-------------------------------called off-----------> over
//! ```
//!
//! An instruction is carried out only while it stands: a payout that was stopped, a delivery whose
//! money went back, an attempt that failed and is followed by another are never sent late. One that
//! may be under way stands, so that whoever carried it out is asked again, by the same key, what
//! came of it.

use super::key::InstructionKey;
use super::step::Step;
use super::task::TaskKind;
use crate::id::OpId;
use crate::ledger::archive::Archive;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::decision::lookup;
use crate::ledger::fact::Fact;
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason;
use crate::ledger::registry::Machine;
use crate::ledger::state::State;

/// How an instruction stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was answered, called off, or followed by another attempt: nobody carries it out any more.
    Over,
    /// It is to be carried out, and was handed to nobody.
    Due,
    /// It was handed out: it may have been carried out.
    HandedOut,
}

impl Event {
    /// The instruction that was handed out by it, if one was: by the step of its machine that says
    /// so, or by what is noted beside the machine.
    #[must_use]
    pub fn hands_out(&self) -> Option<InstructionKey> {
        if let Self::HandedOut { op, kind, attempt } = *self {
            return Some(InstructionKey { op, kind, attempt });
        }
        let (op, event) = self.operation()?;
        let (kind, attempt) = event.hands_out()?;
        Some(InstructionKey { op, kind, attempt })
    }
}

impl State {
    /// How an instruction stands; one of an operation that this ledger does not know is over.
    #[must_use]
    pub fn standing(&self, archive: &impl Archive, key: InstructionKey) -> Standing {
        match lookup::operation(self, archive, key.op) {
            Some((_, operation)) => match operation.machine.step(key) {
                Step::Noted | Step::Again if self.handed_out.contains(&key) => Standing::HandedOut,
                Step::Taken => Standing::HandedOut,
                Step::Noted | Step::Told => Standing::Due,
                Step::Over | Step::Again => Standing::Over,
            },
            None => Standing::Over,
        }
    }

    /// Tells whether an instruction of the operation was handed out beside its machine, and stands.
    #[must_use]
    pub fn has_handed_out(&self, op: OpId) -> bool {
        self.handed_out_of(op).next().is_some()
    }

    /// The instructions of an operation that were handed out beside its machine, and stand.
    pub fn handed_out_of(&self, op: OpId) -> impl Iterator<Item = InstructionKey> + '_ {
        let first = InstructionKey { op, kind: TaskKind::SendPix, attempt: 0 };
        let from = (!self.handed_out.is_empty()).then(|| self.handed_out.range(first..));
        from.into_iter().flatten().copied().take_while(move |key| key.op == op)
    }

    /// Remembers that an instruction was handed out.
    ///
    /// # Errors
    ///
    /// Why a record is corrupt that says so of one that was handed out before, or does not stand.
    pub(in crate::ledger) fn hand_out(
        &mut self,
        archive: &mut impl Archive,
        key: InstructionKey,
    ) -> Result<(), &'static str> {
        let known = self.current(archive, key.op);
        // Earlier versions handed out what they held to be under way, too.
        let step = known.map_or(Step::Over, |known| known.machine.step(key));
        let stands = matches!(step, Step::Noted | Step::Again);
        if !stands || self.handed_out.insert(key).is_some() {
            return Err("an instruction is handed out once, while it stands");
        }
        archive.note(key.op, self.seq);
        Ok(())
    }

    /// Forgets what was handed out of an operation and stands no more.
    pub(in crate::ledger) fn forget_handed_out(&mut self, op: OpId, machine: &Machine) {
        let over = self.handed_out_of(op).filter(|key| machine.step(*key) == Step::Over);
        for key in over.collect::<Vec<_>>() {
            self.handed_out.remove(&key);
        }
    }
}

impl FactContext<'_> {
    /// An instruction is handed out.
    pub(in crate::ledger) fn handed_out(&self, key: Option<InstructionKey>) -> Decision {
        let Some(key) = key else { return self.aside(SetAsideReason::Unmatched) };
        let named = self.lookup.operation.as_ref();
        match named.map_or(Step::Over, |(_, operation)| operation.machine.step(key)) {
            Step::Noted | Step::Again if self.state.handed_out.contains(&key) => already_known(),
            Step::Taken => already_known(),
            Step::Over | Step::Again => self.aside(self.unfit()),
            Step::Noted => {
                let InstructionKey { op, kind, attempt } = key;
                accept(vec![Event::HandedOut { op, kind, attempt }])
            }
            Step::Told => self.decide(Fact::beginning(key)),
        }
    }
}
