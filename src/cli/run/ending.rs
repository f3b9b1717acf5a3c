//! How a run ends: everything durable and given, then how the ledgers stand.

use super::Run;
use crate::commands::books::balances;
use crate::{Failure, say};

impl Run {
    /// Says how it ended; a signal is an end of its own kind.
    pub(super) fn end(mut self, stopped: Option<(&'static str, u8)>) -> Result<(), Failure> {
        self.drain(0)?;
        let signal = stopped.map(|(signal, code)| {
            let stands = format!("stopped by {signal} after line {}", self.number);
            (stands, code)
        });
        if let Some((stands, code)) = &signal
            && !self.environments.is_started()
        {
            let what = "what the journal holds was being executed again, and nothing new was";
            return Err(Failure::from_signal(&format!("{stands}: {what}"), *code));
        }
        self.environments.end(&self.source.name, self.number)?;
        self.answers.give_held()?;
        self.answers.flush()?;
        self.checkpoints.write_last(&self.environments)?;
        self.checkpoints.stop();
        self.summary()?;
        let Some((stands, code)) = signal else { return Ok(()) };
        let next = if self.source.name == "-" {
            "standard input has no name, so it cannot be gone on with; --source gives it one"
        } else {
            "the same run goes on after it"
        };
        Err(Failure::from_signal(&format!("{stands}: {next}"), code))
    }

    fn summary(&self) -> Result<(), Failure> {
        let (mut rows, mut heads) = (Vec::new(), Vec::new());
        let mut unshown = 0;
        for (environment, ledger) in self.environments.ledgers() {
            let Some(engine) = ledger.engine() else { continue };
            let ((first, all), head) =
                engine.decide(|sequencer| (balances::rows(sequencer), sequencer.head())).wait()?;
            unshown += all - first.len();
            rows.extend(first.into_iter().map(|row| (environment, row)));
            heads.push((environment, head));
        }
        say(&balances::table(&rows).to_string());
        if unshown > 0 {
            say(&format!(
                "{unshown} more subaccounts: `custody-ledger balance STORE ACCOUNT --customer NAME` \
                 shows one"
            ));
        }
        for (environment, head) in heads.iter().filter(|(_, head)| head.seq > 0) {
            say(&format!("{}: {} records, head {}", environment.name(), head.seq, head.link));
        }
        say(&self.answers.to_string());
        Ok(())
    }
}
