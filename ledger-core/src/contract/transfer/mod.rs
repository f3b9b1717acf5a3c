//! Transfers on the wire.

pub(super) mod group;
pub(super) mod routes;
pub(super) mod view;
pub(super) mod wire;
