//! The archive of a reader: up to one record, while another archive goes on.
//!
//! Its index is that of the archive which goes on. What that learned after the reader's last record
//! is passed over: an index only grows, and names a record or a subaccount by its number.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use ledger_core::accounting::Row;
use ledger_core::id::{AccountId, OpId, Seq, SubaccountId};
use ledger_core::ledger::{Archive as _, State};
use ledger_core::money::Balance;
use ledger_core::time::Instant;

use super::JournalArchive;
use super::keys::Absent;
use super::names::Names;
use super::past::Reading;
use super::statements::{Piece, Statements, Whose};
use super::trails::Trails;
use crate::bytes::chain::Chain;
use crate::state::lent::Lent;

/// An archive that goes on, to be looked at between its changes.
pub(crate) trait SharedArchive: Send + Sync {
    /// Shows the archive as it is now, for a moment: whoever changes it waits meanwhile.
    fn look(&self, look: &mut dyn FnMut(&JournalArchive));
}

/// The part of an archive that reads in another one.
pub(super) struct Reader {
    /// The state that is read beside it.
    state: State,
    shared: Arc<dyn SharedArchive>,
    names: Lent<SubaccountId, Box<str>>,
    /// The bytes of records that the other archive has in memory.
    recent: Lent<Seq, Box<[u8]>>,
}

impl Reader {
    pub(super) fn new(state: State, shared: Arc<dyn SharedArchive>) -> Self {
        Self { state, shared, names: Lent::default(), recent: Lent::default() }
    }

    fn ask<T>(&self, look: impl Fn(&JournalArchive) -> T) -> T {
        let mut found = None;
        self.shared.look(&mut |archive| found = Some(look(archive)));
        found.expect("an archive that is looked at is shown")
    }

    pub(super) fn subaccount(&self, account: AccountId, customer: &str) -> Option<SubaccountId> {
        let found = self.ask(|archive| archive.names.subaccount(account, customer));
        found.filter(|subaccount| self.state.subaccount(*subaccount).is_some())
    }

    pub(super) fn customer(&self, subaccount: SubaccountId) -> Option<&str> {
        self.state.subaccount(subaccount)?;
        let find = || self.ask(|archive| archive.names.customer(subaccount).map(Box::from));
        self.names.lend(subaccount, find).map(|name| &**name)
    }

    /// How many rows the statement of a subaccount has.
    pub(super) fn rows(&self, subaccount: SubaccountId) -> u32 {
        self.state.books.subaccount(subaccount).rows
    }

    /// The records that may have brought a key.
    fn records_of_key(&self, hash: u64) -> Vec<Seq> {
        let mut records = self.ask(|archive| archive.keys.records(hash));
        records.retain(|seq| *seq <= self.state.seq);
        records
    }

    /// The bytes of a record among the last.
    fn recent_bytes(&self, seq: Seq) -> Option<&[u8]> {
        let find = || self.ask(|archive| archive.recent_bytes(seq).map(Box::from));
        self.recent.lend(seq, find).map(|bytes| &**bytes)
    }

    /// The records that moved an operation, if more than one may have.
    pub(super) fn trail(&self, op: OpId) -> Option<Vec<Seq>> {
        let mut trail = self.ask(|archive| archive.trail(op))?;
        trail.retain(|seq| *seq <= self.state.seq);
        Some(trail).filter(|trail| !trail.is_empty())
    }

    /// The records that moved an operation which has ended.
    pub(super) fn ended_trail(&self, op: OpId) -> Option<Vec<Seq>> {
        if self.state.open(op).is_some() { None } else { self.trail(op) }
    }

    /// Where each block of a statement begins that begins by the reader's last record.
    fn block_starts(&self, whose: Whose) -> Vec<(u32, Seq)> {
        let mut starts = self.ask(|archive| archive.statements.block_starts(whose));
        starts.retain(|(_, first)| *first <= self.state.seq);
        starts
    }

    /// The records of the block that holds a row. Their bytes are taken at the same look, since a
    /// look may have to wait for a batch.
    fn piece(&self, whose: Whose, number: u32) -> Option<Piece> {
        let (piece, bytes) = self.ask(|archive| {
            let piece = archive.statements.piece(whose, number)?.until(self.state.seq);
            let bytes = |seq: &Seq| archive.recent_bytes(*seq).map(Box::from);
            let bytes: Vec<Option<Box<[u8]>>> = piece.records.iter().map(bytes).collect();
            Some((piece, bytes))
        })?;
        for (seq, bytes) in piece.records.iter().zip(bytes) {
            self.recent.lend(*seq, || bytes);
        }
        Some(piece)
    }
}

impl JournalArchive {
    /// The archive of a reader of this state, all of whose records are durable: it looks in this
    /// one, `shared`, which goes on.
    pub(crate) fn reader(
        &self,
        state: State,
        shared: Arc<dyn SharedArchive>,
        reading: Reading,
    ) -> Self {
        Self {
            names: Names::default(),
            keys: self.keys.without_keys(),
            trails: Trails::default(),
            statements: Statements::default(),
            past: self.past.until(state.seq.0, reading),
            fresh: Vec::new(),
            before_fresh: 0,
            page: RefCell::new(None),
            absent: RefCell::<Absent>::default(),
            reader: Some(Reader::new(state, shared)),
        }
    }

    /// Where the chain begins.
    pub(crate) fn genesis(&self) -> Chain {
        self.past.genesis()
    }

    /// Gives back what a reader reads the journal by.
    pub(crate) fn into_reading(self) -> Reading {
        self.past.into_reading()
    }

    /// Where the chain stands after a reader's last record; none of an archive that goes on.
    pub(crate) fn readers_chain(&self) -> Option<Chain> {
        self.reader.as_ref()?;
        // Where something cannot be read there is a fault, and nothing of the answer is given.
        Some(self.chain_before(self.last() + 1).unwrap_or_else(|| self.genesis()))
    }

    /// The bytes of a record that the archive which a reader looks in has in memory.
    pub(super) fn bytes_of_others(&self, seq: Seq) -> Option<&[u8]> {
        let reader = self.reader.as_ref().filter(|_| seq.0 <= self.last())?;
        reader.recent_bytes(seq)
    }

    /// The record that brought a key of this hash, of which `is_it` says so.
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(Seq) -> bool) -> Option<Seq> {
        match &self.reader {
            Some(reader) => reader.records_of_key(hash).into_iter().find(|seq| is_it(*seq)),
            None => self.keys.find(hash, is_it),
        }
    }

    pub(super) fn page_row(&self, statement: Whose, number: u32) -> Option<Row> {
        let mut page = self.page.borrow_mut();
        let known = page.as_ref().filter(|page| page.holds(statement, number));
        if !known.is_some_and(|page| self.reader.is_some() || self.statements.stands_on(page)) {
            *page = Some(self.piece(statement, number)?.page(|seq| self.record(seq))?);
        }
        page.as_ref()?.row(number)
    }

    /// The balance of a statement after its last row dated at or before `at`: by the first records
    /// of a few blocks, and the records of one; zero before the first row. None where a record
    /// cannot be read.
    pub(super) fn balance_by_blocks(&self, statement: Whose, at: Instant) -> Option<Balance> {
        let starts = match &self.reader {
            Some(reader) => reader.block_starts(statement),
            None => self.statements.block_starts(statement),
        };
        // The newest come first, and those that begin after `at` before all others.
        let (mut low, mut high) = (0, starts.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if at < self.record(starts[middle].1)?.at {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let Some((rows_before, _)) = starts.get(low) else { return Some(Balance::ZERO) };
        self.piece(statement, rows_before + 1)?.balance_at(at, |seq| self.record(seq))
    }

    /// The records of the block that holds a row.
    fn piece(&self, statement: Whose, number: u32) -> Option<Piece> {
        match &self.reader {
            Some(reader) => reader.piece(statement, number),
            None => self.statements.piece(statement, number),
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("last", &self.state.seq).finish_non_exhaustive()
    }
}
