//! The state beside the core's own: what has ended, personal data, and a ledger at any moment.

pub mod archive;
mod lent;
pub mod moment;
pub(crate) mod private;
pub mod snapshot;
pub mod vault;
