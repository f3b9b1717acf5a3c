//! What waits for a person, on the wire.

pub(super) mod fact;
