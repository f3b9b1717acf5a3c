//! What becomes of a ledger when its program is killed, its disk is full or failing, or its file is
//! damaged: the program itself, from outside, on both stores.
//!
//! ```text
//! cargo test --test crash
//! ```
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "crash/dice.rs"]
mod dice;
#[path = "crash/disk.rs"]
mod disk;
#[path = "crash/program.rs"]
mod program;
#[path = "acceptance/running.rs"]
mod running;
#[path = "../ledger-store/tests/setup/server.rs"]
mod server;
#[path = "crash/shim.rs"]
mod shim;
#[path = "crash/undisturbed.rs"]
mod undisturbed;
#[path = "crash/workload.rs"]
mod workload;

#[path = "crash/failing.rs"]
mod failing;
#[path = "crash/full.rs"]
mod full;
#[path = "crash/killed.rs"]
mod killed;
#[path = "crash/power.rs"]
mod power;
#[path = "crash/torn.rs"]
mod torn;
#[path = "crash/undelivered.rs"]
mod undelivered;
#[path = "crash/unsynced.rs"]
mod unsynced;
