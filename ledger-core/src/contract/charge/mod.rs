//! Charges on the wire: a PIX collected.

pub(super) mod body;
pub(super) mod offer;
pub(super) mod payer_fact;
pub(super) mod view;
