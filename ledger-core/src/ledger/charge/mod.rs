//! Charges: a PIX collected, and what becomes of it.

pub(super) mod early;
pub(super) mod fact;
mod machine;
pub(super) mod notification;
pub(super) mod request;
pub(super) mod reversal;
mod transition;
pub(super) mod usage;

pub use fact::Fact;
