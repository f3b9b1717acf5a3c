//! Proofs for strangers: what a partner checks without us, without the store, and without anybody
//! else's data.
//!
//! ```text
//! record 1, 2, ... n  ─►  links  ─►  tree  ─►  root ─┐
//!                                                    ├─►  checkpoint  ─►  signed note
//! balances after n    ─►  leaves ─►  sum tree ─► root┘
//! ```
//!
//! Everything here is pure: it reads no file and no clock. [`tree`] hashes and proves, [`verify`]
//! follows a path, [`balances`] does both with sums, [`key`], [`note`] and [`checkpoint`] say what
//! was signed, and [`document`] is a proof as a file, checked against a checkpoint by [`check`].
//! `docs/PROOFS.md` says the same in text alone.
//!
//! ```
//! use ledger_store::proof::tree::{Frontier, leaf_hash, node_hash};
//!
//! let mut frontier = Frontier::default();
//! let mut stored = Vec::new();
//! for link in [[1; 32], [2; 32]] {
//!     frontier.push(leaf_hash(&link), |hash| stored.push(hash));
//! }
//! assert_eq!(frontier.root(), node_hash(leaf_hash(&[1; 32]), leaf_hash(&[2; 32])));
//! assert_eq!(stored.len(), 3); // Both leaves, and the tree that the second completed.
//! ```

pub mod balances;
pub mod check;
pub mod checkpoint;
pub mod document;
mod hash;
pub mod key;
pub mod note;
pub mod tree;
pub mod verify;

pub use hash::{Hash, HashMalformed};
