//! Many runs over several threads, merged into one report; those that fail are counted beside it.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use thiserror::Error;

use crate::failure::Failure;
use crate::report::Report;
use crate::run::simulate_on;
use crate::settings::Settings;
use crate::system_under_test::store::Store;

/// The runs that failed of many, and the report of those that passed.
///
/// Shown as how many of how many failed, with one line for each that runs it again.
#[derive(Clone, Debug, Error)]
pub struct Failures {
    /// What failed, by seed, the lowest first: never empty. Only the lowest knows the commands that
    /// led to it.
    pub failures: Vec<Failure>,
    /// The runs that passed.
    pub passed: Report,
}

/// How many failures are shown, one line each.
const SHOWN: usize = 100;

impl Failures {
    /// The failure of the lowest seed.
    #[must_use]
    pub fn lowest(&self) -> &Failure {
        &self.failures[0]
    }

    /// How many runs failed of how many, in words.
    #[must_use]
    pub fn count(&self) -> String {
        let failed = self.failures.len();
        let runs = self.passed.runs + u64::try_from(failed).unwrap_or(u64::MAX);
        format!("{failed} of {runs} seeds failed")
    }
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.count())?;
        for failure in self.failures.iter().take(SHOWN) {
            write!(f, "\n  {}", failure.first_line())?;
        }
        match self.failures.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}

/// Runs every seed of `seeds` for `commands_each` commands in a hostile world, on `threads`
/// threads.
///
/// ```
/// use ledger_sim::run_many;
///
/// let report = run_many(0..4, 30, 2)?; // Four seeds of thirty commands, on two threads.
/// assert_eq!(report.runs, 4);
/// # Ok::<(), ledger_sim::Failures>(())
/// ```
///
/// # Errors
///
/// The [`Failures`], once every seed was run.
///
/// # Panics
///
/// When a thread of the simulator itself panics: a bug here.
pub fn run_many(seeds: Range<u64>, commands_each: u64, threads: usize) -> Result<Report, Failures> {
    let settings = |seed| Settings::commands(seed, commands_each);
    run_while(seeds, &settings, &Store::Memory, threads, &|_| true)
}

/// The same of any settings over any store, and `go_on` is shown what became of every seed and says
/// whether to begin another.
///
/// # Errors
///
/// As [`run_many`], of the seeds that were run.
///
/// # Panics
///
/// As [`run_many`].
pub fn run_while(
    seeds: Range<u64>,
    settings: &(dyn Fn(u64) -> Settings + Sync),
    store: &Store,
    threads: usize,
    go_on: &(dyn Fn(&Result<Report, Failure>) -> bool + Sync),
) -> Result<Report, Failures> {
    let (next, stopped) = (AtomicU64::new(seeds.start), AtomicBool::new(false));
    let work = || {
        let (mut report, mut failures) = (Report::new(), Vec::new());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end || stopped.load(Ordering::Relaxed) {
                return (report, failures);
            }
            let done = simulate_on(&settings(seed), store, &mut |_| ());
            if !go_on(&done) {
                stopped.store(true, Ordering::Relaxed);
            }
            match done {
                Ok(more) => report.merge(&more),
                // A thread takes seeds in their order: its first failure is its lowest.
                Err(failure) if failures.is_empty() => failures.push(failure),
                Err(failure) => failures.push(Failure { last: Box::default(), ..failure }),
            }
        }
    };
    let results: Vec<(Report, Vec<Failure>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
        joined.map(|result| result.expect("a run catches every panic in it")).collect()
    });
    let (mut passed, mut failures) = (Report::new(), Vec::new());
    for (report, more) in results {
        passed.merge(&report);
        failures.extend(more);
    }
    failures.sort_by_key(|failure| failure.settings.seed);
    if failures.is_empty() { Ok(passed) } else { Err(Failures { failures, passed }) }
}
