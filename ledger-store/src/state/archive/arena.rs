//! Memory that only grows: blocks that are never moved once there is a second one, so that growing
//! copies nothing. The first grows as it fills: a small ledger takes little.

pub(super) mod varint;

use std::io::{self, Read};

use crate::state::snapshot::wire::{Take, encode};

/// Elements in blocks, by the order they were pushed.
#[derive(Clone, Debug)]
pub(crate) struct Arena<T> {
    blocks: Vec<Vec<T>>,
}

/// How many elements a block holds.
const BLOCK: usize = 1 << 14;

/// How many bytes a block of text holds; no piece is longer.
const TEXT_BLOCK: usize = 1 << 20;

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { blocks: Vec::new() }
    }
}

impl<T> Arena<T> {
    /// How many elements there are.
    pub(crate) fn len(&self) -> usize {
        let last = self.blocks.last().map_or(0, Vec::len);
        self.blocks.len().saturating_sub(1) * BLOCK + last
    }

    /// Adds an element and gives its index.
    pub(crate) fn push(&mut self, element: T) -> usize {
        let index = self.len();
        if index.is_multiple_of(BLOCK) {
            self.blocks.push(Vec::with_capacity(if index == 0 { 0 } else { BLOCK }));
        }
        let block = self.blocks.last_mut().expect("a block was just added where none had room");
        block.push(element);
        index
    }

    /// The element at `index`.
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.blocks.get(index / BLOCK)?.get(index % BLOCK)
    }

    /// The element at `index`, to be changed.
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.blocks.get_mut(index / BLOCK)?.get_mut(index % BLOCK)
    }

    /// The last element.
    pub(crate) fn last(&self) -> Option<&T> {
        self.blocks.last()?.last()
    }

    /// All elements, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flatten()
    }

    /// The index of the element whose key is `key`, where keys rise from element to element.
    pub(crate) fn find<K: Ord>(&self, key: &K, of: impl Fn(&T) -> K) -> Option<&T> {
        let block = self.blocks.partition_point(|block| of(&block[0]) <= *key).checked_sub(1)?;
        let block = &self.blocks[block];
        let place = block.binary_search_by_key(key, of).ok()?;
        Some(&block[place])
    }
}

/// Short pieces of text in blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    blocks: Vec<String>,
}

/// Where a piece of text stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    block: u32,
    start: u32,
    length: u32,
}

impl Texts {
    /// Keeps a piece of text.
    pub(crate) fn keep(&mut self, text: &str) -> Piece {
        assert!(text.len() <= TEXT_BLOCK, "ids and names are short");
        let full = self.blocks.last().is_none_or(|block| TEXT_BLOCK < block.len() + text.len());
        if full {
            let room = if self.blocks.is_empty() { 0 } else { TEXT_BLOCK };
            self.blocks.push(String::with_capacity(room));
        }
        let number = |n: usize| u32::try_from(n).expect("fewer than four billion blocks or bytes");
        let block = number(self.blocks.len() - 1);
        let into = self.blocks.last_mut().expect("a block was just added where none had room");
        let (start, length) = (number(into.len()), number(text.len()));
        into.push_str(text);
        Piece { block, start, length }
    }

    /// The text of a piece kept here.
    pub(crate) fn get(&self, piece: Piece) -> &str {
        let start = piece.start as usize;
        &self.blocks[piece.block as usize][start..start + piece.length as usize]
    }
}

/// Runs of numbers in blocks, each number as few bytes as it needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes {
    blocks: Vec<Vec<u8>>,
}

impl Bytes {
    /// Keeps a run of `count` numbers and gives its place.
    pub(crate) fn keep(&mut self, numbers: impl Iterator<Item = u64>, count: usize) -> u64 {
        let most = (count + 1) * varint::LONGEST;
        let full = self.blocks.last().is_none_or(|block| block.capacity() < block.len() + most);
        if full {
            self.blocks.push(Vec::with_capacity(TEXT_BLOCK.max(most)));
        }
        let block = self.blocks.len() - 1;
        let into = &mut self.blocks[block];
        let place = (block * TEXT_BLOCK + into.len()) as u64;
        let mut bytes = [0; varint::LONGEST];
        for number in std::iter::once(count as u64).chain(numbers) {
            let length = varint::write(number, &mut bytes);
            into.extend_from_slice(&bytes[..length]);
        }
        place
    }

    pub(crate) fn write_to(&self, into: &mut impl io::Write) -> io::Result<()> {
        encode::number(into, self.blocks.len() as u64)?;
        self.blocks.iter().try_for_each(|block| encode::bytes(into, block))
    }

    pub(crate) fn take(&mut self, from: &mut impl Read) -> io::Result<()> {
        for _ in 0..from.take_number()? {
            let mut block = from.take_bytes()?;
            block.reserve_exact(TEXT_BLOCK.saturating_sub(block.len()));
            self.blocks.push(block);
        }
        Ok(())
    }

    /// The run kept at `place`.
    pub(crate) fn get(&self, place: u64) -> impl Iterator<Item = u64> + '_ {
        let place = usize::try_from(place).expect("what is kept here has an address");
        let mut rest = &self.blocks[place / TEXT_BLOCK][place % TEXT_BLOCK..];
        let count = varint::read(&mut rest).expect("a run begins with its length");
        (0..count).map_while(move |_| varint::read(&mut rest))
    }
}

/// A place in an index; the hash stands beside it, so that a growing table reads nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) hash: u32,
    pub(crate) index: u32,
}

impl Slot {
    /// The hash spread over all bits, as the table wants it.
    pub(crate) const fn spread(hash: u32) -> u64 {
        (hash as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[allow(clippy::cast_possible_truncation)] // Half of a hash is as good a hash.
    pub(crate) fn new(hash: u64, index: usize) -> Self {
        let index = u32::try_from(index).expect("fewer than four billion entries");
        Self { hash: hash as u32, index }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_by_index_and_by_rising_key() {
        let mut arena = Arena::default();
        for number in 0..BLOCK * 2 + 3 {
            assert_eq!(arena.push(number * 2), number);
        }
        assert_eq!((arena.len(), arena.last()), (BLOCK * 2 + 3, Some(&(BLOCK * 4 + 4))));
        for number in [0, 1, BLOCK - 1, BLOCK, BLOCK * 2 + 2] {
            assert_eq!(arena.get(number), Some(&(number * 2)));
            assert_eq!(arena.find(&(number * 2), |n| *n), Some(&(number * 2)));
            assert_eq!(arena.find(&(number * 2 + 1), |n| *n), None);
        }
        assert_eq!(arena.get(BLOCK * 2 + 3), None);
        assert_eq!(arena.iter().count(), arena.len());
    }

    #[test]
    fn runs_of_numbers_come_back_across_blocks() {
        let mut bytes = Bytes::default();
        let runs: Vec<Vec<u64>> = (0..3_000_u64)
            .map(|run| (0..run % 300).map(|n| n * n * run).chain([u64::MAX]).collect())
            .collect();
        let places: Vec<_> =
            runs.iter().map(|run| bytes.keep(run.iter().copied(), run.len())).collect();
        assert!(bytes.blocks.len() > 1);
        for (place, run) in places.into_iter().zip(runs) {
            assert_eq!(bytes.get(place).collect::<Vec<_>>(), run);
        }
    }

    #[test]
    fn pieces_keep_their_text_across_blocks() {
        let mut texts = Texts::default();
        let long = "é".repeat(TEXT_BLOCK / 4);
        let pieces: Vec<_> = ["", "ana", &long, &long, "bia"].map(|text| texts.keep(text)).into();
        let balance_after: Vec<_> = pieces.into_iter().map(|piece| texts.get(piece)).collect();
        assert_eq!(balance_after, ["", "ana", &long, &long, "bia"]);
    }
}
