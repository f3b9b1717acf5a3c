//! How a run ends: after its last line or by a signal; everything durable and given, then how the
//! ledgers stand.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

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
        let Some((stands, code)) = signal else { return self.answers.verdict() };
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

/// The signals that end a run, with the code it then exits with.
const SIGNALS: [(i32, &str, u8); 2] = [(SIGINT, "SIGINT", 130), (SIGTERM, "SIGTERM", 143)];

/// Tells whether the run was asked to end: the first signal ends what runs after what is under way,
/// the second at once.
#[derive(Clone, Default)]
pub struct Stop {
    signal: Arc<AtomicUsize>,
}

impl Stop {
    /// Listens from now on.
    pub fn listen() -> Result<Self, Failure> {
        let stop = Self::default();
        for (place, (signal, _, code)) in SIGNALS.into_iter().enumerate() {
            let twice = Arc::new(AtomicBool::new(false));
            // In this order: the first signal arms what the second one finds armed.
            flag::register_conditional_shutdown(signal, code.into(), Arc::clone(&twice))?;
            flag::register(signal, twice)?;
            flag::register_usize(signal, Arc::clone(&stop.signal), place + 1)?;
        }
        Ok(stop)
    }

    /// By which signal, and with which code the run is to exit.
    pub fn signal(&self) -> Option<(&'static str, u8)> {
        let place = self.signal.load(Ordering::Relaxed).checked_sub(1)?;
        SIGNALS.get(place).map(|(_, name, code)| (*name, *code))
    }
}
