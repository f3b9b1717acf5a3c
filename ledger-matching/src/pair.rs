//! Movements that are one.

use crate::difference::Difference;

/// How a pair was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// By an id of the world.
    Id,
    /// By what the operation or the fact is called.
    Name,
    /// By a rule, by its number in the file.
    Rule(usize),
}

/// Movements that are one: one of each side, or several of one where a rule nets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Movements of theirs, by their place in the whole.
    pub theirs: Vec<usize>,
    /// Movements of ours.
    pub ours: Vec<usize>,
    /// How it was made.
    pub how: How,
    /// In what its sides differ; nothing where they agree.
    pub differences: Vec<Difference>,
}

/// A movement that has no other, or several that may be it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenItem {
    /// Movements of theirs, by their place in the whole.
    pub theirs: Vec<usize>,
    /// Movements of ours.
    pub ours: Vec<usize>,
    /// Why it is open.
    pub reason: Difference,
}
