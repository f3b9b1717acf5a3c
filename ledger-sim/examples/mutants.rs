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

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

/// The seeds of the default run set, as `tests/run` has them.
const SEEDS: &str = "2200";

/// A mistake of one line.
struct Mutant {
    title: String,
    file: String,
    line: String,
    mistake: String,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mutants = read(&fs::read_to_string(root.join("ledger-sim/mutants.txt"))?)?;
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

/// Reads the list: blocks of a title, a file, a line and its mistake.
fn read(text: &str) -> Result<Vec<Mutant>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let lines: Vec<&str> = lines.collect();
    let part = |block: &[&str], at: usize, sign: &str| {
        let told = block.get(at).and_then(|line| line.strip_prefix(sign));
        told.map(|told| told.trim().to_owned())
            .ok_or_else(|| format!("{block:?} lacks a line that begins with {sign:?}"))
    };
    let mutant = |block: &[&str]| {
        Ok(Mutant {
            title: part(block, 0, "= ")?,
            file: part(block, 1, "@ ")?,
            line: part(block, 2, "- ")?,
            mistake: part(block, 3, "+ ")?,
        })
    };
    lines.chunks(4).map(mutant).collect()
}

impl Mutant {
    /// The text with the mistake in it.
    fn planted(&self, sound: &str) -> Result<String, String> {
        let places = sound.lines().filter(|line| line.trim() == self.line).count();
        if places != 1 {
            return Err(format!("{}: {:?} stands there {places} times", self.file, self.line));
        }
        let swapped = |line: &str| {
            if line.trim() == self.line { self.mistake.clone() } else { line.to_owned() }
        };
        Ok(sound.lines().map(swapped).collect::<Vec<_>>().join("\n") + "\n")
    }
}

/// Runs the default set over the copy: what caught a mistake, in which run, after how many commands.
fn hunt(home: &Path, copy: &Path) -> Result<Option<String>, Box<dyn Error>> {
    let cargo = |arguments: &[&str]| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(home).env("CARGO_TARGET_DIR", copy.join("built")).args(arguments);
        cargo.output()
    };
    let built = cargo(&["build", "--release", "--locked", "--quiet"])?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned().into());
    }
    let program = fs::canonicalize(copy.join("built/release").join(PROGRAM))?;
    let set = ["simulate", "--seed", "1", "--seeds", SEEDS, "--commands", "1000"];
    let run = Command::new(program).args(set).output()?;
    if run.status.success() {
        return Ok(None);
    }
    let told = String::from_utf8_lossy(&run.stderr).into_owned();
    Ok(Some(summed_up(&told)))
}

/// The program of the workspace.
const PROGRAM: &str = "custody-ledger";

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

/// Copies what a build needs, and leaves what it made.
fn copied(from: &Path, to: &Path) -> std::io::Result<()> {
    const LEFT: [&str; 2] = ["target", ".git"];
    fs::create_dir_all(to)?;
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
