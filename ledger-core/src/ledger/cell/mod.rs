//! Cells: an account that moves from one ledger to another, its settings and then its balances.
//!
//! ```text
//! the ledger it leaves   here ─► leaving ─► carrying ─► departed
//! the ledger it enters   arriving ─► here
//! ```
//!
//! What leaves one ledger and enters the other is of one amount and one id, so that together they
//! sum to nothing; what is between them stands in `cells`.

mod decide;
mod transition;

use minicbor::{Decode, Encode};

use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::money::Balance;
use crate::time::Instant;

pub use crate::ledger::record::account::{Carried, Residence};

facts! {
    /// A fact about an account that moves from one ledger to another.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// An account takes a step of its way: out of this ledger, or into it.
        Moved { account: Box<str>, step: Step, ledger: Box<str> } is FactKind::AccountMoved;
        /// An account is on its way here: what it has beside its balances.
        Arriving { account: Box<str>, ledger: Box<str>, carried: Box<Carried> }
            is FactKind::AccountArriving;
        /// A balance left this ledger for the other, or came from there.
        BalanceCarried {
            account: Box<str>,
            customer: Option<Box<str>>,
            commission: bool,
            effect: Balance,
            deposited: bool,
            waiting_until: Option<Instant>,
        } is FactKind::BalanceCarried, of Some((account, customer.as_deref()));
    }
}

/// A step of an account's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Step {
    /// It is to leave: from now on it begins nothing new here.
    #[n(0)]
    Leaving,
    /// It stays after all, as nothing of it was carried yet.
    #[n(1)]
    Staying,
    /// It left: nothing of it is open or owed here.
    #[n(2)]
    Departed,
    /// It is here.
    #[n(3)]
    Arrived,
}

impl Carried {
    /// Tells whether an account can be made of it: it has terms, oldest first.
    pub(crate) fn is_whole(&self) -> bool {
        !self.terms.is_empty() && self.terms.is_sorted_by_key(|(from, _)| *from)
    }
}
