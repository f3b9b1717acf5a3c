//! The lease of an engine: for how long it may believe that nobody has taken over.
//!
//! ```text
//! sent ──────────────┬─────────────────────┬───────────────┬──────────►
//!   renewed from a third on                believed to     in force to, at least, by the
//!                                          nine tenths     database's clock
//! ```
//!
//! The database counts from when it heard of a renewal, the engine from before it sent one, and a
//! tenth less: so it stops to believe before anybody else may take over, whatever the way between
//! the two takes. Only durations are compared, each by one machine's own clocks.

pub(super) mod claiming;
pub(super) mod keeping;

use std::time::{Duration, Instant, SystemTime};

/// The shortest lease: clocks are read and rounded to the millisecond.
pub(super) const SHORTEST: Duration = Duration::from_millis(100);

/// A moment by both clocks of this machine: one that never steps, and one that goes on while the
/// machine sleeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    steady: Instant,
    wall: SystemTime,
}

/// What an engine believes of its lease.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lease {
    duration: Duration,
    /// When the last renewal that succeeded was sent.
    renewed: Option<Moment>,
    /// When the last renewal was sent.
    tried: Option<Moment>,
}

impl Moment {
    pub(super) fn now() -> Self {
        Self { steady: Instant::now(), wall: SystemTime::now() }
    }

    /// How long it is ago at `now`, by the clock that says more: time that one of them missed may
    /// still have passed for the database.
    fn age_at(self, now: Self) -> Duration {
        let wall = now.wall.duration_since(self.wall).unwrap_or_default();
        now.steady.saturating_duration_since(self.steady).max(wall)
    }
}

impl Lease {
    pub(super) const fn new(duration: Duration) -> Self {
        Self { duration, renewed: None, tried: None }
    }

    pub(super) const fn duration(&self) -> Duration {
        self.duration
    }

    /// A renewal that was sent at this moment came to an end.
    pub(super) fn record_attempt(&mut self, sent: Moment, succeeded: bool) {
        self.tried = Some(sent);
        if succeeded {
            self.renewed = Some(sent);
        }
    }

    /// From now on nothing is believed.
    pub(super) fn give_up(&mut self) {
        self.renewed = None;
    }

    /// Tells whether it may be believed that nobody has taken over.
    pub(super) fn holds(&self, now: Moment) -> bool {
        let believed = self.duration / 10 * 9;
        self.renewed.is_some_and(|sent| sent.age_at(now) < believed)
    }

    /// For how long nothing is to be done: a third of the lease since it was renewed, and a tenth
    /// since a renewal was tried.
    pub(super) fn rest(&self, now: Moment) -> Duration {
        let left = |since: Option<Moment>, pause: Duration| {
            since.map_or(Duration::ZERO, |since| pause.saturating_sub(since.age_at(now)))
        };
        left(self.renewed, self.duration / 3).max(left(self.tried, self.duration / 10))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A moment of a clock that goes as it is told: so long after the first.
    struct Clock(Moment);

    impl Clock {
        fn new() -> Self {
            Self(Moment::now())
        }

        fn at(&self, millis: u64) -> Moment {
            self.moment(millis, millis)
        }

        fn moment(&self, steady: u64, wall: u64) -> Moment {
            Moment {
                steady: self.0.steady + Duration::from_millis(steady),
                wall: self.0.wall + Duration::from_millis(wall),
            }
        }
    }

    fn renewed_at(clock: &Clock, millis: u64) -> Lease {
        let mut lease = Lease::new(Duration::from_secs(1));
        lease.record_attempt(clock.at(millis), true);
        lease
    }

    #[test]
    fn a_lease_is_believed_for_nine_tenths_of_it_from_when_its_renewal_was_sent() {
        let clock = Clock::new();
        let mut lease = Lease::new(Duration::from_secs(1));
        assert!(!lease.holds(clock.at(0)));
        lease.record_attempt(clock.at(10), true);
        assert!(lease.holds(clock.at(10)) && lease.holds(clock.at(909)));
        assert!(!lease.holds(clock.at(910)));
        lease.record_attempt(clock.at(800), true);
        assert!(lease.holds(clock.at(1_699)) && !lease.holds(clock.at(1_700)));
    }

    #[test]
    fn a_renewal_that_failed_prolongs_nothing_and_is_tried_again_after_a_tenth() {
        let clock = Clock::new();
        let mut lease = renewed_at(&clock, 0);
        assert_eq!(lease.rest(clock.at(0)), Duration::from_secs(1) / 3);
        lease.record_attempt(clock.at(400), false);
        assert_eq!(lease.rest(clock.at(450)), Duration::from_millis(50));
        assert_eq!(lease.rest(clock.at(500)), Duration::ZERO);
        assert!(!lease.holds(clock.at(900)));
    }

    #[test]
    fn a_lease_that_was_given_up_is_not_believed() {
        let clock = Clock::new();
        let mut lease = renewed_at(&clock, 0);
        lease.give_up();
        assert!(!lease.holds(clock.at(1)));
    }

    #[test]
    fn a_machine_that_slept_believes_nothing_and_a_clock_set_back_proves_nothing() {
        let clock = Clock::new();
        let lease = renewed_at(&clock, 1_000);
        assert!(
            !lease.holds(clock.moment(1_001, 3_000)),
            "one clock stood still while time passed"
        );
        assert!(lease.holds(clock.moment(1_899, 0)));
        assert!(!lease.holds(clock.moment(1_900, 0)), "the other was set back");
    }
}
