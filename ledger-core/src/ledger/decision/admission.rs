//! Which instants a command may carry (rulings 3).

use super::refusal::Refusal;
use crate::id::Seq;
use crate::ledger::command::{Command, Intent};
use crate::ledger::fact::Fact;
use crate::ledger::state::State;
use crate::time::{Instant, Span};

/// The last instant that a ledger reaches, 9000-01-01T00:00:00Z: whatever falls due later than an
/// operation begins has an instant of its own.
const END: Instant =
    Instant::from_micros(221_845_392_000_000_000).expect("it lies before the year 9999");

/// The clock of the machine that decides, as a bound of what others date ahead of it (rulings 69).
///
/// ```
/// # use ledger_core::ledger::MachineTime;
/// # use ledger_core::time::{Instant, Span};
/// let now = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let clock = MachineTime { now, tolerance: Span::seconds(60) };
/// assert_eq!(clock.date_of(now.after(Span::seconds(60))), now.after(Span::seconds(60)));
/// assert_eq!(clock.date_of(now.after(Span::seconds(61))), now);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineTime {
    /// The instant that the machine's clock reads.
    pub now: Instant,
    /// How far ahead of it a command may be dated.
    pub tolerance: Span,
}

impl MachineTime {
    /// The instant at which a command dated `told` takes effect: its own, or now where that lies
    /// too far ahead.
    #[must_use]
    pub fn date_of(self, told: Instant) -> Instant {
        if self.now.after(self.tolerance) < told { self.now } else { told }
    }
}

impl State {
    /// Tells whether the command's instant lies near enough: only the passing of time may jump far
    /// ahead, and not past the end.
    pub(in crate::ledger) fn admits_instant(&self, command: &Command) -> Result<(), Refusal> {
        match &command.what {
            Intent::Fact(reported) if reported.fact == Fact::TimePassed => {
                if END < command.at {
                    Err(Refusal::JumpTooFar { latest: END })
                } else {
                    Ok(())
                }
            }
            _ => self.admits(command.at),
        }
    }

    /// Tells whether a request, fact or read may carry this instant (rulings 3).
    ///
    /// # Errors
    ///
    /// [`Refusal::JumpTooFar`] when it lies further ahead than the policy allows.
    pub fn admits(&self, at: Instant) -> Result<(), Refusal> {
        let latest = self.now.after(self.policy.largest_jump).min(END);
        let began = self.seq != Seq::default();
        if began && latest < at { Err(Refusal::JumpTooFar { latest }) } else { Ok(()) }
    }
}
