//! Accounts of a product's own, and the entries that it posts.

pub(super) mod fact;
mod holder;
pub(super) mod index;
mod machine;
mod opening;
mod posting;
mod template;

pub use crate::accounting::DeclaredAccount;
pub use fact::{Fact, Leg};
pub use holder::Holder;
pub use posting::{NamedAmount, NamedHolder, TemplatePosting};
