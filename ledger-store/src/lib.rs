//! The memory of the custody ledger: what makes its decisions durable and provable.
//!
//! `ledger-core` decides and this crate remembers: each decision is encoded, chained by a hash to
//! all before it, and written before anybody is answered; afterwards anybody can prove that nothing
//! was changed.
//!
//! # What is here
//!
//! - [`chain`], [`frame`], [`journal`], [`vault`]: links, rows, where rows are kept (SQLite,
//!   PostgreSQL, memory), and personal data beside them. Up to here the store knows bytes and no
//!   events.
//! - [`codec`], [`archive`], [`sequencer`]: records to bytes and back, what has ended, and both
//!   joined with the core, without I/O.
//! - [`engine`], [`snapshot`], [`moment`], [`days`]: a sequencer on two threads, what shortens
//!   opening it, a ledger as it stood at any moment, and what each day was booked on it.
//! - [`provider`], [`clock`]: what only a provider knows and does, a driver that carries out what
//!   the ledger asks of the world, and the time that it is dated by.
//! - [`audit`], [`invariant_audit`], [`heads`], [`digest`], [`survey`], [`report`]: the proof, and
//!   what it shows people.
//! - [`signing`], [`located_record`]: what strangers check the signature of, and one record by its
//!   number, for whoever proves more than an audit does.
//! - [`projection`], [`records`], [`export`]: SQL tables and the outbox, ledgers carried from store
//!   to store, books for other programs.
//! - [`ServiceTables`]: tables of a service's own in the same database.
//!
//! # Features
//!
//! `sqlite` (the default) and `postgres` keep journals and tables in those databases, each without
//! the other. With neither, the engine runs over memory, or over a [`Journal`] of your own, and
//! nothing of sqlx, of a network or of C is built.
//!
//! # Ten types, in reading order
//!
//! 1. [`Link`]: the hash after a record; a [`Chain`] makes one of the link before.
//! 2. [`Row`]: up to a thousand framed records.
//! 3. [`Commit`]: what is appended at once, and the [`Head`] that it presupposes.
//! 4. [`Journal`]: where rows are kept, by one writer at a time.
//! 5. [`SqliteJournal`]: a journal in a file; [`PostgresJournal`] is its like on a server,
//!    [`ObjectJournal`] as objects of a cloud.
//! 6. [`Vault`]: personal data under tokens, which can be erased.
//! 7. [`sequencer::Sequencer`]: a ledger that decides, encodes, and waits to be written.
//! 8. [`engine::Engine`]: a sequencer on threads; an [`engine::Ticket`] is the answer to come.
//! 9. [`projection::Projector`]: the tables, and the outbox that a service acknowledges.
//! 10. [`report::Report`]: what [`audit::audit`] found out.
//!
//! # An example
//!
//! A fact is recorded, and the journal is proved from its first record.
//!
//! ```
//! use ledger_core::contract::Line;
//! use ledger_core::ledger::Origin;
//! use ledger_store::audit::{Expect, audit};
//! use ledger_store::engine::Engine;
//! use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
//!
//! let disk = MemoryDisk::new();
//! let journal = MemoryJournal::open(&disk, "live", OpenMode::create())?;
//! let engine = Engine::start(Box::new(journal), "live", |_, _| ())?;
//! let line = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
//!     "body": {"id": "acc-1", "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;
//! let line = Line::parse(line, |label| Ok(label.to_owned())).expect("the line is well formed");
//! let answer = engine.call(line.call(Origin::Call)).wait()?;
//! assert_eq!(answer.body["outcome"], "applied");
//!
//! // Whoever keeps a head can prove later that no tail was cut.
//! let head = engine.stop()?;
//! let mut journal = MemoryJournal::open(&disk, "live", OpenMode::ReadOnly)?;
//! let report = audit(&mut journal, "live", Expect { heads: vec![head] }, |_| ())?;
//! assert_eq!(report.head(), Some(head));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
// What only one of the databases needs is dead without it; with both, nothing is.
#![cfg_attr(not(all(feature = "sqlite", feature = "postgres")), allow(dead_code))]
// Without either there is nowhere that tables could be, so nothing of them is ever reached.
#![cfg_attr(not(feature = "_sql"), allow(unreachable_code, unused_variables))]

pub mod archive;
pub mod audit;
pub mod chain;
pub mod clock;
pub mod codec;
mod commit_builder;
pub mod days;
pub mod digest;
pub mod engine;
pub mod export;
pub mod frame;
pub mod heads;
pub mod invariant_audit;
pub mod journal;
pub mod located_record;
pub mod machine_clock;
pub mod moment;
mod movements;
mod periodic;
pub mod projection;
pub mod provider;
pub mod records;
mod replay_error;
pub mod report;
pub mod sequencer;
mod service_tables;
pub mod signing;
pub mod snapshot;
pub mod survey;
pub mod vault;

pub use chain::{Algorithm, Chain, Link};
pub use frame::{FrameWriter, Row};
#[cfg(feature = "sqlite")]
pub use journal::SqliteJournal;
pub use journal::{
    AppendError, Commit, Head, Journal, JournalError, MemoryDisk, MemoryJournal, OpenError,
    OpenMode, Opening,
};
#[cfg(feature = "object")]
pub use journal::{ObjectJournal, ObjectStorage};
#[cfg(feature = "postgres")]
pub use journal::{PgConnectOptions, PostgresJournal, PostgresServer};
pub use periodic::PeriodicTask;
pub use service_tables::ServiceTables;
pub use vault::{Person, Vault, VaultRow};

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
