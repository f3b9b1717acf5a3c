//! One step of a transaction, and the statement that it is to a database.

use std::borrow::Cow;

use ledger_core::time::Instant;

use crate::bytes::chain::Link;
use crate::journal::Head;
use crate::tables::projection::schema::VERSION;
use crate::tables::projection::schema::extent::Extent;
use crate::tables::projection::schema::labels::instant;
use crate::tables::projection::schema::table::{Cell, Cells, Table};

/// One step of a transaction.
pub(crate) enum Step<'a> {
    /// A statement; if it must touch exactly so many rows and does not, nothing is written.
    Run(String, Vec<Cell>, Option<u64>),
    /// Rows of a table, of this ledger, whose keys nothing there has: where one has, nothing is
    /// written, and that is an error.
    Add(&'static Table, &'a str, Cow<'a, [Cells]>),
    /// Rows of a table, of this ledger, in the place of those that have their keys.
    Put(&'static Table, &'a str, Cow<'a, [Cells]>),
    /// Gives a ledger the checkpoint before its first record, if it has none.
    Begin(Extent, &'a str, Link),
    /// Moves a ledger's checkpoint; if it does not stand where it is moved from, nothing is
    /// written.
    Move(Extent, &'a str, Move),
}

/// How a checkpoint moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) from: Head,
    pub(crate) to: Head,
    /// The instant of the record it moves to.
    pub(crate) as_of: Instant,
}

/// A statement, its values, and how many rows it must touch.
pub(super) type Statement<'a> = (Cow<'a, str>, Cow<'a, [Cell]>, Option<u64>);

impl Step<'_> {
    /// The statement that it is; none for rows, which each database writes by its own.
    #[cfg_attr(not(feature = "_sql"), expect(dead_code, reason = "memory knows no statements"))]
    pub(super) fn statement(&self) -> Option<Statement<'_>> {
        match self {
            Self::Add(..) | Self::Put(..) => None,
            Self::Run(sql, values, must) => Some((sql.into(), values.into(), *must)),
            Self::Begin(extent, ledger, genesis) => {
                let sql = format!(
                    "INSERT INTO {} \
                     (ledger, seq, link, version, outbox_pruned_seq, outbox_pruned_check) \
                     VALUES ($1, 0, $2, $3, 0, '') ON CONFLICT (ledger) DO NOTHING",
                    extent.checkpoint().name
                );
                let values = vec![(*ledger).into(), genesis.to_string().into(), VERSION.into()];
                Some((sql.into(), values.into(), None))
            }
            Self::Move(extent, ledger, Move { from, to, as_of }) => {
                let sql = format!(
                    "UPDATE {} SET seq = $2, link = $3, as_of = $4 \
                     WHERE ledger = $1 AND seq = $5 AND link = $6",
                    extent.checkpoint().name
                );
                let values = vec![
                    (*ledger).into(),
                    to.seq.into(),
                    to.link.to_string().into(),
                    instant(*as_of).into(),
                    from.seq.into(),
                    from.link.to_string().into(),
                ];
                Some((sql.into(), values.into(), Some(1)))
            }
        }
    }
}
