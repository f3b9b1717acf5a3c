//! Holds, and what they are short of.

pub(super) mod fact;
pub(super) mod shortfall;
pub(super) mod transition;
