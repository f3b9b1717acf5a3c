//! Wallets that sign what they hold: addresses of Ethereum's kind, and of Bitcoin.

pub(crate) mod bitcoin;
pub(crate) mod ethereum;
