//! Kills a writer under load, again and again, and holds its standby to what the writer said.
//!
//! ```text
//! cargo run --release -p ledger-tools --bin take_over -- --store sqlite:/tmp/new.db --times 200
//! cargo run --release -p ledger-tools --bin take_over -- --store postgres://user@host/empty
//! ```
//!
//! Each round another process opens the ledger by a lease and lets several clients transfer money;
//! a standby follows it in this one. The writer is killed with SIGKILL, the lease lapses, and the
//! standby takes over. Every transfer that was acknowledged must be there, answered as it was;
//! every other one is repeated and must be done once; and the first answer must come within two
//! seconds of the lapse. The journal is audited at the end.
//!
//! `--times N` (10), `--lease MILLISECONDS` (400), `--seed N` (1); the store must be new.

mod round;
#[path = "../../transfers.rs"]
mod transfers;
mod writer;

use std::env;
use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use custody_ledger::prelude::*;
use ledger_store::audit::{Expect, audit};
use transfers::journal;

/// How soon after the lapse of the lease requests must be answered again.
const SOON: Duration = Duration::from_secs(2);

/// What a run is asked.
struct Options {
    store: String,
    lease: Duration,
    times: usize,
    seed: u64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let of = |name: &str| arguments.iter().skip_while(move |it| *it != name).nth(1).cloned();
    let number = |name: &str, or: u64| of(name).map_or(Some(or), |text| text.parse::<u64>().ok());
    let (Some(store), Some(times), Some(lease), Some(seed)) =
        (of("--store"), number("--times", 10), number("--lease", 400), number("--seed", 1))
    else {
        eprintln!("take_over --store STORE [--times N] [--lease MILLISECONDS] [--seed N]");
        return ExitCode::FAILURE;
    };
    let (lease, times) = (Duration::from_millis(lease), usize::try_from(times).unwrap_or(10));
    let done = match number("--write-from", 0) {
        Some(from) if of("--write-from").is_some() => writer::write(&store, lease, from),
        _ => run(&Options { store, lease, times, seed }),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("take_over: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let ledger = Ledger::builder(&options.store).lease(options.lease).open().wait()?;
    transfers::begin(&ledger)?;
    ledger.shutdown()?;
    let (mut delays, mut next, mut dice) = (Vec::new(), 0, options.seed);
    let mut acknowledged = 0;
    for number in 1..=options.times {
        // splitmix64, as everywhere.
        dice = dice.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (dice ^ (dice >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let round = round::play(options, next, 20 + z % 60);
        let round = round.map_err(|error| format!("take-over {number}: {error}"))?;
        next = round.next;
        acknowledged += round.acknowledged;
        delays.push(round.delay);
    }
    delays.sort_unstable();
    let (median, worst) = (delays[delays.len() / 2], delays[delays.len() - 1]);
    println!(
        "{} take-overs, {acknowledged} transfers acknowledged before them, none lost or doubled; \
         from the lapse of {} ms to the first answer: median {} ms, worst {} ms",
        delays.len(),
        options.lease.as_millis(),
        median.as_millis(),
        worst.as_millis(),
    );
    audit(&mut *journal(&options.store)?, "live", Expect::default(), |_| ())
        .map_err(|finding| finding.to_string())?;
    if worst > SOON {
        return Err(format!("an answer came {} ms after the lapse", worst.as_millis()).into());
    }
    Ok(())
}
