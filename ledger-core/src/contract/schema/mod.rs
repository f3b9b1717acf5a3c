//! The parts of a message on the wire: fields of requests and facts, and fields of answers.
//!
//! Each domain declares its own in its `wire.rs`; reader, documents and schemas come of them.

pub(super) mod answer;
pub(super) mod field;
pub(super) mod request;
pub(super) mod shared;
