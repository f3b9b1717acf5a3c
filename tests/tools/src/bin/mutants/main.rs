//! Plants mistakes in a copy of the workspace, one at a time, and runs the simulator's default set
//! against each: every one must be caught, and one whose title begins with `outcome:` by the checks
//! of the outcome alone.
//!
//! ```text
//! cargo run --profile hunt -p ledger-tools --bin mutants            # all of `mutants.txt`, as a
//! table cargo run --profile hunt -p ledger-tools --bin mutants -- 3 17    # the third and the
//! seventeenth cargo run --profile hunt -p ledger-tools --bin mutants -- --missed mutants.out
//! ```
//!
//! The last takes what cargo-mutants found that the tests of `ledger-core` miss, on the same
//! commit, and puts each to the run set, to the simulator's tests and to the promises of the whole;
//! `tests/mutants` does all of it.
//!
//! It prints a row for each: what caught it, in which run, and after how many commands. It fails
//! when one survives, does not compile, or names a line that is not there once.

mod copy;
mod list;
mod missed;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use ledger_sim::{Settings, Store, check_outcome_of_lines, run_while};

use self::copy::{Caught, Copy, HUNT, HUNT_BY_THE_OUTCOME, Planting};
use self::list::{Judge, Mutant};

/// The default run set, as `tests/run` has it.
const SEEDS: std::ops::Range<u64> = 1..2_201;
const COMMANDS: u64 = 1_000;

/// What lines say at the bounds of numbers.
const BOUNDS: &str = include_str!("../../../../../ledger-sim/bounds.jsonl");

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let asked: Vec<String> = env::args().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let survived = match asked.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [HUNT] => return Ok(hunt(Judge::Everything)),
        [HUNT_BY_THE_OUTCOME] => return Ok(hunt(Judge::Outcome)),
        ["--missed", found] => of_cargo_mutants(root, Path::new(found))?,
        ref numbers => of_the_list(root, numbers)?,
    };
    Ok(if survived == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The run set up to its first failure, on one thread, so that this is the same on every machine;
/// of the outcome the lines at the bounds of numbers as well, which no command of the simulator
/// stands for.
fn hunt(judge: Judge) -> ExitCode {
    let settings = |seed| match judge {
        Judge::Everything => Settings::commands(seed, COMMANDS),
        Judge::Outcome => Settings::commands(seed, COMMANDS).judged_by_the_outcome_alone(),
    };
    let lines = match judge {
        Judge::Everything => Ok(0),
        Judge::Outcome => check_outcome_of_lines(BOUNDS),
    };
    let run = || run_while(SEEDS, &settings, &Store::Memory, 1, &Result::is_ok);
    let failure = match lines {
        Ok(_) => run().err().map(|failures| failures.lowest().to_string()),
        Err(failure) => Some(format!("at command {}: {}", failure.line, failure.what)),
    };
    let Some(failure) = failure else { return ExitCode::SUCCESS };
    eprintln!("{failure}");
    ExitCode::FAILURE
}

fn of_the_list(root: &Path, numbers: &[&str]) -> Result<usize, Box<dyn Error>> {
    let mutants = list::read(&fs::read_to_string(root.join("tests/tools/mutants.txt"))?)?;
    let chosen = numbers.iter().map(|number| number.parse());
    let chosen: Vec<usize> = chosen.collect::<Result<_, _>>()?;
    let copy = sound(root)?;
    println!("| | Mistake | Caught by | Run | Commands |\n|---|---|---|---|---|");
    let mut survived = 0;
    for (number, mutant) in (1..).zip(&mutants) {
        if !chosen.is_empty() && !chosen.contains(&number) {
            continue;
        }
        let caught = planted(&copy, mutant)?;
        let catcher = caught.unwrap_or_else(|| {
            survived += 1;
            "**nothing** | | ".into()
        });
        println!("| {number} | {} | {catcher} |", mutant.title);
    }
    Ok(survived)
}

/// What catches a mistake of the list.
fn planted(copy: &Copy, mutant: &Mutant) -> Caught {
    let lines = mutant.changes.iter().map(|it| (&*it.file, |text: &str| it.planted(text)));
    let lines: Vec<_> = lines.collect();
    let lines: Vec<_> = lines.iter().map(|(file, it)| (*file, it as &Planting<'_>)).collect();
    copy.with(&lines, &|copy| copy.hunt(mutant.judge))
}

fn of_cargo_mutants(root: &Path, found: &Path) -> Result<usize, Box<dyn Error>> {
    let mutants = missed::read(&fs::read_to_string(found.join("outcomes.json"))?)?;
    let copy = sound(root)?;
    println!("| Change | Caught by | Run | Commands |\n|---|---|---|---|");
    let mut survived = 0;
    for mutant in &mutants {
        let caught = copy.with(&[(&mutant.file, &|text| mutant.planted(text))], &|copy| {
            // The simulator speaks to the ledger itself, and not in the contract's words.
            let spoken = mutant.file.contains("/contract/");
            let hunted = if spoken { None } else { copy.hunt(Judge::Everything)? };
            Ok(match hunted {
                Some(caught) => Some(caught),
                None => copy.promises()?,
            })
        })?;
        let catcher = caught.unwrap_or_else(|| {
            survived += 1;
            "**nothing** | | ".into()
        });
        println!("| `{}` | {catcher} |", mutant.title.replace('|', "\\|"));
    }
    Ok(survived)
}

/// A copy without any mistake, in which the run set passes: what follows is told apart by the
/// mistake alone.
fn sound(root: &Path) -> Result<Copy, Box<dyn Error>> {
    let copy = Copy::of(root)?;
    match copy.hunt(Judge::Everything)? {
        Some(caught) => Err(format!("without any mistake: {caught}").into()),
        None => Ok(copy),
    }
}
