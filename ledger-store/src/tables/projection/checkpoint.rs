//! How far the tables of a ledger are, or its outbox alone, and the statements that move it.

use super::backend::{Backend, Step, TablesFailed};
use super::error::ProjectError;
use super::schema::extent::Extent;
use super::schema::table::Cell;
use super::schema::{CHECKPOINT, OUTBOX_CHECKPOINT, VERSION};
use crate::bytes::chain::{Chain, Link};
use crate::journal::{Head, Journal};

/// How far tables are: what they say is the fold of all records up to here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The last record they contain, and the link after it.
    pub head: Head,
    /// That record's instant, as text; none before the first.
    pub as_of: Option<String>,
    /// The version of the tables.
    pub version: i64,
    /// Up to this record the outbox was pruned; 0 for never.
    pub pruned: u64,
    /// The first digits of that record's link.
    pub(super) pruned_check: String,
}

impl Checkpoint {
    /// Returns what a projector of tables fills: not the outbox, where an engine keeps it.
    pub(super) fn extent_of_tables(
        backend: &mut dyn Backend,
        ledger: &str,
    ) -> Result<Extent, TablesFailed> {
        let kept = Self::find(Extent::Outbox, backend, ledger)?.is_some();
        Ok(if kept { Extent::WithoutOutbox } else { Extent::Whole })
    }

    /// The checkpoint of a ledger's tables, if it has any.
    pub(super) fn find(
        extent: Extent,
        backend: &mut dyn Backend,
        ledger: &str,
    ) -> Result<Option<Self>, TablesFailed> {
        let Some(row) = backend.checkpoint(extent, ledger)? else { return Ok(None) };
        let malformed = || TablesFailed("the checkpoint is malformed".into());
        let number = |cell: &Cell| cell.number().and_then(|number| u64::try_from(number).ok());
        let [seq, link, as_of, version, pruned, pruned_check] = &row[..] else {
            return Err(malformed());
        };
        let link: Option<Link> = link.text().and_then(|text| text.parse().ok());
        Ok(Some(Self {
            head: Head {
                seq: number(seq).ok_or_else(malformed)?,
                link: link.ok_or_else(malformed)?,
            },
            as_of: as_of.text().map(str::to_owned),
            version: version.number().ok_or_else(malformed)?,
            pruned: number(pruned).ok_or_else(malformed)?,
            pruned_check: pruned_check.text().unwrap_or_default().to_owned(),
        }))
    }

    /// The checkpoint of a ledger's tables, which begins before the first record where there is
    /// none; refused where it cannot be gone on from.
    pub(super) fn begin(
        extent: Extent,
        backend: &mut dyn Backend,
        journal: &dyn Journal,
        name: &str,
    ) -> Result<Self, ProjectError> {
        let genesis = Chain::genesis(journal.identity().algorithm, name).link();
        backend.write(&[Step::Begin(extent, name, genesis)])?;
        let found = Self::find(extent, backend, name)?;
        let found = found.ok_or_else(|| TablesFailed("the checkpoint is gone".into()))?;
        let ledger = name.to_owned();
        if found.version != VERSION {
            return Err(ProjectError::Version { ledger, found: found.version });
        }
        if found.head.seq == 0 && found.head.link != genesis {
            return Err(ProjectError::Foreign { ledger, seq: 0 });
        }
        Ok(found)
    }

    /// The step by which an engine goes on with the outbox that a projector has kept.
    pub(super) fn handed_over(ledger: &str) -> Step<'static> {
        let (columns, from, to) =
            (CHECKPOINT.all_columns(), CHECKPOINT.name, OUTBOX_CHECKPOINT.name);
        let sql = format!(
            "INSERT INTO {to} ({columns}) SELECT {columns} FROM {from} WHERE ledger = $1 \
             ON CONFLICT (ledger) DO NOTHING"
        );
        Step::Run(sql, vec![ledger.into()], None)
    }
}
