#![forbid(unsafe_code)]
//! Where money of the custody ledger went, and where it came from, to the last centavo.
//!
//! A [`Tracer`] follows a journal record by record and knows, for every account, which *lots* stand
//! there: money of one source that came by one arrival. A [`Rule`] says which lots leave first.
//! A [`Trail`] follows the lots of one PIX or one operation, and [`Traced`] reads it from a journal
//! and writes it as text, as JSON or as evidence.
//!
//! In reading order:
//!
//! 1. [`LedgerAccount`], [`Slot`]: accounts, and the parts of those that are kept by operation.
//! 2. [`Rule`]: first in first out, last in first out, in proportion.
//! 3. [`Reader`]: records as [`Step`]s of [`Flow`]s.
//! 4. [`Tracer`]: flows as [`Hop`]s of [`Lot`]s.
//! 5. [`Trail`], [`Traced`]: one trace.

mod account;
mod evidence;
mod lots;
mod names;
mod query;
mod reader;
mod recoveries;
mod report;
mod rule;
mod step;
mod tracer;
mod trail;

pub use account::{Commodity, LedgerAccount, Slot};
pub use lots::{Lot, Origin, Source, SourceId};
pub use names::Holders;
pub use query::{TraceError, Traced};
pub use reader::{Reader, Subject};
pub use rule::{Rule, UnknownRule};
pub use step::{Begins, Flow, Hop, Step, Taken};
pub use tracer::Tracer;
pub use trail::{Block, End, Stage, Sum, Trail};

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
