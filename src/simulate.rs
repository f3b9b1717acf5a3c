//! `simulate`: one seed, one history; or many seeds, as fast as the machine allows.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use ledger_sim::{Faults, Report, Settings, Store, run_while, simulate_on};

use crate::Failure;

#[derive(Args)]
pub struct Options {
    /// The seed; the first of them with --seeds.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many simulated days.
    #[arg(long, default_value_t = 30, conflicts_with = "commands")]
    days: u32,
    /// How many commands instead.
    #[arg(long)]
    commands: Option<u64>,
    /// How much goes wrong.
    #[arg(long, value_enum, default_value_t = Weather::Fair)]
    faults: Weather,
    /// What keeps the ledger: memory, sqlite (a file removed at the end) or postgres://... (a
    /// database that holds no simulated ledger yet).
    #[arg(long, default_value = "memory", conflicts_with = "seeds")]
    store: String,
    /// How many seeds, of --commands each, on as many threads as there are processors.
    #[arg(long, requires = "commands", conflicts_with = "faults")]
    seeds: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Weather {
    None,
    Fair,
    Storm,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let done = match (options.seeds, options.commands) {
        (Some(seeds), Some(commands)) => many(options.seed, seeds, commands),
        (_, Some(commands)) => one(Settings::commands(options.seed, commands), options)?,
        (_, None) => one(Settings::days(options.seed, options.days), options)?,
    };
    let report = done.map_err(|failure| Failure::new(failure.to_string()))?;
    writeln!(std::io::stdout(), "{report}")?;
    Ok(())
}

type Done = Result<Report, ledger_sim::Failure>;

fn one(settings: Settings, options: &Options) -> Result<Done, Failure> {
    let name = &options.store;
    let wrong = || Failure::new(format!("{name} is no store: use memory, sqlite or postgres://..."));
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
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let so_far = Mutex::new((0_u64, 0_u64, Pace::new()));
    run_while(first..first.saturating_add(seeds), commands, threads, &|report| {
        let mut so_far = so_far.lock().expect("whoever counts does not panic");
        let (passed, done, pace) = &mut *so_far;
        *passed += 1;
        *done += report.commands;
        pace.tell(|| format!("{passed} of {seeds} seeds passed, {done} commands"));
        true
    })
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
