//! How much one search looks at.

/// How many hits are shown.
pub(crate) const HITS: usize = 50;
/// How many of the latest records are looked at.
pub(crate) const RECORDS: u64 = 20_000;
/// How many of them in one turn of the thread that decides.
pub(super) const TURN: u64 = 250;
/// In how many accounts an external id or a customer is looked up.
pub(super) const ACCOUNTS: usize = 2_000;
