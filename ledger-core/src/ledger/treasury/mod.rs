//! Our own money and crypto, moved between accounts of our own.

pub(super) mod fact;

pub use fact::Fact;
