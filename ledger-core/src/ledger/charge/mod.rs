//! Charges: a PIX collected, and what becomes of it.

pub(super) mod early;
pub(super) mod fact;
pub(super) mod machine;
pub(super) mod request;
pub(super) mod reversal;
pub(super) mod usage;

pub use fact::Fact;
