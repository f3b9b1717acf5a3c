//! The journal of a directory of cells: the records of which ledger each account lives in.
//!
//! ```text
//! command ─► decide ─► record ─► framed, chained ─► appended ─► remembered ─► answered
//! ```
//!
//! A directory stands in a store as a ledger does, under the name [`DIRECTORY`], which no ledger
//! may have: the same rows, the same chain, the same epoch of one writer at a time. Its records
//! begin with a version byte of their own, so that neither is ever read as the other.
//!
//! A [`DirectoryJournal`] writes each command by a commit of its own, and answers once that is
//! durable. Accounts are placed seldom; what is asked often, the cell of a key, is read from
//! memory.

mod error;
mod record;
mod replay;
mod writer;

pub use error::{DirectoryError, DirectoryReplayError};
pub use record::Record;
pub use replay::{Replayed, replay};
pub use writer::DirectoryJournal;

pub use ledger_store::journal::DIRECTORY;
