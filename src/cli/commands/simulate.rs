//! `simulate`: one seed, one history; many seeds, as fast as the machine allows; or seeds for ever.

use std::io::{IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use ledger_sim::{
    CellsReport, Failures, Faults, Report, SMALL, Settings, Store, run_while, shrink,
    simulate_cells, simulate_on, walk,
};

use crate::Failure;

/// How many commands a seed has that runs with others, unless it is said.
const COMMANDS: u64 = 1_000;

/// How many steps a seed of cells has, unless it is said.
const STEPS: u64 = 4_000;

/// How long a failure is shrunk.
const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Args)]
pub struct Options {
    /// The seed; the first of them with --seeds and --forever.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many simulated days.
    #[arg(long, default_value_t = 30, conflicts_with = "commands")]
    days: u32,
    /// How many commands instead.
    #[arg(long)]
    commands: Option<u64>,
    /// How much goes wrong; absent: few (`fair`), and with --seeds and --forever many (`storm`).
    #[arg(long, value_enum)]
    faults: Option<FaultLevel>,
    /// What keeps the ledger: memory, sqlite (a file removed at the end), sqlite:PATH (a file that
    /// stays), postgres://... (a database) or s3://..., file:///... (objects); none of those that
    /// stay may hold a simulated ledger yet.
    #[arg(long, default_value = "memory")]
    store: String,
    /// How many seeds, one after the other whatever becomes of them; those that fail are counted.
    #[arg(long)]
    seeds: Option<u64>,
    /// Seed after seed, until one fails or somebody stops it.
    #[arg(long, conflicts_with_all = ["seeds", "days"])]
    forever: bool,
    /// On how many threads, with --seeds and --forever; as many as there are processors by default.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// For how many seconds, with --forever, whatever fails meanwhile.
    #[arg(long = "for", value_name = "SECONDS", requires = "forever")]
    seconds: Option<u64>,
    /// Instead: every order of so many commands around one operation of each kind.
    #[arg(long, value_name = "DEPTH", conflicts_with_all = ["seeds", "forever", "days", "commands",
        "faults", "store"])]
    walk: Option<u32>,
    /// Instead: eight ledgers, and accounts that move between them while messages are lost, late
    /// and doubled; --commands is how many steps a seed has.
    #[arg(long, conflicts_with_all = ["forever", "days", "faults", "store", "walk"])]
    cells: bool,
    /// Where the lines go that a failure is shrunk to.
    #[arg(long, value_name = "FILE", default_value = "simulate-failure.jsonl")]
    fixture: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum FaultLevel {
    None,
    #[value(alias = "fair")]
    Few,
    #[value(alias = "storm")]
    Many,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    if let Some(depth) = options.walk {
        return walk_all(depth);
    }
    if options.cells {
        return between_cells(options);
    }
    let report = if options.forever || options.seeds.is_some() {
        many(options)?.map_err(|failures| described_many(&failures, &options.fixture))?
    } else {
        one(options)?.map_err(|failure| reproducible_failure(&failure, &options.fixture))?
    };
    writeln!(std::io::stdout(), "{report}")?;
    Ok(())
}

/// Seeds of eight cells, on as many threads as there are processors; the first that fails ends it.
fn between_cells(options: &Options) -> Result<(), Failure> {
    let (seeds, steps) = (options.seeds.unwrap_or(1), options.commands.unwrap_or(STEPS));
    let next = AtomicU64::new(0);
    let work = || {
        let mut all = CellsReport::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if seeds <= number {
                return Ok::<_, Failure>(all);
            }
            let seed = options.seed.wrapping_add(number);
            let report = simulate_cells(seed, steps);
            all.add(&report.map_err(|failure| Failure::new(failure.to_string()))?);
        }
    };
    let mut all = CellsReport::default();
    std::thread::scope(|scope| {
        let threads = options.threads.map_or_else(threads, NonZeroUsize::get);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            all.add(&worker.join().unwrap_or_else(|why| std::panic::resume_unwind(why))?);
            Ok::<(), Failure>(())
        })
    })?;
    writeln!(std::io::stdout(), "{all}")?;
    Ok(())
}

/// Walks every small world, on as many threads as there are processors.
fn walk_all(depth: u32) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(small) = SMALL.get(next.fetch_add(1, Ordering::Relaxed)) {
            let seen = walk(small, depth).map_err(|astray| Failure::new(astray.to_string()))?;
            writeln!(std::io::stdout(), "{seen}")?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let walks: Vec<_> = (0..threads()).map(|_| scope.spawn(work)).collect();
        let ended = walks.into_iter().map(|walk| walk.join().expect("a walk catches panics"));
        ended.collect::<Result<(), Failure>>()
    })
}

impl Options {
    /// Returns what determines the run of `seed`, where nothing else is said with so much going
    /// wrong.
    fn settings(&self, seed: u64, usual: FaultLevel) -> Settings {
        let settings = match self.commands {
            Some(commands) => Settings::commands(seed, commands),
            None if self.forever => Settings::commands(seed, COMMANDS),
            None => Settings::days(seed, self.days),
        };
        settings.with_faults(match self.faults.unwrap_or(usual) {
            FaultLevel::None => Faults::None,
            FaultLevel::Few => Faults::Few,
            FaultLevel::Many => Faults::Many,
        })
    }

    fn store(&self) -> Result<Store, Failure> {
        let name = &self.store;
        let wrong = || {
            Failure::new(format!(
                "{name} is no store: use memory, sqlite, sqlite:PATH, postgres://... or s3://..."
            ))
        };
        Store::parse(name).ok_or_else(wrong)
    }
}

fn one(options: &Options) -> Result<Result<Report, ledger_sim::Failure>, Failure> {
    let mut pace = Pace::new();
    let settings = options.settings(options.seed, FaultLevel::Few);
    Ok(simulate_on(&settings, &options.store()?, &mut |report| {
        pace.print(|| format!("{} commands, {:.0} a second", report.commands, report.rate()));
    }))
}

/// How far many seeds have come.
struct SoFar {
    passed: u64,
    failed: u64,
    commands: u64,
    pace: Pace,
}

fn many(options: &Options) -> Result<Result<Report, Failures>, Failure> {
    let (began, first, store) = (Instant::now(), options.seed, options.store()?);
    if let Store::Postgres(_) | Store::SqliteFile(_) | Store::Objects(_) = store {
        return Err(Failure::new("a store that stays takes one seed: leave --seeds out"));
    }
    let seeds = match options.seeds {
        Some(seeds) => first..first.saturating_add(seeds),
        None => first..u64::MAX,
    };
    let until = options.seconds.map(|seconds| began + Duration::from_secs(seconds));
    let so_far = SoFar { passed: 0, failed: 0, commands: 0, pace: Pace::new() };
    let so_far = Mutex::new(so_far);
    let settings = |seed| options.settings(seed, FaultLevel::Many);
    let threads = options.threads.map_or_else(threads, NonZeroUsize::get);
    Ok(run_while(seeds, &settings, &store, threads, &|done| {
        let mut so_far = so_far.lock().expect("whoever counts does not panic");
        let SoFar { passed, failed, commands, pace } = &mut *so_far;
        match done {
            Ok(report) => {
                *passed += 1;
                *commands += report.commands;
            }
            Err(failure) => {
                *failed += 1;
                crate::say(&failure.first_line());
            }
        }
        let seconds = began.elapsed().as_secs();
        pace.print(|| {
            format!(
                "{passed} seeds from {first} on passed, {failed} failed, {commands} commands in \
                 {seconds} s"
            )
        });
        match until {
            Some(until) => Instant::now() < until,
            None => options.seeds.is_some() || *failed == 0,
        }
    }))
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many failed, and all there is to know of the lowest.
fn described_many(failures: &Failures, fixture: &Path) -> Failure {
    crate::say(&format!("{}\n\n{failures}\n", failures.passed));
    let lowest = shrink_and_describe(failures.lowest(), fixture);
    Failure::new(format!("{}; the lowest:\n{lowest}", failures.count()))
}

/// Returns what failed, the line that runs it again, and the file of the lines it was shrunk to.
fn reproducible_failure(failure: &ledger_sim::Failure, fixture: &Path) -> Failure {
    Failure::new(shrink_and_describe(failure, fixture))
}

fn shrink_and_describe(failure: &ledger_sim::Failure, fixture: &Path) -> String {
    crate::say(&format!("{failure}\nshrinking it, for {} seconds at most", PATIENCE.as_secs()));
    let what = failure.to_string();
    let first = what.lines().next().unwrap_or_default();
    let shrunk = match shrink(failure, PATIENCE) {
        Ok(shrunk) => shrunk,
        Err(reason) => return format!("{first}\nnot shrunk: {reason}"),
    };
    let (lines, of, shown) = (shrunk.lines.len(), shrunk.of, fixture.display());
    match std::fs::write(fixture, shrunk.text()) {
        Ok(()) => format!(
            "{first}\nshrunk from {of} commands to the {lines} lines of {shown}: {}",
            shrunk.what
        ),
        Err(error) => format!("{first}\n{shown}: {error}\n{}", shrunk.text()),
    }
}

/// How often a person is shown how far something has come: every second at a terminal, every few
/// seconds anywhere else.
struct Pace {
    described: Instant,
    every: Duration,
}

impl Pace {
    fn new() -> Self {
        let every = if std::io::stderr().is_terminal() { 1 } else { 10 };
        Self { described: Instant::now(), every: Duration::from_secs(every) }
    }

    fn print(&mut self, text: impl FnOnce() -> String) {
        if self.described.elapsed() >= self.every {
            self.described = Instant::now();
            crate::say(&text());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger_sim::{check_lines, simulate};

    #[test]
    fn a_failure_leaves_the_line_that_runs_it_again_and_a_file_of_lines() {
        let settings = Settings::commands(4, 300).with_a_wrong_oracle();
        let failure = simulate(&settings).expect_err("the oracle's fee is off by one");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("failure.jsonl");
        let said = reproducible_failure(&failure, &file).lines;
        let said = said.join("\n");
        assert!(said.contains("simulate --seed 4 --commands 300 --faults many"), "{said}");
        assert!(said.contains("failure.jsonl"), "{said}");
        let lines = std::fs::read_to_string(file).unwrap();
        assert!(check_lines(&lines).is_ok_and(|count| count < 10), "{lines}");
    }

    #[test]
    fn of_many_failures_the_count_is_shown_and_the_lowest_is_shrunk() {
        let settings = |seed| Settings::commands(seed, 300).with_a_wrong_oracle();
        let failures = run_while(4..6, &settings, &Store::Memory, 1, &|_| true);
        let failures = failures.expect_err("the oracle's fee is off by one");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("failure.jsonl");
        let said = described_many(&failures, &file).lines;
        let said = said.join("\n");
        assert!(said.contains("2 of 2 seeds failed; the lowest:\nsimulate --seed 4 "), "{said}");
        assert!(file.exists(), "{said}");
    }

    #[test]
    fn a_failure_that_cannot_be_written_is_shown() {
        let settings = Settings::commands(4, 300).with_a_wrong_oracle();
        let failure = simulate(&settings).expect_err("the oracle's fee is off by one");
        let said = reproducible_failure(&failure, Path::new("/nowhere/at/all.jsonl")).lines;
        assert!(said.join("\n").contains("pix.received"), "{said:?}");
    }
}
