//! Cells: an account that moves from one ledger to another, its settings and then its balances.
//!
//! ```text
//! the ledger it leaves   here ─► leaving ─► carrying ─► departed
//! the ledger it enters   arriving ─► here
//! ```
//!
//! What leaves one ledger and enters the other is of one amount and one id, so that together they
//! sum to nothing; what is between them stands in `cells`.

mod carried;
mod decide;
pub(super) mod fact;
mod transition;

pub use crate::ledger::record::account::{Carried, Residence};
pub use fact::{Fact, Step};
