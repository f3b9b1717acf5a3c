#![forbid(unsafe_code)]
//! Proof of reserves of a custody ledger: all that it owes and all that is held against it, as one
//! file that anybody checks.
//!
//! ```text
//! ledger at record n ─►  Liabilities  ─►  Trees ─┐
//!                                                ├─►  ReservesFile, signed  ─►  Fault, or none
//! statements of what is held  ───────────────────┘           └─►  HolderProof for each holder
//! ```
//!
//! In reading order:
//!
//! 1. [`chart`]: which accounts of the chart are owed, and why the others are not.
//! 2. [`Liabilities`]: who is owed how much at one record; the sums are the trial balance's.
//! 3. [`tree`]: a Merkle tree whose nodes commit to sums; [`Trees`] has one for each class.
//! 4. [`Statement`]: what a wallet, a bank or an exchange holds, signed by whoever can.
//! 5. [`ReservesFile`]: both, and what is short; `docs/RESERVES.md` has its bytes.
//! 6. [`HolderProof`]: one holder's way to the sum.
//! 7. [`LeavesFile`]: every leaf, nameless, for an auditor.
//!
//! Writing needs a ledger; verifying needs the file and a public key alone.

pub mod chart;
mod digest;
mod fault;
mod file;
mod holder;
mod leaves;
mod liabilities;
mod proof;
mod signature;
mod statement;
pub mod tree;
mod trees;
mod verify;
mod wallet;
mod write;

pub use fault::Fault;
pub use file::{
    AccountBalance, AssetReserves, ClassSum, Coverage, FileRefused, ReservesFile, SignedUnits,
};
pub use holder::{Holder, Salts};
pub use leaves::{LeavesFile, LeavesRefused};
pub use liabilities::{AssetOwed, ClassOwed, Liabilities, LiabilitiesError};
pub use proof::{HolderProof, Part, ProofRefused, Step};
pub use statement::{Kind, Statement, StatementRefused};
pub use trees::{ClassTree, MINIMUM_LEAVES, Trees, TreesError};
pub use write::{Anchor, ReservesError};

/// A page of one file, in Portuguese and English, by which a holder checks a proof in a browser
/// without a network.
///
/// ```
/// assert!(ledger_reserves::VERIFY_PAGE.starts_with("<!doctype html>"));
/// ```
pub const VERIFY_PAGE: &str = include_str!("verify.html");

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
