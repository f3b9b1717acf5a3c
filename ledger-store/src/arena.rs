//! Memory that only grows: blocks that are never moved, so that growing copies nothing.

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
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let block = self.blocks.last_mut().expect("a block was just added where none had room");
        block.push(element);
        index
    }

    /// The element at `index`.
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.blocks.get(index / BLOCK)?.get(index % BLOCK)
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
            self.blocks.push(String::with_capacity(TEXT_BLOCK));
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
    fn pieces_keep_their_text_across_blocks() {
        let mut texts = Texts::default();
        let long = "é".repeat(TEXT_BLOCK / 4);
        let pieces: Vec<_> = ["", "ana", &long, &long, "bia"].map(|text| texts.keep(text)).into();
        let told: Vec<_> = pieces.into_iter().map(|piece| texts.get(piece)).collect();
        assert_eq!(told, ["", "ana", &long, &long, "bia"]);
    }
}
