//! Proofs for strangers: what a partner checks without us, without the store, and without anybody
//! else's data.
//!
//! ```text
//! record 1, 2, ... n  ─►  links  ─►  tree  ─►  root ─┐
//!                                                    ├─►  checkpoint  ─►  signed note
//! balances after n    ─►  leaves ─►  sum tree ─► root┘
//! ```
//!
//! [`tree`] hashes and proves, [`verify`] follows a path, [`balances`] does both with sums,
//! [`checkpoint`] says what is signed, and [`document`] is a proof as a file, checked against a
//! checkpoint by [`check`]: all of it is pure, and reads no file and no clock. `docs/PROOFS.md`
//! says the same in text alone.
//!
//! Of a ledger, [`record_tree`] keeps the tree over its records, [`checkpoints`] signs it as it
//! grows and makes its proofs, and [`mod@sample`] proves records that are drawn by chance.
//!
//! ```
//! use ledger_proofs::tree::{Frontier, leaf_hash, node_hash};
//!
//! let mut frontier = Frontier::default();
//! let mut stored = Vec::new();
//! for link in [[1; 32], [2; 32]] {
//!     frontier.push(leaf_hash(&link), |hash| stored.push(hash));
//! }
//! assert_eq!(frontier.root(), node_hash(leaf_hash(&[1; 32]), leaf_hash(&[2; 32])));
//! assert_eq!(stored.len(), 3); // Both leaves, and the tree that the second completed.
//! ```
#![forbid(unsafe_code)]

pub mod balances;
pub mod check;
pub mod checkpoint;
pub mod checkpoints;
pub mod document;
mod hash;
pub mod record_tree;
pub mod sample;
pub mod tree;
pub mod verify;

pub use hash::{Hash, HashMalformed};
