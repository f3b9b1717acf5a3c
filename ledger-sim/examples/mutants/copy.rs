//! A copy of the workspace, in which mistakes are planted, built and hunted.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, fs, io};

/// What this program is asked inside the copy: to run the set, rather than to plant mistakes.
pub const HUNT: &str = "--hunt";

/// A run that takes longer will not end.
const PATIENCE: Duration = Duration::from_mins(15);

/// What caught a mistake, or that nothing did.
pub type Caught = Result<Option<String>, Box<dyn Error>>;

pub struct Copy {
    home: PathBuf,
    built: PathBuf,
}

impl Copy {
    /// Brings the copy up to date with the workspace.
    pub fn of(root: &Path) -> io::Result<Self> {
        let place = root.join("target/mutants");
        let copy = Self { home: place.join("workspace"), built: place.join("built") };
        copied(root, &copy.home)?;
        Ok(copy)
    }

    /// What `judge` says of the copy while a file of it is `changed`.
    pub fn with(
        &self,
        file: &str,
        changed: impl Fn(&str) -> Result<String, String>,
        judge: impl Fn(&Self) -> Caught,
    ) -> Caught {
        let path = self.home.join(file);
        let sound = fs::read_to_string(&path)?;
        fs::write(&path, changed(&sound)?)?;
        let caught = judge(self);
        fs::write(&path, sound)?;
        caught
    }

    /// Runs the default set over the copy: what caught a mistake, in which run, after how many commands.
    pub fn hunt(&self) -> Caught {
        let sim = ["-p", "ledger-sim", "--example", "mutants"];
        self.built(&["build"], &sim)?;
        let mut run = Command::new(self.built.join("hunt/examples/mutants"));
        Ok(match ended(run.arg(HUNT))? {
            None => Some("it does not end | | ".into()),
            Some(run) if run.status.success() => None,
            Some(run) => Some(summed_up(&String::from_utf8_lossy(&run.stderr))),
        })
    }

    /// Runs the tests of the simulator and the promises of the whole over the copy: the first that
    /// fails.
    pub fn promises(&self) -> Caught {
        let sim = ["-p", "ledger-sim", "--lib", "--test", "small"];
        let whole = ["-p", "custody-ledger", "--test", "promises"];
        Ok(match self.tested(&sim)? {
            Some(failed) => Some(failed),
            None => self.tested(&whole)?,
        })
    }

    fn tested(&self, what: &[&str]) -> Caught {
        self.built(&["test", "--no-run"], what)?;
        Ok(match ended(&mut self.cargo(&["test"], what))? {
            None => Some("a test that does not end | | ".into()),
            Some(run) if run.status.success() => None,
            Some(run) => {
                let told = String::from_utf8_lossy(&run.stdout).into_owned();
                let list = told.rsplit("failures:").next();
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
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.home).env("CARGO_TARGET_DIR", &self.built);
        cargo.args(how).args(["--profile", "hunt", "--locked", "--quiet"]).args(what);
        cargo
    }
}

/// What a program printed, or nothing when it did not end in time.
fn ended(run: &mut Command) -> io::Result<Option<Output>> {
    let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let began = Instant::now();
    let printed = |pipe: Option<Box<dyn io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
            bytes
        })
    };
    let out = printed(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let err = printed(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if PATIENCE < began.elapsed() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(Duration::from_millis(50));
    };
    let all = |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
    Ok(Some(Output { status, stdout: all(out), stderr: all(err) }))
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
