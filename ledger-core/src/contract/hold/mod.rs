//! Holds on the wire.

pub(super) mod fact;
