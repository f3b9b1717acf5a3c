//! Payouts: a PIX sent from custody.

pub(super) mod early;
pub(super) mod fact;
pub(super) mod notification;
pub(super) mod request;
pub(super) mod transition;
