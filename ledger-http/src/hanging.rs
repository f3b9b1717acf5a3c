//! Hanging: an operation that is under way, and of which nothing was heard for too long.

use std::collections::BTreeMap;

use ledger_core::id::Kind;
use ledger_core::ledger::Awaited;
use ledger_core::time::Span;

/// After how long an operation under way hangs, by its kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hanging(BTreeMap<Kind, Span>);

impl Hanging {
    /// The defaults, but for these kinds.
    pub(crate) fn with(given: impl IntoIterator<Item = (Kind, Span)>) -> Self {
        Self(given.into_iter().collect())
    }

    /// How long a report of an operation may take.
    pub(crate) fn after(&self, kind: Kind, awaited: &Awaited) -> Span {
        self.0.get(&kind).copied().unwrap_or(awaited.within)
    }
}
