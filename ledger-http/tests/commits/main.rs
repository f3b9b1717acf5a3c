//! Replicas that follow a service over HTTP: what they answer, and what ends them.
#![allow(missing_docs)] // Tests are named as facts; their names are the documentation.

mod faults;
mod followed;
mod restored;
mod routes;
#[path = "../../../ledger-store/tests/setup"]
mod setup {
    #[allow(dead_code)] // The tests of the store use more of it.
    pub mod story;
}
mod tampered;
mod writer;
