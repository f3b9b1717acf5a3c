//! `docs/FORMAT.md` says of the journal what the code says: its tables are made from the types that
//! are recorded, and what a second implementation posts is held against what the core posts.
//!
//! `GOLDEN=write cargo test -p ledger-tools --test format` writes the tables of the document, and
//! `tests/verifier/entries.txt`, which `tests/verifier/run` compares with the verifier's entries.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

mod chart;
mod document;
mod entries;
mod resolve;
mod source;
mod tables;
