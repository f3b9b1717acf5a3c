//! `simulate`: one seed, one history; many seeds, as fast as the machine allows; or seeds for ever.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use ledger_sim::{Faults, Report, SMALL, Settings, Store, run_while, shrink, simulate_on, walk};

use crate::Failure;

/// How many commands a seed has that runs with others, unless it is said.
const COMMANDS: u64 = 1_000;

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
    /// How much goes wrong; with --seeds and --forever a storm.
    #[arg(long, value_enum, default_value_t = Weather::Fair)]
    faults: Weather,
    /// What keeps the ledger: memory, sqlite (a file removed at the end) or postgres://... (a
    /// database that holds no simulated ledger yet).
    #[arg(long, default_value = "memory", conflicts_with_all = ["seeds", "forever"])]
    store: String,
    /// How many seeds, of --commands each, on as many threads as there are processors.
    #[arg(long, requires = "commands", conflicts_with = "faults")]
    seeds: Option<u64>,
    /// Seed after seed on all processors, until one fails or somebody stops it.
    #[arg(long, conflicts_with_all = ["seeds", "days", "faults"])]
    forever: bool,
    /// For how many seconds, with --forever.
    #[arg(long = "for", value_name = "SECONDS", requires = "forever")]
    seconds: Option<u64>,
    /// Instead: every order of so many commands around one operation of each kind.
    #[arg(long, value_name = "DEPTH", conflicts_with_all = ["seeds", "forever", "days", "commands",
        "faults", "store"])]
    walk: Option<u32>,
    /// Where the lines go that a failure is shrunk to.
    #[arg(long, value_name = "FILE", default_value = "simulate-failure.jsonl")]
    fixture: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Weather {
    None,
    Fair,
    Storm,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    if let Some(depth) = options.walk {
        return walked(depth);
    }
    let done = match (options.seeds, options.commands) {
        _ if options.forever => for_ever(options),
        (Some(seeds), Some(commands)) => many(options.seed, seeds, commands),
        (_, Some(commands)) => one(Settings::commands(options.seed, commands), options)?,
        (_, None) => one(Settings::days(options.seed, options.days), options)?,
    };
    let report = done.map_err(|failure| told(&failure, &options.fixture))?;
    writeln!(std::io::stdout(), "{report}")?;
    Ok(())
}

/// Walks every small world, on as many threads as there are processors.
fn walked(depth: u32) -> Result<(), Failure> {
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

type Done = Result<Report, ledger_sim::Failure>;

fn one(settings: Settings, options: &Options) -> Result<Done, Failure> {
    let name = &options.store;
    let wrong =
        || Failure::new(format!("{name} is no store: use memory, sqlite or postgres://..."));
    let store = Store::parse(name).ok_or_else(wrong)?;
    let faults = match options.faults {
        Weather::None => Faults::None,
        Weather::Fair => Faults::Fair,
        Weather::Storm => Faults::Storm,
    };
    let mut pace = Pace::new();
    Ok(simulate_on(&settings.with_faults(faults), &store, &mut |report| {
        pace.tell(|| format!("{} commands, {:.0} a second", report.commands, report.rate()));
    }))
}

fn many(first: u64, seeds: u64, commands: u64) -> Done {
    let so_far = Mutex::new((0_u64, 0_u64, Pace::new()));
    run_while(first..first.saturating_add(seeds), commands, threads(), &|report| {
        let mut so_far = so_far.lock().expect("whoever counts does not panic");
        let (passed, done, pace) = &mut *so_far;
        *passed += 1;
        *done += report.commands;
        pace.tell(|| format!("{passed} of {seeds} seeds passed, {done} commands"));
        true
    })
}

fn for_ever(options: &Options) -> Done {
    let began = Instant::now();
    let until = options.seconds.map(|seconds| began + Duration::from_secs(seconds));
    let so_far = Mutex::new((0_u64, 0_u64, Pace::new()));
    let commands = options.commands.unwrap_or(COMMANDS);
    run_while(options.seed..u64::MAX, commands, threads(), &|report| {
        let mut so_far = so_far.lock().expect("whoever counts does not panic");
        let (passed, done, pace) = &mut *so_far;
        *passed += 1;
        *done += report.commands;
        let first = options.seed;
        pace.tell(|| {
            let seconds = began.elapsed().as_secs();
            format!("{passed} seeds from {first} on passed, {done} commands in {seconds} s")
        });
        until.is_none_or(|until| Instant::now() < until)
    })
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What failed, the line that runs it again, and the file of the lines it was shrunk to.
fn told(failure: &ledger_sim::Failure, fixture: &Path) -> Failure {
    eprintln!("{failure}\nshrinking it, for {} seconds at most", PATIENCE.as_secs());
    let what = failure.to_string();
    let first = what.lines().next().unwrap_or_default();
    let shrunk = match shrink(failure, PATIENCE) {
        Ok(shrunk) => shrunk,
        Err(why) => return Failure::new(format!("{first}\nnot shrunk: {why}")),
    };
    let (lines, of, shown) = (shrunk.lines.len(), shrunk.of, fixture.display());
    match std::fs::write(fixture, shrunk.text()) {
        Ok(()) => Failure::new(format!(
            "{first}\nshrunk from {of} commands to the {lines} lines of {shown}: {}",
            shrunk.what
        )),
        Err(error) => Failure::new(format!("{first}\n{shown}: {error}\n{}", shrunk.text())),
    }
}

/// How often a person is told how far something has come: every second at a terminal, every few
/// seconds anywhere else.
struct Pace {
    told: Instant,
    every: Duration,
}

impl Pace {
    fn new() -> Self {
        let every = if std::io::stderr().is_terminal() { 1 } else { 10 };
        Self { told: Instant::now(), every: Duration::from_secs(every) }
    }

    fn tell(&mut self, text: impl FnOnce() -> String) {
        if self.told.elapsed() >= self.every {
            self.told = Instant::now();
            eprintln!("{}", text());
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
        let Failure(said) = told(&failure, &file);
        let said = said.join("\n");
        assert!(said.contains("simulate --seed 4 --commands 300 --faults storm"), "{said}");
        assert!(said.contains("failure.jsonl"), "{said}");
        let lines = std::fs::read_to_string(file).unwrap();
        assert!(check_lines(&lines).is_ok_and(|count| count < 10), "{lines}");
    }

    #[test]
    fn a_failure_that_cannot_be_written_is_shown() {
        let settings = Settings::commands(4, 300).with_a_wrong_oracle();
        let failure = simulate(&settings).expect_err("the oracle's fee is off by one");
        let Failure(said) = told(&failure, Path::new("/nowhere/at/all.jsonl"));
        assert!(said.join("\n").contains("pix.received"), "{said:?}");
    }
}
