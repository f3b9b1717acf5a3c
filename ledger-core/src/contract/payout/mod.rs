//! Payouts on the wire.

pub(super) mod body;
pub(super) mod view;
