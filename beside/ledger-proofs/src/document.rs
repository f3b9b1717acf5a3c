//! A proof as a file: JSON in one form alone, so that a byte that was changed always shows.
//!
//! Hashes, links and salts are hexadecimal digits, the bytes of records base64, amounts decimal
//! digits in text. What a file says in any other way than it was written is refused.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::Hash;
use super::balances::{Owed, Summed};

/// A proof of one statement about a ledger, under a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "proof", rename_all = "snake_case")]
pub enum Proof {
    /// A record is in the ledger.
    Record(RecordProof),
    /// Records of an operation are in the ledger.
    Operation(OperationProof),
    /// A balance is part of what the ledger says it owes.
    Balance(BalanceProof),
    /// The ledger at a later checkpoint goes on from an earlier one.
    Since(SinceProof),
}

/// A record is in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordProof {
    /// The origin of the checkpoint.
    pub origin: String,
    /// The records of the checkpoint.
    pub size: u64,
    /// The record and its path.
    #[serde(flatten)]
    pub record: ProvedRecord,
}

/// One record and its path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvedRecord {
    /// The record's number.
    pub record: u64,
    /// The chain's link before it.
    pub previous_link: Hash,
    /// The record's bytes, in base64.
    pub bytes: String,
    /// From its leaf to the root.
    pub path: Vec<Hash>,
}

/// Records of an operation are in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationProof {
    /// The origin of the checkpoint.
    pub origin: String,
    /// The records of the checkpoint.
    pub size: u64,
    /// The operation's id.
    pub operation: String,
    /// Its records, in order.
    pub records: Vec<ProvedRecord>,
}

/// A balance is part of what the ledger says it owes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalanceProof {
    /// The origin of the checkpoint.
    pub origin: String,
    /// The records of the checkpoint.
    pub size: u64,
    /// The API account's name.
    pub account: String,
    /// The customer; none for the house.
    pub customer: Option<String>,
    /// The secret of the leaf.
    pub salt: Hash,
    /// The balance, by the columns of the checkpoint.
    pub amounts: Vec<Column>,
    /// The leaf's place among the leaves, from 0.
    pub leaf: u64,
    /// From the leaf to the root.
    pub path: Vec<PathNode>,
}

/// One column of a balance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name: an account of the chart and a commodity.
    pub column: String,
    /// Owed to the customer, in the smallest units.
    pub to: Digits,
    /// Owed by the customer.
    pub by: Digits,
}

/// A hash beside the way of a balance to the root, with the sums below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathNode {
    /// The hash of that leaf or node.
    pub hash: Hash,
    /// The sums, by the columns of the checkpoint: owed to, owed by.
    pub amounts: Vec<(Digits, Digits)>,
}

/// The ledger at a later checkpoint goes on from an earlier one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SinceProof {
    /// The origin of both checkpoints.
    pub origin: String,
    /// The records of the later checkpoint.
    pub size: u64,
    /// The earlier checkpoint, as a signed note.
    pub since: String,
    /// From the earlier root to the later one.
    pub path: Vec<Hash>,
}

/// A number in text, since JSON's own are less than 128 bits wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits(pub u128);

/// Why a file is no proof.
#[derive(Debug, Error)]
pub enum DocumentRefused {
    /// It is not the JSON of a proof.
    #[error("the file is no proof: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It says the same in another form.
    #[error("the file is not in the form that it was written in, from byte {place} on")]
    OtherForm {
        /// The first byte that differs, from 1.
        place: usize,
    },
}

impl Proof {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`DocumentRefused`]; also where the file says the same in another form than [`Proof::text`].
    pub fn parse(text: &str) -> Result<Self, DocumentRefused> {
        let proof: Self = serde_json::from_str(text)?;
        let written = proof.text();
        if written == text {
            return Ok(proof);
        }
        let same = written.bytes().zip(text.bytes()).take_while(|(one, other)| one == other);
        Err(DocumentRefused::OtherForm { place: same.count() + 1 })
    }

    /// Returns the proof's file: indented JSON and a newline.
    #[must_use]
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("a proof has text for keys alone");
        text + "\n"
    }

    /// The origin of the checkpoint that it is to be checked against.
    #[must_use]
    pub fn origin(&self) -> &str {
        match self {
            Self::Record(RecordProof { origin, .. })
            | Self::Operation(OperationProof { origin, .. })
            | Self::Balance(BalanceProof { origin, .. })
            | Self::Since(SinceProof { origin, .. }) => origin,
        }
    }

    /// How many records that checkpoint has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        match self {
            Self::Record(RecordProof { size, .. })
            | Self::Operation(OperationProof { size, .. })
            | Self::Balance(BalanceProof { size, .. })
            | Self::Since(SinceProof { size, .. }) => *size,
        }
    }
}

impl PathNode {
    /// A part of a path as a file has it.
    #[must_use]
    pub fn from_summed(part: &Summed) -> Self {
        let amounts = part.amounts.iter().map(|owed| (Digits(owed.to), Digits(owed.by)));
        Self { hash: part.hash, amounts: amounts.collect() }
    }

    /// The same to compute with.
    #[must_use]
    pub fn to_summed(&self) -> Summed {
        let owed = self.amounts.iter().map(|(to, by)| Owed { to: to.0, by: by.0 });
        Summed { hash: self.hash, amounts: owed.collect() }
    }
}

impl Serialize for Digits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Digits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}
