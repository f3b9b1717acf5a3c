//! Statements: which records hold the rows of each. What the rows say, the records tell.
//!
//! The records of one statement stand in blocks, newest last, each linked to the block before it. A
//! block knows how many rows came before it and the balance they left, so its rows are derived
//! from its own records alone.

use std::hint::black_box;
use std::io::{self, Read, Write};

use ledger_core::accounting::Row;
use ledger_core::id::{AccountId, Seq, SubaccountId};
use ledger_core::ledger::Record;
use ledger_core::money::Balance;
use ledger_core::time::Instant;

use super::arena::{Arena, varint};
use crate::state::snapshot::wire::{Take, encode};

/// Whose statement the rows are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// A subaccount's statement.
    Custody(SubaccountId),
    /// A partner's commission.
    Partner(AccountId),
}

impl Whose {
    /// The rows that a record posted to the statement, whose balance stood at `before`.
    fn rows(self, record: &Record, before: Balance) -> Vec<Row> {
        match self {
            Self::Custody(id) => record.rows(id, before),
            Self::Partner(id) => record.commission_rows(id, before),
        }
    }
}

/// The records that hold rows, by statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Statements {
    subaccounts: Vec<Tail>,
    partners: Vec<Tail>,
    blocks: Arena<Block>,
}

/// Where a statement ends, and how it begins: half a line of memory, so that none lies in two.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Tail {
    /// The last record that holds a row; 0 before the first.
    seq: u64,
    /// The balance its last row tells.
    balance: i64,
    /// The block with the last record, counted from 1; 0 where that stands in `first`.
    block: u32,
    /// How many bytes of that block, or of `first`, are used.
    used: u8,
    /// The first records of a statement that begins with nothing, which of an idle subaccount are
    /// all there are; unused where it begins otherwise.
    first: [u8; FIRST],
}

const FIRST: usize = 11;

/// A stretch of one statement, in a line of memory: the numbers of its records, each as its
/// distance from the one before.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    balance_before: i64,
    /// The block before it; 0 where there is none but what stands in the tail.
    previous: u32,
    rows_before: u32,
    distances: [u8; DISTANCES],
}

const DISTANCES: usize = 48;

/// A block, or the first records of a statement.
#[derive(Clone, Copy)]
struct Stretch<'a> {
    balance_before: i64,
    rows_before: u32,
    distances: &'a [u8],
}

/// The records of one block, of which its rows are derived.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    whose: Whose,
    balance_before: Balance,
    rows_before: u32,
    pub(super) records: Vec<Seq>,
    /// As of [`Page::open_at`].
    open_at: u64,
}

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
        let (balance_before, rows_before) = (balance - row.value.cents(), number - 1);
        let room = match (tail.block as usize).checked_sub(1) {
            Some(block) => self.blocks.get_mut(block).map(|block| &mut block.distances[..]),
            None if tail.used > 0 || (balance_before, rows_before) == (0, 0) => {
                Some(&mut tail.first[..])
            }
            None => None,
        };
        let mut bytes = [0; varint::LONGEST];
        let mut length = varint::write(seq - tail.seq, &mut bytes);
        let used = usize::from(tail.used);
        if let Some(room) = room.and_then(|room| room.get_mut(used..used + length)) {
            for (into, byte) in room.iter_mut().zip(bytes) {
                *into = byte;
            }
            tail.used += u8::try_from(length).expect("a block is small");
        } else {
            length = varint::write(seq, &mut bytes);
            let mut distances = [0; DISTANCES];
            distances[..length].copy_from_slice(&bytes[..length]);
            let previous = tail.block;
            self.blocks.push(Block { balance_before, previous, rows_before, distances });
            tail.block = u32::try_from(self.blocks.len()).expect("fewer than 2^32 blocks");
            tail.used = u8::try_from(length).expect("a block is small");
        }
        tail.seq = seq;
    }

    /// Reads what [`Statements::push`] will read, without a look at it: first of all statements
    /// where they end, then of all their last blocks.
    pub(super) fn look_ahead(&self, subaccounts: &[SubaccountId]) {
        let ends = subaccounts.iter().filter_map(|id| self.subaccounts.get(id.0 as usize));
        let ends: Vec<_> = ends.map(|tail| (tail.block, tail.used)).collect();
        for (block, used) in ends {
            let block = (block as usize).checked_sub(1).and_then(|block| self.blocks.get(block));
            black_box(block.map(|block| block.distances.get(usize::from(used)).copied()));
        }
    }

    /// The balance the last row of a subaccount tells; none without a row.
    pub(super) fn balance_after(&self, subaccount: SubaccountId) -> Option<Balance> {
        let tail = self.subaccounts.get(subaccount.0 as usize).filter(|tail| tail.seq > 0)?;
        Some(Balance::new(tail.balance))
    }

    /// The stretches of a statement, the newest first.
    fn stretches<'a>(&'a self, tail: &'a Tail) -> impl Iterator<Item = Stretch<'a>> {
        let block = |place: u32| self.blocks.get((place as usize).checked_sub(1)?);
        let blocks = std::iter::successors(block(tail.block), move |later| block(later.previous));
        let first = Stretch { balance_before: 0, rows_before: 0, distances: &tail.first };
        let first = Some(first).filter(|first| first.records().next().is_some());
        blocks.map(Block::stretch).chain(first)
    }

    fn tail(&self, whose: Whose) -> Option<&Tail> {
        match whose {
            Whose::Custody(id) => self.subaccounts.get(id.0 as usize),
            Whose::Partner(id) => self.partners.get(id.0 as usize),
        }
    }

    /// Tells whether nothing was added to the rows of `page` since they were derived.
    pub(super) fn stands_on(&self, page: &Page) -> bool {
        page.open_at == 0 || self.tail(page.whose).is_some_and(|tail| tail.seq == page.open_at)
    }

    /// The records of the block that holds row `number`.
    pub(super) fn piece(&self, whose: Whose, number: u32) -> Option<Piece> {
        let tail = self.tail(whose)?;
        let mut stretches = self.stretches(tail).enumerate();
        let (nth, stretch) = stretches.find(|(_, stretch)| stretch.rows_before < number)?;
        Some(Piece {
            whose,
            balance_before: Balance::new(stretch.balance_before),
            rows_before: stretch.rows_before,
            records: stretch.records().collect(),
            open_at: if nth == 0 { tail.seq } else { 0 },
        })
    }

    /// Where each block of a statement begins, the newest first: how many rows come before it, and
    /// its first record.
    pub(super) fn block_starts(&self, whose: Whose) -> Vec<(u32, Seq)> {
        let stretches = self.tail(whose).into_iter().flat_map(|tail| self.stretches(tail));
        let start = |it: Stretch<'_>| Some((it.rows_before, it.records().next()?));
        stretches.filter_map(start).collect()
    }

    pub(super) fn write_to(&self, into: &mut impl Write) -> io::Result<()> {
        for tails in [&self.subaccounts, &self.partners] {
            encode::number(into, tails.len() as u64)?;
            for tail in tails {
                encode::number(into, tail.seq)?;
                into.write_all(&tail.balance.to_le_bytes())?;
                encode::words(into, [tail.block, u32::from(tail.used)])?;
                into.write_all(&tail.first)?;
            }
        }
        encode::number(into, self.blocks.len() as u64)?;
        self.blocks.iter().try_for_each(|block| {
            into.write_all(&block.balance_before.to_le_bytes())?;
            encode::words(into, [block.previous, block.rows_before])?;
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
                let first = from.take_array()?;
                tails.push(Tail { seq, balance, block, used, first });
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
}

impl Block {
    const fn stretch(&self) -> Stretch<'_> {
        let Self { balance_before, rows_before, ref distances, .. } = *self;
        Stretch { balance_before, rows_before, distances }
    }
}

impl<'a> Stretch<'a> {
    /// The numbers of its records, in their order.
    fn records(self) -> impl Iterator<Item = Seq> + use<'a> {
        let (mut seq, mut rest) = (0, self.distances);
        // No distance is nothing, so what was never written ends it.
        std::iter::from_fn(move || {
            seq += varint::read(&mut rest).filter(|distance| *distance > 0)?;
            Some(Seq(seq))
        })
    }
}

impl Piece {
    /// The same without the records after `last`.
    pub(super) fn until(mut self, last: Seq) -> Self {
        self.records.retain(|seq| *seq <= last);
        self
    }

    /// The rows that its records tell; none where one cannot be read.
    pub(super) fn page(self, record: impl Fn(Seq) -> Option<Record>) -> Option<Page> {
        let Self { whose, mut balance_before, rows_before, records, open_at } = self;
        let mut page = Page { whose, rows_before, rows: Vec::new(), open_at };
        for seq in records {
            let rows = whose.rows(&record(seq)?, balance_before);
            balance_before = rows.last().map_or(balance_before, |row| row.balance_after);
            page.rows.extend(rows);
        }
        Some(page)
    }

    /// The balance after its last row dated at or before `at`; none where a record cannot be read.
    pub(super) fn balance_at(
        self,
        at: Instant,
        record: impl Fn(Seq) -> Option<Record>,
    ) -> Option<Balance> {
        let mut balance = self.balance_before;
        for seq in self.records {
            let record = record(seq)?;
            if at < record.at {
                break;
            }
            let rows = self.whose.rows(&record, balance);
            balance = rows.last().map_or(balance, |row| row.balance_after);
        }
        Some(balance)
    }
}

impl Page {
    /// Tells whether it holds that row.
    pub(super) fn holds(&self, whose: Whose, number: u32) -> bool {
        self.whose == whose && self.row(number).is_some()
    }

    pub(super) fn row(&self, number: u32) -> Option<Row> {
        let index = number.checked_sub(self.rows_before)?.checked_sub(1)?;
        self.rows.get(index as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use ledger_core::accounting::{Nature, RowKind};
    use ledger_core::id::{Kind, OpId};

    use super::*;

    fn row(seq: u64, value: i64, balance_after: i64) -> Row {
        Row {
            seq: Seq(seq),
            event: 0,
            at: Instant::default(),
            op: OpId::new(Kind::Transfer, Seq(seq)),
            kind: RowKind::Deposit,
            nature: Nature::Principal,
            value: Balance::new(value),
            balance_after: Balance::new(balance_after),
            note: None,
        }
    }

    /// Every stretch of a statement as (balance before, rows before, records), the oldest first.
    fn stretches(statements: &Statements, whose: Whose) -> Vec<(i64, u32, Vec<u64>)> {
        let tail = statements.tail(whose).expect("it has rows");
        let found = statements.stretches(tail).map(|stretch| {
            let records = stretch.records().map(|seq| seq.0).collect();
            (stretch.balance_before, stretch.rows_before, records)
        });
        let mut found: Vec<_> = found.collect();
        found.reverse();
        found
    }

    #[test]
    fn what_a_subaccount_has_takes_half_a_line_of_memory_and_lines() {
        assert_eq!((size_of::<Tail>(), align_of::<Tail>()), (32, 32));
        assert_eq!((size_of::<Block>(), align_of::<Block>()), (64, 64));
    }

    #[test]
    fn a_statement_keeps_every_record_from_its_first_on_whatever_it_begins_with() {
        // One begins with nothing, one with a balance, one with rows that are elsewhere.
        let begins = [(0, 0), (500, 0), (0, 7)];
        for (whose, (balance, rows)) in (0..).map(SubaccountId).map(Whose::Custody).zip(begins) {
            for count in [1_u64, 3, 4, 30, 500] {
                let mut statements = Statements::default();
                let numbers: Vec<u64> = (1..=count).map(|n| n * n * 100).collect();
                for (nth, seq) in (1..).zip(&numbers) {
                    // Two rows of one record, each of a centavo.
                    let after = balance + 2 * i64::from(nth);
                    statements.push(whose, rows + 2 * nth - 1, &row(*seq, 1, after - 1));
                    statements.push(whose, rows + 2 * nth, &row(*seq, 1, after));
                }
                let mut bytes = Vec::new();
                statements.write_to(&mut bytes).expect("memory is written");
                let mut again = Statements::default();
                again.take(&mut &bytes[..]).expect("it is what was put");
                for statements in [statements, again] {
                    let found = stretches(&statements, whose);
                    assert!(found.iter().flat_map(|(_, _, seqs)| seqs).eq(&numbers), "{count}");
                    let mut before = 0;
                    for (balance_before, rows_before, records) in found {
                        assert_eq!(balance_before, balance + 2 * before);
                        assert_eq!(i64::from(rows_before), i64::from(rows) + 2 * before);
                        before += i64::try_from(records.len()).expect("a block is small");
                    }
                    let Whose::Custody(subaccount) = whose else { unreachable!("all are custody") };
                    let after = Balance::new(balance + 2 * before);
                    assert_eq!(statements.balance_after(subaccount), Some(after));
                    statements.look_ahead(&[subaccount, SubaccountId(9)]);
                }
            }
        }
    }
}
