//! Small worlds, walked whole: every order of requests, facts and deadlines around one operation of
//! each kind, to a bounded depth.
//!
//! A world begins on common ground and has an alphabet of commands. The walk goes breadth first
//! over clones of the ledger and of the oracle, tries every command in every state reached,
//! compares the two and checks the invariants after each. A command that leaves no record leads
//! nowhere new, and two orders that lead to the same state are walked on from once.

mod converted;
mod ground;
mod held;
mod night;
mod paid_out;
mod purchased;
mod received;
mod sold;
mod walk;
mod wallet_deposits;
mod wallet_paid;

use std::fmt;

use ledger_core::ledger::{Command, Intent};
use ledger_core::time::Instant;
use thiserror::Error;

use crate::oracle::Oracle;

pub use walk::walk;

/// What somebody may say in a small world, where it makes sense.
type Say = fn(&Oracle) -> Option<Intent>;

/// A small world: where it begins, and what may be said in it, each by a name.
///
/// ```
/// use ledger_sim::{SMALL, walk};
///
/// // Every path of two commands through the first of the small worlds.
/// let seen = walk(&SMALL[0], 2)?;
/// assert_eq!((seen.world, seen.depth), (SMALL[0].name, 2));
/// assert!(seen.states > 1 && seen.steps > seen.states);
/// # Ok::<(), Box<ledger_sim::WalkFailure>>(())
/// ```
pub struct Small {
    /// What it is about.
    pub name: &'static str,
    begins: fn() -> Instant,
    opening: fn(&Oracle) -> Option<Intent>,
    more: &'static [Say],
    alphabet: &'static [&'static [(&'static str, Say)]],
}

/// What a walk through a small world saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The world's name.
    pub world: &'static str,
    /// How many commands the longest path has.
    pub depth: u32,
    /// How many states differ.
    pub states: u64,
    /// How many commands were tried.
    pub steps: u64,
    /// Tells whether nothing new can be reached by going further.
    pub whole: bool,
    /// What was said in no state that takes it: always refused or set aside, or never said at all.
    pub in_vain: Vec<&'static str>,
}

/// A path on which ledger and oracle disagree, or an invariant does not hold.
#[derive(Clone, Debug, Error)]
#[error("{world}: {what}\nthe way there was\n{}", list_commands(path))]
pub struct WalkFailure {
    /// The world's name.
    pub world: &'static str,
    /// The disagreement, or the invariant that does not hold.
    pub what: String,
    /// The commands that led to it, the last one last.
    pub path: Vec<Command>,
}

/// Every small world, one for each kind of operation.
pub const SMALL: &[Small] = &[
    received::CHARGE,
    received::RETAINED,
    received::SUSPENSE,
    held::HOLD,
    held::TRANSFER,
    paid_out::PAYOUT,
    purchased::PURCHASE,
    purchased::UNKNOWN,
    converted::CONVERSION,
    converted::COMMISSION,
    sold::AWAITING,
    night::ACCEPTED,
    sold::PAYING,
    sold::SWAPPED,
    sold::EXCHANGED,
    sold::HANDED,
    sold::RECEIPT,
    wallet_deposits::DEPOSIT,
    wallet_deposits::WITHDRAWAL,
    wallet_deposits::CONVERTED,
    wallet_paid::RESERVED,
    wallet_paid::SENT,
];

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { world, depth, states, steps, whole, in_vain } = self;
        let end = if *whole { ", and there is no further" } else { "" };
        write!(f, "{world}: {states} states, {steps} commands, to depth {depth}{end}")?;
        if in_vain.is_empty() { Ok(()) } else { write!(f, "; in vain: {}", in_vain.join(", ")) }
    }
}

fn list_commands(commands: &[Command]) -> String {
    let lines = commands.iter().map(|command| format!("  {} {:?}", command.at, command.what));
    lines.collect::<Vec<_>>().join("\n")
}
