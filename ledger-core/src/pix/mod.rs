//! PIX identifiers: tax documents, keys, end-to-end ids (spec: PIX facts the ledger needs).

mod document;
mod end_to_end;
mod key;

pub use document::{Document, Letters};
pub use end_to_end::{EndToEnd, Parts};
pub use key::{KeyError, KeyType, PixKey};
