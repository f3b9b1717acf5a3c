//! Accounts of a product's own, and the entries that it posts.

pub(super) mod fact;
pub(super) mod index;
mod machine;

pub use crate::accounting::DeclaredAccount;
pub use fact::{Fact, Holder, Leg};
