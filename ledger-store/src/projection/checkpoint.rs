//! How far the tables of a ledger are, and the statements that move it.

use ledger_core::time::Instant;

use super::backend::{Backend, Step, TablesFailed};
use super::schema::VERSION;
use super::schema::labels::instant;
use super::schema::table::Cell;
use crate::chain::Link;
use crate::journal::Head;

/// Only a projector that knows where the tables are may move them on.
const MOVE: &str = "UPDATE projection_checkpoint SET seq = $2, link = $3, as_of = $4 \
    WHERE ledger = $1 AND seq = $5 AND link = $6";

const FIND: &str = "SELECT seq, link, as_of, version, outbox_pruned_seq, outbox_pruned_check \
    FROM projection_checkpoint WHERE ledger = $1";

const BEGIN: &str = "INSERT INTO projection_checkpoint \
    (ledger, seq, link, version, outbox_pruned_seq, outbox_pruned_check) \
    VALUES ($1, 0, $2, $3, 0, '') ON CONFLICT (ledger) DO NOTHING";

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
    /// The checkpoint of a ledger's tables, if it has any.
    pub(super) fn find(
        backend: &mut dyn Backend,
        ledger: &str,
    ) -> Result<Option<Self>, TablesFailed> {
        let rows = backend.read(FIND, &[ledger.into()])?;
        let Some(row) = rows.first() else { return Ok(None) };
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

    /// The step that gives a ledger its first checkpoint, if it has none.
    pub(super) fn beginning(ledger: &str, genesis: Link) -> Step<'static> {
        let values = vec![ledger.into(), genesis.to_string().into(), VERSION.into()];
        Step::Run(BEGIN.to_owned(), values, None)
    }

    /// The step that moves it from `from` to `to`.
    pub(super) fn moving(ledger: &str, from: Head, to: Head, as_of: Instant) -> Step<'static> {
        let values = vec![
            ledger.into(),
            to.seq.into(),
            to.link.to_string().into(),
            instant(as_of).into(),
            from.seq.into(),
            from.link.to_string().into(),
        ];
        Step::Run(MOVE.to_owned(), values, Some(1))
    }
}
