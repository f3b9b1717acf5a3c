//! Conversions of custody into crypto, and withdrawals of commission.

pub(super) mod early;
pub(super) mod notification;
pub(super) mod request;
pub(super) mod transition;
