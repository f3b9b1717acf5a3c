//! Plants mistakes in a copy of the workspace, one at a time, and runs the simulator's default set
//! against each: every one must be caught.
//!
//! ```text
//! cargo run --profile hunt -p ledger-sim --example mutants            # all of `mutants.txt`, as a table
//! cargo run --profile hunt -p ledger-sim --example mutants -- 3 17    # the third and the seventeenth
//! cargo run --profile hunt -p ledger-sim --example mutants -- --missed mutants.out
//! ```
//!
//! The last takes what cargo-mutants found that the tests of `ledger-core` miss, on the same commit, and
//! puts each to the run set, to the simulator's tests and to the promises of the whole; `tests/mutants`
//! does all of it.
//!
//! It prints a row for each: what caught it, in which run, and after how many commands. It fails when
//! one survives, does not compile, or names a line that is not there once.

mod copy;
mod list;
mod missed;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use ledger_sim::run_many;

use self::copy::{Copy, HUNT};

/// The default run set, as `tests/run` has it.
const SEEDS: std::ops::Range<u64> = 1..2_201;
const COMMANDS: u64 = 1_000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let asked: Vec<String> = env::args().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let survived = match asked.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [HUNT] => return Ok(hunt()),
        ["--missed", found] => of_cargo_mutants(root, Path::new(found))?,
        ref numbers => of_the_list(root, numbers)?,
    };
    Ok(if survived == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The run set, on one thread, so that the first failure is the same on every machine.
fn hunt() -> ExitCode {
    match run_many(SEEDS, COMMANDS, 1) {
        Ok(_) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn of_the_list(root: &Path, numbers: &[&str]) -> Result<usize, Box<dyn Error>> {
    let mutants = list::read(&fs::read_to_string(root.join("ledger-sim/mutants.txt"))?)?;
    let chosen = numbers.iter().map(|number| number.parse());
    let chosen: Vec<usize> = chosen.collect::<Result<_, _>>()?;
    let copy = sound(root)?;
    println!("| | Mistake | Caught by | Run | Commands |\n|---|---|---|---|---|");
    let mut survived = 0;
    for (number, mutant) in (1..).zip(&mutants) {
        if !chosen.is_empty() && !chosen.contains(&number) {
            continue;
        }
        let caught = copy.with(&mutant.file, |text| mutant.planted(text), Copy::hunt)?;
        let told = caught.unwrap_or_else(|| {
            survived += 1;
            "**nothing** | | ".into()
        });
        println!("| {number} | {} | {told} |", mutant.title);
    }
    Ok(survived)
}

fn of_cargo_mutants(root: &Path, found: &Path) -> Result<usize, Box<dyn Error>> {
    let mutants = missed::read(&fs::read_to_string(found.join("outcomes.json"))?)?;
    let copy = sound(root)?;
    println!("| Change | Caught by | Run | Commands |\n|---|---|---|---|");
    let mut survived = 0;
    for mutant in &mutants {
        let caught = copy.with(
            &mutant.file,
            |text| mutant.planted(text),
            |copy| {
                // The simulator speaks to the ledger itself, and not in the contract's words.
                let spoken = mutant.file.contains("/contract/");
                let hunted = if spoken { None } else { copy.hunt()? };
                Ok(match hunted {
                    Some(caught) => Some(caught),
                    None => copy.promises()?,
                })
            },
        )?;
        let told = caught.unwrap_or_else(|| {
            survived += 1;
            "**nothing** | | ".into()
        });
        println!("| `{}` | {told} |", mutant.title.replace('|', "\\|"));
    }
    Ok(survived)
}

/// A copy without any mistake, in which the run set passes: what follows is told apart by the mistake
/// alone.
fn sound(root: &Path) -> Result<Copy, Box<dyn Error>> {
    let copy = Copy::of(root)?;
    match copy.hunt()? {
        Some(caught) => Err(format!("without any mistake: {caught}").into()),
        None => Ok(copy),
    }
}
