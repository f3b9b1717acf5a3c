//! PIX identifiers: tax documents, keys, end-to-end ids, BR Codes (spec: PIX facts the ledger
//! needs).

mod br_code;
mod document;
mod end_to_end;
mod frame;
mod key;

pub use br_code::{BrCode, BrCodeError, Payee, Reuse, location};
pub use document::{Document, Letters};
pub use end_to_end::{EndToEnd, Parts};
pub use key::{KeyError, KeyType, PixKey};
