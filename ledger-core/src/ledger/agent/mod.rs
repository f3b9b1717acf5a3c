//! Agents: the mesh they stand in, their mandates, rewards and reputation.

pub(super) mod fact;
pub(super) mod index;
pub(super) mod mandate;
pub(super) mod member;
pub(super) mod registry;
pub(super) mod reward;

pub use fact::Fact;
