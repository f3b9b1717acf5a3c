//! API accounts: what a key opens, who asked for it, and how its owner is notified.
//!
//! The account is not its key: a key is replaced, and everything else stays (KEY-14).

pub(super) mod fact;
pub(super) mod keys;
pub(super) mod opening;

pub use fact::Fact;
