//! How an instruction stands for the machine of its operation.

/// How an instruction stands for its machine, and what handing it out is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ledger) enum Step {
    /// It stands no more.
    Over,
    /// It stands; the ledger notes beside the machine that it is handed out.
    Noted,
    /// It stands, and its machine is told that it is handed out, by the fact that it begins with.
    Told,
    /// It stands, and was handed out before, as the machine says.
    Taken,
    /// It stands where it was handed out before, as the ledger notes beside the machine: another
    /// reported that it is under way.
    Again,
}
