//! The machine's clock as a witness: wall time is believed while elapsed time bears it out
//! (rulings 69).

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ledger_core::time::{Instant, Span};
use rustix::time::{ClockId, clock_gettime};

use crate::clock::{Clock, ClockDoubt, SystemClock};

/// How far ahead of a ledger's last record a service may start, in hours, where nothing of the
/// same boot says more.
const LARGEST_ABSENCE: u32 = 48;

/// How far wall time may drift from elapsed time: one part in so many.
const DRIFT: u32 = 2_000;

/// Reads both clocks of a machine.
pub trait TimeSource: Send + Sync + 'static {
    /// Wall time, and the time elapsed since the machine started, time asleep included.
    fn read(&self) -> ClockReading;
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
}

/// The machine's clock, held against elapsed time: a jump ahead is not believed until the clock is
/// back, or a person accepts it.
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
    /// Whether wall time before the moment is doubted: at a start, until it is believed once.
    starts: bool,
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
        let anchor = Anchor { moment: source.read(), ahead: largest_jump, starts: false };
        Self { source: Box::new(source), largest_jump, anchor: Mutex::new(anchor) }
    }

    /// Holds the clock against the last record of a ledger that was written at an unknown time of
    /// this boot, or before it: a start before it, or more than 48 hours after it, is not believed.
    pub fn hold_against_record(&self, last: Instant) {
        let elapsed = self.source.read().elapsed;
        let moment = ClockReading { wall: last, elapsed };
        *self.anchor() = Anchor { moment, ahead: Span::hours(LARGEST_ABSENCE), starts: true };
    }

    /// Holds the clock against a moment of the same boot, such as that of a ledger's last record.
    pub fn hold_against_moment(&self, moment: ClockReading) {
        *self.anchor() = Anchor { moment, ahead: self.largest_jump, starts: false };
    }

    /// Believes the clock as it reads now: a person has looked at it. Returns that instant.
    pub fn accept(&self) -> Instant {
        let moment = self.source.read();
        *self.anchor() = Anchor { moment, ahead: self.largest_jump, starts: false };
        moment.wall
    }

    /// What both clocks read now, where wall time is believed: a moment to keep for the next start.
    #[must_use]
    pub fn believed_moment(&self) -> Option<ClockReading> {
        let reading = self.source.read();
        self.judge(reading).is_ok().then_some(reading)
    }

    /// The instant now, or the doubt with the instant that elapsed time gives in its place.
    fn judge(&self, reading: ClockReading) -> Result<Instant, (Instant, ClockDoubt)> {
        let mut anchor = self.anchor();
        let elapsed = reading.elapsed.saturating_sub(anchor.moment.elapsed);
        let expected = later(anchor.moment.wall, elapsed);
        let latest = later(expected.after(anchor.ahead), elapsed / DRIFT);
        let early = anchor.starts && reading.wall < anchor.moment.wall;
        if reading.wall <= latest && !early {
            if anchor.starts {
                *anchor = Anchor { moment: reading, ahead: self.largest_jump, starts: false };
            }
            return Ok(reading.wall);
        }
        Err((expected, ClockDoubt { reads: reading.wall, expected, starts: anchor.starts }))
    }

    fn anchor(&self) -> MutexGuard<'_, Anchor> {
        // Nothing panics while it is held.
        self.anchor.lock().unwrap_or_else(PoisonError::into_inner)
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

    fn accept(&self) -> Option<Instant> {
        Some(Self::accept(self))
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
mod tests {
    use std::sync::Arc;

    use super::*;

    /// The clocks of a machine, in seconds, as a test sets them.
    #[derive(Clone)]
    struct Machine(Arc<Mutex<(i64, u64)>>);

    impl TimeSource for Machine {
        fn read(&self) -> ClockReading {
            let (wall, elapsed) = *self.0.lock().unwrap();
            ClockReading { wall: seconds(wall), elapsed: Duration::from_secs(elapsed) }
        }
    }

    const START: i64 = 1_800_000_000;

    fn seconds(seconds: i64) -> Instant {
        Instant::from_micros(seconds * 1_000_000).unwrap()
    }

    fn machine() -> (Machine, MachineClock) {
        let machine = Machine(Arc::new(Mutex::new((START, 100))));
        (machine.clone(), MachineClock::over(machine, Span::seconds(120)))
    }

    impl Machine {
        fn read_at(&self, wall: i64, elapsed: u64) {
            *self.0.lock().unwrap() = (START + wall, 100 + elapsed);
        }
    }

    #[test]
    fn a_jump_ahead_is_believed_up_to_its_bound_and_no_further() {
        let (machine, clock) = machine();
        machine.read_at(121, 1);
        assert_eq!((clock.doubt(), clock.now()), (None, seconds(START + 121)));
        machine.read_at(122, 1);
        assert!(clock.doubt().is_some());
        assert_eq!(clock.now(), seconds(START + 1), "elapsed time goes on");
    }

    #[test]
    fn jumps_that_are_small_alone_do_not_add_up() {
        let (machine, clock) = machine();
        for jump in 1..=2 {
            machine.read_at(jump * 100, 1);
            assert_eq!(clock.doubt().is_some(), jump == 2);
        }
    }

    #[test]
    fn thirty_hours_for_two_seconds_and_a_century_move_nothing() {
        let (machine, clock) = machine();
        for jump in [30 * 3_600, 100 * 365 * 86_400] {
            machine.read_at(jump, 1);
            assert!(clock.doubt().is_some());
            assert!(clock.now() <= seconds(START + 1));
        }
        machine.read_at(2, 2);
        assert_eq!((clock.doubt(), clock.now()), (None, seconds(START + 2)));
    }

    #[test]
    fn a_machine_that_slept_is_believed_and_one_set_back_reads_what_it_reads() {
        let (machine, clock) = machine();
        machine.read_at(86_400, 86_400);
        assert_eq!((clock.doubt(), clock.now()), (None, seconds(START + 86_400)));
        machine.read_at(-3_600, 86_401);
        assert_eq!((clock.doubt(), clock.now()), (None, seconds(START - 3_600)));
        machine.read_at(86_402, 86_402);
        assert_eq!(clock.doubt(), None, "it is back");
    }

    #[test]
    fn a_person_accepts_a_clock_by_name_and_the_next_jump_is_doubted_again() {
        let (machine, clock) = machine();
        machine.read_at(30 * 3_600, 1);
        assert_eq!(clock.accept(), seconds(START + 30 * 3_600));
        assert_eq!(clock.doubt(), None);
        machine.read_at(60 * 3_600, 2);
        assert!(clock.doubt().is_some());
    }

    #[test]
    fn a_start_is_held_against_the_last_record_and_a_restart_against_its_own_boot() {
        let (machine, clock) = machine();
        for (last, believed) in [(-172_801, false), (-172_800, true), (0, true), (1, false)] {
            clock.hold_against_record(seconds(START + last));
            assert_eq!(clock.doubt().is_none(), believed, "{last}");
        }
        let kept = ClockReading { wall: seconds(START), elapsed: Duration::from_secs(100) };
        machine.read_at(7_200, 60);
        clock.hold_against_moment(kept);
        assert!(clock.doubt().is_some(), "an hour ahead of its own boot");
        machine.read_at(60, 60);
        assert_eq!(clock.doubt(), None);
    }
}
