//! Commands: executed one after the other, and what they name looked up in blocks.

use ledger_core::ledger::{
    Command, Execution, Intent, MachineTime, Malformed, Outcome, Prefetched, Refusal, Request,
};

use super::Sequencer;

impl Sequencer {
    /// Executes a command. The answer holds once the next commit is durable.
    ///
    /// What it brings is checked as the wire's readers check it, so that no journal holds for ever
    /// what no other door would have let in.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] of a request; [`Refusal::Malformed`] of whatever brings such a value, and of
    /// a fact that needs an id and has none.
    pub fn execute(&mut self, command: Command) -> Result<Outcome, Refusal> {
        self.execute_known(command, Prefetched::default())
    }

    /// From now on a call dated too far ahead of the machine's clock is taken as now (rulings 69).
    pub const fn set_machine_time(&mut self, machine_time: Option<MachineTime>) {
        self.ledger.set_machine_time(machine_time);
    }

    /// Executes commands one after the other, looking up what they name in blocks. The answers hold
    /// once the next commit is durable.
    pub fn execute_all(&mut self, commands: Vec<Command>) -> Vec<Result<Outcome, Refusal>> {
        let mut answers = Vec::with_capacity(commands.len());
        let mut commands = commands.into_iter();
        while !commands.as_slice().is_empty() {
            for prefetched in self.ledger.look_ahead(commands.as_slice()) {
                // A command is moved as rarely as may be: it is longer than most of what is done.
                let Some(command) = commands.next() else { break };
                answers.push(self.execute_known(command, prefetched));
            }
        }
        answers
    }

    /// Executes a command as [`Sequencer::execute`] does, of which this sequencer's own ledger
    /// looked up so much: what another one did says nothing of it.
    pub(crate) fn execute_known(
        &mut self,
        command: Command,
        prefetched: Prefetched,
    ) -> Result<Outcome, Refusal> {
        if let Err(refusal) = command.check().and_then(|()| self.may_be_sent_to(&command)) {
            self.tally.count(true);
            return Err(refusal);
        }
        self.begun += 1;
        let mut execution = std::mem::replace(&mut self.execution, Execution::quiet());
        self.ledger.execute_into(command, prefetched, &mut execution);
        self.journal(&execution.records);
        let effects = (&execution.notifications[..], &execution.instructions[..]);
        self.tell_outbox(&execution.records, effects);
        let answer = std::mem::replace(&mut execution.answer, Ok(Outcome::Done));
        self.execution = execution;
        self.tally.count(answer.is_err());
        answer
    }

    /// Tells whether webhooks may go where a command's token says, which only the vault knows.
    fn may_be_sent_to(&self, command: &Command) -> Result<(), Refusal> {
        let Intent::Request(_, Request::Settings(settings)) = &command.what else { return Ok(()) };
        let Some(webhook) = settings.webhook else { return Ok(()) };
        let known = self.vault.get(webhook.0).ok_or(Malformed::Unlearned);
        let checked = known.and_then(|secret| Malformed::webhook(&secret.value));
        checked.map_err(|why| Refusal::Malformed { field: "webhook_url", why })
    }
}
