//! Webhooks as their receivers meet them: over a socket, from a ledger in a file, by a clock that
//! goes when it is told to.
#![allow(missing_docs)] // Tests are named as facts; their names are the documentation.

mod asked;
mod endpoints;
mod ladder;
mod lines;
mod receiver;
mod rotation;
mod signed;
mod station;
