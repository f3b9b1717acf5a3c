//! Corrections that people make to balances.

pub(super) mod fact;
pub(super) mod income;
mod transition;

pub use fact::Fact;
