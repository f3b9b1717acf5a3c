//! The memory of the custody ledger: what makes its decisions durable and provable.
//!
//! Read in this order: [`chain`] links record to record, [`frame`] packs records into rows,
//! [`journal`] keeps rows (SQLite, or memory for tests), [`vault`] holds personal data beside them.
//! Up to there the store knows bytes and no events.
#![forbid(unsafe_code)]

pub mod archive;
pub mod audit;
pub mod book;
pub mod chain;
pub mod codec;
pub mod digest;
pub mod engine;
pub mod frame;
pub mod journal;
pub mod report;
pub mod vault;

pub use chain::{Algorithm, Chain, Link};
pub use frame::{FrameWriter, Row};
pub use journal::{
    AppendError, Commit, Head, Journal, JournalError, MemoryDisk, MemoryJournal, OpenError,
    OpenMode, Opening, SqliteJournal,
};
pub use vault::{Vault, VaultRow};
