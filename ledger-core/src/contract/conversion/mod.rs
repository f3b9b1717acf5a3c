//! Conversions on the wire.

pub(super) mod body;
pub(super) mod routes;
pub(super) mod view;
pub(super) mod wire;
