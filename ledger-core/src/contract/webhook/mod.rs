//! Webhooks: events, instructions, addresses and signatures.

pub(super) mod endpoint;
pub(super) mod event;
pub mod signature;
mod standard;
pub(super) mod topic;
