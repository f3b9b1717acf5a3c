//! What the objects of a ledger are called, and what they say.

pub(super) mod block;
pub(super) mod entry;
pub(super) mod names;
pub(super) mod state;
pub(super) mod wire;
