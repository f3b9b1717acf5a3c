#![forbid(unsafe_code)]
//! The close of a day and of a month: openings, movements and closings of each account, what is
//! open, what came late, and the evidence.
//!
//! Nothing is booked, and nothing is decided here: the ledger judges `day.closed`.
//!
//! In reading order:
//!
//! 1. [`DayToClose`]: a day as the journal has it.
//! 2. [`Evidence`]: statements, and what the matching came to.
//! 3. [`Checklist`]: what a person looks at before the day is closed.
//! 4. [`day_closed`], [`day_reopened`], [`statement_received`]: bodies of facts.
//! 5. [`MonthToClose`]: a month over its days.

mod checklist;
mod day;
mod evidence;
mod facts;
mod history;
mod month;

pub use checklist::{Check, Checklist, Verdict};
pub use day::{DayToClose, Late, OpenItems};
pub use evidence::{Evidence, Matched};
pub use facts::{Decided, day_closed, day_reopened, statement_received};
pub use history::{ClosedDay, History, Received};
pub use month::MonthToClose;

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
