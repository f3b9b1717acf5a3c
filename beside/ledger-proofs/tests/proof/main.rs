//! Proofs for strangers: the vectors of RFC 6962, every path of every small tree, and what is
//! refused.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod balances;
mod checkpointed;
mod dishonest;
mod sampled;
#[path = "../../../../ledger-store/tests/setup/mod.rs"]
mod setup;
#[allow(dead_code)] // The tests of the audit use more of it.
#[path = "../../../../ledger-store/tests/audit/stores.rs"]
mod stores;
mod trees;

/// How many records the sampled journals have in a row.
const IN_A_ROW: usize = 50;

/// How many steps of the story they tell: about as many records.
const STEPS: usize = 300;
