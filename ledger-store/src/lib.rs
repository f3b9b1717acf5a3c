//! The memory of the custody ledger: what makes its decisions durable and provable.
//!
//! Read in this order. [`chain`] links record to record, [`frame`] packs records into rows,
//! [`journal`] keeps rows (SQLite, PostgreSQL, or memory for tests), [`vault`] holds personal data
//! beside them: up to there the store knows bytes and no events. [`codec`] turns records into bytes
//! and back, [`archive`] remembers what has ended, [`book`] joins them with the core and decides
//! without I/O, [`engine`] puts a book on threads and answers when durable. [`snapshot`] shortens
//! opening; [`digest`] is one number for everything a ledger knows, [`audit`] proves a journal from
//! its first record against the [`heads`] that were kept, [`survey`] finds what belongs to no
//! ledger, [`report`] is what the proof shows a person, [`records`] carries ledgers from store to
//! store, [`projection`] writes what it knows into plain SQL tables.
#![forbid(unsafe_code)]

pub mod archive;
pub mod audit;
pub mod chain;
pub mod codec;
mod commit_builder;
pub mod digest;
pub mod engine;
pub mod export;
pub mod frame;
pub mod heads;
pub mod journal;
mod movements;
pub mod projection;
pub mod records;
mod replay_error;
pub mod report;
pub mod sequencer;
pub mod snapshot;
pub mod survey;
pub mod vault;

pub use chain::{Algorithm, Chain, Link};
pub use frame::{FrameWriter, Row};
pub use journal::{
    AppendError, Commit, Head, Journal, JournalError, MemoryDisk, MemoryJournal, OpenError,
    OpenMode, Opening, PostgresJournal, PostgresServer, SqliteJournal,
};
pub use vault::{Vault, VaultRow};

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../../README.md")]
#[cfg(doctest)]
struct Readme;

/// The examples of the manual of the command line, compiled and run as tests.
#[doc = include_str!("../../docs/cli.md")]
#[cfg(doctest)]
struct Cli;

/// The examples of the manual of embedding, compiled and run as tests.
#[doc = include_str!("../../docs/embedding.md")]
#[cfg(doctest)]
struct Embedding;

/// The examples of the manual of the sandbox, compiled and run as tests.
#[doc = include_str!("../../docs/sandbox.md")]
#[cfg(doctest)]
struct Sandbox;

/// The examples of the manual of webhooks, compiled and run as tests.
#[doc = include_str!("../../docs/webhooks.md")]
#[cfg(doctest)]
struct Webhooks;
