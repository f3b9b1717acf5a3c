//! Clocks: the time that requests and facts are dated by.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ledger_core::time::{Instant, Span};

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// The instant now.
    fn now(&self) -> Instant;

    /// Why the clock is not believed; none while it is, and of clocks that nothing is held against.
    fn doubt(&self) -> Option<ClockDoubt> {
        None
    }

    /// Returns what the clock reads, and is expected to, while it was set back further than a jump
    /// that is believed: it is read so, and a ledger's time stands still until it has caught up.
    fn set_back(&self) -> Option<ClockDoubt> {
        None
    }

    /// Believes the clock as it reads now, since a person has looked at it; none where nothing is
    /// held against it.
    fn accept(&self) -> Option<Instant> {
        None
    }

    /// Holds the clock against a ledger that was opened: the instant of its last record, and the
    /// moment that was kept beside its records, where one was. Does nothing of itself.
    fn hold_against(&self, last: Instant, kept: Option<&BootMoment>) {
        let _ = (last, kept);
    }

    /// The moment to keep beside a ledger's records; none while the clock is not believed or is set
    /// back, and of clocks that nothing is held against.
    fn moment(&self) -> Option<BootMoment> {
        None
    }
}

/// A moment at which wall time was believed, in the time that elapses since a machine's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootMoment {
    /// The name of that start.
    pub boot: String,
    /// The time elapsed since, time asleep included.
    pub elapsed: Duration,
    /// The wall clock.
    pub wall: Instant,
}

/// A wall clock that elapsed time does not bear out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the machine's clock reads {reads}, and is expected to read about {expected}")]
pub struct ClockDoubt {
    /// The instant that it reads.
    pub reads: Instant,
    /// The instant that elapsed time gives.
    pub expected: Instant,
    /// Tells whether the service has not believed it since it started.
    pub starts: bool,
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = i64::try_from(since.as_micros()).ok();
        micros.and_then(Instant::from_micros).unwrap_or_default()
    }
}

/// A clock that goes when it is told to: for tests.
///
/// ```
/// # use ledger_core::time::Span;
/// # use ledger_store::clock::{Clock as _, ManualClock};
/// let clock = ManualClock::at("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// clock.advance(Span::hours(12));
/// assert_eq!(clock.now().to_string(), "2026-11-21T00:00:00Z");
/// ```
#[derive(Debug)]
pub struct ManualClock(Mutex<Instant>);

impl ManualClock {
    /// A clock that stands at this instant, in RFC 3339; none when it is no instant.
    #[must_use]
    pub fn at(text: &str) -> Option<Self> {
        Instant::parse(text).map(|at| Self(Mutex::new(at)))
    }

    /// Goes on by so much.
    pub fn advance(&self, span: Span) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now = now.after(span);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn now(&self) -> Instant {
        (**self).now()
    }

    fn doubt(&self) -> Option<ClockDoubt> {
        (**self).doubt()
    }

    fn set_back(&self) -> Option<ClockDoubt> {
        (**self).set_back()
    }

    fn accept(&self) -> Option<Instant> {
        (**self).accept()
    }

    fn hold_against(&self, last: Instant, kept: Option<&BootMoment>) {
        (**self).hold_against(last, kept);
    }

    fn moment(&self) -> Option<BootMoment> {
        (**self).moment()
    }
}
