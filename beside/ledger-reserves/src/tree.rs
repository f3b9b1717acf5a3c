//! A Merkle tree whose nodes commit to sums, of a number of leaves that is a power of two.
//!
//! ```text
//! leaf = SHA-256(0x00 ‖ key ‖ amount)
//! node = SHA-256(0x01 ‖ left ‖ its sum ‖ right ‖ its sum)
//! ```
//!
//! Amounts and sums are 16 bytes, big endian, and never below zero.

use ledger_proofs::Hash;
use thiserror::Error;

use crate::digest::sha256;

/// A hash and the sum that stands beside it, in smallest units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The hash of a leaf, or over the two nodes below.
    pub hash: Hash,
    /// The sum of the leaves below.
    pub sum: u128,
}

/// Sums leave 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("overflow: a sum leaves 128 bits")]
pub struct Overflow;

/// The error of leaves that make no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TreeRefused {
    /// Their number is no power of two.
    #[error("{0} leaves are no power of two")]
    Count(usize),
    /// Two have one key.
    #[error("key {0} stands twice, or keys are not in order")]
    Order(Hash),
    /// Their sum leaves 128 bits.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

/// The error of a path that leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PathRefused {
    /// The tree has no leaf of this place, or a path of another length.
    #[error("leaf {place} with {steps} steps is not in a tree of {leaves} leaves")]
    Shape {
        /// The leaf's place, from 0.
        place: u64,
        /// The steps of the path.
        steps: usize,
        /// The leaves of the tree.
        leaves: u64,
    },
    /// A sum on the way leaves 128 bits.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

/// The leaf of a key and an amount.
#[must_use]
pub fn leaf(key: Hash, amount: u128) -> Node {
    Node { hash: sha256(&[&[0], &key.0, &amount.to_be_bytes()]), sum: amount }
}

/// The node above two others.
///
/// # Errors
///
/// [`Overflow`].
pub fn node(left: Node, right: Node) -> Result<Node, Overflow> {
    let sum = left.sum.checked_add(right.sum).ok_or(Overflow)?;
    let sums = [left.sum.to_be_bytes(), right.sum.to_be_bytes()];
    Ok(Node { hash: sha256(&[&[1], &left.hash.0, &sums[0], &right.hash.0, &sums[1]]), sum })
}

/// A tree of leaves in the order of their keys.
///
/// ```
/// use ledger_reserves::tree::{SumTree, climb, leaf};
/// use ledger_proofs::Hash;
///
/// let tree = SumTree::new(vec![(Hash([1; 32]), 40), (Hash([2; 32]), 2)])?;
/// assert_eq!(tree.root().sum, 42);
/// let (place, path) = tree.path(Hash([2; 32])).expect("it is a leaf");
/// assert_eq!(climb(leaf(Hash([2; 32]), 2), place, 2, &path)?, tree.root());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SumTree {
    leaves: Vec<(Hash, u128)>,
    /// From the leaves up to the root.
    levels: Vec<Vec<Node>>,
}

impl SumTree {
    /// The tree of leaves whose keys rise.
    ///
    /// # Errors
    ///
    /// [`TreeRefused`].
    pub fn new(leaves: Vec<(Hash, u128)>) -> Result<Self, TreeRefused> {
        if !leaves.len().is_power_of_two() {
            return Err(TreeRefused::Count(leaves.len()));
        }
        if let Some(two) = leaves.windows(2).find(|two| two[0].0 >= two[1].0) {
            return Err(TreeRefused::Order(two[1].0));
        }
        let mut levels = vec![leaves.iter().map(|(key, amount)| leaf(*key, *amount)).collect()];
        loop {
            let below: &Vec<Node> = levels.last().expect("there is the level of leaves");
            if below.len() == 1 {
                return Ok(Self { leaves, levels });
            }
            let above = below.chunks_exact(2).map(|two| node(two[0], two[1]));
            let above = above.collect::<Result<Vec<Node>, Overflow>>()?;
            levels.push(above);
        }
    }

    /// The root, with the sum of all leaves.
    #[must_use]
    pub fn root(&self) -> Node {
        self.levels.last().expect("a tree has a leaf")[0]
    }

    /// The leaves: keys that rise, each with its amount in smallest units.
    #[must_use]
    pub fn leaves(&self) -> &[(Hash, u128)] {
        &self.leaves
    }

    /// The place of a key's leaf, from 0, and the nodes beside its way to the root.
    #[must_use]
    pub fn path(&self, key: Hash) -> Option<(u64, Vec<Node>)> {
        let place = self.leaves.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        let below = &self.levels[..self.levels.len() - 1];
        let path = below.iter().enumerate().map(|(height, level)| level[(place >> height) ^ 1]);
        Some((place as u64, path.collect()))
    }
}

/// The root that a path leads to from a leaf at `place`, from 0, in a tree of so many leaves.
///
/// # Errors
///
/// [`PathRefused`].
pub fn climb(leaf: Node, place: u64, leaves: u64, path: &[Node]) -> Result<Node, PathRefused> {
    let steps = path.len();
    let whole = leaves.is_power_of_two() && steps == leaves.trailing_zeros() as usize;
    if !whole || place >= leaves {
        return Err(PathRefused::Shape { place, steps, leaves });
    }
    let mut found = leaf;
    for (height, other) in path.iter().enumerate() {
        found = if place >> height & 1 == 1 { node(*other, found) } else { node(found, *other) }?;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(amounts: &[u128]) -> Vec<(Hash, u128)> {
        (1..).zip(amounts).map(|(number, amount)| (Hash([number; 32]), *amount)).collect()
    }

    #[test]
    fn every_leaf_leads_to_the_root_and_with_another_amount_elsewhere() {
        let tree = SumTree::new(leaves(&[5, 0, 7, 1, 0, 0, 2, u128::MAX - 15])).unwrap();
        assert_eq!(tree.root().sum, u128::MAX);
        for (place, (key, amount)) in (0..).zip(tree.leaves()) {
            let (found, path) = tree.path(*key).unwrap();
            assert_eq!(found, place);
            assert_eq!(climb(leaf(*key, *amount), place, 8, &path), Ok(tree.root()));
            let less = climb(leaf(*key, amount.saturating_sub(1)), place, 8, &path);
            assert_eq!(less == Ok(tree.root()), *amount == 0);
            assert_ne!(climb(leaf(*key, *amount), place ^ 1, 8, &path), Ok(tree.root()));
            let more = climb(leaf(*key, amount.wrapping_add(1)), place, 8, &path);
            assert!(more == Err(Overflow.into()) || *amount > 7, "{amount}");
            for (place, leaves) in [(8, 8), (place, 4), (place, 16), (place, 7)] {
                let refused = climb(leaf(*key, *amount), place, leaves, &path).unwrap_err();
                assert!(matches!(refused, PathRefused::Shape { .. }));
            }
        }
        assert_eq!(tree.path(Hash([9; 32])), None);
    }

    #[test]
    fn leaves_that_are_no_tree_are_refused() {
        assert_eq!(SumTree::new(leaves(&[1, 2, 3])).unwrap_err(), TreeRefused::Count(3));
        assert_eq!(SumTree::new(Vec::new()).unwrap_err(), TreeRefused::Count(0));
        let refused = SumTree::new(leaves(&[u128::MAX, 1])).unwrap_err();
        assert_eq!(refused, TreeRefused::Overflow(Overflow));
        let mut twice = leaves(&[1, 2]);
        twice[1].0 = twice[0].0;
        assert_eq!(SumTree::new(twice).unwrap_err(), TreeRefused::Order(Hash([1; 32])));
    }
}
