//! The past: records by number. The last ones stand here as they were written; older ones are read
//! back from the journal, and their chain is followed again before anything is believed.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fmt, io};

use ledger_core::id::Seq;
use ledger_core::ledger::Record;

use super::anchors::{Anchors, STRETCH};
use crate::bytes::chain::{Algorithm, Chain};
use crate::bytes::codec;
use crate::bytes::frame::CHECK_BYTES;
use crate::journal::{Journal, JournalError, Reopen, in_one_line};
use crate::state::snapshot::wire::{Take, encode};

/// How many stretches stay as they were written, once they are durable.
const RECENT: usize = 64;

/// How many stretches that were read back stay.
const READ_BACK: usize = 64;

/// How many of those a reader leaves to the next.
const LEFT: usize = 8;

/// How many bytes of a stretch are used again at most: no more than several times what most take,
/// so that a few large ones do not keep theirs for ever.
const LARGEST_SPARE: usize = 1 << 20;

/// All records, wherever they are.
pub(super) struct Past {
    algorithm: Algorithm,
    anchors: Anchors,
    recent: VecDeque<Stretch>,
    last: u64,
    durable: Arc<AtomicU64>,
    reading: RefCell<Reading>,
}

/// Consecutive records, as bytes.
#[derive(Clone, Debug)]
struct Stretch {
    first: u64,
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

/// What reads the journal back.
#[derive(Default)]
pub(crate) struct Reading {
    journal: Option<Box<dyn Journal>>,
    /// Opens the journal when a record is first read back from it.
    reopen: Option<Reopen>,
    /// The stretches last read, the latest first.
    stretches: VecDeque<Arc<Stretch>>,
    fault: Option<JournalError>,
}

impl Past {
    /// The past of an empty ledger.
    pub(super) fn new(genesis: Chain) -> Self {
        Self {
            algorithm: genesis.algorithm(),
            anchors: Anchors::new(genesis.link()),
            recent: VecDeque::new(),
            last: 0,
            durable: Arc::default(),
            reading: RefCell::default(),
        }
    }

    /// The same records up to `last`, which are durable: all of them are read back by `reading`.
    pub(super) fn until(&self, last: u64, reading: Reading) -> Self {
        Self {
            algorithm: self.algorithm,
            anchors: self.anchors.clone(),
            recent: VecDeque::new(),
            last,
            durable: Arc::clone(&self.durable),
            reading: RefCell::new(reading),
        }
    }

    /// Gives back what reads the journal, with the last of what it has read.
    pub(super) fn into_reading(self) -> Reading {
        let mut reading = self.reading.into_inner();
        reading.stretches.truncate(LEFT);
        reading
    }

    /// Reads back from `journal` from now on, so that what is durable may leave memory.
    pub(super) fn read_back_from(&mut self, journal: Box<dyn Journal>) {
        self.reading.get_mut().journal = Some(journal);
    }

    /// Keeps nothing that can be read back, nor what reads it, until it is needed.
    pub(super) fn rest(&mut self) {
        let reading = self.reading.get_mut();
        reading.stretches = VecDeque::new();
        if let Some(journal) = &mut reading.journal {
            journal.rest();
        }
    }

    /// The number of the last record.
    pub(super) const fn last(&self) -> u64 {
        self.last
    }

    /// Up to which record the journal is known to hold what was pushed.
    pub(super) const fn durable(&self) -> &Arc<AtomicU64> {
        &self.durable
    }

    /// Why a record could not be read back, if that happened.
    pub(super) fn fault(&self) -> Option<String> {
        self.reading.borrow().fault.as_ref().map(|fault| in_one_line(fault))
    }

    /// Puts where the chain stood before each stretch; the records are the journal's.
    pub(super) fn write_to(&self, into: &mut impl io::Write) -> io::Result<()> {
        encode::number(into, self.last)?;
        self.anchors.write_to(into)
    }

    pub(super) fn take(&mut self, from: &mut impl Read) -> io::Result<()> {
        self.last = from.take_number()?;
        self.durable.store(self.last, Ordering::Release);
        let whole = self.anchors.take(from)? == self.last / STRETCH + 1;
        if whole { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
    }

    /// Adds the next record.
    pub(super) fn push(&mut self, record: &[u8]) {
        self.write(|into| into.extend_from_slice(record));
    }

    /// Adds the next record, which `write` appends.
    pub(super) fn write(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let grid = self.last.is_multiple_of(STRETCH);
        if grid || self.recent.is_empty() {
            let next = match self.make_room() {
                Some(spare) => Stretch::in_place_of(spare, self.last + 1),
                None => Stretch::after(self.recent.back(), self.last + 1),
            };
            self.recent.push_back(next);
        }
        self.last += 1;
        let stretch = self.recent.back_mut().expect("a stretch was just added where none was");
        write(&mut stretch.bytes);
        stretch.close();
    }

    /// Lets go of what can be read back; gives one stretch of it, whose memory is used again.
    fn make_room(&mut self) -> Option<Stretch> {
        let durable = self.durable.load(Ordering::Acquire);
        let read_back = self.reading.get_mut().journal.is_some();
        let mut spare = None;
        while read_back && RECENT <= self.recent.len() {
            match self.recent.front() {
                Some(oldest) if oldest.last() <= durable => spare = self.recent.pop_front(),
                _ => break,
            }
        }
        spare
    }

    /// Where the chain stands before each stretch, for whoever links the records.
    pub(super) fn anchors(&self) -> Anchors {
        self.anchors.clone()
    }

    /// The bytes of a record among the last.
    pub(super) fn recent(&self, seq: u64) -> Option<&[u8]> {
        let first = self.recent.front()?.first;
        let nth = (seq.checked_sub(1)? / STRETCH).checked_sub((first - 1) / STRETCH)?;
        self.recent.get(usize::try_from(nth).ok()?)?.get(seq)
    }

    /// A record; none beyond the last, or where reading back fails: then there is a fault.
    pub(super) fn record(&self, seq: u64) -> Option<Record> {
        if seq == 0 || self.last < seq {
            return None;
        }
        if let Some(bytes) = self.recent(seq) {
            return Some(decode_recent(seq, bytes));
        }
        self.read_back(seq, |bytes| decode(seq, bytes))
    }

    /// The bytes of a record, where [`Past::record`] gives it.
    pub(super) fn bytes(&self, seq: u64) -> Option<Vec<u8>> {
        if seq == 0 || self.last < seq {
            return None;
        }
        let recent = self.recent(seq).map(<[u8]>::to_vec);
        recent.or_else(|| self.read_back(seq, |bytes| Ok(bytes.to_vec())))
    }

    /// Where the chain begins.
    pub(super) fn genesis(&self) -> Chain {
        let link = self.anchors.before(0).expect("the first anchor is there from the beginning");
        Chain::resume(self.algorithm, 0, link)
    }

    /// Where the chain stands before a record: linked again, of the `bytes` of records, from the
    /// anchor of its stretch.
    pub(super) fn chain_before(
        &self,
        seq: u64,
        bytes: impl Fn(u64) -> Option<Vec<u8>>,
    ) -> Option<Chain> {
        let nth = seq.checked_sub(1)? / STRETCH;
        let mut chain = Chain::resume(self.algorithm, nth * STRETCH, self.anchors.before(nth)?);
        while chain.seq() + 1 < seq {
            chain.push(&bytes(chain.seq() + 1)?);
        }
        Some(chain)
    }

    fn read_back<T>(
        &self,
        seq: u64,
        of: impl FnOnce(&[u8]) -> Result<T, JournalError>,
    ) -> Option<T> {
        let mut reading = self.reading.borrow_mut();
        if reading.fault.is_some() {
            // What was not found once is not found twice: a void decision still hangs together.
            return None;
        }
        let read = reading.stretch_with(seq, self).and_then(|stretch| {
            of(stretch.get(seq).expect("a stretch holds the record it was read for"))
        });
        read.map_err(|fault| reading.fault.get_or_insert(fault)).ok()
    }
}

impl Reading {
    /// Reads back a journal that it opens at the first need.
    pub(crate) fn new(reopen: Reopen) -> Self {
        Self { reopen: Some(reopen), ..Self::default() }
    }

    fn journal(&mut self, seq: u64) -> Result<&mut Box<dyn Journal>, JournalError> {
        if let (None, Some(reopen)) = (&self.journal, &self.reopen) {
            let opened = reopen.open().map_err(|error| JournalError::Medium(error.into()))?;
            self.journal = Some(opened);
        }
        let nowhere = "it left memory and there is no journal to read it back from";
        self.journal.as_mut().ok_or_else(|| damage_error(seq, nowhere))
    }

    fn stretch_with(&mut self, seq: u64, past: &Past) -> Result<Arc<Stretch>, JournalError> {
        let place = self.stretches.iter().position(|known| known.get(seq).is_some());
        let found = match place.and_then(|place| self.stretches.remove(place)) {
            Some(known) => known,
            None => Arc::new(self.read(seq, past)?),
        };
        self.stretches.truncate(READ_BACK - 1);
        self.stretches.push_front(Arc::clone(&found));
        Ok(found)
    }

    /// Reads the stretch that holds record `seq`, following its chain from the anchor before it.
    fn read(&mut self, seq: u64, past: &Past) -> Result<Stretch, JournalError> {
        let journal = self.journal(seq)?;
        let nth = (seq - 1) / STRETCH;
        let anchor = past.anchors.before(nth).expect("every stretch begins at an anchor");
        let mut chain = Chain::resume(past.algorithm, nth * STRETCH, anchor);
        let mut stretch = Stretch::new(chain.seq() + 1);
        let end = (nth + 1) * STRETCH;
        // Loaded first: what is appended while the journal is read may not be among its rows.
        let durable = past.durable.load(Ordering::Acquire);
        let mut at_once = 2;
        while chain.seq() < end {
            let rows = journal.read(chain.seq() + 1, at_once)?;
            let Some(last) = rows.last() else { break };
            // Rows of one record need many, rows of a thousand few.
            let left = end.saturating_sub(last.last());
            at_once = usize::try_from(left / u64::from(last.count) + 1).unwrap_or(at_once);
            for frame in rows.iter().flat_map(crate::bytes::frame::Row::frames) {
                let frame = frame.map_err(|error| damage_error(error.seq(), error))?;
                if frame.seq <= chain.seq() || end < frame.seq {
                    continue;
                }
                if frame.seq != chain.seq() + 1 {
                    let (expected, found) = (chain.seq() + 1, frame.seq);
                    return Err(JournalError::Gap { expected, found });
                }
                if chain.push(frame.record).0[..CHECK_BYTES] != frame.check {
                    return Err(damage_error(frame.seq, "it is not the record that was written"));
                }
                stretch.push(frame.record);
            }
        }
        // The end of a stretch is linked before the journal holds it.
        let ended = chain.seq() == end || end <= durable;
        let other = past.anchors.before(nth + 1).is_some_and(|link| link != chain.link());
        if chain.seq() < seq || ended && other {
            return Err(damage_error(
                chain.seq() + 1,
                "the journal is not the one that was replayed",
            ));
        }
        Ok(stretch)
    }
}

impl Stretch {
    const fn new(first: u64) -> Self {
        Self { first, ends: Vec::new(), bytes: Vec::new() }
    }

    /// A new one in the memory of one that nobody needs any more: memory that is taken anew is
    /// cleared first, and moved as it grows.
    fn in_place_of(spare: Self, first: u64) -> Self {
        let Self { mut ends, mut bytes, .. } = spare;
        if LARGEST_SPARE < bytes.capacity() {
            return Self::new(first);
        }
        ends.clear();
        bytes.clear();
        Self { first, ends, bytes }
    }

    /// A new one with room for as much as the one before it holds, and a sixteenth more.
    fn after(before: Option<&Self>, first: u64) -> Self {
        let Some(before) = before else { return Self::new(first) };
        let bytes = before.bytes.len() + before.bytes.len() / 16;
        let bytes = Vec::with_capacity(bytes.min(LARGEST_SPARE));
        Self { first, ends: Vec::with_capacity(before.ends.len()), bytes }
    }

    fn push(&mut self, record: &[u8]) {
        self.bytes.extend_from_slice(record);
        self.close();
    }

    fn close(&mut self) {
        self.ends.push(u32::try_from(self.bytes.len()).expect("a stretch is smaller than 4 GiB"));
    }

    fn last(&self) -> u64 {
        self.first + self.ends.len() as u64 - 1
    }

    fn get(&self, seq: u64) -> Option<&[u8]> {
        let nth = usize::try_from(seq.checked_sub(self.first)?).ok()?;
        let end = *self.ends.get(nth)? as usize;
        let start = nth.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Some(&self.bytes[start..end])
    }
}

/// A record among the last, of its bytes.
pub(super) fn decode_recent(seq: u64, bytes: &[u8]) -> Record {
    decode(seq, bytes).expect("what was encoded here decodes")
}

fn decode(seq: u64, bytes: &[u8]) -> Result<Record, JournalError> {
    codec::decode(Seq(seq), bytes).map_err(|error| damage_error(seq, error))
}

fn damage_error(
    seq: u64,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> JournalError {
    JournalError::Damaged { seq, source: source.into() }
}

impl fmt::Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stretches = self.stretches.len();
        f.debug_struct("Reading").field("stretches", &stretches).finish_non_exhaustive()
    }
}

impl fmt::Debug for Past {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Past")
            .field("last", &self.last)
            .field("recent", &self.recent.len())
            .finish_non_exhaustive()
    }
}
