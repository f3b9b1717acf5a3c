//! Plants mistakes in a copy of the workspace, one at a time, and runs the simulator's default set
//! against each, or the test that the list names for it: every one must be caught, and one whose
//! title begins with `outcome:` by the checks of the outcome alone.
//!
//! ```text
//! cargo plant                         # all of `mutants.txt`, as a table
//! cargo plant 3 17 "A legal hold"     # the third, the seventeenth, and what has this in its title
//! cargo plant --missed mutants.out
//! ```
//!
//! The last takes what cargo-mutants found that the tests of `ledger-core` miss, on the same
//! commit, and puts each to the run set, to the simulator's tests and to the promises of the whole;
//! `tests/mutants` does all of it.
//!
//! It prints a row for each: what caught it, in which run, and after how many commands. It fails
//! when one survives, does not compile, or names a line that is not there once; and when what is to
//! catch it fails without it.

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
        [HUNT] => return Ok(hunt(&Judge::Everything)),
        [HUNT_BY_THE_OUTCOME] => return Ok(hunt(&Judge::Outcome)),
        ["--missed", found] => of_cargo_mutants(root, Path::new(found))?,
        ref chosen => of_the_list(root, chosen)?,
    };
    Ok(if survived == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The run set up to its first failure, on one thread, so that this is the same on every machine;
/// of the outcome the lines at the bounds of numbers as well, which no command of the simulator
/// stands for.
fn hunt(judge: &Judge) -> ExitCode {
    let settings = |seed| match judge {
        Judge::Outcome => Settings::commands(seed, COMMANDS).judged_by_the_outcome_alone(),
        Judge::Everything | Judge::Test(_) => Settings::commands(seed, COMMANDS),
    };
    let lines = match judge {
        Judge::Outcome => check_outcome_of_lines(BOUNDS),
        Judge::Everything | Judge::Test(_) => Ok(0),
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

fn of_the_list(root: &Path, chosen: &[&str]) -> Result<usize, Box<dyn Error>> {
    let mutants = list::read(&fs::read_to_string(root.join("tests/tools/mutants.txt"))?)?;
    let is_of = |(number, mutant): &(usize, &Mutant), chosen: &str| {
        let numbered = chosen.parse::<usize>();
        numbered.map_or_else(|_| mutant.title.contains(chosen), |chosen| *number == chosen)
    };
    let all: Vec<(usize, &Mutant)> = (1..).zip(&mutants).collect();
    if let Some(nothing) = chosen.iter().find(|it| !all.iter().any(|one| is_of(one, it))) {
        return Err(format!("no mistake is {nothing}").into());
    }
    let is_chosen = |one: &&(usize, &Mutant)| {
        chosen.is_empty() || chosen.iter().any(|chosen| is_of(one, chosen))
    };
    let mutants: Vec<_> = all.iter().filter(is_chosen).collect();
    let mut judges: Vec<&Judge> = Vec::new();
    for (_, mutant) in &mutants {
        // What the checks of the outcome say of a sound copy, all of the simulator says too.
        let judge = if mutant.judge == Judge::Outcome { &Judge::Everything } else { &mutant.judge };
        if !judges.contains(&judge) {
            judges.push(judge);
        }
    }
    let copy = sound(root, judges)?;
    println!("| | Mistake | Caught by | Run | Commands |\n|---|---|---|---|---|");
    let mut survived = 0;
    for (number, mutant) in mutants {
        let caught = planted(&copy, mutant)?;
        let catcher = caught.unwrap_or_else(|| {
            survived += 1;
            "**nothing** | | ".into()
        });
        println!("| {number} | {} | {catcher} |", mutant.title);
    }
    Ok(survived)
}

/// Returns what catches a mistake of the list.
fn planted(copy: &Copy, mutant: &Mutant) -> Caught {
    let lines = mutant.changes.iter().map(|it| (&*it.file, |text: &str| it.planted(text)));
    let lines: Vec<_> = lines.collect();
    let lines: Vec<_> = lines.iter().map(|(file, it)| (*file, it as &Planting<'_>)).collect();
    copy.with(&lines, &|copy| copy.hunt(&mutant.judge))
}

fn of_cargo_mutants(root: &Path, found: &Path) -> Result<usize, Box<dyn Error>> {
    let mutants = missed::read(&fs::read_to_string(found.join("outcomes.json"))?)?;
    let copy = sound(root, [&Judge::Everything])?;
    println!("| Change | Caught by | Run | Commands |\n|---|---|---|---|");
    let mut survived = 0;
    for mutant in &mutants {
        let caught = copy.with(&[(&mutant.file, &|text| mutant.planted(text))], &|copy| {
            // The simulator speaks to the ledger itself, and not in the contract's words.
            let spoken = mutant.file.contains("/contract/");
            let hunted = if spoken { None } else { copy.hunt(&Judge::Everything)? };
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

/// A copy without any mistake, which its judges pass: what follows is told apart by the mistake
/// alone.
fn sound<'a>(
    root: &Path,
    judges: impl IntoIterator<Item = &'a Judge>,
) -> Result<Copy, Box<dyn Error>> {
    let copy = Copy::refresh(root)?;
    for judge in judges {
        if let Some(caught) = copy.hunt(judge)? {
            return Err(format!("without any mistake: {caught}").into());
        }
    }
    Ok(copy)
}
