//! Where the checkpoints of a ledger are kept: in a file, in a table of its store, or in both.

use super::{CheckpointError, CheckpointsFile, CheckpointsTable};
use crate::checkpoint::Checkpoint;
use ledger_store::signing::note::Note;

/// Where checkpoints are kept.
#[derive(Clone, Debug, Default)]
pub struct KeptCheckpoints {
    /// A file that is only added to.
    pub file: Option<CheckpointsFile>,
    /// A table beside the journal.
    pub table: Option<CheckpointsTable>,
}

impl KeptCheckpoints {
    /// The last checkpoint of this origin and ledger in each place: what is signed next goes on
    /// from all of them.
    pub(super) fn last(
        &self,
        origin: &str,
        ledger: &str,
    ) -> Result<Vec<Checkpoint>, CheckpointError> {
        let file = self.file.as_ref().map(|file| file.last(origin)).transpose()?;
        let table = self.table.as_ref().map(|table| table.last(ledger)).transpose()?;
        let mut last: Vec<Checkpoint> = [file, table].into_iter().flatten().flatten().collect();
        last.sort_by_key(|checkpoint| checkpoint.size);
        Ok(last)
    }

    /// Adds a note of so many records everywhere.
    pub(super) fn add(
        &self,
        ledger: &str,
        records: u64,
        note: &Note,
    ) -> Result<(), CheckpointError> {
        if let Some(table) = &self.table {
            table.add(ledger, records, note)?;
        }
        self.file.as_ref().map_or(Ok(()), |file| file.add(note))
    }
}

impl From<&CheckpointsFile> for KeptCheckpoints {
    fn from(file: &CheckpointsFile) -> Self {
        Self { file: Some(file.clone()), table: None }
    }
}

impl From<&CheckpointsTable> for KeptCheckpoints {
    fn from(table: &CheckpointsTable) -> Self {
        Self { file: None, table: Some(table.clone()) }
    }
}
