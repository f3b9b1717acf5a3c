//! Payouts: a PIX sent from custody.

pub(super) mod fact;
mod machine;
pub(super) mod request;

pub use fact::Fact;
