//! `simulate`: one seed, one history; or many seeds, as fast as the machine allows.

use std::io::Write;

use clap::{Args, ValueEnum};
use ledger_sim::{Faults, Settings, run_many, simulate};

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
    #[arg(long, value_enum, default_value_t = Weather::Some)]
    faults: Weather,
    /// How many seeds, of --commands each, on as many threads as there are processors.
    #[arg(long, requires = "commands", conflicts_with = "faults")]
    seeds: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Weather {
    None,
    Some,
    Many,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let faults = match options.faults {
        Weather::None => Faults::None,
        Weather::Some => Faults::Some,
        Weather::Many => Faults::Many,
    };
    let done = match (options.seeds, options.commands) {
        (Some(seeds), Some(commands)) => {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            run_many(options.seed..options.seed.saturating_add(seeds), commands, threads)
        }
        (_, Some(commands)) => {
            simulate(&Settings::commands(options.seed, commands).with_faults(faults))
        }
        (_, None) => simulate(&Settings::days(options.seed, options.days).with_faults(faults)),
    };
    let report = done.map_err(|failure| Failure::new(failure.to_string()))?;
    writeln!(std::io::stdout(), "{report}")?;
    Ok(())
}
