//! Corrections that people make to balances.

pub(super) mod fact;
mod transition;

pub use fact::Fact;
