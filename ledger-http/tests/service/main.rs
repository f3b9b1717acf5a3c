//! The service as its clients meet it: over a socket, on ledgers in memory.
#![allow(missing_docs)] // Tests are named as facts; their names are the documentation.

mod balances;
mod cells;
mod cells_moving;
mod connections;
mod dry_run;
mod edges;
mod fuzzed;
mod handed_out;
mod instructions;
mod limits;
#[path = "../setup/log.rs"]
mod log;
mod machine_clock;
mod metrics;
mod named;
mod provided;
mod pushed;
mod raw;
mod reads;
#[allow(dead_code)] // The tests of webhooks use more of it.
#[path = "../webhooks/receiver.rs"]
mod receiver;
mod remote_supply;
mod requests;
mod secrets;
mod served;
mod socket;
mod tools;
mod whole_contract;
mod world;
