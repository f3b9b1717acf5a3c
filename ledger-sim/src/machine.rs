//! The machine that serves a run: its clock jumps ahead and back, and is read through the guard
//! of a service (rulings 69).
//!
//! Of the other runs the lines tell the time, as those of `run` do.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ledger_core::ledger::invariants::Violation;
use ledger_core::ledger::{MachineTime, Record};
use ledger_core::time::{Instant, Span};
use ledger_store::clock::Clock as _;
use ledger_store::machine_clock::{ClockReading, MachineClock, TimeSource};

use crate::failure::wrong::Mismatch;
use crate::rng::Rng;
use crate::settings::Faults;

/// How many runs in a hundred a machine serves.
const SERVED: u64 = 25;
/// Which stream of its seed a machine draws from: none that the world draws from. It serves no run
/// whose records stand in a file (`mutated`).
const STREAM: u64 = 0x6d61_6368_696e_6545;
/// How far the clock may jump ahead and be believed.
const LARGEST_JUMP: i64 = 120_000_000;
/// How far ahead of the clock a fact may be dated.
pub(crate) const TOLERANCE: Span = Span::seconds(60);
/// How far the clock may drift: one part in so many of the time since it was last held.
const DRIFT: u32 = 2_000;
const HOUR: i64 = 3_600_000_000;
const CENTURY: i64 = 100 * 365 * 24 * HOUR;

/// A machine, with the clock of the process that serves.
pub(crate) struct Machine {
    clocks: Clocks,
    guard: MachineClock,
    chance: Rng,
    booted: Instant,
    /// How far ahead of true time the wall clock is, in microseconds, and for how many more calls.
    ahead: i64,
    left: u64,
    /// When both clocks were right and believed: what the next process of this boot is told.
    kept: Option<ClockReading>,
    /// The elapsed time since which it may have drifted.
    held: Duration,
}

/// What the machine reads at one moment, where that is believed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// What it takes the time to be.
    pub(crate) clock: MachineTime,
    /// The latest instant that true time allows it to read.
    pub(crate) latest: Instant,
}

/// Says whether true time allows a record, where the latest instant allowed is known (OUT-17).
pub(crate) fn is_in_time(record: &Record, latest: Option<Instant>) -> Result<(), Violation> {
    let Some(latest) = latest.filter(|latest| *latest < record.at) else { return Ok(()) };
    let what = format!("a record is of {}, and true time allows {latest}", record.at);
    Err(Violation { invariant: "OUT-17", what })
}

/// Both clocks, as the world sets them.
#[derive(Clone)]
struct Clocks(Arc<Mutex<ClockReading>>);

impl Clocks {
    fn set(&self, reading: ClockReading) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = reading;
    }
}

impl TimeSource for Clocks {
    fn read(&self) -> ClockReading {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Machine {
    /// The machine that serves the run of this seed, if one does.
    pub(crate) fn from_seed(seed: u64, faults: Faults, now: Instant) -> Option<Self> {
        let mut chance = Rng::new(seed ^ STREAM);
        if !chance.percent(faults.scale(SERVED)) {
            return None;
        }
        let right = ClockReading { wall: now, elapsed: Duration::ZERO };
        let clocks = Clocks(Arc::new(Mutex::new(right)));
        let guard = MachineClock::over(clocks.clone(), micros(LARGEST_JUMP));
        let (kept, held) = (Some(right), Duration::ZERO);
        Some(Self { clocks, guard, chance, booted: now, ahead: 0, left: 0, kept, held })
    }

    /// Reads the clock for the next call at `now`; none while it is not believed.
    ///
    /// # Errors
    ///
    /// That a clock which true time bears out is not believed.
    pub(crate) fn read(
        &mut self,
        now: Instant,
        faults: Faults,
    ) -> Result<Option<Reading>, Mismatch> {
        self.jump(now, faults);
        let reading = self.set(now);
        let drift = (reading.elapsed.saturating_sub(self.held) / DRIFT).as_micros();
        let believed = LARGEST_JUMP + i64::try_from(drift).unwrap_or(i64::MAX);
        if let Some(doubt) = self.guard.doubt() {
            if self.ahead <= believed && !doubt.starts {
                return Err(format!("{doubt}, and is {} us ahead of true time", self.ahead));
            }
            if self.ahead == 0 && (faults == Faults::None || self.chance.percent(20)) {
                // A person looks at it, and it is right.
                self.guard.accept();
                (self.kept, self.held) = (Some(reading), reading.elapsed);
            }
            return Ok(None);
        }
        if self.kept.is_none() {
            self.held = reading.elapsed;
        }
        if self.ahead == 0 {
            self.kept = Some(reading);
        }
        let clock = MachineTime { now: self.guard.now(), tolerance: TOLERANCE };
        Ok(Some(Reading { clock, latest: shift_instant(now, believed) }))
    }

    /// Dates a fact as its reporter does: now and then far ahead of everybody.
    pub(crate) fn misdate(&mut self, at: &mut Instant, clock: MachineTime, faults: Faults) -> bool {
        if !self.chance.percent(faults.scale(4)) {
            return false;
        }
        let bound = i64::try_from(TOLERANCE.micros()).unwrap_or_default();
        let ahead = [bound, bound + 1, 300_000_000, 30 * HOUR, CENTURY];
        *at = shift_instant(clock.now, *self.chance.pick(&ahead).unwrap_or(&bound));
        true
    }

    /// Another process serves from now on: on the same boot its clock is held against a moment that
    /// the last one believed, and otherwise against the last record.
    pub(crate) fn restarts(&mut self, now: Instant, last: Option<Instant>) {
        if self.kept.is_none() || self.chance.percent(40) {
            (self.booted, self.kept, self.held) = (now, None, Duration::ZERO);
            (self.ahead, self.left) = (0, 0);
            if self.chance.percent(30) {
                (self.ahead, self.left) = (CENTURY, 1 + self.chance.below(8));
            }
        }
        self.set(now);
        self.guard = MachineClock::over(self.clocks.clone(), micros(LARGEST_JUMP));
        match (self.kept, last) {
            (Some(kept), _) => {
                self.guard.hold_against_moment(kept);
                self.held = kept.elapsed;
            }
            (None, Some(last)) => self.guard.hold_against_record(last),
            // Nothing says what the time is: whoever begins a ledger looks at the clock.
            (None, None) => {
                (self.ahead, self.left) = (0, 0);
                self.kept = Some(self.set(now));
                self.guard.accept();
            }
        }
    }

    /// The wall clock jumps for a few calls, or is right again; at a start it waits to be believed.
    fn jump(&mut self, now: Instant, faults: Faults) {
        self.left = if faults == Faults::None { 0 } else { self.left.saturating_sub(1) };
        if self.left > 0 {
            return;
        }
        self.ahead = 0;
        if self.kept.is_some() && self.chance.bps(faults.scale(120)) {
            let elapsed = now.since(self.booted).micros();
            let held = u64::try_from(self.held.as_micros()).unwrap_or(u64::MAX);
            let drift = elapsed.saturating_sub(held) / u64::from(DRIFT);
            let bound = LARGEST_JUMP.saturating_add_unsigned(drift);
            let jumps =
                [30 * HOUR, CENTURY, bound, bound + 1, 90_000_000, -HOUR, -30 * HOUR, -CENTURY];
            self.ahead = *self.chance.pick(&jumps).unwrap_or(&0);
            self.left = 1 + self.chance.below(8);
        }
    }

    fn set(&self, now: Instant) -> ClockReading {
        let elapsed = Duration::from_micros(now.since(self.booted).micros());
        let reading = ClockReading { wall: shift_instant(now, self.ahead), elapsed };
        self.clocks.set(reading);
        reading
    }
}

/// Later or earlier by so many microseconds, but not before 1970.
fn shift_instant(at: Instant, micros: i64) -> Instant {
    Instant::from_micros(at.micros().saturating_add(micros).max(0)).unwrap_or(at)
}

fn micros(micros: i64) -> Span {
    Span::seconds(u32::try_from(micros / 1_000_000).unwrap_or_default())
}
