#![forbid(unsafe_code)]
//! A provider's list of PIX against a ledger, line by line.
//!
//! The ledger knows everything that moved the floats at the provider by the id of its PIX. A
//! [`List`] is read of a file into [`Line`]s, the ledger into [`Ours`], and [`Compared`] holds both
//! against each other. What only the provider knows is proposed as facts for an operator
//! ([`proposed_fact`]); nothing is booked.

mod amount;
mod balance;
mod camt;
mod columns;
mod compare;
mod date;
mod encoding;
mod line;
mod mapping;
mod ours;
mod period;
mod propose;
mod report;

pub use compare::Compared;
pub use line::{BalanceEnd, Direction, Faults, Kind, Line, List, Other, StatedBalance, When};
pub use mapping::Mapping;
pub use ours::{Item, Ours};
pub use period::{Period, PeriodError};
pub use propose::fact as proposed_fact;

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
