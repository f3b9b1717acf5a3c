//! The weather of the custody ledger: a deterministic simulator with faults, an oracle that keeps
//! its own books, and a report.
//!
//! One seed gives one history, always the same. Read in this order: [`Settings`] determine a run;
//! the world and its actors speak; the subject is the real core over a journal that survives its
//! writer; the oracle foresees every answer; the checker compares; the [`Report`] tells.
//! A [`Failure`] is shrunk to JSON lines that anybody can read and run: [`shrink()`], [`check_lines`].
//! [`feed()`] reads bytes as a history; [`weather`] puts a service's own [`Workload`] under ours.
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
#[cfg(test)]
mod batching;
mod checker;
mod failure;
mod feed;
mod goal;
mod lines;
mod many;
mod oracle;
mod panics;
mod report;
mod rest;
mod rng;
mod run;
mod sandbox;
mod script;
mod service;
mod settings;
mod shrink;
mod small;
mod store;
mod storm;
mod subject;
#[cfg(test)]
mod tampered;
mod trial;
mod wire;
mod world;

pub use failure::Failure;
pub use feed::{feed, feed_a_wrong_oracle};
pub use goal::Goal;
pub use many::{Failures, run_many, run_while};
pub use report::Report;
pub use run::{simulate, simulate_on};
pub use sandbox::{PLAYED, Sandbox, Step};
#[doc(hidden)]
pub use script::check_outcome_of_lines;
pub use script::{LineFailure, check_lines};
pub use service::{Workload, weather};
pub use settings::{Faults, Length, Settings};
pub use shrink::{Shrunk, shrink};
pub use small::{Astray, SMALL, Small, Walk, walk};
pub use store::Store;
