//! Holds, and what they are short of.

pub(super) mod fact;
mod machine;
pub(super) mod shortfall;

pub use fact::Fact;
