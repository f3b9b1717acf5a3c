//! The machine's clock, held against itself and against what a store keeps.

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

    fn boot(&self) -> Option<String> {
        Some("this one".to_owned())
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
fn a_clock_that_is_set_back_is_told_and_is_not_kept_until_a_person_accepts_it() {
    let (machine, clock) = machine();
    for (wall, told) in [(-119, false), (-120, true), (-3_600, true)] {
        machine.read_at(wall, 1);
        let expected = ClockDoubt {
            reads: seconds(START + wall),
            expected: seconds(START + 1),
            starts: false,
        };
        assert_eq!(clock.set_back(), told.then_some(expected), "{wall}");
        assert_eq!(Clock::moment(&clock).is_none(), told, "{wall}");
    }
    assert_eq!(clock.accept(), seconds(START - 3_600));
    assert!(clock.set_back().is_none() && Clock::moment(&clock).is_some());
}

#[test]
fn a_restart_with_a_clock_set_back_waits_until_it_is_put_right() {
    let (machine, clock) = machine();
    let kept = Clock::moment(&clock).unwrap();
    for wall in [-86_340, -3_600] {
        machine.read_at(wall, 60);
        clock.hold_against(seconds(START - 90_000), Some(&kept));
        assert!(clock.doubt().is_some_and(|doubt| doubt.starts), "{wall}");
        assert_eq!(clock.now(), seconds(START + 60), "{wall}");
        assert_eq!((Clock::moment(&clock), clock.set_back()), (None, None), "{wall}");
    }
    // Nearly right, as a server of the time sets it.
    machine.read_at(58, 61);
    assert_eq!((clock.doubt(), clock.now()), (None, seconds(START + 58)));
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
fn a_start_is_held_against_the_last_record() {
    let (_, clock) = machine();
    for (last, believed) in [(-172_801, false), (-172_800, true), (0, true), (1, false)] {
        clock.hold_against(seconds(START + last), None);
        assert_eq!(clock.doubt().is_none(), believed, "{last}");
    }
}

#[test]
fn a_restart_is_held_against_the_boot_of_the_last_record() {
    let (machine, clock) = machine();
    let kept = Clock::moment(&clock).unwrap();
    machine.read_at(7_200, 60);
    clock.hold_against(seconds(START), Some(&kept));
    assert!(clock.doubt().is_some(), "two hours ahead of its own boot");
    assert_eq!(Clock::moment(&clock), None, "a moment that is doubted is not kept");
    machine.read_at(60, 60);
    assert_eq!(clock.doubt(), None);
    // Of another boot it says nothing, and two hours after the last record are believed.
    machine.read_at(7_200, 60);
    let elsewhere = BootMoment { boot: "another".to_owned(), ..kept };
    clock.hold_against(seconds(START), Some(&elsewhere));
    assert_eq!(clock.doubt(), None);
}

#[test]
fn a_clock_drifts_by_one_part_in_two_thousand_and_no_more() {
    let (machine, clock) = machine();
    // Of a day, 43.2 seconds, beside the jump that is believed.
    for (ahead, believed) in [(163, true), (164, false)] {
        machine.read_at(86_400 + ahead, 86_400);
        assert_eq!(clock.doubt().is_none(), believed, "{ahead}");
    }
}

#[test]
fn a_moment_that_this_boot_has_not_reached_is_none_of_it() {
    let (machine, clock) = machine();
    let kept = Clock::moment(&clock).unwrap();
    let later = BootMoment { elapsed: Duration::from_hours(1), ..kept };
    machine.read_at(7_200, 60);
    clock.hold_against(seconds(START), Some(&later));
    assert_eq!(clock.doubt(), None, "two hours after the last record");
}

#[cfg(feature = "sqlite")]
#[test]
fn the_moment_of_the_last_record_is_kept_within_a_minute_and_at_the_end() {
    let (machine, clock) = machine();
    let folder = tempfile::tempdir().unwrap();
    let target = crate::tables::projection::Target::Sqlite(folder.path().join("ledger.db"));
    let kept = || KeptMoment::read(&target, "live").unwrap();
    let elapsed = || kept().moment().map(|moment| moment.elapsed.as_secs());
    let mut keeps = kept();
    assert_eq!(elapsed(), None);
    keeps.look(&clock, 1).unwrap();
    assert_eq!(elapsed(), Some(100), "the first of its boot");
    for (second, records, expected) in
        [(59, 2, 100), (60, 2, 160), (180, 2, 160), (181, 3, 281), (182, 4, 281)]
    {
        machine.read_at(second, second.unsigned_abs());
        keeps.look(&clock, records).unwrap();
        assert_eq!(elapsed(), Some(expected), "{second}");
    }
    keeps.end(&clock, 4).unwrap();
    assert_eq!(elapsed(), Some(282));
    // A clock that was accepted, or set back, is kept at once.
    machine.read_at(100, 183);
    keeps.look(&clock, 4).unwrap();
    assert_eq!(kept().moment().unwrap().wall, seconds(START + 100));
    machine.read_at(90_000, 184);
    keeps.look(&clock, 5).unwrap();
    assert_eq!(elapsed(), Some(283), "it is not believed");
}
