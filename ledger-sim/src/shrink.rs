//! A failure shrunk: the shortest list of lines found that still fails the same way.

mod commands;
mod lines;
mod search;

use std::time::{Duration, Instant};

use ledger_core::ledger::Command;

use crate::failure::Failure;
use crate::failure::wrong::{PANIC, caught};
use crate::run::Run;
use crate::run::feed::fed_run;

use commands::Commands;
use lines::{Lines, write_lines};
use search::{FailingList, Search};

/// A short list of lines that fails as a whole run did.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// JSON lines, in the form that `run --strict` reads.
    pub lines: Vec<String>,
    /// How the list fails.
    pub what: String,
    /// How many commands the run had said.
    pub of: usize,
    /// How many lists were tried.
    pub tried: u64,
}

impl Shrunk {
    /// The lines as a file.
    #[must_use]
    pub fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

/// Shrinks a failure for as long as `patience` lasts: lines are taken out while what is left fails
/// the same way, then what a line need not say. Where the lines of all that was said do not fail as
/// the run did, as with commands that no line says, commands are taken out before they become
/// lines. Where that does not help and the lines fail all the same, that failure is shrunk: ledger
/// and oracle never differ over what both were given.
///
/// # Errors
///
/// Why no list of lines shows the failure: it takes a crash, a store, or a command that no line
/// says.
pub fn shrink(failure: &Failure, patience: Duration) -> Result<Shrunk, String> {
    caught(|| shrunk(failure, patience))
}

fn shrunk(failure: &Failure, patience: Duration) -> Result<Shrunk, String> {
    let until = Instant::now() + patience;
    let commands = said_again(failure)?;
    let of = commands.len();
    let (kind, planted) = (kind(&failure.what), failure.settings.planted);
    let mut search = Search { trial: Lines { planted }, kind, until, tried: 0 };
    let (lines, _) = write_lines(&commands);
    let found = match search.fails(&lines) {
        Some(found) => Ok(found),
        None => of_fewer(&commands, &mut search),
    };
    let mut found = found.or_else(|reason| search.fails_otherwise(&lines).ok_or(reason))?;
    search.take_out(&mut found);
    search.say_less(&mut found);
    search.take_out(&mut found);
    let FailingList { list: lines, what } = found;
    Ok(Shrunk { lines, what, of, tried: search.tried })
}

/// The lines of the fewest commands that fail as all do.
fn of_fewer(
    commands: &[Command],
    search: &mut Search<Lines>,
) -> Result<FailingList<String>, String> {
    let trial = Commands::new(commands, search.trial.planted)?;
    let all = trial.all();
    let mut fewer = Search { trial, kind: search.kind.clone(), until: search.until, tried: 0 };
    let Some(mut found) = fewer.fails(&all) else {
        return Err("said one after the other and without a crash, nothing fails like this".into());
    };
    fewer.take_out(&mut found);
    search.tried += fewer.tried;
    let (lines, left_out) = write_lines(&fewer.trial.commands_at(&found.list));
    search.fails(&lines).or_else(|| search.fails_otherwise(&lines)).ok_or_else(|| {
        let out: Vec<&str> = left_out.iter().map(|form| form.0).collect();
        let out = if out.is_empty() { "none".to_owned() } else { out.join(", ") };
        format!(
            "said as lines, the {} commands it takes do not fail; of them no line says: {out}",
            found.list.len()
        )
    })
}

/// Returns what the run said until it failed.
fn said_again(failure: &Failure) -> Result<Vec<Command>, String> {
    let run = match &failure.fed {
        Some(bytes) => fed_run(bytes, failure.settings.planted),
        None => Run::remembering(failure.settings),
    };
    let mut run = run?;
    match run.through(&mut |_| ()) {
        Err(what) if kind(&what) == kind(&failure.what) => Ok(run.into_commands()),
        Err(what) => Err(format!("in memory the run fails otherwise: {what}")),
        Ok(()) => Err("in memory the run does not fail: it takes the store".to_owned()),
    }
}

/// Returns what kind of failure it is: the invariant, or what is compared, without numbers and
/// names; of a panic, its place.
fn kind(what: &str) -> String {
    if what.starts_with(PANIC) {
        return what.split(": ").next().unwrap_or(what).to_owned();
    }
    let head = what.split(": the oracle has").next().unwrap_or(what);
    let invariant = head.strip_prefix("invariant ").and_then(|rest| rest.split(':').next());
    if let Some(invariant) = invariant {
        return format!("invariant {invariant}");
    }
    let mut kind = String::new();
    let mut quoted = false;
    for letter in head.chars() {
        quoted ^= letter == '"';
        if !quoted && !letter.is_ascii_digit() {
            kind.push(letter);
        }
    }
    kind
}
