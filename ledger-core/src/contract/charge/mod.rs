//! Charges on the wire: a PIX collected.

pub(super) mod body;
pub(super) mod fact;
pub(super) mod offer;
pub(super) mod view;
