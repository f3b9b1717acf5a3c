//! Where captures go.

use crate::ledger::product::Holder;

/// Where a capture goes: customers' available money, one of our own accounts, or a product's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The account's name, as a leg of an entry names it.
    pub account: Box<str>,
    /// Whose it is, where customers have one each.
    pub holder: Option<Holder>,
}
