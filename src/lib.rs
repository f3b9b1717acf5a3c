#![forbid(unsafe_code)]
// What only the testkit looks at is dead without it.
#![cfg_attr(not(feature = "testkit"), allow(dead_code))]
//! The custody ledger as a library: the one crate that a service adds.
//!
//! A [`Ledger`] is opened over a store. Clients ask it by their keys, the world reports facts to
//! it, and whatever it answers is durable. Requests, facts and answers are types: each request and
//! fact that the contract's tables declare has one. Each value is checked when it is made; the
//! ledger checks what must fit together, such as an entry's legs, and answers [`Error::Refused`].
//!
//! # What is here
//!
//! - [`request`]: what clients ask, by domain, each with the type of its answer.
//! - [`fact`]: what the world reports, by domain.
//! - [`view`]: what requests are answered: the contract's JSON as types.
//! - [`value`]: amounts, parties, ids, documents and keys, checked when they are made.
//! - [`journal`]: the whole journal: proved, exported, read as it stood.
//! - [`provider`]: what only a provider knows and does, and a driver for it.
//! - `testkit`: given, when, then: tests of a service.
//! - [`prelude`]: the types that a service uses everywhere.
//!
//! # Features
//!
//! | Feature | What it brings |
//! |---|---|
//! | `sqlite` (default) | Stores `sqlite:PATH`; SQLite is built in. |
//! | `postgres` | Stores `postgres://…`, with TLS. |
//! | `object` | Stores `s3://…`, `gs://…`, `az://…` and `file:///…`: a journal as objects. |
//! | `cells` (default) | Several ledgers with one directory, and accounts that move: `Cells`. |
//! | `proofs` (default) | Signed checkpoints, and proofs for strangers: [`journal`]. |
//! | `http` | The service: `http`. |
//! | `reconcile` | A provider's list against the ledger: `reconcile`. |
//! | `matching` | Statements of provider, chains and exchanges against the ledger: `matching`. |
//! | `close` | The close of days and months: `close`. |
//! | `reserves` | What is owed and what is held, as one file: `reserves`. |
//! | `trace` | Where money went and came from: `trace`. |
//! | `regulatory` | What authorities and clients are reported: `regulatory`. |
//! | `witness` | Checkpoints cosigned by witnesses, and a witness for others: `witness`. |
//! | `sim` | The simulator, for a workload of your own: `sim`. |
//! | `time` | Instants from and to the crate `time`. |
//! | `internals` | The crates below, outside semver: `internals`. |
//! | `testkit` | Tests of a service: `testkit`. |
//! | `bench` | A service's own commands, measured: `testkit::bench`. |
//! | `cli` | The program of the same name; it has every store and the simulator. |
//!
//! Without any, a ledger is kept in memory, and nothing of sqlx, of a network or of C is built.
//!
//! # Ten types, in reading order
//!
//! 1. [`Ledger`]: a ledger that is open; [`Builder`] opens it otherwise.
//! 2. [`Pending`]: an answer to come: awaited, or waited for.
//! 3. [`Client`]: an account, by its key.
//! 4. [`request::Request`]: something a client asks.
//! 5. [`fact::Fact`]: something the world reports.
//! 6. [`Done`]: a request that was answered.
//! 7. [`Reported`]: a fact that was taken.
//! 8. [`Refusal`]: why not, and what to do.
//! 9. [`value::Party`]: whose money: the house's, or a customer's.
//! 10. [`Outbox`]: what is to be sent and carried out, until it is acknowledged.
//!
//! # An example
//!
//! ```
//! use custody_ledger::fact::account::AccountOpened;
//! use custody_ledger::prelude::*;
//! use custody_ledger::request::transfer::CreateTransfer;
//!
//! let ledger = Ledger::open("memory:").wait()?;
//! let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
//! ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
//!
//! let loja = ledger.client(ApiKey::new("svc_live_loja")?);
//! let amount = Amount::new(5_000)?;
//! let (ana, bruno) = (Party::customer("ana")?, Party::customer("bruno")?);
//! let transfer = CreateTransfer::new(ana, bruno, amount, ExternalId::new("t-1")?);
//! match loja.ask(&transfer).wait() {
//!     Err(Error::Refused(refusal)) => assert_eq!(refusal.number("disponivel_cents"), Some(0)),
//!     other => panic!("Ana has nothing to give: {other:?}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;

#[doc(hidden)]
pub mod declared;
mod error;
pub mod fact;
#[cfg(feature = "internals")]
pub mod internals;
mod ledger;
pub mod prelude;
pub mod provider;
pub mod request;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod value;
pub mod view;

#[cfg(feature = "testkit")]
pub(crate) use testkit::arbitrary::drawn;

/// Without the test kit nothing is drawn.
#[cfg(not(feature = "testkit"))]
macro_rules! drawn {
    ($($any:tt)*) => {};
}
#[cfg(not(feature = "testkit"))]
pub(crate) use drawn;

pub use answer::{Applied, Done, FirstOutcome, Outcome, Reported, SetAside};
pub use error::{EngineError, Error, Refusal};
#[cfg(feature = "http")]
pub use ledger::ServeError;
pub use ledger::journal;
pub use ledger::{
    BalanceReader, Builder, Client, CommittedBalance, HoldFailed, Ledger, OpenError, Outbox,
    OutboxDepth, OutboxUnavailable, Pending, Position, Replica, ReplicaError, Standby, Stated,
    Store, Webhook, Whose,
};
#[cfg(feature = "cells")]
pub use ledger::{Cells, CellsBuilder, CellsClient, CellsError, CellsRefused};
#[cfg(feature = "cells")]
pub use ledger_cells::directory::{DirectoryError, DirectoryReplayError};
#[cfg(feature = "cells")]
pub use ledger_cells::{AccountMove, MoveError};
#[cfg(feature = "close")]
pub use ledger_close as close;
pub use ledger_core::contract::{Action, Code, Environment, Personal, Secret, Sort};
#[cfg(feature = "cells")]
pub use ledger_core::directory::{
    Command as DirectoryCommand, Directory, Event as DirectoryEvent, Placement,
};
pub use ledger_core::ledger::{Instruction, Notification, SetAsideReason, Task, Topic};
#[cfg(feature = "http")]
pub use ledger_http as http;
#[cfg(feature = "matching")]
pub use ledger_matching as matching;
#[cfg(feature = "reconcile")]
pub use ledger_reconcile as reconcile;
#[cfg(feature = "regulatory")]
pub use ledger_regulatory as regulatory;
#[cfg(feature = "reserves")]
pub use ledger_reserves as reserves;
#[cfg(feature = "sim")]
pub use ledger_sim as sim;
#[cfg(feature = "object")]
pub use ledger_store::ObjectStorage;
pub use ledger_store::clock::{Clock, ManualClock, SystemClock};
pub use ledger_store::engine::{Counters, EngineStatus, Follower, StartError};
pub use ledger_store::projection::{Acknowledged, Entry, EntryKind, Target};
pub use ledger_store::signing::key::Signer;
pub use ledger_store::vault::{Certificate, Erased, ErasedRecords, LegalHold, OperatorNote};
pub use ledger_store::{Head, Person};
#[cfg(feature = "postgres")]
pub use ledger_store::{PgConnectOptions, PostgresServer};
#[cfg(feature = "trace")]
pub use ledger_trace as trace;
#[cfg(feature = "witness")]
pub use ledger_witness as witness;

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

/// The examples of the manual of the command line, compiled and run as tests.
#[doc = include_str!("../docs/cli.md")]
#[cfg(doctest)]
struct Cli;

/// The examples of the manual of embedding, compiled and run as tests.
#[doc = include_str!("../docs/embedding.md")]
#[cfg(doctest)]
struct Embedding;

/// The example of the manual of providers, compiled and run as a test.
#[doc = include_str!("../docs/provider.md")]
#[cfg(doctest)]
struct ProvidersSide;

/// The examples of the manual of the sandbox, compiled and run as tests.
#[doc = include_str!("../docs/sandbox.md")]
#[cfg(doctest)]
struct Sandbox;

/// The examples of the manual of webhooks, compiled and run as tests.
#[doc = include_str!("../docs/webhooks.md")]
#[cfg(doctest)]
struct Webhooks;
