//! Projections: what a ledger knows as plain SQL tables, for people and their tools; and the
//! outbox.
//!
//! ```text
//! journal -> Projector -> operations, statement_rows, balances, open_holds, ... , outbox
//!                         projection_checkpoint: up to which record
//! ```
//!
//! Tables are a fold of records like everything else, written by a [`Projector`] that replays the
//! journal in a sequencer of its own. It follows on a thread ([`Following`]), inline (given to an
//! engine's builder as its follower, so that no answer runs ahead of its tables), or runs once;
//! [`Projector::rebuild`] makes everything anew, and [`prove`] shows that the tables are what the
//! journal says. [`Tables`] reads them: statements by page, and the outbox. `docs/PROJECTIONS.md`
//! has every table and column.
//!
//! ```
//! use ledger_core::contract::Line;
//! use ledger_core::ledger::Origin;
//! use ledger_core::time::Instant;
//! use ledger_store::projection::{Projector, Tables, Target};
//! use ledger_store::sequencer::Sequencer;
//! use ledger_store::{Journal, OpenMode, SqliteJournal, Vault};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("ledger.db");
//! let mut journal = SqliteJournal::open(&file, "live", OpenMode::create())?;
//! journal.open_writer()?;
//! let mut projector = Projector::open(&mut journal, "live", &Target::Sqlite(file.clone()))?;
//!
//! let mut sequencer = Sequencer::new("live", journal.identity());
//! let mut project = |line: &str| {
//!     let line = Line::parse(line, |_| Ok(String::new())).expect("the line is well formed");
//!     assert_eq!(sequencer.call(&line.call(Origin::Call)).status, 200);
//!     let commit = sequencer.cut().expect("it was recorded");
//!     journal.append(&commit).expect("it is durable");
//!     projector.follow(&commit).expect("the tables have it")
//! };
//! project(r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
//!          "body": {"id": "a-1", "account": "loja", "terms": {"carencia_horas": 0}},
//!          "supplied": {"key": "svc_live_loja"}}"#);
//! project(r#"{"at": "2026-11-20T12:00:01Z", "fact": "fee.adjusted",
//!          "body": {"id": "a-2", "account": "loja", "effect_cents": 9000, "actor": "bia",
//!                   "reason": "a gift", "evidence": "case-1"}}"#);
//! project(r#"{"at": "2026-11-20T12:00:02Z", "key": "svc_live_loja", "request": "POST /payouts",
//!          "body": {"amount_cents": 5000, "tax_number": "52998224725",
//!                   "pix_key": "52998224725", "external_id": "p-1"}}"#);
//!
//! let vault = Vault::open(&mut journal)?;
//! let mut tables = Tables::open_writing(&Target::Sqlite(file), "live")?.expect("they are there");
//! for entry in tables.pending(None, 100, &vault)? {
//!     // Send it; when whoever it is for has it:
//!     tables.acknowledge(&entry.id, Instant::default())?;
//! }
//! assert!(tables.pending(None, 100, &vault)?.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sequence numbers are the ledger's own and a record is projected only after the one before it, so
//! a reader that has seen the checkpoint has seen every record up to it.

pub(crate) mod backend;
mod changes;
mod checkpoint;
mod deliveries;
mod error;
mod following;
mod from_first;
mod gathering;
mod inline;
mod operation;
mod outbox;
mod projector;
// Tables are made once more in SQLite, to be compared.
#[cfg(feature = "sqlite")]
mod prove;
#[cfg(feature = "query")]
mod query;
mod read;
mod rebuild;
pub mod schema;
mod tables_writer;

pub use backend::TablesFailed;
pub use backend::memory::MemoryOutboxes;
pub use backend::target::Target;
pub(crate) use backend::target::in_one_file;
pub use checkpoint::Checkpoint;
pub use error::ProjectError;
pub use following::Following;
pub use outbox::{Acknowledged, Entry, EntryKind, Notice, NoticePage, OutboxError};
pub(crate) use outbox::{Batch, OutboxDraft, OutboxWriter, Pending};
pub use projector::Projector;
#[cfg(feature = "sqlite")]
pub use prove::{ProveError, Proved, prove};
#[cfg(feature = "query")]
pub use query::{
    QueryBounds, QueryColumn, QueryError, QueryRefused, QueryRows, QueryValue, TableQueries,
    readable_tables,
};
pub use read::{Page, PageError, Statement, Tables, WaitError};
pub use tables_writer::Projected;
