//! The accounts that products declare, by number.

use std::fmt;

use minicbor::{Decode, Encode};

use super::SubaccountId;

/// An account that a product declared: single, or that of one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(array)]
pub struct ProductAccount {
    /// Its number in this ledger, from 0 in the order of declaration.
    #[n(0)]
    pub number: u32,
    /// The subaccount that it is kept for, where each customer has one.
    #[n(1)]
    pub holder: Option<SubaccountId>,
}

/// The number, with the holder where there is one: `3`, `3/17`.
impl fmt::Display for ProductAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.holder {
            Some(holder) => write!(f, "{}/{}", self.number, holder.0),
            None => write!(f, "{}", self.number),
        }
    }
}
