//! A run that ended badly: how to run it again, what disagreed or panicked, and what led to it.

pub(super) mod wrong;
use std::fmt;

use ledger_core::ledger::Command;
use thiserror::Error;

use crate::settings::Settings;
use crate::system_under_test::store::Store;

/// Ledger and oracle disagree, an invariant does not hold, a store did not keep its promise, or
/// something panicked.
///
/// Shown as one line that runs it again, what disagreed, and the last commands.
///
/// ```
/// use ledger_sim::{Failure, Settings, Store};
///
/// let (settings, store) = (Settings::commands(7, 300), Store::Memory);
/// let what = "INV-02: the trial balance is 1".to_owned();
/// let failure = Failure { settings, store, fed: None, command: 12, what, last: Box::default() };
/// let line = failure.first_line();
/// let (again, wrong) = line.split_once(": at ").expect("it says both");
/// assert_eq!(again, "simulate --seed 7 --commands 300 --faults many");
/// assert_eq!(wrong, "command 12: INV-02: the trial balance is 1");
/// ```
#[derive(Clone, Debug, Error)]
#[error(
    "{}\nat command {command}: {what}\nthe last commands were\n{}",
    Line(self),
    list_commands(last)
)]
pub struct Failure {
    /// What runs it again.
    pub settings: Settings,
    /// What kept the ledger.
    pub store: Store,
    /// The bytes it was fed instead of a seed's draws.
    pub fed: Option<Box<[u8]>>,
    /// Which command, from 1.
    pub command: u64,
    /// What disagreed; of a panic, where it happened and what it says.
    pub what: String,
    /// The commands that led to it, the last one last.
    pub last: Box<[Command]>,
}

/// The one line that runs it again.
struct Line<'a>(&'a Failure);

impl Failure {
    /// Something wrong before anything was said.
    pub(crate) fn new(settings: Settings, store: Store, what: String) -> Self {
        Self { settings, store, fed: None, command: 0, what, last: Box::default() }
    }

    /// One line: what runs it again, and what disagreed.
    #[must_use]
    pub fn first_line(&self) -> String {
        let what = self.what.lines().next().unwrap_or_default();
        format!("{}: at command {}: {what}", Line(self), self.command)
    }
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { settings, store, fed, .. } = self.0;
        if let Some(bytes) = fed {
            f.write_str("feed ")?;
            return bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"));
        }
        write!(f, "{settings}")?;
        if matches!(store, Store::Memory) { Ok(()) } else { write!(f, " --store {store}") }
    }
}

fn list_commands(commands: &[Command]) -> String {
    let lines = commands.iter().map(|command| format!("  {} {:?}", command.at, command.what));
    lines.collect::<Vec<_>>().join("\n")
}
