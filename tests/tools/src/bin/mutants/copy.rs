//! A copy of the workspace, in which mistakes are planted, built and hunted.

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use super::list::{Judge, Test};

/// What this program is asked inside the copy: to run the set, rather than to plant mistakes.
pub const HUNT: &str = "--hunt";
/// The same with the checks of the outcome as the only judges.
pub const HUNT_BY_THE_OUTCOME: &str = "--hunt-by-the-outcome";

/// What mistakes are built with, unless a test is named for them.
const PROFILE: [&str; 2] = ["--profile", "hunt"];

/// A run that takes longer will not end.
const PATIENCE: &str = "15m";

/// How `timeout` says that it stopped a run.
const STOPPED: Option<i32> = Some(124);

/// Puts a mistake into the text of a file.
pub type Planting<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// What caught a mistake, or that nothing did.
pub type Caught = Result<Option<String>, Box<dyn Error>>;

pub struct Copy {
    home: PathBuf,
    built: PathBuf,
}

impl Copy {
    /// Brings the copy up to date with the workspace.
    pub fn refresh(root: &Path) -> io::Result<Self> {
        let place = root.join("target/mutants");
        let copy = Self { home: place.join("workspace"), built: place.join("built") };
        copied(root, &copy.home)?;
        Ok(copy)
    }

    /// Returns what `judge` says of the copy while files of it are `changed`, one after the other.
    pub fn with(
        &self,
        changed: &[(&str, &Planting<'_>)],
        judge: &dyn Fn(&Self) -> Caught,
    ) -> Caught {
        let Some(((file, change), others)) = changed.split_first() else { return judge(self) };
        let path = self.home.join(file);
        let sound = fs::read_to_string(&path)?;
        fs::write(&path, change(&sound)?)?;
        let caught = self.with(others, judge);
        fs::write(&path, sound)?;
        caught
    }

    /// Returns what catches a mistake: the default set over the copy, in which run and after how
    /// many commands, or the test that is named.
    pub fn hunt(&self, judge: &Judge) -> Caught {
        let how = match judge {
            Judge::Everything => HUNT,
            Judge::Outcome => HUNT_BY_THE_OUTCOME,
            Judge::Test(test) => return self.noticed(test),
        };
        let tool = ["-p", "ledger-tools", "--bin", "mutants"];
        self.built(&["build"], &[&PROFILE[..], &tool].concat())?;
        let run = patient(self.built.join("hunt/mutants")).arg(how).output()?;
        Ok(match run.status {
            status if status.success() => None,
            status if status.code() == STOPPED => Some("it does not end | | ".into()),
            _ => Some(summed_up(&String::from_utf8_lossy(&run.stderr))),
        })
    }

    /// Runs the tests of the simulator and the promises of the whole over the copy: the first that
    /// fails.
    pub fn promises(&self) -> Caught {
        let sim = ["-p", "ledger-sim", "--lib", "--test", "small"];
        let whole = ["-p", "custody-ledger", "--test", "acceptance"];
        Ok(match self.tested(&sim)? {
            Some(failed) => Some(failed),
            None => self.tested(&whole)?,
        })
    }

    /// Runs a test over the copy as `cargo test --locked` does.
    fn noticed(&self, test: &Test) -> Caught {
        self.tested_by(&test.arguments())
    }

    fn tested(&self, what: &[&str]) -> Caught {
        self.tested_by(&[&PROFILE[..], what].concat())
    }

    fn tested_by(&self, what: &[&str]) -> Caught {
        self.built(&["test", "--no-run"], what)?;
        let run = self.cargo(&["test"], what).output()?;
        Ok(match run.status {
            status if status.success() => None,
            status if status.code() == STOPPED => Some("a test that does not end | | ".into()),
            _ => {
                let output = String::from_utf8_lossy(&run.stdout).into_owned();
                let list = output.rsplit("failures:").next();
                let failed = list.and_then(|list| list.split_whitespace().next());
                Some(format!("`{}` | | ", failed.unwrap_or("a test that was not run")))
            }
        })
    }

    fn built(&self, how: &[&str], what: &[&str]) -> Result<(), Box<dyn Error>> {
        let made = self.cargo(how, what).output()?;
        if made.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&made.stderr).into_owned().into())
    }

    fn cargo(&self, how: &[&str], what: &[&str]) -> Command {
        let mut cargo = patient(env!("CARGO"));
        cargo.current_dir(&self.home).env("CARGO_TARGET_DIR", &self.built);
        cargo.args(how).args(["--locked", "--quiet"]).args(what);
        cargo
    }
}

/// A program that is stopped, with all it started, when it takes too long.
fn patient(program: impl AsRef<OsStr>) -> Command {
    let mut run = Command::new("timeout");
    run.arg(PATIENCE).arg(program);
    run
}

/// Returns what a failure tells, as three cells of a table.
fn summed_up(failure: &str) -> String {
    let seed = failure.split("--seed ").nth(1).and_then(|rest| rest.split(' ').next());
    let at = failure.split("at command ").nth(1);
    let (command, what) = at.and_then(|rest| rest.split_once(": ")).unwrap_or(("", failure));
    let what = what.lines().next().unwrap_or_default();
    let by = match what {
        _ if what.starts_with("invariant ") || what.starts_with("outcome ") => {
            what.split(':').next().unwrap_or(what)
        }
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
fn copied(from: &Path, to: &Path) -> io::Result<()> {
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
