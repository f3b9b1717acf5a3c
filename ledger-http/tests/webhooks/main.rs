//! Webhooks as their receivers meet them: over a socket, from a ledger in a file, by a clock that
//! moves when a test moves it.
#![allow(missing_docs)] // Tests are named as facts; their names are the documentation.

mod bounds;
mod client_requests;
mod documented;
mod endpoints;
mod filter;
mod ladder;
mod lines;
#[path = "../setup/log.rs"]
mod log;
mod metadata;
mod overseen;
mod postgres;
mod rate;
mod receiver;
mod rotation;
#[path = "../../../ledger-store/tests/setup/server.rs"]
mod server;
mod signed;
mod station;
mod witnessed;
