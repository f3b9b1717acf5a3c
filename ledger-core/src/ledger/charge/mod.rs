//! Charges: a PIX collected, and what becomes of it.

pub(super) mod early;
pub(super) mod fact;
pub(super) mod notification;
pub(super) mod request;
pub(super) mod reversal;
pub(super) mod transition;
pub(super) mod usage;
