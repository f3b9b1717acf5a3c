//! The server falls silent while a commit is under way: the engine waits for as long as it was set
//! to, finds out what became of it, and answers the truth.

use std::time::{Duration, Instant};

use super::cut::Behind;
use super::proxy::Cut;
use super::setup::server::Session;
use super::{charge, count_of, is_not_written};

const LIMIT: Duration = Duration::from_millis(400);

/// Twice the limit, and a slow machine.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn a_commit_that_the_server_never_hears_is_given_up_and_answered_as_not_written() {
    let behind = Behind::with_timeout(LIMIT);
    for number in [2, 3] {
        behind.proxy.cut(Cut::StallBefore);
        let clock = Instant::now();
        assert!(is_not_written(&behind.engine.call(charge(number)).wait()));
        assert!((LIMIT..SOON).contains(&clock.elapsed()), "{:?}", clock.elapsed());
        assert_eq!(count_of(&behind.engine, number), 0);
        behind.warm(number);
    }
    behind.holds(1..=3);
}

#[test]
fn a_commit_whose_answer_never_comes_is_found_and_answered_as_written() {
    let behind = Behind::with_timeout(LIMIT);
    for number in [2, 4] {
        behind.proxy.cut(Cut::StallAfter);
        let clock = Instant::now();
        let answer = behind.engine.call(charge(number)).wait().unwrap();
        assert!((LIMIT..SOON).contains(&clock.elapsed()), "{:?}", clock.elapsed());
        assert_eq!(behind.engine.call(charge(number)).wait().unwrap(), answer);
        assert_eq!(count_of(&behind.engine, number), 1);
        behind.warm(number + 1);
    }
    assert_eq!(behind.engine.counters().failures, 0);
    behind.holds(1..=5);
}

#[test]
fn a_commit_that_waits_too_long_for_a_lock_is_undone_by_the_server_itself() {
    let behind = Behind::with_timeout(LIMIT);
    let mut other = Session::open(&behind.url).unwrap();
    other.execute("BEGIN; SELECT 1 FROM ledger FOR UPDATE").unwrap();
    let clock = Instant::now();
    let undone = behind.engine.call(charge(2)).wait();
    assert!(is_not_written(&undone) && format!("{undone:?}").contains("timeout"), "{undone:?}");
    assert!((LIMIT..SOON).contains(&clock.elapsed()), "{:?}", clock.elapsed());
    other.execute("COMMIT").unwrap();
    behind.warm(2);
    behind.holds(1..=2);
}
