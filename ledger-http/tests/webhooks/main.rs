//! Webhooks as their receivers meet them: over a socket, from a ledger in a file, by a clock that
//! goes when it is told to.
#![allow(missing_docs)] // Tests are named as facts; their names are the documentation.

mod asked;
mod endpoints;
mod ladder;
mod lines;
mod postgres;
mod receiver;
mod rotation;
#[path = "../../../ledger-store/tests/setup/server.rs"]
mod server;
mod signed;
mod station;
