//! The machine's clock as a witness: wall time is believed while elapsed time bears it out
//! (rulings 69).

mod kept_moment;

use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ledger_core::time::{Instant, Span};
use rustix::time::{ClockId, clock_gettime};

pub use self::kept_moment::KeptMoment;
use crate::engines::clock::{BootMoment, Clock, ClockDoubt, SystemClock};

/// How far ahead of a ledger's last record a service may start, in hours, where nothing of the
/// same boot says more.
const LARGEST_ABSENCE: u32 = 48;

/// How far wall time may drift from elapsed time: one part in so many.
const DRIFT: u32 = 2_000;

/// Reads both clocks of a machine.
pub trait TimeSource: Send + Sync + 'static {
    /// Wall time, and the time elapsed since the machine started, time asleep included.
    fn read(&self) -> ClockReading;

    /// The name of the machine's present start; none where the system does not say.
    fn boot(&self) -> Option<String> {
        None
    }
}

/// What the clocks of a machine read at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// The wall clock: an operator, or whoever serves the time, may set it.
    pub wall: Instant,
    /// Time elapsed since the machine started, which nobody sets.
    pub elapsed: Duration,
}

/// The clocks of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemTimeSource;

impl TimeSource for SystemTimeSource {
    fn read(&self) -> ClockReading {
        let since = clock_gettime(ClockId::Boottime);
        let seconds = u64::try_from(since.tv_sec).unwrap_or_default();
        let nanos = u32::try_from(since.tv_nsec).unwrap_or_default();
        ClockReading { wall: SystemClock.now(), elapsed: Duration::new(seconds, nanos) }
    }

    fn boot(&self) -> Option<String> {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        Some(boot.trim().to_owned()).filter(|boot| !boot.is_empty())
    }
}

/// The machine's clock, held against elapsed time: a jump ahead, or at a start one back, is not
/// believed until the clock is right again, or a person accepts it.
///
/// ```
/// # use ledger_store::clock::Clock as _;
/// # use ledger_store::machine_clock::MachineClock;
/// assert!(MachineClock::new().doubt().is_none());
/// ```
pub struct MachineClock {
    source: Box<dyn TimeSource>,
    largest_jump: Span,
    anchor: Mutex<Anchor>,
}

/// A moment that is believed, and what may lie around it.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    moment: ClockReading,
    /// How far ahead of elapsed time wall time is still believed.
    ahead: Span,
    /// Wall time so early is doubted, until the clock is believed once.
    early: Early,
}

/// How early wall time is doubted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Early {
    /// While a service runs it is read as it is, and a jump back is told
    /// ([`Clock::set_back`]): a ledger's time never goes back.
    Never,
    /// At a start that is held against a moment of the same boot: by more than a jump ahead may be.
    Jump,
    /// At a start that is held against a record: before it.
    Record,
}

impl MachineClock {
    /// This machine's clock, believed as it reads now, with jumps of at most 120 s believed.
    #[must_use]
    pub fn new() -> Self {
        Self::over(SystemTimeSource, Span::seconds(120))
    }

    /// A clock over other sources of time, which believes a jump ahead of at most `largest_jump`.
    #[must_use]
    pub fn over(source: impl TimeSource, largest_jump: Span) -> Self {
        let anchor = Anchor { moment: source.read(), ahead: largest_jump, early: Early::Never };
        Self { source: Box::new(source), largest_jump, anchor: Mutex::new(anchor) }
    }

    /// Holds the clock against the last record of a ledger that was written at an unknown time of
    /// this boot, or before it: a start before it, or more than 48 hours after it, is not believed.
    pub fn hold_against_record(&self, last: Instant) {
        let elapsed = self.source.read().elapsed;
        let moment = ClockReading { wall: last, elapsed };
        let ahead = Span::hours(LARGEST_ABSENCE);
        *self.anchor() = Anchor { moment, ahead, early: Early::Record };
    }

    /// Holds the clock against a moment of the same boot, such as that of a ledger's last record: a
    /// start that differs from it by more than a jump, ahead or back, is not believed.
    pub fn hold_against_moment(&self, moment: ClockReading) {
        *self.anchor() = Anchor { moment, ahead: self.largest_jump, early: Early::Jump };
    }

    /// Believes the clock as it reads now: a person has looked at it. Returns that instant.
    pub fn accept(&self) -> Instant {
        let moment = self.source.read();
        *self.anchor() = Anchor { moment, ahead: self.largest_jump, early: Early::Never };
        moment.wall
    }

    /// The instant now, or the doubt with the instant that elapsed time gives in its place.
    fn judge(&self, reading: ClockReading) -> Result<Instant, (Instant, ClockDoubt)> {
        let mut anchor = self.anchor();
        let (expected, drift) = anchor.expect(reading);
        let latest = later(expected.after(anchor.ahead), drift);
        let early = match anchor.early {
            Early::Never => false,
            Early::Jump => self.is_set_back(&anchor, reading),
            Early::Record => reading.wall < anchor.moment.wall,
        };
        if reading.wall <= latest && !early {
            if anchor.early == Early::Record {
                (anchor.moment, anchor.ahead) = (reading, self.largest_jump);
            }
            anchor.early = Early::Never;
            return Ok(reading.wall);
        }
        let starts = early || anchor.early == Early::Record;
        Err((expected, ClockDoubt { reads: reading.wall, expected, starts }))
    }

    /// Tells whether wall time is further back than a jump that is believed.
    fn is_set_back(&self, anchor: &Anchor, reading: ClockReading) -> bool {
        let (expected, drift) = anchor.expect(reading);
        later(reading.wall.after(self.largest_jump), drift) < expected
    }

    fn anchor(&self) -> MutexGuard<'_, Anchor> {
        // Nothing panics while it is held.
        self.anchor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Anchor {
    /// The instant that elapsed time gives, and how far the clock may have drifted from it.
    fn expect(&self, reading: ClockReading) -> (Instant, Duration) {
        let elapsed = reading.elapsed.saturating_sub(self.moment.elapsed);
        (later(self.moment.wall, elapsed), elapsed / DRIFT)
    }
}

impl Clock for MachineClock {
    fn now(&self) -> Instant {
        match self.judge(self.source.read()) {
            Ok(now) | Err((now, _)) => now,
        }
    }

    fn doubt(&self) -> Option<ClockDoubt> {
        self.judge(self.source.read()).err().map(|(_, doubt)| doubt)
    }

    fn set_back(&self) -> Option<ClockDoubt> {
        let reading = self.source.read();
        if self.judge(reading).is_err() {
            return None;
        }
        let anchor = *self.anchor();
        let (expected, _) = anchor.expect(reading);
        let doubt = ClockDoubt { reads: reading.wall, expected, starts: false };
        self.is_set_back(&anchor, reading).then_some(doubt)
    }

    fn accept(&self) -> Option<Instant> {
        Some(Self::accept(self))
    }

    /// Holds the clock against `kept` where that is a moment of this boot, and else against `last`.
    fn hold_against(&self, last: Instant, kept: Option<&BootMoment>) {
        let (boot, elapsed) = (self.source.boot(), self.source.read().elapsed);
        let same = kept.filter(|kept| Some(&kept.boot) == boot.as_ref() && kept.elapsed <= elapsed);
        match same {
            Some(kept) => {
                self.hold_against_moment(ClockReading { wall: kept.wall, elapsed: kept.elapsed });
            }
            None => self.hold_against_record(last),
        }
    }

    fn moment(&self) -> Option<BootMoment> {
        let reading = self.source.read();
        self.judge(reading).ok()?;
        // What is kept is what the next start is held against.
        if self.is_set_back(&self.anchor(), reading) {
            return None;
        }
        let ClockReading { wall, elapsed } = reading;
        Some(BootMoment { boot: self.source.boot()?, wall, elapsed })
    }
}

impl Default for MachineClock {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for MachineClock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MachineClock").field("anchor", &self.anchor()).finish_non_exhaustive()
    }
}

/// The instant so long after another; the last there is, where none is so late.
fn later(at: Instant, by: Duration) -> Instant {
    let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
    Instant::from_micros(at.micros().saturating_add(micros)).unwrap_or(at)
}

#[cfg(test)]
mod tests;
