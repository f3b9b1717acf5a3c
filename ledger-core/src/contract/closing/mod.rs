//! The close of days on the wire: facts alone.

pub(super) mod day;
pub(super) mod statement;
