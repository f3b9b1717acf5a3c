//! Conversions of custody into crypto, and withdrawals of commission.

pub(super) mod early;
mod machine;
pub(super) mod request;
