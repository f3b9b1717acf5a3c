//! How a long run gets on, where a person watches.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::environments::Environments;

/// How often it is shown.
const EVERY: Duration = Duration::from_secs(1);

/// After how many lines the clock is looked at.
const LINES: u64 = 64;

/// Lines, rate and heads, on a line of standard error that is written over.
pub struct Speed {
    watched: bool,
    shown: Option<(Instant, u64)>,
    wrote: bool,
}

impl Speed {
    /// Shown where standard error is a terminal, and answers do not run through it already.
    pub fn new() -> Self {
        let watched = std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
        Self { watched, shown: None, wrote: false }
    }

    /// Shows how far a run has come, now and then.
    pub fn show(&mut self, number: u64, environments: &Environments) {
        if !self.watched || !number.is_multiple_of(LINES) {
            return;
        }
        let now = Instant::now();
        let Some((then, before)) = self.shown else {
            self.shown = Some((now, number));
            return;
        };
        let passed = now - then;
        if passed < EVERY {
            return;
        }
        let rate = u128::from(number - before) * 1_000 / passed.as_millis().max(1);
        let mut text = format!("{number} lines, {rate} a second");
        for (environment, ledger) in environments.ledgers() {
            let name = environment.name();
            let stands = ledger.engine().map_or_else(
                || format!("; {name}: executing again what is recorded"),
                |engine| match engine.head() {
                    Ok(head) => format!("; {name} at record {}", head.seq),
                    Err(_) => format!("; {name}: another writer has taken over"),
                },
            );
            text.push_str(&stands);
        }
        // A terminal that cannot be written to needs no progress.
        let mut err = std::io::stderr().lock();
        let _ = write!(err, "\r\x1b[K{text}").and_then(|()| err.flush());
        (self.shown, self.wrote) = (Some((now, number)), true);
    }
}

impl Drop for Speed {
    fn drop(&mut self) {
        if self.wrote {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
