#![forbid(unsafe_code)]
//! Statements of accounts outside against a ledger: each external movement with exactly one of
//! ours, or the reason why not.
//!
//! A provider's account, chains and exchanges are read into [`Statement`]s, the ledger's journal
//! into [`OwnBooks`]. [`match_statements`] pairs their movements by canonical ids first, then by
//! [`Rules`] that are declared, and never across an ambiguity. [`KeptMatches`] keeps what matched,
//! and [`Report`] says what a person has to look at. Nothing is booked.
//!
//! In reading order:
//!
//! 1. [`TheirMovement`], [`OurMovement`]: what is matched.
//! 2. [`read`]: files of each source as statements.
//! 3. [`OwnBooks`]: records as movements.
//! 4. [`match_statements`]: pairs, and what is left.
//! 5. [`Report`]: the result.

mod canonical;
mod day;
mod difference;
mod kept;
mod matching;
mod movement;
mod own;
mod quantity;
pub mod read;
mod report;
mod rules;
mod statement;

pub use day::Day;
pub use difference::{Difference, How, OpenItem, Pair};
pub use kept::{CarriedBalance, KeptMatches, MovementKey};
pub use matching::{BalanceFinding, HeldBalance, Inputs, MatchResult, Period, match_statements};
pub use movement::{
    Account, Class, Direction, OurMovement, Position, Source, Status, TheirMovement,
};
pub use own::OwnBooks;
pub use quantity::Quantity;
pub use report::{ClassSum, Finding, Report};
pub use rules::{Group, Many, ProviderRules, Rule, Rules, SourceRules, Words};
pub use statement::{AccountBalance, Fault, FileError, Statement};

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
