//! The audits: a journal proved from its first record, and what that shows people.

pub mod audit;
pub mod days;
pub mod digest;
pub mod heads;
pub mod invariant_audit;
mod movements;
pub mod report;
pub mod survey;
