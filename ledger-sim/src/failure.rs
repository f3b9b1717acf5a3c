//! A run that ended badly: how to run it again, what disagreed, and what led to it.

use ledger_core::ledger::Command;
use thiserror::Error;

use crate::settings::Settings;

/// Ledger and oracle disagree, or a law does not hold.
///
/// Shown as one line that runs it again, what disagreed, and the last commands.
#[derive(Clone, Debug, Error)]
#[error("{settings}\nat command {command}: {what}\nthe last commands were\n{}", told(last))]
pub struct Failure {
    /// What runs it again.
    pub settings: Settings,
    /// Which command, from 1.
    pub command: u64,
    /// What disagreed.
    pub what: String,
    /// The commands that led to it, the last one last.
    pub last: Vec<Command>,
}

fn told(commands: &[Command]) -> String {
    let lines = commands.iter().map(|command| format!("  {} {:?}", command.at, command.what));
    lines.collect::<Vec<_>>().join("\n")
}
