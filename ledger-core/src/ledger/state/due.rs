//! What operations wait for, if they wait for time.

use crate::machine::hold::{self, Watch};

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Due {
    /// What was awaited did not come in time.
    Expiry,
    /// A held credit becomes available.
    Maturity,
    /// A hold stops watching for what it is short of.
    Lapse,
    /// A precautionary hold ends.
    End,
    /// A failed send is tried again.
    Retry,
}

/// Tells whether an open hold looks for more.
pub(in crate::ledger) fn watches(open: &hold::Amounts) -> bool {
    open.watch == Watch::Running && !open.shortfall().is_zero()
}
