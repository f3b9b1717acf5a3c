//! The commit builder: encoded records become links, frames, rows and commits, by whichever thread
//! has time.
//!
//! ```text
//! Sequencer: encode ─► draft ─► in order ─► CommitBuilder::frame: link, frame, cut ─► Commit
//! ```
//!
//! Deciding needs no link, so a sequencer only encodes; an engine frames on the thread that writes,
//! while the next batch is decided. The chain is the same either way: drafts are framed in the
//! order in which they were staged, each once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::bytes::chain::Chain;
use crate::bytes::frame::FrameWriter;
use crate::journal::{Commit, Head};
use crate::state::archive::Anchors;
use crate::state::vault::VaultRow;

/// How many used drafts are kept, so that their memory serves again.
const SPARE: usize = 4;

/// Records as they were encoded, one after the other.
#[derive(Debug, Default)]
pub(crate) struct RecordBatch {
    bytes: Vec<u8>,
    /// Where each record ends.
    ends: Vec<usize>,
    vault: Vec<VaultRow>,
}

/// Where drafts wait, and where the chain stands; clones are one commit builder.
#[derive(Clone, Debug)]
pub(crate) struct CommitBuilder(Arc<Bench>);

/// The frames are locked before the drafts where both are, and the drafts never for long: who
/// decides does not wait for who frames.
#[derive(Debug)]
struct Bench {
    frames: Mutex<FrameWriter>,
    drafts: Mutex<Drafts>,
    anchors: Anchors,
}

#[derive(Debug, Default)]
struct Drafts {
    laid: VecDeque<RecordBatch>,
    spare: Vec<RecordBatch>,
}

impl RecordBatch {
    /// Adds the next record, encoded.
    pub(crate) fn add(&mut self, record: &[u8]) {
        self.bytes.extend_from_slice(record);
        self.ends.push(self.bytes.len());
    }

    /// How many records it holds.
    pub(crate) fn count(&self) -> usize {
        self.ends.len()
    }

    /// The records, in order.
    pub(crate) fn records(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |end| &self.bytes[std::mem::replace(&mut start, *end)..*end])
    }

    /// Drops its first records, which the journal holds already.
    pub(crate) fn drop_first(&mut self, count: usize) {
        let dropped = count.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.bytes.drain(..dropped);
        self.ends.drain(..count);
        self.ends.iter_mut().for_each(|end| *end -= dropped);
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

impl CommitBuilder {
    /// A commit builder that goes on where `chain` stands, and tells `anchors` of the links it
    /// makes.
    pub(crate) fn new(chain: Chain, anchors: Anchors) -> Self {
        let frames = Mutex::new(FrameWriter::new(chain));
        Self(Arc::new(Bench { frames, drafts: Mutex::default(), anchors }))
    }

    /// Goes on from `chain`, by which records were verified that others had framed.
    pub(crate) fn resume(&self, chain: Chain) {
        *lock(&self.0.frames) = FrameWriter::new(chain);
    }

    /// Where the chain stands after what is framed.
    pub(crate) fn chain(&self) -> Chain {
        lock(&self.0.frames).chain()
    }

    /// Where it will stand after all drafts, and then `open`. The anchors know as much afterwards,
    /// so that a snapshot holds them all.
    pub(crate) fn head(&self, open: &RecordBatch) -> Head {
        let frames = lock(&self.0.frames);
        let drafts = lock(&self.0.drafts);
        let mut chain = frames.chain();
        for draft in drafts.laid.iter().chain([open]) {
            for record in draft.records() {
                let link = chain.push(record);
                self.0.anchors.link(chain.seq(), link);
            }
        }
        Head::from_chain(&chain)
    }

    /// Takes `open` as the next draft, unless it is empty, and leaves an empty one; says which.
    pub(crate) fn stage(
        &self,
        open: &mut RecordBatch,
        vault: impl FnOnce() -> Vec<VaultRow>,
    ) -> bool {
        if open.count() == 0 {
            return false;
        }
        open.vault = vault();
        let mut drafts = lock(&self.0.drafts);
        let spare = drafts.spare.pop().unwrap_or_default();
        drafts.laid.push_back(std::mem::replace(open, spare));
        true
    }

    /// Links and frames the `count` drafts that were staged first, as one commit; `None` for
    /// none.
    pub(crate) fn frame(&self, count: usize) -> Option<Commit> {
        let mut frames = lock(&self.0.frames);
        let previous = Head::from_chain(&frames.chain());
        let (mut rows, mut vault) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let draft = lock(&self.0.drafts).laid.pop_front();
            let mut draft = draft.expect("each was laid down before it is framed");
            for record in draft.records() {
                if frames.is_full() {
                    rows.extend(frames.cut());
                }
                let link = frames.push(record);
                self.0.anchors.link(frames.chain().seq(), link);
            }
            vault.append(&mut draft.vault);
            self.put_by(draft);
        }
        rows.extend(frames.cut());
        if rows.is_empty() { None } else { Some(Commit { previous, rows, vault }) }
    }

    /// Keeps the memory of a draft that is framed, for another.
    fn put_by(&self, mut draft: RecordBatch) {
        draft.clear();
        let mut drafts = lock(&self.0.drafts);
        if drafts.spare.len() < SPARE {
            drafts.spare.push(draft);
        }
    }
}

/// A thread that panics with it has ended its engine, and nobody goes on with this chain.
fn lock<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
