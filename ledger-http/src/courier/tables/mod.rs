//! What the courier remembers, and the tables that keep it.

pub(super) mod delivery;
mod rows;
pub(super) mod standing;
pub(super) mod statements;
pub(super) mod store;
