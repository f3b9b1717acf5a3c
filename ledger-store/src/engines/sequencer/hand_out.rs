//! Handing instructions out: on the thread that decides, so that a stop and a hand-out have an
//! order (rulings 70).

use ledger_core::contract::Call;
use ledger_core::id::OpId;
use ledger_core::ledger::{
    Archive, Cause, Command, Event, Fact, InstructionKey, Intent, Origin, Outcome, Reported,
    Standing,
};
use ledger_core::time::Instant;

use super::Sequencer;

/// What came of asking that an instruction is handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandOut {
    /// It stands, and that it is handed out is recorded: it may be carried out.
    Given,
    /// It does not stand any more, and was handed to nobody.
    CalledOff,
    /// It does not stand any more: what became of it was reported.
    Answered,
    /// It stands, and cannot be handed out now.
    Waits,
    /// This ledger has no such instruction.
    Unknown,
}

impl HandOut {
    /// Tells whether the instruction is over, so that nobody needs to be given it again.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::CalledOff | Self::Answered)
    }
}

impl Sequencer {
    /// Hands out, at `at`, the instructions of these idempotency keys that stand; says of each what
    /// came of it, in their order. One that was handed out before makes no record. The answers hold
    /// once the next commit is durable.
    pub fn hand_out(&mut self, keys: &[impl AsRef<str>], at: Instant) -> Vec<HandOut> {
        if self.ledger.state.admits(at).is_err() {
            // After a silence of days the ledger is told of the time first.
            self.call(&Call::time_passed(at));
        }
        keys.iter().map(|key| self.hand_one_out(key.as_ref(), at)).collect()
    }

    fn hand_one_out(&mut self, key: &str, at: Instant) -> HandOut {
        let Some(key) = InstructionKey::parse(key, &self.ledger.state.name) else {
            return HandOut::Unknown;
        };
        if self.standing(key) == Standing::Due && self.may_be_handed_out(key, at) {
            // What was reported of it before it began may end it at once.
            let _ = self.execute(handed_out(key, at));
        }
        match self.standing(key) {
            Standing::HandedOut => HandOut::Given,
            Standing::Due => HandOut::Waits,
            Standing::Over if self.was_answered(key) => HandOut::Answered,
            Standing::Over => HandOut::CalledOff,
        }
    }

    fn standing(&self, key: InstructionKey) -> Standing {
        self.ledger.state.standing(&self.ledger.archive, key)
    }

    /// Tells whether its machine takes that it is handed out: what it sets aside is not recorded,
    /// however often it is asked.
    fn may_be_handed_out(&self, key: InstructionKey, at: Instant) -> bool {
        let decision = self.ledger.preview(handed_out(key, at));
        decision.is_ok_and(|decision| matches!(decision.outcome, Outcome::Applied(_)))
    }

    /// Tells whether an instruction that is over was handed out once, or was reported to be under
    /// way all the same.
    fn was_answered(&self, key: InstructionKey) -> bool {
        let InstructionKey { op, .. } = key;
        let known = self.views().operation(op);
        let reported = known.is_some_and(|known| known.machine.was_reported_begun());
        reported || self.events_of(op).iter().any(|event| event.hands_out() == Some(key))
    }

    fn events_of(&self, op: OpId) -> Vec<Event> {
        let archive = &self.ledger.archive;
        let trail = archive.trail(op).unwrap_or_else(|| vec![op.seq()]);
        let records = trail.into_iter().filter_map(|seq| archive.record(seq));
        records.flat_map(|record| record.events).filter(|event| event.op() == Some(op)).collect()
    }
}

fn handed_out(key: InstructionKey, at: Instant) -> Command {
    let fact = Fact::HandedOut(Some(key));
    Command { at, cause: Cause::new(Origin::Call), what: Intent::Fact(Reported { id: None, fact }) }
}
