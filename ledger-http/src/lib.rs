#![forbid(unsafe_code)]
//! The service of the custody ledger: the contract over HTTP.
//!
//! Every request of a client becomes a [`Call`](ledger_core::contract::Call) and is answered by the
//! contract itself, so that no route is declared here again.

pub mod documents;
pub mod request_id;

pub use request_id::RequestId;
