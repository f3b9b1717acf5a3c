//! Proofs for strangers: the vectors of RFC 6962, every path of every small tree, and what is
//! refused.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod balances;
mod checkpointed;
mod dishonest;
#[path = "../setup/mod.rs"]
mod setup;
mod trees;
