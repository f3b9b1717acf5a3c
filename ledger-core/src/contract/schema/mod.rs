//! The parts of a message on the wire: fields of requests and facts, and fields of answers.
//!
//! Each domain declares its own in its `wire.rs`; reader, documents, schemas and the check
//! of typed commands come of them.

pub(super) mod answer;
pub(super) mod bounds;
pub(super) mod field;
pub(super) mod metadata;
pub(super) mod record;
pub(super) mod request;
pub(super) mod shared;
