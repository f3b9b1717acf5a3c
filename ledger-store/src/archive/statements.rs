//! Statements: which records hold the rows of each. What the rows say, the records tell.
//!
//! The records of one statement stand in blocks, newest last, each linked to the block before it. A
//! block knows how many rows came before it and the balance they left, so its rows are derived
//! from its own records alone.

use std::fmt::{self, Write};
use std::io::{self, Read};

use ledger_core::accounting::Row;
use ledger_core::id::{AccountId, Seq, SubaccountId};
use ledger_core::ledger::Record;
use ledger_core::money::Balance;
use ledger_core::time::Instant;

use super::arena::{Arena, varint};
use crate::snapshot::wire::{Take, put};

/// Whose statement the rows are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// A subaccount's statement.
    Custody(SubaccountId),
    /// A partner's commission.
    Partner(AccountId),
}

/// The records that hold rows, by statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Statements {
    subaccounts: Vec<Tail>,
    partners: Vec<Tail>,
    blocks: Arena<Block>,
}

/// Where a statement ends.
#[derive(Clone, Copy, Debug, Default)]
struct Tail {
    /// The last record that holds a row; 0 before the first.
    seq: u64,
    /// The balance its last row tells.
    balance: i64,
    /// The block with the last record, counted from 1; 0 before the first.
    block: u32,
    /// How many bytes of that block are used.
    used: u8,
}

/// A stretch of one statement: the numbers of its records, each as its distance from the one
/// before.
#[derive(Clone, Copy, Debug)]
struct Block {
    balance_before: i64,
    previous: u32,
    rows_before: u32,
    distances: [u8; DISTANCES],
}

const DISTANCES: usize = 32;

/// The rows of one block, derived.
#[derive(Clone, Debug)]
pub(super) struct Page {
    whose: Whose,
    rows_before: u32,
    rows: Vec<Row>,
    /// The statement's last record when it was derived, where a row could still be added; 0 where
    /// none.
    open_at: u64,
}

impl Statements {
    /// A row was posted; `number` counts from 1.
    pub(super) fn push(&mut self, whose: Whose, number: u32, row: &Row) {
        let (tails, index) = match whose {
            Whose::Custody(id) => (&mut self.subaccounts, id.0 as usize),
            Whose::Partner(id) => (&mut self.partners, id.0 as usize),
        };
        if tails.len() <= index {
            tails.resize(index + 1, Tail::default());
        }
        let tail = &mut tails[index];
        let (seq, balance) = (row.seq.0, row.balance_after.cents());
        tail.balance = balance;
        if seq == tail.seq {
            return;
        }
        let mut bytes = [0; varint::LONGEST];
        let used = usize::from(tail.used);
        let mut length = varint::write(seq - tail.seq, &mut bytes);
        let block = (tail.block as usize).checked_sub(1);
        match block.and_then(|block| self.blocks.get_mut(block)) {
            Some(block) if used + length <= DISTANCES => {
                block.distances[used..used + length].copy_from_slice(&bytes[..length]);
                tail.used += u8::try_from(length).expect("a block is small");
            }
            _ => {
                length = varint::write(seq, &mut bytes);
                let mut distances = [0; DISTANCES];
                distances[..length].copy_from_slice(&bytes[..length]);
                let balance_before = balance - row.value.cents();
                let (previous, rows_before) = (tail.block, number - 1);
                self.blocks.push(Block { balance_before, previous, rows_before, distances });
                tail.block = u32::try_from(self.blocks.len()).expect("fewer than 2^32 blocks");
                tail.used = u8::try_from(length).expect("a block is small");
            }
        }
        tail.seq = seq;
    }

    /// The balance the last row of a subaccount tells; none without a row.
    pub(super) fn balance_after(&self, subaccount: SubaccountId) -> Option<Balance> {
        let tail = self.subaccounts.get(subaccount.0 as usize).filter(|tail| tail.block > 0)?;
        Some(Balance::new(tail.balance))
    }

    fn tail(&self, whose: Whose) -> Option<&Tail> {
        match whose {
            Whose::Custody(id) => self.subaccounts.get(id.0 as usize),
            Whose::Partner(id) => self.partners.get(id.0 as usize),
        }
    }

    /// Whether `page` holds that row, and nothing was added to it since it was derived.
    pub(super) fn stands_on(&self, page: &Page, whose: Whose, number: u32) -> bool {
        let grown =
            page.open_at > 0 && self.tail(whose).is_none_or(|tail| tail.seq != page.open_at);
        page.whose == whose && !grown && page.row(number).is_some()
    }

    /// The rows of the block that holds row `number`, derived from their records.
    pub(super) fn page(
        &self,
        whose: Whose,
        number: u32,
        record: impl Fn(Seq) -> Option<Record>,
    ) -> Option<Page> {
        let tail = self.tail(whose)?;
        let mut place = tail.block;
        let block = loop {
            let block = self.blocks.get((place as usize).checked_sub(1)?)?;
            if block.rows_before < number {
                break block;
            }
            place = block.previous;
        };
        let closed = place != tail.block;
        let mut balance = Balance::new(block.balance_before);
        let open_at = if closed { 0 } else { tail.seq };
        let mut page = Page { whose, rows_before: block.rows_before, rows: Vec::new(), open_at };
        for seq in block.records() {
            let record = record(seq)?;
            let rows = match whose {
                Whose::Custody(id) => record.rows(id, balance),
                Whose::Partner(id) => record.commission_rows(id, balance),
            };
            balance = rows.last().map_or(balance, |row| row.balance_after);
            page.rows.extend(rows);
        }
        Some(page)
    }

    /// The balance of a subaccount after its last row dated at or before `at`, of a statement of
    /// any length by the first records of a few blocks, and the records of one; zero before the
    /// first row. None where a record cannot be read.
    pub(super) fn balance_at(
        &self,
        subaccount: SubaccountId,
        at: Instant,
        record: impl Fn(Seq) -> Option<Record>,
    ) -> Option<Balance> {
        let newest = self.tail(Whose::Custody(subaccount)).map_or(0, |tail| tail.block);
        let block = |place: u32| self.blocks.get((place as usize).checked_sub(1)?);
        let blocks = std::iter::successors(block(newest), |later| block(later.previous));
        let blocks: Vec<&Block> = blocks.collect();
        // The newest come first, and those that begin after `at` before all others.
        let (mut low, mut high) = (0, blocks.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if at < record(blocks[middle].records().next()?)?.at {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let Some(block) = blocks.get(low) else { return Some(Balance::ZERO) };
        let mut balance = Balance::new(block.balance_before);
        for seq in block.records() {
            let record = record(seq)?;
            if at < record.at {
                break;
            }
            let rows = record.rows(subaccount, balance);
            balance = rows.last().map_or(balance, |row| row.balance_after);
        }
        Some(balance)
    }

    pub(super) fn put(&self, into: &mut impl io::Write) -> io::Result<()> {
        for tails in [&self.subaccounts, &self.partners] {
            put::number(into, tails.len() as u64)?;
            for tail in tails {
                put::number(into, tail.seq)?;
                into.write_all(&tail.balance.to_le_bytes())?;
                put::words(into, [tail.block, u32::from(tail.used)])?;
            }
        }
        put::number(into, self.blocks.len() as u64)?;
        self.blocks.iter().try_for_each(|block| {
            into.write_all(&block.balance_before.to_le_bytes())?;
            put::words(into, [block.previous, block.rows_before])?;
            into.write_all(&block.distances)
        })
    }

    pub(super) fn take(&mut self, from: &mut impl Read) -> io::Result<()> {
        for tails in [&mut self.subaccounts, &mut self.partners] {
            for _ in 0..from.take_length()? {
                let seq = from.take_number()?;
                let balance = i64::from_le_bytes(from.take_array()?);
                let [block, used] = from.take_words()?;
                let used = u8::try_from(used).map_err(|_| io::ErrorKind::InvalidData)?;
                tails.push(Tail { seq, balance, block, used });
            }
        }
        for _ in 0..from.take_length()? {
            let balance_before = i64::from_le_bytes(from.take_array()?);
            let [previous, rows_before] = from.take_words()?;
            let distances = from.take_array()?;
            self.blocks.push(Block { balance_before, previous, rows_before, distances });
        }
        Ok(())
    }

    /// Every statement, block by block.
    pub(super) fn describe(&self, into: &mut impl Write) -> fmt::Result {
        for tail in self.subaccounts.iter().chain(&self.partners) {
            write!(into, "{tail:?}")?;
        }
        self.blocks.iter().try_for_each(|block| write!(into, "{block:?}"))
    }
}

impl Block {
    /// The numbers of its records, in their order.
    fn records(&self) -> impl Iterator<Item = Seq> {
        let (mut seq, mut rest) = (0, &self.distances[..]);
        // No distance is nothing, so what was never written ends it.
        std::iter::from_fn(move || {
            seq += varint::read(&mut rest).filter(|distance| *distance > 0)?;
            Some(Seq(seq))
        })
    }
}

impl Page {
    pub(super) fn row(&self, number: u32) -> Option<Row> {
        let index = number.checked_sub(self.rows_before)?.checked_sub(1)?;
        self.rows.get(index as usize).copied()
    }
}
