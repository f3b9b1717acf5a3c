//! The Merkle tree of RFC 6962 over leaves in the order they came: hashed, grown, and proved.
//!
//! ```text
//! leaf = SHA-256(0x00 ‖ data)      node = SHA-256(0x01 ‖ left ‖ right)      empty = SHA-256("")
//! ```
//!
//! The hashes of complete subtrees never change, so they are stored in the order in which they come
//! to be: a leaf, then every subtree that it completes. A tree of n leaves has stored 2n - p of
//! them, where p is the number of ones of n in binary.

use sha2::{Digest, Sha256};

use super::Hash;

/// Where complete subtrees are read from.
pub trait Subtrees {
    /// Why one cannot be read.
    type Error;

    /// The hash of the subtree over the leaves from `index << level`, `1 << level` of them.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    fn subtree(&mut self, level: u32, index: u64) -> Result<Hash, Self::Error>;
}

/// The roots of the complete subtrees that a tree of some size is made of, the largest first: all
/// that is needed to grow it.
#[derive(Clone, Debug, Default)]
pub struct Frontier {
    size: u64,
    roots: Vec<Hash>,
}

/// The hash of a leaf.
#[must_use]
pub fn leaf_hash(data: &[u8]) -> Hash {
    Hash(Sha256::new().chain_update([0]).chain_update(data).finalize().into())
}

/// The hash of a node above two others.
#[must_use]
pub fn node_hash(left: Hash, right: Hash) -> Hash {
    let mut bytes = [1; 65];
    bytes[1..33].copy_from_slice(&left.0);
    bytes[33..].copy_from_slice(&right.0);
    Hash(Sha256::digest(bytes).into())
}

/// The root of a tree without leaves.
#[must_use]
pub fn empty_root() -> Hash {
    Hash(Sha256::digest([]).into())
}

/// How many hashes a tree of this size has stored.
#[must_use]
pub const fn stored_count(size: u64) -> u64 {
    2 * size - size.count_ones() as u64
}

/// The place of a complete subtree among the stored hashes, from 0.
#[must_use]
pub const fn stored_index(level: u32, index: u64) -> u64 {
    // It is stored after its last leaf, and after the smaller ones that this leaf completes.
    let last = ((index + 1) << level) - 1;
    stored_count(last) + level as u64
}

impl Frontier {
    /// The frontier of a tree of this size.
    ///
    /// # Errors
    ///
    /// When a subtree cannot be read.
    pub fn read<S: Subtrees + ?Sized>(subtrees: &mut S, size: u64) -> Result<Self, S::Error> {
        let mut roots = Vec::new();
        let mut first = 0;
        for level in (0..u64::BITS).rev().filter(|level| size >> level & 1 == 1) {
            roots.push(subtrees.subtree(level, first >> level)?);
            first += 1 << level;
        }
        Ok(Self { size, roots })
    }

    /// Adds a leaf by its hash, and hands each hash that is to be stored to `store`, in order.
    pub fn push(&mut self, leaf: Hash, mut store: impl FnMut(Hash)) {
        store(leaf);
        let mut hash = leaf;
        let mut left = self.size;
        while left & 1 == 1 {
            let before = self.roots.pop().expect("a one of the size has its subtree");
            hash = node_hash(before, hash);
            store(hash);
            left >>= 1;
        }
        self.roots.push(hash);
        self.size += 1;
    }

    /// How many leaves the tree has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The root of the tree.
    #[must_use]
    pub fn root(&self) -> Hash {
        let smallest_first = self.roots.iter().rev().copied();
        smallest_first.reduce(|right, left| node_hash(left, right)).unwrap_or_else(empty_root)
    }
}

/// The largest power of two below `size`, which is at least 2: where a tree is split.
pub(super) const fn split(size: u64) -> u64 {
    1 << (size - 1).ilog2()
}

/// The root of the tree of the first `size` leaves.
///
/// # Errors
///
/// When a subtree cannot be read.
pub fn root<S: Subtrees + ?Sized>(subtrees: &mut S, size: u64) -> Result<Hash, S::Error> {
    if size == 0 { Ok(empty_root()) } else { range(subtrees, 0, size) }
}

/// The hash over the leaves from `first`, `count` of them, at least one.
fn range<S: Subtrees + ?Sized>(subtrees: &mut S, first: u64, count: u64) -> Result<Hash, S::Error> {
    if count.is_power_of_two() {
        let level = count.ilog2();
        return subtrees.subtree(level, first >> level);
    }
    let left = split(count);
    let hash = range(subtrees, first, left)?;
    Ok(node_hash(hash, range(subtrees, first + left, count - left)?))
}

/// The path that proves leaf `index`, from 0, in the tree of the first `size` leaves: the hashes
/// beside its way, from the leaf up.
///
/// # Errors
///
/// When a subtree cannot be read.
///
/// # Panics
///
/// When the leaf is not among the first `size`.
pub fn inclusion<S: Subtrees + ?Sized>(
    subtrees: &mut S,
    index: u64,
    size: u64,
) -> Result<Vec<Hash>, S::Error> {
    assert!(index < size, "leaf {index} is not in a tree of {size}");
    let (mut first, mut count) = (0, size);
    let mut path = Vec::new();
    while count > 1 {
        let left = split(count);
        if index < first + left {
            path.push(range(subtrees, first + left, count - left)?);
            count = left;
        } else {
            path.push(range(subtrees, first, left)?);
            first += left;
            count -= left;
        }
    }
    path.reverse();
    Ok(path)
}

/// The path that proves the tree of the first `old` leaves to be the beginning of that of the first
/// `new`; empty where both are one.
///
/// # Errors
///
/// When a subtree cannot be read.
///
/// # Panics
///
/// When `old` is 0 or larger than `new`.
pub fn consistency<S: Subtrees + ?Sized>(
    subtrees: &mut S,
    old: u64,
    new: u64,
) -> Result<Vec<Hash>, S::Error> {
    assert!((1..=new).contains(&old), "a tree of {new} does not begin with one of {old}");
    let (mut first, mut count, mut wanted) = (0, new, old);
    let mut path = Vec::new();
    while wanted != count {
        let left = split(count);
        if wanted <= left {
            path.push(range(subtrees, first + left, count - left)?);
            count = left;
        } else {
            path.push(range(subtrees, first, left)?);
            first += left;
            wanted -= left;
            count -= left;
        }
    }
    // The whole old tree is known to whoever checks, and a part of it is not.
    if first > 0 {
        path.push(range(subtrees, first, count)?);
    }
    path.reverse();
    Ok(path)
}

/// Hashes in memory, in the order in which they are stored.
impl Subtrees for Vec<Hash> {
    type Error = std::convert::Infallible;

    fn subtree(&mut self, level: u32, index: u64) -> Result<Hash, Self::Error> {
        let place = usize::try_from(stored_index(level, index)).expect("it is in memory");
        Ok(self[place])
    }
}
