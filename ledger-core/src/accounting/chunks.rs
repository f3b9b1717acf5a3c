//! A vector in shared chunks: clones in O(1), reads in two steps, copies what it writes when
//! shared.
//!
//! For what every command touches by dense id; a persistent tree costs several times as much there
//! (benches, `decide`). The first write after a clone copies the spine: one pointer a chunk.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::hint::black_box;
use std::sync::Arc;

/// Elements of half a line, as all are, fill 2 KiB with the line before them, which counts who
/// shares them: no allocator rounds that up.
const CHUNK: usize = 62;

/// Elements by dense index.
#[derive(Clone)]
pub struct Chunks<T> {
    /// Every chunk has its whole length at once, so that an element is one step from the spine; the
    /// last one ends in copies of an element, which are never read.
    spine: Arc<Vec<Arc<Chunk<T>>>>,
    length: usize,
}

/// Begins where a line of the processor's memory does, so that no element of half a line lies in
/// two.
#[derive(Clone)]
#[repr(align(64))]
struct Chunk<T>([T; CHUNK]);

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { spine: Arc::default(), length: 0 }
    }
}

impl<T: Clone> Chunks<T> {
    /// How many elements there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Tells whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The element at `index`.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        if self.length <= index {
            return None;
        }
        Some(&self.spine[index / CHUNK].0[index % CHUNK])
    }

    /// The element at `index`, to be changed; nobody who holds a clone sees the change.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if self.length <= index {
            return None;
        }
        let chunk = &mut Arc::make_mut(&mut self.spine)[index / CHUNK];
        Some(&mut Arc::make_mut(chunk).0[index % CHUNK])
    }

    /// Reads what [`Chunks::get_mut`] will read, without a look at it.
    #[inline]
    pub fn look_ahead<R>(&self, index: usize, part: impl FnOnce(&T) -> R) {
        if let Some(chunk) = self.spine.get(index / CHUNK) {
            // `get_mut` reads the count too, to see whether a clone shares the chunk. `black_box`
            // keeps the compiler from dropping reads whose values nobody uses.
            black_box((Arc::strong_count(chunk), part(&chunk.0[index % CHUNK])));
        }
    }

    /// Adds an element at the end.
    pub fn push(&mut self, element: T) {
        let spine = Arc::make_mut(&mut self.spine);
        if self.length.is_multiple_of(CHUNK) {
            spine.push(Arc::new(Chunk(std::array::from_fn(|_| element.clone()))));
        } else {
            let last = spine.last_mut().expect("there is a chunk where one is not full");
            Arc::make_mut(last).0[self.length % CHUNK] = element;
        }
        self.length += 1;
    }

    /// All elements, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.from(0)
    }

    /// The elements from `index` on, in order.
    pub fn from(&self, index: usize) -> impl Iterator<Item = &T> {
        let chunks = self.spine.iter().skip(index / CHUNK);
        let elements = chunks.flat_map(|chunk| chunk.0.iter()).skip(index % CHUNK);
        elements.take(self.length.saturating_sub(index))
    }
}

/// The elements, and nothing of how they are kept.
impl<T: Clone + fmt::Debug> fmt::Debug for Chunks<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The elements, and nothing of how they are kept.
impl<T: Clone + PartialEq> PartialEq for Chunks<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Clone + Eq> Eq for Chunks<T> {}

/// The elements, and nothing of how they are kept.
impl<T: Clone + Hash> Hash for Chunks<T> {
    fn hash<H: Hasher>(&self, into: &mut H) {
        self.iter().for_each(|element| element.hash(into));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::Buckets;
    use crate::ledger::{Subaccount, Usage};

    #[test]
    fn what_is_kept_by_dense_id_takes_half_a_line_and_a_chunk_of_it_two_kibibytes() {
        let sizes = [size_of::<Buckets>(), size_of::<Subaccount>(), size_of::<Usage>()];
        assert_eq!(sizes, [32; 3]);
        let line = align_of::<Chunk<Buckets>>();
        assert_eq!((line, line + size_of::<Chunk<Buckets>>()), (64, 2_048));
    }

    #[test]
    fn a_clone_keeps_what_it_saw() {
        let mut chunks = Chunks::default();
        (0..1_000).for_each(|number| chunks.push(number));
        let before = chunks.clone();
        *chunks.get_mut(999).unwrap() = 7;
        chunks.push(8);
        assert_eq!((before.get(999), before.get(1_000), before.len()), (Some(&999), None, 1_000));
        assert_eq!((chunks.get(999), chunks.get(1_000), chunks.len()), (Some(&7), Some(&8), 1_001));
        assert!(chunks.get_mut(1_001).is_none());
    }

    #[test]
    fn elements_come_in_order_from_any_index() {
        let mut chunks = Chunks::default();
        (0..200_usize).for_each(|number| chunks.push(number));
        for first in [0, 1, 63, 64, 65, 128, 199, 200, 500] {
            let reported: Vec<_> = chunks.from(first).copied().collect();
            assert_eq!(reported, (first.min(200)..200).collect::<Vec<_>>());
        }
        assert!(chunks.iter().copied().eq(0..200));
    }
}
