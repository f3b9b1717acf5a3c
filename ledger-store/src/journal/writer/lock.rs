//! The lock of a writer, and whom a take-over leaves the ledger to.

/// The holder that a take-over leaves the ledger to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::journal) enum Heed {
    /// A lease in force, and a lock of whoever has no lease.
    Holders,
    /// Nobody: neither lease nor lock keeps the ledger.
    Nobody,
}

/// What is known of the lock that the writer of an epoch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::journal) enum LockState {
    /// Its process lives.
    Held,
    /// Its process has ended.
    Gone,
    /// Nobody holds it, which proves nothing: its process may have lost it.
    Free,
}
