//! Every leaf of every tree, nameless: what an auditor adds up anew.
//!
//! ```text
//! custody-ledger reserves leaves 1
//! ledger.example.com/live/live
//! 63
//! tree customers 1024 BRL
//! <key, 64 hexadecimal digits> <amount>
//! ...
//! ```

use std::fmt::Write as _;

use ledger_proofs::Hash;
use thiserror::Error;

use crate::fault::Fault;
use crate::file::ReservesFile;
use crate::tree::{SumTree, TreeRefused};
use crate::trees::Trees;

/// The first line.
const HEAD: &str = "custody-ledger reserves leaves 1";

/// The leaves of every tree of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeavesFile {
    origin: String,
    record: u64,
    trees: Vec<LeavesOfClass>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct LeavesOfClass {
    asset: String,
    class: String,
    leaves: Vec<(Hash, u128)>,
}

/// The error of a text that is no file of leaves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LeavesRefused {
    /// A line is none of it.
    #[error("form: line {line} of the leaves is not {expected}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The content that it must have.
        expected: &'static str,
    },
    /// An amount is below zero.
    #[error("negative: line {line} of the leaves: {amount} is below zero")]
    Negative {
        /// The line, from 1.
        line: usize,
        /// The amount that stands there.
        amount: String,
    },
    /// An amount leaves 128 bits.
    #[error("overflow: line {line} of the leaves: {amount} leaves 128 bits")]
    Overflow {
        /// The line, from 1.
        line: usize,
        /// The amount that stands there.
        amount: String,
    },
}

impl LeavesFile {
    /// The leaves of these trees.
    #[must_use]
    pub fn new(origin: &str, trees: &Trees) -> Self {
        let each = trees.each().flat_map(|(owed, classes)| {
            classes.iter().map(|known| LeavesOfClass {
                asset: owed.asset.clone(),
                class: known.class.name().to_owned(),
                leaves: known.tree.leaves().to_vec(),
            })
        });
        Self { origin: origin.to_owned(), record: trees.liabilities.record, trees: each.collect() }
    }

    /// Writes the file of the leaves: a head, then each tree with its leaves.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{HEAD}\n{}\n{}\n", self.origin, self.record);
        for LeavesOfClass { asset, class, leaves } in &self.trees {
            let _ = writeln!(text, "tree {class} {} {asset}", leaves.len());
            for (key, amount) in leaves {
                let _ = writeln!(text, "{key} {amount}");
            }
        }
        text
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`LeavesRefused`] naming the first line at fault.
    pub fn parse(text: &str) -> Result<Self, LeavesRefused> {
        let mut lines = (1..).zip(text.lines());
        let mut next = |expected| lines.next().ok_or(LeavesRefused::Line { line: 0, expected });
        let wrong = |line, expected| LeavesRefused::Line { line, expected };
        let (line, head) = next(HEAD)?;
        if head != HEAD || !text.ends_with('\n') {
            return Err(wrong(line, HEAD));
        }
        let origin = next("an origin")?.1.to_owned();
        let (line, record) = next("a record")?;
        let record = number(record).ok_or(wrong(line, "a record"))?;
        let mut trees = Vec::new();
        while let Some((line, head)) = lines.next() {
            let wrong = wrong(line, "tree CLASS NUMBER ASSET");
            let mut words = head.splitn(4, ' ');
            let parts = (words.next(), words.next(), words.next(), words.next());
            let (Some("tree"), Some(class), Some(count), Some(asset)) = parts else {
                return Err(wrong);
            };
            let count: usize = number(count).ok_or(wrong)?;
            let leaves = lines.by_ref().take(count).map(|(line, text)| leaf(line, text));
            let leaves = leaves.collect::<Result<Vec<_>, _>>()?;
            let (asset, class) = (asset.to_owned(), class.to_owned());
            trees.push(LeavesOfClass { asset, class, leaves });
        }
        Ok(Self { origin, record, trees })
    }

    /// Adds up every tree anew, and names each that is not the file's.
    pub(crate) fn check(&self, file: &ReservesFile) -> Vec<Fault> {
        let of = |asset: &str, class: &str, detail: String| Fault::Tree {
            asset: asset.to_owned(),
            class: class.to_owned(),
            detail,
        };
        if (&self.origin, self.record) != (&file.origin, file.record) {
            let detail = format!("the leaves are of {} at record {}", self.origin, self.record);
            return vec![of("-", "-", detail)];
        }
        let mut faults = Vec::new();
        for asset in &file.assets {
            for stated in &asset.owed {
                let (name, class) = (&asset.asset, &stated.class);
                let mine = self.trees.iter().filter(|it| it.asset == *name && it.class == *class);
                let [tree] = &*mine.collect::<Vec<_>>() else {
                    faults.push(of(name, class, "its leaves are not there once".to_owned()));
                    continue;
                };
                match SumTree::new(tree.leaves.clone()) {
                    Err(TreeRefused::Overflow(_)) => {
                        faults.push(Fault::Overflow(format!("{name} {class}")));
                    }
                    Err(refused) => faults.push(of(name, class, refused.to_string())),
                    Ok(found) => {
                        let (root, count) = (found.root(), tree.leaves.len() as u64);
                        if (root.hash, root.sum, count)
                            != (stated.root, stated.owed.0, stated.leaves)
                        {
                            let detail = format!(
                                "its {count} leaves come to {} under {}, and the file says {} of \
                                 {} under {}",
                                root.sum, root.hash, stated.leaves, stated.owed.0, stated.root
                            );
                            faults.push(of(name, class, detail));
                        }
                    }
                }
            }
        }
        let count: usize = file.assets.iter().map(|asset| asset.owed.len()).sum();
        if count != self.trees.len() {
            let detail = format!("{} trees of leaves, and {count} classes", self.trees.len());
            faults.push(of("-", "-", detail));
        }
        faults
    }
}

fn leaf(line: usize, text: &str) -> Result<(Hash, u128), LeavesRefused> {
    let expected = "a key and an amount";
    let (key, amount) = text.split_once(' ').ok_or(LeavesRefused::Line { line, expected })?;
    let key: Hash = key.parse().map_err(|_| LeavesRefused::Line { line, expected })?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let owned = || amount.to_owned();
    if amount.strip_prefix('-').is_some_and(digits) {
        return Err(LeavesRefused::Negative { line, amount: owned() });
    }
    match amount.parse::<u128>() {
        Ok(known) if known.to_string() == amount => Ok((key, known)),
        Err(_) if digits(amount) => Err(LeavesRefused::Overflow { line, amount: owned() }),
        _ => Err(LeavesRefused::Line { line, expected }),
    }
}

/// A number as it is written: without a sign or zeros before it.
fn number<T: std::str::FromStr + ToString>(text: &str) -> Option<T> {
    text.parse::<T>().ok().filter(|number| number.to_string() == text)
}
