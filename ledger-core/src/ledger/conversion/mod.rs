//! Conversions of custody into crypto, and withdrawals of commission.

mod machine;
pub(super) mod request;
