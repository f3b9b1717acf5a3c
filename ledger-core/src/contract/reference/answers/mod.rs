//! The fields of answers, a file a domain.

pub(super) mod account;
pub(super) mod agent;
pub(super) mod balance;
pub(super) mod charge;
pub(in crate::contract) mod error;
pub(super) mod sale;
pub(in crate::contract) mod sandbox;
pub(super) mod wallet;
