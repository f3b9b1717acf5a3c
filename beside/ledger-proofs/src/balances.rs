//! The tree of balances: a Merkle tree whose nodes commit to sums, so that what is owed is proved
//! in total, and each balance as a part of it.
//!
//! ```text
//! leaf = SHA-256(0x00 ‖ key ‖ amounts)
//! node = SHA-256(0x01 ‖ left ‖ its amounts ‖ right ‖ its amounts)
//! key  = SHA-256("custody-ledger balance key v1" ‖ 0x00 ‖ salt ‖ account ‖ customer)
//! amounts: of each column, owed to and owed by customers, 16 bytes each, big endian
//! account: its length (4 bytes, big endian), its text; customer: 0x00, or 0x01 and the same
//! ```
//!
//! Leaves are sorted by key. A key has a salt of its own, which whoever owns the balance is given
//! with its proof: without it nobody can tell whose a leaf is.
//! A balance below zero is owed by the customer, in a column of its own: taken from the other, it
//! would hide what is owed to somebody else.

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::Hash;
use super::tree::{empty_root, split};
use super::verify::{PathRefused, Side, of_length, sides};

/// What keys of leaves are derived under.
const DOMAIN: &[u8] = b"custody-ledger balance key v1\0";

/// One column of a balance: in the smallest units of its commodity, one of the two zero in a leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owed {
    /// Owed to customers.
    pub to: u128,
    /// Owed by customers: what forced debits took below zero.
    pub by: u128,
}

/// The total of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// What it is a total of: an account of the chart and a commodity, `cust:BRL`.
    pub column: String,
    /// The sums owed to and owed by, in smallest units.
    pub owed: Owed,
}

/// Whose balance a leaf is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holder {
    /// The API account's name.
    pub account: String,
    /// The customer; none for the house.
    pub customer: Option<String>,
}

/// A balance, before it is a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    /// The account and customer that it is of.
    pub holder: Holder,
    /// The secret of its leaf.
    pub salt: [u8; 32],
    /// How much, column by column.
    pub amounts: Vec<Owed>,
}

/// A hash and the sums that it commits to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summed {
    /// The hash of the leaf or node.
    pub hash: Hash,
    /// The sums, column by column.
    pub amounts: Vec<Owed>,
}

/// A tree of balances.
#[derive(Clone, Debug)]
pub struct BalanceTree {
    columns: usize,
    leaves: Vec<(Hash, Summed)>,
}

/// Sums leave 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the sums of the balances leave 128 bits")]
pub struct SumOverflow;

/// Why a path proves no balance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SumRefused {
    /// The path has not the tree's shape, or leads elsewhere.
    #[error(transparent)]
    Path(#[from] PathRefused),
    /// A part of the path has another number of columns than the checkpoint.
    #[error("{found} columns where the checkpoint has {expected}")]
    Columns {
        /// How many the checkpoint has.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Sums leave 128 bits.
    #[error(transparent)]
    Overflow(#[from] SumOverflow),
    /// The sums along the path are not the totals.
    #[error("the sums along the path are not the totals of the checkpoint")]
    Totals,
}

impl Owed {
    /// A balance of either sign, on its side.
    #[must_use]
    pub const fn from_balance(balance: i128) -> Self {
        let size = balance.unsigned_abs();
        if balance < 0 { Self { to: 0, by: size } } else { Self { to: size, by: 0 } }
    }

    fn plus(self, other: Self) -> Result<Self, SumOverflow> {
        let sum = |one: u128, other| one.checked_add(other).ok_or(SumOverflow);
        Ok(Self { to: sum(self.to, other.to)?, by: sum(self.by, other.by)? })
    }
}

impl Holder {
    /// The key of its leaf under a salt.
    #[must_use]
    pub fn key(&self, salt: &[u8; 32]) -> Hash {
        let mut hasher = Sha256::new().chain_update(DOMAIN).chain_update(salt);
        let text = |hasher: &mut Sha256, text: &str| {
            let length = u32::try_from(text.len()).expect("a name is shorter than 4 GiB");
            hasher.update(length.to_be_bytes());
            hasher.update(text);
        };
        text(&mut hasher, &self.account);
        match &self.customer {
            None => hasher.update([0]),
            Some(customer) => {
                hasher.update([1]);
                text(&mut hasher, customer);
            }
        }
        Hash(hasher.finalize().into())
    }
}

fn feed(hasher: &mut Sha256, amounts: &[Owed]) {
    for Owed { to, by } in amounts {
        hasher.update(to.to_be_bytes());
        hasher.update(by.to_be_bytes());
    }
}

/// The leaf of this key and these amounts.
#[must_use]
pub fn leaf(key: Hash, amounts: &[Owed]) -> Summed {
    let mut hasher = Sha256::new().chain_update([0]).chain_update(key.0);
    feed(&mut hasher, amounts);
    Summed { hash: Hash(hasher.finalize().into()), amounts: amounts.to_vec() }
}

/// The node above two others, which have equally many columns.
///
/// # Errors
///
/// [`SumOverflow`].
pub fn node(left: &Summed, right: &Summed) -> Result<Summed, SumOverflow> {
    let mut hasher = Sha256::new().chain_update([1]);
    for child in [left, right] {
        hasher.update(child.hash.0);
        feed(&mut hasher, &child.amounts);
    }
    let amounts = left.amounts.iter().zip(&right.amounts).map(|(one, other)| one.plus(*other));
    Ok(Summed { hash: Hash(hasher.finalize().into()), amounts: amounts.collect::<Result<_, _>>()? })
}

impl BalanceTree {
    /// The tree of these balances, each of so many columns.
    ///
    /// # Panics
    ///
    /// When a balance has another number of columns.
    #[must_use]
    pub fn new(columns: usize, balances: &[Balance]) -> Self {
        let hashed = |balance: &Balance| {
            assert_eq!(balance.amounts.len(), columns, "every balance has every column");
            let key = balance.holder.key(&balance.salt);
            (key, leaf(key, &balance.amounts))
        };
        let mut leaves: Vec<_> = balances.iter().map(hashed).collect();
        leaves.sort_unstable_by_key(|(key, _)| *key);
        Self { columns, leaves }
    }

    /// How many leaves it has.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.leaves.len() as u64
    }

    /// The root and the totals.
    ///
    /// # Errors
    ///
    /// [`SumOverflow`].
    pub fn root(&self) -> Result<Summed, SumOverflow> {
        if self.leaves.is_empty() {
            return Ok(Summed { hash: empty_root(), amounts: vec![Owed::default(); self.columns] });
        }
        self.over(0, self.leaves.len())
    }

    fn over(&self, first: usize, count: usize) -> Result<Summed, SumOverflow> {
        if count == 1 {
            return Ok(self.leaves[first].1.clone());
        }
        let left = split_at(count);
        node(&self.over(first, left)?, &self.over(first + left, count - left)?)
    }

    /// The place of a key's leaf, from 0, and the path from it to the root; none without the leaf.
    ///
    /// # Errors
    ///
    /// [`SumOverflow`].
    pub fn path(&self, key: Hash) -> Result<Option<(u64, Vec<Summed>)>, SumOverflow> {
        let Ok(place) = self.leaves.binary_search_by_key(&key, |(key, _)| *key) else {
            return Ok(None);
        };
        let (mut first, mut count) = (0, self.leaves.len());
        let mut path = Vec::new();
        while count > 1 {
            let left = split_at(count);
            if place < first + left {
                path.push(self.over(first + left, count - left)?);
                count = left;
            } else {
                path.push(self.over(first, left)?);
                first += left;
                count -= left;
            }
        }
        path.reverse();
        Ok(Some((place as u64, path)))
    }
}

fn split_at(count: usize) -> usize {
    usize::try_from(split(count as u64)).expect("it is less than the count")
}

/// Checks that `leaf` is the leaf of this place, from 0, in the tree of so many leaves with this
/// root and these totals.
///
/// # Errors
///
/// [`SumRefused`], saying what does not match.
pub fn verify(
    leaf: Summed,
    (place, count): (u64, u64),
    path: &[Summed],
    root: &Summed,
) -> Result<(), SumRefused> {
    let expected = root.amounts.len();
    for part in path.iter().chain([&leaf]) {
        let found = part.amounts.len();
        if found != expected {
            return Err(SumRefused::Columns { expected, found });
        }
    }
    let sides = sides(place, count)?;
    of_length(sides.len(), path.len())?;
    let mut found = leaf;
    for (side, other) in sides.iter().zip(path) {
        found = match side {
            Side::Left => node(other, &found)?,
            Side::Right => node(&found, other)?,
        };
    }
    if found.hash != root.hash {
        let (expected, found) = (root.hash, found.hash);
        return Err(PathRefused::Root { expected, found }.into());
    }
    if found.amounts == root.amounts { Ok(()) } else { Err(SumRefused::Totals) }
}
