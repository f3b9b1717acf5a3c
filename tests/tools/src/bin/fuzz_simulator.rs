//! Feeds the simulator random bytes for as long as it is asked to, and says what breaks it.
//!
//! ```text
//! cargo run --release -p ledger-tools --bin fuzz_simulator -- --seconds 60 --seed 7
//! ```
//!
//! Each input is determined by the seed and its number. One that fails is shown as the bytes that
//! show it again, and shrunk to lines that anybody can read. `--bytes HEX` feeds these bytes once.

use std::env;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ledger_sim::{Failure, Report, feed, shrink};

/// The longest input, in bytes.
const LONGEST: u64 = 24_000;
/// How long a failure may be shrunk.
const PATIENCE: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let of = |name: &str| arguments.iter().skip_while(move |it| *it != name).nth(1).cloned();
    if let Some(hex) = of("--bytes") {
        return match feed(&bytes_of(&hex)) {
            Ok(report) => passed(&report),
            Err(failure) => broken(&failure),
        };
    }
    let number = |name: &str, or: u64| of(name).map_or(Some(or), |text| text.parse().ok());
    let (Some(seconds), Some(seed)) = (number("--seconds", 10), number("--seed", 1)) else {
        eprintln!("fuzz_simulator [--seconds N] [--seed N] [--bytes HEX]");
        return ExitCode::FAILURE;
    };
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut all = Report::new();
    let mut noise = Noise(seed);
    while Instant::now() < until {
        match feed(&noise.bytes()) {
            Ok(report) => all.merge(&report),
            Err(failure) => return broken(&failure),
        }
    }
    passed(&all)
}

fn passed(report: &Report) -> ExitCode {
    println!("{} inputs, {} commands, none broke anything", report.runs, report.commands);
    ExitCode::SUCCESS
}

fn broken(failure: &Failure) -> ExitCode {
    eprintln!("{failure}");
    match shrink(failure, PATIENCE) {
        Ok(shrunk) => eprintln!("shrunk to {} lines\n{}", shrunk.lines.len(), shrunk.text()),
        Err(reason) => eprintln!("not shrunk: {reason}"),
    }
    ExitCode::FAILURE
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    let bytes = digits.map(|pair| std::str::from_utf8(pair).unwrap_or("0"));
    bytes.map(|pair| u8::from_str_radix(pair, 16).unwrap_or(0)).collect()
}

/// Random bytes, by `SplitMix64`.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Bytes of some length; half of the inputs repeat themselves, as noise alone never does.
    fn bytes(&mut self) -> Vec<u8> {
        let words = 1 + self.next() % (LONGEST / 8);
        let round = if self.next().is_multiple_of(2) { words } else { 1 + self.next() % 64 };
        let some: Vec<u64> = (0..round).map(|_| self.next()).collect();
        let words = usize::try_from(words).unwrap_or(1);
        some.iter().cycle().take(words).flat_map(|word| word.to_le_bytes()).collect()
    }
}
