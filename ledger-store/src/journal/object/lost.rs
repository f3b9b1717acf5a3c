//! A loss that was accepted: what stands after the end is moved away, so that nobody goes on from
//! it and nothing speaks of it.

use object_store::path::Path;
use tracing::warn;

use super::format::names::{block_of, entry_of, value_of};
use super::log::{Log, medium};
use super::reached::Reached;
use super::store::requests::in_parallel;
use crate::journal::JournalError;

impl Log {
    /// Moves entries and merged objects after the end away, and deletes values and marks that are
    /// of them: no record that is left names such a value.
    pub(super) async fn set_aside(&mut self) -> Result<(), JournalError> {
        let at = self.state.next;
        let log = &*self;
        let list = async |folder: Path| log.requests.list(&folder, None).await.map_err(medium);
        let is_entry = |path: &Path| entry_of(path).is_some_and(|(number, _)| number >= at);
        let is_block = |path: &Path| block_of(path).is_some_and(|from| from >= at);
        let mut moved = list(log.names.entries()).await?;
        moved.retain(is_entry);
        moved.extend(list(log.names.merged_folder()).await?.into_iter().filter(is_block));
        let is_value = |path: &Path| value_of(path).is_some_and(|(_, place)| place.number > at);
        let mut values = list(log.names.values()).await?;
        values.retain(is_value);
        let marks = list(log.names.marks()).await?;
        warn!(
            after = log.state.head().seq,
            objects = moved.len(),
            values = values.len(),
            "a loss is accepted: what is left of it is moved to {}",
            log.names.lost_folder(at)
        );
        let moving = in_parallel(moved, async |path| {
            if let Some(found) = log.requests.get(&path).await? {
                log.requests.overwrite(&log.names.lost_path(at, &path), found.bytes).await?;
            }
            log.requests.delete(&path).await
        });
        moving.await.map_err(medium)?;
        let removed = values.into_iter().chain(marks);
        let removing = in_parallel(removed, async |path| log.requests.delete(&path).await);
        removing.await.map_err(medium)?;
        self.reached = Reached::default();
        Ok(())
    }
}
