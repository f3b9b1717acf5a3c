//! Joining small objects into larger ones, behind the writer.
//!
//! ```text
//! read the entries ─► erase what they say ─► make the merged object ─► delete the entries
//! ```
//!
//! Stopped anywhere, the log reads the same: until the merged object is there the entries are, and
//! once it is they are not needed. Of two that merge at once one makes the object, and the other
//! finds it.

use super::format::block::{Block, Builder};
use super::format::entry::Entry;
use super::format::names::Names;
use super::format::state::State;
use super::log::{Log, medium};
use super::store::requests::{Created, Failed, Requests, in_parallel};
use super::store::storage::Merging;
use super::vault_index::erased_value;
use crate::journal::JournalError;

/// What is to be merged.
#[derive(Debug)]
pub(super) struct Job {
    requests: Requests,
    names: Names,
    before: State,
    entries: Vec<(u64, Entry)>,
}

impl Log {
    /// Returns what is to be merged now, if anything is.
    pub(super) fn job(&self, merging: Merging) -> Option<Job> {
        let free = self.entries.len().saturating_sub(merging.keep);
        let most = free.min(merging.entries.max(1));
        let mut bytes = 0;
        let large = self.entries.iter().take(most).position(|known| {
            bytes += known.entry.rows().iter().map(|row| row.bytes).sum::<u64>();
            bytes >= merging.bytes
        });
        let count = match large {
            Some(place) => place + 1,
            None if most >= merging.entries.max(1) => most,
            None => return None,
        };
        let entries = self.entries.iter().take(count);
        Some(Job {
            requests: self.requests.clone(),
            names: self.names.clone(),
            before: self.base.clone(),
            entries: entries.map(|known| (known.follows, known.entry.clone())).collect(),
        })
    }

    /// Deletes entries that the last merged object holds, where whoever merged them did not come to
    /// it.
    pub(super) async fn clear_leftovers(&mut self) -> Result<(), JournalError> {
        let leftovers = std::mem::take(&mut self.leftovers);
        let last = self.extents.last_key_value().map(|(from, _)| *from);
        let (Some(from), false) = (last, leftovers.is_empty()) else { return Ok(()) };
        let Some(block) = self.block(from, 1).await? else { return Ok(()) };
        let stays = |number: u64| block.entry(number).is_none_or(|it| it.entry.is_foreign());
        let paths = leftovers.iter().filter(|(number, _)| !stays(*number));
        let paths = paths.map(|(number, epoch)| self.names.entry(*number, *epoch));
        in_parallel(paths, async |path| self.requests.delete(&path).await)
            .await
            .map(drop)
            .map_err(medium)
    }
}

impl Job {
    /// Merges; none where somebody else has, which following the log shows.
    pub(super) async fn run(self) -> Result<Option<Block>, Failed> {
        let from = self.before.next;
        let mut builder = Builder::new(self.before.clone());
        // Some at a time: what is merged is held once, and not twice.
        for some in (from..).zip(&self.entries).collect::<Vec<_>>().chunks(32) {
            let read = in_parallel(some, async |(number, (follows, _))| {
                self.requests.get(&self.names.entry(*number, *follows)).await
            });
            for ((_, (_, known)), found) in some.iter().zip(read.await?) {
                let Some(found) = found else { return Ok(None) };
                let payload = match Entry::decode(&found.bytes) {
                    Ok((entry, payload)) if entry == *known => payload,
                    _ => return Ok(None),
                };
                let pushed = builder.push(known.clone(), Some(found.at), &found.bytes[payload..]);
                if pushed.is_err() {
                    return Ok(None);
                }
            }
        }
        // Afterwards nobody looks there for what is still to be deleted.
        let erased = self.entries.iter().filter_map(|(_, entry)| erased_value(&entry.content));
        let values = erased.map(|(token, place)| self.names.value(token, place));
        in_parallel(values, async |path| self.requests.delete(&path).await).await?;
        let (bytes, block) = builder.finish();
        match self.requests.create(&self.names.block(from), bytes).await? {
            Created::Theirs(_) => return Ok(None),
            Created::Ours => self.delete_entries(from).await?,
        }
        Ok(Some(block))
    }

    async fn delete_entries(&self, from: u64) -> Result<(), Failed> {
        let own = (from..).zip(&self.entries).filter(|(_, (_, entry))| !entry.is_foreign());
        let own = own.map(|(number, (follows, _))| self.names.entry(number, *follows));
        in_parallel(own, async |path| self.requests.delete(&path).await).await.map(drop)
    }
}
