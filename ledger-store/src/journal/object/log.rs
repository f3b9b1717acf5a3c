//! The log of a ledger as far as it is known, and how it is followed.
//!
//! ```text
//! 1 ─ merged ─ merged ─ … ─ base ─ entry ─ entry ─ … ─ state          numbers go up
//! ```
//!
//! The end is where the next number has no object, and no merged object begins where the known
//! ones end: both are asked for by name. Lists say where to begin, and nothing depends on what they
//! lack; what they show beyond the end says that an entry is lost (see `ending.rs`).
//! An entry is deleted only once a merged object holds it, so whoever finds it gone finds that one;
//! and whatever stood in its place afterwards, by whoever was held up since, shows by that too: a
//! pass over entries counts only if no merged object covers them when it is over.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use super::format::block::{Block, FIRST_READ, Opened};
use super::format::entry::Entry;
use super::format::names::{Names, block_of, entry_of};
use super::format::state::State;
use super::reached::Reached;
use super::store::requests::{Failed, Requests, StoredObject, in_parallel};
use super::vault_index::VaultIndex;
use crate::journal::JournalError;

/// How many bytes of payloads that were read on the way are kept for whoever reads them next.
const CACHED: usize = 16 << 20;

/// How many entries are asked for at once where a list says that they are there.
const AHEAD: usize = 32;

/// The log of one ledger.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) requests: Requests,
    pub(super) names: Names,
    /// The fold over the merged objects.
    pub(super) base: State,
    /// The fold over all that is known.
    pub(super) state: State,
    /// The entries since the merged ones.
    pub(super) entries: VecDeque<EntryObject>,
    cached: usize,
    /// What is known of merged objects, by the first number of each.
    pub(super) extents: BTreeMap<u64, Extent>,
    /// The merged object that was read last.
    pub(super) last_read: Option<Arc<Block>>,
    pub(super) vault_index: VaultIndex,
    /// Entries that a merged object holds and that were listed all the same.
    pub(super) leftovers: Vec<(u64, u64)>,
    /// How far it has gone, whatever was read of it.
    pub(super) reached: Reached,
}

/// An entry that is an object of its own.
#[derive(Clone, Debug)]
pub(super) struct EntryObject {
    /// The epoch in its name: the one it follows on.
    pub(super) follows: u64,
    pub(super) entry: Entry,
    /// Its payload, where it was read and is not too much.
    pub(super) payload: Option<Vec<u8>>,
}

/// What a merged object covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Its last entry.
    pub(super) to: u64,
    /// The last record before it.
    pub(super) before: u64,
    /// The last record in it.
    pub(super) after: u64,
}

impl Extent {
    fn from_block(block: &Block) -> Self {
        let (before, after) = (block.index.before.head().seq, block.index.after.head().seq);
        Self { to: block.to(), before, after }
    }
}

/// Entries that are there, by a list, and those already read.
#[derive(Default)]
struct Ahead {
    listed: VecDeque<(u64, u64)>,
    read: HashMap<(u64, u64), StoredObject>,
}

/// A failure of the store.
pub(super) fn medium(failed: Failed) -> JournalError {
    JournalError::Medium(failed.source())
}

impl Log {
    fn new(requests: Requests, names: Names, genesis: State) -> Self {
        Self {
            requests,
            names,
            base: genesis.clone(),
            state: genesis,
            entries: VecDeque::new(),
            cached: 0,
            extents: BTreeMap::new(),
            last_read: None,
            vault_index: VaultIndex::default(),
            leftovers: Vec::new(),
            reached: Reached::default(),
        }
    }

    /// The log read from its first entry on, by names alone; each merged object must be what its
    /// entries make of the one before it.
    pub(super) async fn from_the_first(
        requests: Requests,
        names: Names,
        genesis: State,
    ) -> Result<Self, JournalError> {
        let mut log = Self::new(requests, names, genesis);
        while let Some(block) = log.block(log.base.next, log.base.head().seq + 1).await? {
            let number = log.base.next;
            log.adopt(&block)?;
            block.assert_folds().map_err(|reason| log.damage_error(number, &reason))?;
        }
        log.follow().await?;
        Ok(log)
    }

    /// The log as it stands; `genesis` is the fold before the first entry.
    pub(super) async fn open(
        requests: Requests,
        names: Names,
        genesis: State,
    ) -> Result<Self, JournalError> {
        let mut log = Self::new(requests, names, genesis);
        let blocks = log.requests.list(&log.names.merged_folder(), None).await.map_err(medium)?;
        let mut first = 1;
        if let Some(from) = blocks.iter().filter_map(block_of).max()
            && let Some(block) = log.block(from, 1).await?
        {
            first = from;
            log.base = block.index.after.clone();
            log.state = log.base.clone();
        }
        let after = log.names.entry(first - 1, u64::MAX);
        let listed = log.requests.list(&log.names.entries(), Some(&after)).await.map_err(medium)?;
        let mut listed: Vec<(u64, u64)> = listed.iter().filter_map(entry_of).collect();
        listed.sort_unstable();
        let old = listed.partition_point(|(number, _)| *number < log.base.next);
        log.leftovers = listed.drain(..old).collect();
        if let Some((number, epoch)) = listed.last() {
            log.reached.note(*number, &log.names.entry(*number, *epoch));
        }
        log.look_at_marks().await?;
        log.pass(Ahead { listed: listed.into(), read: HashMap::new() }).await?;
        Ok(log)
    }

    /// Follows the log to its end.
    pub(super) async fn follow(&mut self) -> Result<(), JournalError> {
        self.pass(Ahead::default()).await
    }

    async fn pass(&mut self, mut ahead: Ahead) -> Result<(), JournalError> {
        loop {
            let (began, known) = (self.state.clone(), self.entries.len());
            let read = self.entries_to_the_end(&mut ahead).await;
            let Some(block) = self.block(self.base.next, self.base.head().seq + 1).await? else {
                return read;
            };
            if block.to() >= began.next {
                // What was read may be what somebody who was held up wrote in a place left free.
                self.state = began;
                self.entries.truncate(known);
            }
            self.adopt(&block)?;
        }
    }

    async fn entries_to_the_end(&mut self, ahead: &mut Ahead) -> Result<(), JournalError> {
        while let Some(found) = self.next_entry(ahead).await? {
            self.take_in(found)?;
        }
        Ok(())
    }

    async fn next_entry(&self, ahead: &mut Ahead) -> Result<Option<StoredObject>, JournalError> {
        let name = (self.state.next, self.state.epoch);
        if !ahead.read.contains_key(&name) && !ahead.listed.is_empty() {
            ahead.read.clear();
            ahead.listed.retain(|listed| *listed >= name);
            let some = ahead.listed.drain(..AHEAD.min(ahead.listed.len()));
            let read = in_parallel(some, async |(number, epoch)| {
                let found = self.requests.get(&self.names.entry(number, epoch)).await?;
                Ok(((number, epoch), found))
            });
            let read = read.await.map_err(medium)?.into_iter();
            ahead.read = read.filter_map(|(name, found)| Some((name, found?))).collect();
        }
        match ahead.read.remove(&name) {
            Some(found) => Ok(Some(found)),
            None => self.requests.get(&self.names.entry(name.0, name.1)).await.map_err(medium),
        }
    }

    /// Goes on over an entry that was read.
    pub(super) fn take_in(&mut self, found: StoredObject) -> Result<(), JournalError> {
        let StoredObject { bytes, at } = found;
        let (entry, payload) =
            Entry::decode(&bytes).map_err(|reason| self.damage_error(self.state.next, &reason))?;
        let payload = bytes[payload..].to_vec();
        self.push(entry, Some(at), Some(payload))
    }

    /// Goes on over the next entry, which is there.
    pub(super) fn push(
        &mut self,
        entry: Entry,
        at: Option<i64>,
        payload: Option<Vec<u8>>,
    ) -> Result<(), JournalError> {
        let (number, follows) = (self.state.next, self.state.epoch);
        let mut state = self.state.clone();
        state.apply(&entry, at).map_err(|reason| self.damage_error(number, &reason))?;
        self.state = state;
        self.cached += payload.as_ref().map_or(0, Vec::len);
        self.entries.push_back(EntryObject { follows, entry, payload });
        if self.cached > CACHED {
            self.entries.iter_mut().for_each(|known| known.payload = None);
            self.cached = 0;
        }
        Ok(())
    }

    /// Knows the entries of a merged object as merged.
    pub(super) fn adopt(&mut self, block: &Block) -> Result<(), JournalError> {
        let (before, after) = (&block.index.before, &block.index.after);
        let place = |state: &State| (state.next, state.epoch, state.head());
        if place(before) != place(&self.base) {
            return Err(self.damage_error(before.next, "it does not follow the one before it"));
        }
        if after.next > self.state.next {
            self.entries.clear();
            self.state = after.clone();
        } else {
            let merged = usize::try_from(after.next - self.base.next).unwrap_or(usize::MAX);
            self.entries.drain(..merged.min(self.entries.len()));
        }
        self.cached =
            self.entries.iter().filter_map(|known| Some(known.payload.as_ref()?.len())).sum();
        self.base = after.clone();
        self.extents.insert(block.from(), Extent::from_block(block));
        Ok(())
    }

    /// The merged object whose first entry has this number, if there is one; it is read for record
    /// `seq`.
    pub(super) async fn block(
        &mut self,
        from: u64,
        seq: u64,
    ) -> Result<Option<Arc<Block>>, JournalError> {
        if let Some(block) = self.last_read.as_ref().filter(|block| block.from() == from) {
            return Ok(Some(Arc::clone(block)));
        }
        let path = self.names.block(from);
        let mut end = FIRST_READ;
        let block = loop {
            let found = self.requests.get_range(&path, 0..end).await.map_err(medium)?;
            let Some(found) = found else { return Ok(None) };
            let damaged = |reason: String| JournalError::Damaged {
                seq,
                source: format!("the object {path}: {reason}").into(),
            };
            match Block::open(&found.bytes).map_err(damaged)? {
                Opened::Whole(block) if block.from() == from => break Arc::new(*block),
                Opened::Longer(longer) if longer > end => end = longer,
                Opened::Whole(_) => return Err(damaged("it is another's".to_owned())),
                Opened::Longer(_) => return Err(damaged("it is cut off".to_owned())),
            }
        };
        self.extents.insert(from, Extent::from_block(&block));
        self.last_read = Some(Arc::clone(&block));
        Ok(Some(block))
    }

    /// The entry of this number, if it is not merged.
    pub(super) fn entry_object(&self, number: u64) -> Option<&EntryObject> {
        let place = number.checked_sub(self.base.next)?;
        self.entries.get(usize::try_from(place).ok()?)
    }

    /// The object of this entry is not what it was.
    pub(super) fn damage_error(&self, number: u64, reason: &str) -> JournalError {
        let source = format!("entry {number}: {reason}").into();
        JournalError::Damaged { seq: self.state.head().seq + 1, source }
    }
}
