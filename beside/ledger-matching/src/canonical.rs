//! The one spelling in which ids and addresses are compared (rulings 64 and 82).

use ledger_core::network::{Scheme, address, hash};

/// The one spelling of a transaction of a network.
#[must_use]
pub fn transaction(network: &str, text: &str) -> Box<str> {
    hash::canonical(Scheme::for_network(network), text.trim()).into()
}

/// The one spelling of an address of a network.
#[must_use]
pub fn wallet(network: &str, text: &str) -> Box<str> {
    address::canonical(Scheme::for_network(network), text.trim()).into()
}

/// The one spelling of an asset's or a network's name.
#[must_use]
pub fn name(text: &str) -> Box<str> {
    text.trim().to_lowercase().into()
}
