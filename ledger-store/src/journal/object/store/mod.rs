//! The store of objects: which it is, how it is reached, and how it is asked.

mod client;
pub(super) mod requests;
pub(super) mod storage;
pub(super) mod url;
