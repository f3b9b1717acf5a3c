//! The crates below, as they are: for who goes deeper than the facade.
//!
//! **Nothing here is under semantic versioning**: any release may rename, change or remove any of
//! it, though the facade stays as it is. The crates `cells`, `proofs`, `http` and `sim` are here
//! with the features of their names.
//!
//! ```
//! use custody_ledger::internals::store::engine::Engine;
//! use custody_ledger::internals::store::{MemoryDisk, MemoryJournal, OpenMode};
//!
//! let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
//! let engine = Engine::builder("live").start(Box::new(journal))?;
//! assert_eq!(engine.head()?.seq, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Several ledgers side by side.
#[cfg(feature = "cells")]
pub use ledger_cells as cells;
/// The rules: reducers, accounting, the contract.
pub use ledger_core as core;
/// The service over HTTP.
#[cfg(feature = "http")]
pub use ledger_http as http;
/// Proofs for strangers.
#[cfg(feature = "proofs")]
pub use ledger_proofs as proofs;
/// The simulator: histories with faults, the oracle, the sandbox.
#[cfg(feature = "sim")]
pub use ledger_sim as sim;
/// The memory: journals, engine, tables, audit.
pub use ledger_store as store;
