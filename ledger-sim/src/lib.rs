//! The simulator of the custody ledger: histories from a seed, faults, an oracle that keeps its own
//! books, and a report.
//!
//! One seed gives one history, always the same. The real core runs over a journal that survives its
//! writer, an oracle written from the contract alone foresees every answer, and what they disagree
//! on is shrunk to JSON lines that anybody can read and run.
//!
//! # What is here, in reading order
//!
//! 1. [`Settings`]: all that determines a run: the seed, its [`Length`], its [`Faults`].
//! 2. [`simulate()`]: one run; [`run_many`] does many on several threads.
//! 3. [`Store`]: where a run's ledger is kept: memory, SQLite or PostgreSQL.
//! 4. [`Report`]: what happened, and how often each [`Goal`] was reached.
//! 5. [`Failure`]: the first disagreement of a run, or the first invariant that broke.
//! 6. [`Shrunk`]: its shortest lines, by [`shrink()`]; [`check_lines`] runs them again.
//! 7. [`Small`]: a small world, of which [`walk`] takes every path to a depth.
//! 8. [`feed()`]: bytes as a history, for a fuzzer.
//! 9. [`Workload`]: a service's own commands, put under our faults.
//! 10. [`simulate_cells()`]: eight ledgers, and accounts that move between them.
//! 11. [`Sandbox`]: the world of test keys, whose providers follow a script; a [`SandboxWorld`]
//!     plays it beside an engine.
//!
//! # An example
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
mod cells;
mod checker;
mod domains;
mod exhaustive;
mod failure;
mod goal;
mod lines;
mod machine;
#[cfg(test)]
mod mutated;
mod odd;
mod oracle;
mod quiescence;
mod report;
mod rng;
mod run;
mod sandbox;
mod service;
mod settings;
mod shrink;
mod spelling;
mod system_under_test;
mod wallets;
mod world;

pub use cells::{CELLS, CellsFailure, CellsReport, simulate_cells};
#[doc(hidden)]
pub use cells::{PlantedMistake, simulate_cells_with};
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
pub use sandbox::{PLAYED, Sandbox, SandboxWorld, Step};
pub use service::{Workload, with_faults};
pub use settings::{Faults, Length, Settings};
pub use shrink::{Shrunk, shrink};
pub use system_under_test::store::Store;

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
