//! What is wrong, once something is.

/// What is wrong with what is under test, in words.
pub(crate) type Mismatch = String;
