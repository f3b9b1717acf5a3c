//! One holder's proof: the leaves of what it is owed, and the way of each to the sum.

use ledger_proofs::Hash;
use ledger_proofs::document::Digits;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::file::{ReservesFile, pretty, same_form};
use crate::holder::Holder;
use crate::tree::{Node, Overflow, PathRefused, climb, leaf};
use crate::trees::Trees;

/// One holder's balances, as parts of the sums of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HolderProof {
    /// The kind of proof: always `reserves`.
    pub proof: String,
    /// The origin of the file.
    pub origin: String,
    /// The record of the file.
    pub record: u64,
    /// The hash that the file's signature is of.
    pub file: Hash,
    /// Each leaf of the holder.
    pub parts: Vec<Part>,
}

/// One leaf and its way to the root of its class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// `BRL`, or an asset's name.
    pub asset: String,
    /// The class that the leaf is counted in, as files name it.
    pub class: String,
    /// The holder that the leaf's key names under the salt.
    pub holder: Holder,
    /// The secret of the leaf.
    pub salt: Hash,
    /// The balance, in smallest units.
    pub amount: Digits,
    /// The leaf's place, from 0.
    pub leaf: u64,
    /// From the leaf to the root.
    pub path: Vec<Step>,
}

/// A node beside the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The hash of the neighbour.
    pub hash: Hash,
    /// The sum below it.
    pub sum: Digits,
}

/// The error of a proof that proves nothing.
#[derive(Debug, Error)]
pub enum ProofRefused {
    /// It is not the JSON of one.
    #[error("form: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It states the same in another form.
    #[error("form: it is not in the form that it was written in, from byte {0} on")]
    OtherForm(usize),
    /// It is of another file.
    #[error("file: it is of {origin} at record {record}, and of another file")]
    OtherFile {
        /// The origin of its file.
        origin: String,
        /// The record of its file.
        record: u64,
    },
    /// It has no part, or the file not its class.
    #[error("form: it has no part of a class of the file")]
    NoPart,
    /// An amount or a sum is below zero.
    #[error("negative: {0} is below zero")]
    Negative(String),
    /// An amount or a sum leaves 128 bits.
    #[error("overflow: {asset} {class}: a sum leaves 128 bits")]
    Overflow {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// The class of what is owed, as files name it.
        class: String,
    },
    /// The path leads elsewhere than to the root and the sum of the class.
    #[error("path: {asset} {class}: {detail}")]
    Path {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// The class of what is owed, as files name it.
        class: String,
        /// Where it leads.
        detail: String,
    },
}

impl HolderProof {
    /// Proves every leaf whose holder `is_mine` says to be; none where there is no such leaf.
    #[must_use]
    pub fn new(
        trees: &Trees,
        file: &ReservesFile,
        is_mine: impl Fn(&Holder) -> bool,
    ) -> Option<Self> {
        let mut parts = Vec::new();
        for (owed, classes) in trees.each() {
            for (class, known) in owed.classes.iter().zip(classes) {
                for (holder, balance) in class.holders.iter().filter(|(it, _)| is_mine(it)) {
                    let salt = trees.salts.of_holder(&owed.asset, class.class, holder);
                    let key = holder.key(&owed.asset, class.class.name(), &salt);
                    let (leaf, path) = known.tree.path(key).expect("every holder has a leaf");
                    parts.push(Part {
                        asset: owed.asset.clone(),
                        class: class.class.name().to_owned(),
                        holder: holder.clone(),
                        salt: Hash(salt),
                        amount: Digits(u128::try_from(*balance).unwrap_or(0)),
                        leaf,
                        path: path.iter().map(Step::new).collect(),
                    });
                }
            }
        }
        let (origin, record) = (file.origin.clone(), file.record);
        let proof = "reserves".to_owned();
        (!parts.is_empty()).then(|| Self { proof, origin, record, file: file.digest(), parts })
    }

    /// Reads a proof.
    ///
    /// # Errors
    ///
    /// [`ProofRefused`]; also where it states the same in another form than [`HolderProof::text`].
    pub fn parse(text: &str) -> Result<Self, ProofRefused> {
        if let Some(amount) = negative(&serde_json::from_str(text)?) {
            return Err(ProofRefused::Negative(amount));
        }
        let proof: Self = serde_json::from_str(text)?;
        same_form(&proof.text(), text).map_err(ProofRefused::OtherForm)?;
        Ok(proof)
    }

    /// The file: JSON with two blanks a level and a line feed at the end.
    #[must_use]
    pub fn text(&self) -> String {
        pretty(self)
    }

    /// Checks that every part is in the sums of a file, which was verified by itself.
    ///
    /// # Errors
    ///
    /// [`ProofRefused`], naming the first part at fault.
    pub fn check(&self, file: &ReservesFile) -> Result<(), ProofRefused> {
        let mine = (&self.origin, self.record, self.file);
        if mine != (&file.origin, file.record, file.digest()) {
            let (origin, record) = (self.origin.clone(), self.record);
            return Err(ProofRefused::OtherFile { origin, record });
        }
        if self.parts.is_empty() || self.proof != "reserves" {
            return Err(ProofRefused::NoPart);
        }
        self.parts.iter().try_for_each(|part| part.check(file))
    }
}

impl Part {
    fn check(&self, file: &ReservesFile) -> Result<(), ProofRefused> {
        let Self { asset, class, holder, salt, amount, leaf: place, path } = self;
        let stated = file.asset(asset).and_then(|known| known.class(class));
        let stated = stated.ok_or(ProofRefused::NoPart)?;
        let path: Vec<Node> = path.iter().map(Step::node).collect();
        let key = holder.key(asset, class, &salt.0);
        let named = |detail: String| {
            let (asset, class) = (asset.clone(), class.clone());
            ProofRefused::Path { asset, class, detail }
        };
        let found = climb(leaf(key, amount.0), *place, stated.leaves, &path);
        let found = found.map_err(|refused| match refused {
            PathRefused::Overflow(Overflow) => {
                let (asset, class) = (asset.clone(), class.clone());
                ProofRefused::Overflow { asset, class }
            }
            refused @ PathRefused::Shape { .. } => named(refused.to_string()),
        })?;
        if (found.hash, found.sum) == (stated.root, stated.owed.0) {
            return Ok(());
        }
        Err(named(format!(
            "it leads to {} under {}, and the class has {} under {}",
            found.sum, found.hash, stated.owed.0, stated.root
        )))
    }
}

impl Step {
    fn new(node: &Node) -> Self {
        Self { hash: node.hash, sum: Digits(node.sum) }
    }

    fn node(&self) -> Node {
        Node { hash: self.hash, sum: self.sum.0 }
    }
}

/// The first amount or sum below zero.
fn negative(value: &serde_json::Value) -> Option<String> {
    let parts = value["parts"].as_array()?.iter();
    let mut texts = parts.flat_map(|part| {
        let steps = part["path"].as_array().into_iter().flatten();
        steps.map(|step| &step["sum"]).chain([&part["amount"]])
    });
    let text = texts.find_map(|text| text.as_str().filter(|text| text.starts_with('-')))?;
    Some(text.to_owned())
}
