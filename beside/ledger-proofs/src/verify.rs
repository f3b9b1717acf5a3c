//! Paths followed by whoever has nothing but them: inclusion and consistency (RFC 9162, 2.1.3.2 and
//! 2.1.4.2).

use thiserror::Error;

use super::Hash;
use super::tree::{node_hash, split};

/// Why a path proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PathRefused {
    /// The leaf is not in a tree of this size.
    #[error("leaf {index} is not in a tree of {size}")]
    Beyond {
        /// The leaf, from 0.
        index: u64,
        /// How many leaves the tree has.
        size: u64,
    },
    /// An earlier tree is no beginning of a smaller one.
    #[error("a tree of {old} is no beginning of one of {new}")]
    NotEarlier {
        /// The size of the earlier tree.
        old: u64,
        /// The size of the later one.
        new: u64,
    },
    /// The path has another length than the tree's shape asks for.
    #[error("the path has {found} hashes where {expected} lead to the root")]
    Length {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The path leads elsewhere.
    #[error("the path leads to root {found}, and the checkpoint says {expected}")]
    Root {
        /// The root that was signed.
        expected: Hash,
        /// The root that the path leads to.
        found: Hash,
    },
    /// The path does not begin with the earlier tree.
    #[error("the path leads back to root {found}, and the earlier checkpoint says {expected}")]
    OldRoot {
        /// The earlier root that was signed.
        expected: Hash,
        /// The root that the path leads to.
        found: Hash,
    },
}

/// On which side of the way the other hash stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// The sides of the hashes beside the way from leaf `index` up to the root.
///
/// # Errors
///
/// [`PathRefused::Beyond`].
pub(super) fn sides(index: u64, size: u64) -> Result<Vec<Side>, PathRefused> {
    if index >= size {
        return Err(PathRefused::Beyond { index, size });
    }
    let (mut index, mut count) = (index, size);
    let mut sides = Vec::new();
    while count > 1 {
        let left = split(count);
        if index < left {
            sides.push(Side::Right);
            count = left;
        } else {
            sides.push(Side::Left);
            index -= left;
            count -= left;
        }
    }
    sides.reverse();
    Ok(sides)
}

/// Checks that a path has as many steps as the tree is high there.
pub(super) const fn of_length(expected: usize, found: usize) -> Result<(), PathRefused> {
    if expected == found { Ok(()) } else { Err(PathRefused::Length { expected, found }) }
}

/// Checks that `leaf` is the leaf of this index, from 0, in the tree of this size and root.
///
/// # Errors
///
/// [`PathRefused`], saying what does not match.
pub fn inclusion(
    leaf: Hash,
    index: u64,
    size: u64,
    path: &[Hash],
    root: Hash,
) -> Result<(), PathRefused> {
    let sides = sides(index, size)?;
    of_length(sides.len(), path.len())?;
    let found = sides.iter().zip(path).fold(leaf, |hash, (side, other)| match side {
        Side::Left => node_hash(*other, hash),
        Side::Right => node_hash(hash, *other),
    });
    if found == root { Ok(()) } else { Err(PathRefused::Root { expected: root, found }) }
}

/// Checks that the tree of size and root `old` is the beginning of that of size and root `new`.
///
/// # Errors
///
/// [`PathRefused`], saying what does not match.
pub fn consistency(old: (u64, Hash), new: (u64, Hash), path: &[Hash]) -> Result<(), PathRefused> {
    let ((old, old_root), (new, new_root)) = (old, new);
    if old == 0 || old > new {
        return Err(PathRefused::NotEarlier { old, new });
    }
    if old == new {
        of_length(0, path.len())?;
        let same = PathRefused::Root { expected: new_root, found: old_root };
        return if old_root == new_root { Ok(()) } else { Err(same) };
    }
    // The last leaf of the earlier tree: its way up in both trees is one as far as they agree.
    let sides = sides(old - 1, new)?;
    let within = old.trailing_zeros() as usize;
    let above = &sides[within.min(sides.len())..];
    let begins_whole = old.is_power_of_two();
    of_length(above.len() + usize::from(!begins_whole), path.len())?;
    let (begun, others) = if begins_whole { (old_root, path) } else { (path[0], &path[1..]) };
    let (mut found_old, mut found_new) = (begun, begun);
    for (side, other) in above.iter().zip(others) {
        match side {
            Side::Left => {
                found_old = node_hash(*other, found_old);
                found_new = node_hash(*other, found_new);
            }
            Side::Right => found_new = node_hash(found_new, *other),
        }
    }
    if found_old != old_root {
        return Err(PathRefused::OldRoot { expected: old_root, found: found_old });
    }
    if found_new != new_root {
        return Err(PathRefused::Root { expected: new_root, found: found_new });
    }
    Ok(())
}
