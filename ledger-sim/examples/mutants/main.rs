//! Plants the mistakes of `mutants.txt` in a copy of the workspace, one at a time, and runs the
//! simulator's default set against each: every one must be caught.
//!
//! ```text
//! cargo run --release -p ledger-sim --example mutants            # all of them, as a table
//! cargo run --release -p ledger-sim --example mutants -- 3 17    # the third and the seventeenth
//! ```
//!
//! It prints a row for each: what caught it, in which run, and after how many commands. It fails when
//! one survives, does not compile, or names a line that is not there once.

mod list;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use ledger_sim::run_many;

/// The default run set, as `tests/run` has it.
const SEEDS: std::ops::Range<u64> = 1..2_201;
const COMMANDS: u64 = 1_000;

/// What this program is asked inside the copy: to run the set, rather than to plant mistakes.
const HUNT: &str = "--hunt";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if env::args().nth(1).as_deref() == Some(HUNT) {
        // On one thread, so that the first failure is the same on every machine.
        return Ok(match run_many(SEEDS, COMMANDS, 1) {
            Ok(_) => ExitCode::SUCCESS,
            Err(failure) => {
                eprintln!("{failure}");
                ExitCode::FAILURE
            }
        });
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mutants = list::read(&fs::read_to_string(root.join("ledger-sim/mutants.txt"))?)?;
    let chosen: Vec<usize> =
        env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>()?;
    let copy = root.join("target/mutants");
    let home = copy.join("workspace");
    copied(root, &home)?;
    // Without a mistake the run set passes: what follows is told apart by the mistake alone.
    if let Some(caught) = hunt(&home, &copy)? {
        return Err(format!("without any mistake: {caught}").into());
    }
    println!("| | Mistake | Caught by | Run | Commands |\n|---|---|---|---|---|");
    let mut survived = 0;
    for (number, mutant) in (1..).zip(&mutants) {
        if !chosen.is_empty() && !chosen.contains(&number) {
            continue;
        }
        let path = home.join(&mutant.file);
        let sound = fs::read_to_string(&path)?;
        fs::write(&path, mutant.planted(&sound)?)?;
        let caught = hunt(&home, &copy);
        fs::write(&path, sound)?;
        let told = caught?.unwrap_or_else(|| {
            survived += 1;
            "**nothing** | | ".into()
        });
        println!("| {number} | {} | {told} |", mutant.title);
    }
    Ok(if survived == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the default set over the copy: what caught a mistake, in which run, after how many commands.
fn hunt(home: &Path, copy: &Path) -> Result<Option<String>, Box<dyn Error>> {
    let mut build = Command::new(env!("CARGO"));
    build.current_dir(home).env("CARGO_TARGET_DIR", copy.join("built"));
    let sim = ["-p", "ledger-sim", "--example", "mutants", "--locked", "--quiet"];
    let made = build.args(["build", "--profile", "hunt"]).args(sim).output()?;
    if !made.status.success() {
        return Err(String::from_utf8_lossy(&made.stderr).into_owned().into());
    }
    let program = copy.join("built/hunt/examples/mutants");
    let run = Command::new(program).arg(HUNT).output()?;
    if run.status.success() {
        return Ok(None);
    }
    Ok(Some(summed_up(&String::from_utf8_lossy(&run.stderr))))
}

/// What a failure tells, as three cells of a table.
fn summed_up(told: &str) -> String {
    let seed = told.split("--seed ").nth(1).and_then(|rest| rest.split(' ').next());
    let at = told.split("at command ").nth(1);
    let (command, what) = at.and_then(|rest| rest.split_once(": ")).unwrap_or(("", told));
    let what = what.lines().next().unwrap_or_default();
    let by = match what {
        _ if what.starts_with("law ") => what.split(':').next().unwrap_or(what),
        _ if what.contains("the core panicked") => "an assertion of the core",
        _ if what.contains("at rest") || what.contains("come to rest") => "rest",
        _ if what.contains("replay") => "replay",
        _ => "the oracle",
    };
    let what = what.replace('|', "\\|");
    let what = what.get(..120).unwrap_or(&what);
    format!("{by}: {what} | {} | {command}", seed.unwrap_or_default())
}

/// Copies what a build needs, and leaves what it made; what is no longer there goes.
fn copied(from: &Path, to: &Path) -> std::io::Result<()> {
    const LEFT: [&str; 2] = ["target", ".git"];
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            _ if from.join(entry.file_name()).exists() => {}
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if LEFT.iter().any(|left| entry.file_name() == *left) {
            continue;
        }
        let target: PathBuf = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copied(&entry.path(), &target)?;
        } else {
            let new = fs::read(entry.path())?;
            // What did not change keeps its age, so that it is not built again.
            if fs::read(&target).ok().as_deref() != Some(&new) {
                fs::write(&target, new)?;
            }
        }
    }
    Ok(())
}
