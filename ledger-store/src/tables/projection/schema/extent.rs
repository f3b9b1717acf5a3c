//! Which tables are filled together.

use super::table::Table;
use super::{CHECKPOINT, OUTBOX, OUTBOX_CHECKPOINT, TABLES};

/// What is filled from records together, and has a checkpoint of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Every table, the outbox among them.
    Whole,
    /// Every table but the outbox, which the ledger's engine keeps.
    WithoutOutbox,
    /// The outbox alone.
    Outbox,
}

impl Extent {
    /// Where its checkpoint stands.
    pub(in crate::tables::projection) const fn checkpoint(self) -> &'static Table {
        match self {
            Self::Whole | Self::WithoutOutbox => &CHECKPOINT,
            Self::Outbox => &OUTBOX_CHECKPOINT,
        }
    }

    /// The tables that it fills.
    pub(in crate::tables::projection) fn tables(self) -> impl Iterator<Item = &'static Table> {
        TABLES.into_iter().filter(move |table| match self {
            Self::Whole => true,
            Self::WithoutOutbox => table.name != OUTBOX.name,
            Self::Outbox => table.name == OUTBOX.name,
        })
    }

    /// Tells whether it has the outbox.
    pub(in crate::tables::projection) fn has_outbox(self) -> bool {
        self != Self::WithoutOutbox
    }
}
