//! Corrections on the wire.

pub(super) mod fact;
