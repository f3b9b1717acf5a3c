//! Charges on the wire: a PIX collected.

pub(super) mod body;
pub(super) mod fact;
pub(super) mod offer;
pub(super) mod routes;
pub(super) mod view;
pub(super) mod wire;
