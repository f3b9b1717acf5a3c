//! The memory of the custody ledger: what makes its decisions durable and provable.
//!
//! `ledger-core` decides and this crate remembers: each decision is encoded, chained by a hash to
//! all before it, and written before anybody is answered; afterwards anybody can prove that nothing
//! was changed.
//!
//! # What is here
//!
//! Six rooms, each with the modules that are asked for by name:
//!
//! - bytes: [`codec`], [`chain`], [`frame`], [`located_record`], [`signing`]: records to bytes and
//!   back, links, rows, one record by its number, and notes that are signed.
//! - [`journal`]: where rows are kept (SQLite, PostgreSQL, objects, memory), by one writer at a
//!   time.
//! - engines: [`sequencer`], [`engine`], [`provider`], [`clock`], [`machine_clock`]: the core
//!   joined with the bytes, without I/O; the same on two threads; what only a provider knows and
//!   does, a driver that carries out what the ledger asks of the world, and the time.
//! - state: [`archive`], [`vault`], [`snapshot`], [`moment`]: what has ended, personal data under
//!   tokens, what shortens opening, and a ledger as it stood at any moment.
//! - tables: [`projection`], [`export`], [`records`], [`ServiceTables`]: SQL tables and the outbox,
//!   books for other programs, ledgers carried from store to store, and a service's own tables.
//! - audits: [`audit`], [`invariant_audit`], [`heads`], [`digest`], [`survey`], [`report`],
//!   [`days`]: the proof, what it shows people, and what each day was booked.
//!
//! # Features
//!
//! `sqlite` (the default) and `postgres` keep journals and tables in those databases, each without
//! the other. With neither, the engine runs over memory, or over a [`Journal`] of your own, and
//! nothing of sqlx, of a network or of C is built. `tls` is the TLS that `object` and other clients
//! share.
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

mod audits;
mod bytes;
mod engines;
pub mod journal;
mod state;
mod tables;
#[cfg(feature = "tls")]
pub mod tls;

pub use audits::{audit, days, digest, heads, invariant_audit, report, survey};
pub use bytes::{chain, codec, frame, located_record, signing};
pub use engines::{clock, engine, machine_clock, provider, sequencer};
pub use state::{archive, moment, snapshot, vault};
pub use tables::{export, projection, records};

pub use chain::{Algorithm, Chain, Link};
pub use engines::periodic::PeriodicTask;
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
pub use tables::service_tables::ServiceTables;
pub use vault::{Person, Vault, VaultRow};

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
