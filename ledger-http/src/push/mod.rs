//! Instructions pushed to a provider's service: of each operation the first, signed, until it is
//! taken.
//!
//! ```text
//! outbox -> first of each operation -> POST, signed -> 2xx -> acknowledged -> the next of it
//!                 ^                                    |
//!                 '------ waits, 60 seconds at most ---'  anything else
//! ```
//!
//! Money waits for it, so none is ever given up. Where it goes is the operator's own setting, and
//! may be a private address: nothing of a client's is in it.

pub(crate) mod settings;
mod task;
pub(crate) mod wait;

pub use settings::{PushSettings, PushSettingsWrong};
pub use task::{PushFailed, PushTask};
