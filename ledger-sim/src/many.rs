//! Many runs over several threads, merged into one report.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::failure::Failure;
use crate::report::Report;
use crate::run::simulate;
use crate::settings::Settings;

/// Runs every seed of `seeds` for `commands_each` commands in a hostile world, on `threads` threads.
///
/// # Errors
///
/// The [`Failure`] of the lowest seed among those that failed; no new seed is begun after one.
///
/// # Panics
///
/// When a thread of the simulator itself panics: a bug here.
pub fn run_many(seeds: Range<u64>, commands_each: u64, threads: usize) -> Result<Report, Failure> {
    run_while(seeds, commands_each, threads, &|_| true)
}

/// The same, and `go_on` is shown the report of every seed that passed and says whether to begin
/// another.
///
/// # Errors
///
/// As [`run_many`].
///
/// # Panics
///
/// As [`run_many`].
pub fn run_while(
    seeds: Range<u64>,
    commands_each: u64,
    threads: usize,
    go_on: &(dyn Fn(&Report) -> bool + Sync),
) -> Result<Report, Failure> {
    let (next, stopped) = (AtomicU64::new(seeds.start), AtomicBool::new(false));
    let stop = || stopped.store(true, Ordering::Relaxed);
    let work = || {
        let mut report = Report::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end || stopped.load(Ordering::Relaxed) {
                return Ok(report);
            }
            match simulate(&Settings::commands(seed, commands_each)) {
                Ok(more) => {
                    report.merge(&more);
                    if !go_on(&more) {
                        stop();
                    }
                }
                Err(failure) => {
                    stop();
                    return Err(failure);
                }
            }
        }
    };
    let results: Vec<Result<Report, Failure>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
        joined.map(|result| result.expect("a run catches what panics in the core")).collect()
    });
    let mut merged = Report::new();
    let mut failures = Vec::new();
    for result in results {
        match result {
            Ok(report) => merged.merge(&report),
            Err(failure) => failures.push(failure),
        }
    }
    match failures.into_iter().min_by_key(|failure| failure.settings.seed) {
        Some(failure) => Err(failure),
        None => Ok(merged),
    }
}
