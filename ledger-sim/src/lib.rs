//! The weather of the custody ledger: a deterministic simulator with faults, an oracle that keeps
//! its own books, and a report.
//!
//! One seed gives one history, always the same. Read in this order: [`Settings`] determine a run;
//! the world and its actors speak; the subject is the real core over a journal that survives its
//! writer; the oracle foresees every answer; the checker compares; the [`Report`] tells. A
//! [`Failure`] is shrunk to JSON lines that anybody can read and run: [`shrink()`],
//! [`check_lines`]. [`feed()`] reads bytes as a history; [`weather`] puts a service's own
//! [`Workload`] under ours.
//!
//! ```
//! use ledger_sim::{Settings, simulate};
//!
//! let report = simulate(&Settings::commands(7, 300))?;
//! assert_eq!(report.runs, 1);
//! println!("{report}");
//! # Ok::<(), Box<ledger_sim::Failure>>(())
//! ```
#![forbid(unsafe_code)]

mod actors;
mod checker;
mod exhaustive;
mod failure;
mod goal;
mod lines;
#[cfg(test)]
mod mutated;
mod oracle;
mod quiescence;
mod report;
mod rng;
mod run;
mod sandbox;
mod service;
mod settings;
mod shrink;
mod system_under_test;
mod world;

pub use exhaustive::{SMALL, Small, Walk, WalkFailure, walk};
pub use failure::Failure;
pub use goal::Goal;
pub use report::Report;
pub use run::feed::{feed, feed_a_wrong_oracle};
pub use run::many::{Failures, run_many, run_while};
#[doc(hidden)]
pub use run::script::check_outcome_of_lines;
pub use run::script::{LineFailure, check_lines};
pub use run::{simulate, simulate_on};
pub use sandbox::{PLAYED, Sandbox, Step};
pub use service::{Workload, weather};
pub use settings::{Faults, Length, Settings};
pub use shrink::{Shrunk, shrink};
pub use system_under_test::store::Store;
