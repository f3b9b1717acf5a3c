//! Payouts: a PIX sent from custody.

pub(super) mod early;
pub(super) mod fact;
mod machine;
pub(super) mod notification;
pub(super) mod request;
mod transition;

pub use fact::Fact;
