//! A list of lines, read as the contract reads them and put to ledger and oracle.

use std::collections::BTreeMap;
use std::fmt;

use ledger_core::contract::{Code, Line, Problem, Tokens, created_ids, read};
use ledger_core::ledger::{Execution, Origin};
use ledger_store::Vault;
use thiserror::Error;

use crate::checker::trial::Pair;
use crate::failure::wrong::Mismatch;
use crate::failure::wrong::caught;
use crate::lines::LEDGER;
use crate::settings::{Judges, Planted};
#[cfg(test)]
use crate::system_under_test::SystemUnderTest;
use crate::system_under_test::is_of_the_outcome;
use crate::system_under_test::store::VAULT_KEY;

/// Lines on which ledger and oracle disagree, or that nobody could read.
#[derive(Clone, Debug, Error)]
#[error("line {line}: {what}")]
pub struct LineFailure {
    /// Which line, from 1; the last one for what shows only at the end.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// A list being played.
pub(crate) struct Script {
    pair: Pair,
    vault: Vault,
    tokens: Tokens,
    labels: BTreeMap<String, Vec<(&'static str, String)>>,
}

/// A line that says nothing here: it names what no line before it made, or is no line at all.
pub(crate) struct Unread(Problem);

/// Plays a list of JSON lines, as a shrunk failure is written: every line must be read, ledger and
/// oracle must agree on each, and every invariant hold after each and at the end. Gives how many
/// there are.
///
/// ```
/// use ledger_sim::check_lines;
///
/// let opened = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened", "body": {"id": "a-1",
///     "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;
/// let opened = opened.replace('\n', ""); // A line is one line.
/// assert_eq!(check_lines(&opened)?, 1);
/// assert_eq!(check_lines("no line").expect_err("it is no JSON").line, 1);
/// # Ok::<(), ledger_sim::LineFailure>(())
/// ```
///
/// # Errors
///
/// [`LineFailure`], naming the first line at fault.
pub fn check_lines(text: &str) -> Result<usize, LineFailure> {
    let at = |line: usize| move |what: Mismatch| LineFailure { line, what };
    let mut script = Script::new(None).map_err(at(1))?;
    let mut count = 0;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (index, line) in lines {
        let said = script.say(line).map_err(at(index + 1))?;
        said.map_err(|unread| at(index + 1)(unread.to_string()))?;
        count += 1;
    }
    script.end().map_err(at(count))?;
    Ok(count)
}

/// Plays a list of JSON lines to the checks of the outcome alone: a line that is refused says
/// nothing, and where anything else is wrong the list ends. Gives how many lines were read.
///
/// # Errors
///
/// [`LineFailure`], naming the first line that violates a check.
#[doc(hidden)]
pub fn check_outcome_of_lines(text: &str) -> Result<usize, LineFailure> {
    let at = |line: usize| move |what: Mismatch| LineFailure { line, what };
    let mut script = Script::new(None).map_err(at(1))?;
    script.pair.subject.judges = Judges::OutcomeAlone;
    let mut count = 0;
    for (index, line) in text.lines().enumerate() {
        match script.say(line) {
            Ok(said) => count += usize::from(said.is_ok()),
            Err(what) if is_of_the_outcome(&what) => return Err(at(index + 1)(what)),
            Err(_) => break,
        }
    }
    Ok(count)
}

impl Script {
    pub(crate) fn new(planted: Option<Planted>) -> Result<Self, Mismatch> {
        Ok(Self {
            pair: Pair::new(LEDGER, planted)?,
            vault: Vault::default(),
            tokens: Tokens::new(VAULT_KEY),
            labels: BTreeMap::new(),
        })
    }

    /// Reads one line and says it; a line that cannot be read changes nothing.
    pub(crate) fn say(&mut self, text: &str) -> Result<Result<(), Unread>, Mismatch> {
        caught(|| self.read_and_say(text))
    }

    fn read_and_say(&mut self, text: &str) -> Result<Result<(), Unread>, Mismatch> {
        let labels = &self.labels;
        let line = match Line::parse(text, |name| refer(labels, name)) {
            Ok(line) => line,
            Err(problem) => return Ok(Err(Unread(problem))),
        };
        let label = line.label.clone();
        let call = line.call(Origin::Call);
        let ledger = &mut self.pair.subject.ledger;
        let command = match read(ledger, &mut self.vault, &self.tokens, &call) {
            Ok((command, _)) => command,
            Err(problem) => return Ok(Err(Unread(problem))),
        };
        let execution = self.pair.say(&command)?;
        if let Some(label) = label {
            self.labels.insert(label, execution_ids(&execution));
        }
        Ok(Ok(()))
    }

    /// Compares everything, checks every invariant over everything, and replays the journal.
    pub(crate) fn end(&mut self) -> Result<(), Mismatch> {
        self.pair.end()?;
        caught(|| self.pair.subject.replays_to_itself())
    }

    #[cfg(test)]
    pub(crate) fn subject(&mut self) -> &mut SystemUnderTest {
        &mut self.pair.subject
    }

    /// The command a line brings to the ledger as it stands, and nothing said.
    #[cfg(test)]
    pub(crate) fn read(&mut self, text: &str) -> Result<ledger_core::ledger::Command, Problem> {
        let labels = &self.labels;
        let call = Line::parse(text, |name| refer(labels, name))?.call(Origin::Call);
        let ledger = &mut self.pair.subject.ledger;
        Ok(read(ledger, &mut self.vault, &self.tokens, &call)?.0)
    }

    /// Binds a label to what was created.
    #[cfg(test)]
    pub(crate) fn bind(&mut self, label: String, execution: &Execution) {
        self.labels.insert(label, execution_ids(execution));
    }
}

/// Returns what stands behind a label.
fn refer(
    labels: &BTreeMap<String, Vec<(&'static str, String)>>,
    name: &str,
) -> Result<String, Problem> {
    let (label, field) = name.split_once('.').unwrap_or((name, ""));
    let ids = labels.get(label).into_iter().flatten();
    let found = ids.into_iter().find(|(known, _)| *known == field).map(|(_, id)| id.clone());
    found.ok_or_else(|| Problem::new(Code::FormatInvalid, format!("${name} is not known here")))
}

/// Returns what a command made, by the names that answers give it.
fn execution_ids(execution: &Execution) -> Vec<(&'static str, String)> {
    let own = execution.records.iter().filter(|record| !record.cause.deadline);
    own.flat_map(|record| created_ids(record, &LEDGER.into())).collect()
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it cannot be read: {}", self.0.detail)
    }
}
