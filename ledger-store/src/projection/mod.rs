//! Projections: what a ledger knows as plain SQL tables, for people and their tools; and the outbox.
//!
//! ```text
//! journal -> Projector -> operations, statement_rows, balances, open_holds, ... , outbox
//!                         projection_checkpoint: up to which record
//! ```
//!
//! Tables are a fold of records like everything else, written by a [`Projector`] that replays the
//! journal in a book of its own. It follows on a thread ([`Following`]), inline
//! ([`Projector::follow`]), or runs once; [`Projector::rebuild`] makes everything anew, and
//! [`prove`] shows that the tables are what the journal says. [`Tables`] reads them: statements by
//! page, and the outbox. `docs/PROJECTIONS.md` has every table and column.
//!
//! Sequence numbers are the ledger's own and a record is projected only after the one before it, so
//! a reader that has seen the checkpoint has seen every record up to it.

mod changes;
mod checkpoint;
mod error;
#[cfg(test)]
mod failing;
mod following;
mod keeper;
mod operation;
mod outbox;
mod place;
mod postgres;
mod projector;
mod prove;
mod read;
mod rebuild;
mod rows;
mod sqlite;
pub mod table;
pub mod tables;
mod told;
mod words;

pub use checkpoint::Checkpoint;
pub use error::ProjectError;
pub use following::Following;
pub use keeper::TablesFailed;
pub use outbox::{Acknowledged, Entry, EntryKind, OutboxError};
pub use place::Place;
pub use projector::{Projected, Projector};
pub use prove::{ProveError, Proved, prove};
pub use read::{Page, PageError, Statement, Tables, WaitError};
