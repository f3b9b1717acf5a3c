//! Which instants a command may carry (rulings 3).

use super::refusal::Refusal;
use crate::id::Seq;
use crate::ledger::command::{Command, Intent};
use crate::ledger::fact::Fact;
use crate::ledger::state::State;
use crate::time::Instant;

impl State {
    /// Whether the command's instant lies near enough: only the passing of time may jump far ahead.
    pub(in crate::ledger) fn admits_instant(&self, command: &Command) -> Result<(), Refusal> {
        match &command.what {
            Intent::Fact(reported) if reported.fact == Fact::TimePassed => Ok(()),
            _ => self.admits(command.at),
        }
    }

    /// Whether a request, fact or read may carry this instant (rulings 3).
    ///
    /// # Errors
    ///
    /// [`Refusal::JumpTooFar`] when it lies further ahead than the policy allows.
    pub fn admits(&self, at: Instant) -> Result<(), Refusal> {
        let latest = self.now.after(self.policy.largest_jump);
        let began = self.seq != Seq::default();
        if began && latest < at { Err(Refusal::JumpTooFar { latest }) } else { Ok(()) }
    }
}
