//! The trees of all that is owed: one for each class of each commodity, padded.

use ledger_proofs::Hash;
use thiserror::Error;

use crate::chart::Class;
use crate::digest::{sha256, texts};
use crate::holder::{Holder, Salts};
use crate::liabilities::{AssetOwed, ClassOwed, Liabilities};
use crate::tree::{Node, SumTree, TreeRefused};

/// The least number of leaves that a tree has, unless more are asked for.
pub const MINIMUM_LEAVES: u64 = 1_024;

/// The least number that a file may state: fewer would show how many holders there are.
pub(crate) const LEAST: u64 = 16;

/// The prefix of the root over the classes of a commodity.
const ROOT: &[u8] = b"custody-ledger reserves root v1\0";

/// Every tree of one record.
pub struct Trees {
    /// The liabilities, with their holders.
    pub liabilities: Liabilities,
    /// The salts of its leaves.
    pub salts: Salts,
    /// The trees of each commodity, in the order of the liabilities.
    pub assets: Vec<Vec<ClassTree>>,
}

/// The tree of one class.
#[derive(Debug)]
pub struct ClassTree {
    /// The class of its holders.
    pub class: Class,
    /// The tree of its leaves, padded.
    pub tree: SumTree,
    /// The debts of its holders, in smallest units: balances below zero, which no leaf has.
    pub owed_by: u128,
}

/// The error of liabilities that make no trees.
#[derive(Debug, Error)]
pub enum TreesError {
    /// The least number of leaves cannot be had.
    #[error("{0} leaves: a tree has a power of two, and at least {LEAST}")]
    Minimum(u64),
    /// The leaves of a class make no tree.
    #[error("{asset} {class}")]
    Tree {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// The class of what is owed, as files name it.
        class: &'static str,
        /// The fault of its leaves.
        #[source]
        source: TreeRefused,
    },
}

impl Trees {
    /// The trees of liabilities, each of at least so many leaves, a power of two.
    ///
    /// # Errors
    ///
    /// [`TreesError`].
    pub fn new(liabilities: Liabilities, salts: Salts, least: u64) -> Result<Self, TreesError> {
        if !least.is_power_of_two() || least < LEAST {
            return Err(TreesError::Minimum(least));
        }
        let each = |asset: &AssetOwed| {
            let class = |class: &ClassOwed| class_tree(&asset.asset, class, &salts, least);
            asset.classes.iter().map(class).collect::<Result<Vec<_>, _>>()
        };
        let assets = liabilities.assets.iter().map(each).collect::<Result<_, _>>()?;
        Ok(Self { liabilities, salts, assets })
    }

    /// Each commodity with its trees.
    pub fn each(&self) -> impl Iterator<Item = (&AssetOwed, &[ClassTree])> {
        self.liabilities.assets.iter().zip(self.assets.iter().map(Vec::as_slice))
    }
}

fn class_tree(
    asset: &str,
    owed: &ClassOwed,
    salts: &Salts,
    least: u64,
) -> Result<ClassTree, TreesError> {
    let class = owed.class;
    let leaf = |(holder, balance): (&Holder, &i128)| {
        let salt = salts.of_holder(asset, class, holder);
        (holder.key(asset, class.name(), &salt), u128::try_from(*balance).unwrap_or(0))
    };
    let mut leaves: Vec<(Hash, u128)> = owed.holders.iter().map(leaf).collect();
    let count = (leaves.len() as u64).next_power_of_two().max(least);
    let padding = leaves.len() as u64..count;
    leaves.extend(padding.map(|number| (salts.padding(asset, class, number), 0)));
    leaves.sort_unstable_by_key(|(key, _)| *key);
    let below = owed.holders.values().filter(|balance| **balance < 0);
    let owed_by = below.map(|balance| balance.unsigned_abs()).sum();
    let tree = SumTree::new(leaves).map_err(|source| {
        let (asset, class) = (asset.to_owned(), class.name());
        TreesError::Tree { asset, class, source }
    })?;
    Ok(ClassTree { class, tree, owed_by })
}

/// The root of a commodity: over its classes by name, each with its number of leaves, root and sum.
pub(crate) fn root_over<'a>(
    asset: &str,
    classes: impl Iterator<Item = (&'a str, u64, Node)>,
) -> Hash {
    let mut bytes = texts([asset].into_iter());
    for (class, leaves, root) in classes {
        bytes.extend(texts([class].into_iter()));
        bytes.extend(leaves.to_be_bytes());
        bytes.extend(root.hash.0);
        bytes.extend(root.sum.to_be_bytes());
    }
    sha256(&[ROOT, &bytes])
}

/// Shows no leaf.
impl std::fmt::Debug for Trees {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trees").field("salts", &self.salts).finish_non_exhaustive()
    }
}
