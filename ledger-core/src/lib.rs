#![forbid(unsafe_code)]
//! The rules of the custody ledger: no I/O, no clock, no randomness, no async.
//!
//! Requests and facts go in, events come out, and events are the only truth: balances, statements,
//! deadlines and views are folds of events.

pub mod accounting;
pub mod coin;
pub mod contract;
pub mod id;
pub mod ledger;
pub mod machine;
pub mod money;
pub mod pix;
pub mod terms;
pub mod time;
