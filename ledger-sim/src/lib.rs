//! The weather of the custody ledger: a deterministic simulator with faults, an oracle that keeps
//! its own books, and a report.
//!
//! One seed gives one history, always the same. Read in this order: [`Settings`] determine a run;
//! the world and its actors speak; the subject is the real core over a journal that survives its
//! writer; the oracle foresees every answer; the checker compares; the [`Report`] tells.
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
mod failure;
mod goal;
mod many;
mod oracle;
mod report;
mod rest;
mod rng;
mod run;
mod sandbox;
mod settings;
mod subject;
mod world;

pub use failure::Failure;
pub use goal::Goal;
pub use many::run_many;
pub use report::Report;
pub use run::simulate;
pub use sandbox::{PLAYED, Sandbox, Step};
pub use settings::{Faults, Length, Settings};
