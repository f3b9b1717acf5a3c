//! The types that a service uses everywhere.

pub use crate::answer::{Done, Outcome, Reported};
pub use crate::error::{Error, Refusal};
pub use crate::ledger::{Client, Ledger};
pub use crate::value::{
    AccountName, Amount, ApiKey, Document, EndToEndId, ExternalId, FactId, OperationId, Party,
    PixKey,
};
