//! The file: what is owed and what is held at one record, in one form and signed.

use ledger_proofs::Hash;
use ledger_proofs::document::Digits;
use ledger_store::signing::key::{Signer, Verifier};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::digest::sha256;
use crate::signature;
use crate::statement::Statement;
use crate::tree::Node;
use crate::trees::root_over;

/// The version that the file begins with.
pub(crate) const VERSION: u8 = 1;

/// A file of reserves: liabilities and holdings at one record, in smallest units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReservesFile {
    /// The version of this form: 1.
    pub reserves: u8,
    /// The origin of the checkpoint: key, ledger and environment.
    pub origin: String,
    /// The number of records of the ledger.
    pub record: u64,
    /// The instant of the last one, RFC 3339.
    pub time: String,
    /// The root of the tree over these records.
    pub root: Hash,
    /// From that root to the checkpoint's; empty where it is of the same record.
    pub path: Vec<Hash>,
    /// The checkpoint, a signed note.
    pub checkpoint: String,
    /// The most hours that a statement may lie from `time`.
    pub within_hours: u32,
    /// Each commodity: reais first, then assets by name.
    pub assets: Vec<AssetReserves>,
    /// The holdings, as they were stated.
    pub statements: Vec<Statement>,
    /// The house's signature: the line of a signed note.
    pub signature: String,
}

/// Liabilities and holdings of one commodity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetReserves {
    /// `BRL`, or the asset's name.
    pub asset: String,
    /// The decimals of its smallest unit.
    pub decimals: u8,
    /// The liabilities, by class.
    pub owed: Vec<ClassSum>,
    /// The root over the classes.
    pub root: Hash,
    /// The sum of the classes.
    pub total: Digits,
    /// Held for clients, by the statements.
    pub clients: Digits,
    /// Held for the house.
    pub own: Digits,
    /// Tells whether clients' holdings cover what is owed.
    pub result: Coverage,
    /// By how much they are more, or less.
    pub by: Digits,
}

/// The liabilities of one class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassSum {
    /// The class of what is owed, such as `customers` or `in_flight`.
    pub class: String,
    /// The number of leaves of its tree, padding among them.
    pub leaves: u64,
    /// The root of its tree.
    pub root: Hash,
    /// The sum of its leaves.
    pub owed: Digits,
    /// The debts of its holders: no leaf has them, and nothing that is owed is less by them.
    pub owed_by: Digits,
    /// The accounts of the chart, which come to `owed` less `owed_by`.
    pub accounts: Vec<AccountBalance>,
}

/// An account of the chart with its balance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountBalance {
    /// Its name in the chart.
    pub account: String,
    /// Its net credit.
    pub balance: SignedUnits,
}

/// A number of either sign in text, since JSON's own are less than 128 bits wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedUnits(pub i128);

/// The result of comparing clients' holdings with the total owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// They are as much or more.
    Covered,
    /// They are less.
    Short,
}

/// The error of a text that is no file of reserves.
#[derive(Debug, Error)]
pub enum FileRefused {
    /// It is not the JSON of one.
    #[error("form: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It is of another version.
    #[error("form: version {0} is not known")]
    Version(u8),
    /// It states the same in another form.
    #[error("form: it is not in the form that it was written in, from byte {0} on")]
    OtherForm(usize),
}

impl Coverage {
    /// Compares what is held for clients with what is owed, and gives the difference.
    ///
    /// ```
    /// use ledger_reserves::Coverage;
    ///
    /// assert_eq!(Coverage::compare(90, 100), (Coverage::Short, 10));
    /// ```
    #[must_use]
    pub const fn compare(clients: u128, owed: u128) -> (Self, u128) {
        let result = if clients >= owed { Self::Covered } else { Self::Short };
        (result, clients.abs_diff(owed))
    }

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Covered => "covered",
            Self::Short => "short",
        }
    }
}

impl ReservesFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`FileRefused`]; also where it states the same in another form than [`ReservesFile::text`].
    pub fn parse(text: &str) -> Result<Self, FileRefused> {
        let file: Self = serde_json::from_str(text)?;
        if file.reserves != VERSION {
            return Err(FileRefused::Version(file.reserves));
        }
        same_form(&file.text(), text).map_err(FileRefused::OtherForm)?;
        Ok(file)
    }

    /// The file: JSON with two blanks a level and a line feed at the end.
    #[must_use]
    pub fn text(&self) -> String {
        pretty(&self)
    }

    /// The hash of all but the signature, which is what is signed and what proofs name.
    #[must_use]
    pub fn digest(&self) -> Hash {
        let mut value = serde_json::to_value(self).expect("a file has text for keys alone");
        let fields = value.as_object_mut().expect("a file is an object");
        fields.shift_remove("signature");
        sha256(&[pretty(&value).as_bytes()])
    }

    /// The text that the house signs.
    #[must_use]
    pub fn signed_text(&self) -> String {
        format!("custody-ledger reserves {VERSION}\n{}\n{}\n", self.origin, self.digest())
    }

    /// Signs it anew by the key of its ledger.
    #[must_use]
    pub fn sign(mut self, signer: &Signer) -> Self {
        self.signature = signature::line(&self.signed_text(), signer);
        self
    }

    /// Tells whether this key signed it, and is of its origin.
    #[must_use]
    pub fn is_signed_by(&self, key: &Verifier) -> bool {
        key.name() == self.origin && signature::is_by(key, &self.signed_text(), &self.signature)
    }

    /// The least number of leaves that its trees were made with, or as many: those of the smallest.
    #[must_use]
    pub fn least_leaves(&self) -> u64 {
        let classes = self.assets.iter().flat_map(|asset| &asset.owed);
        classes.map(|class| class.leaves).min().unwrap_or_default()
    }

    /// A commodity by its name.
    #[must_use]
    pub fn asset(&self, name: &str) -> Option<&AssetReserves> {
        self.assets.iter().find(|known| known.asset == name)
    }
}

impl ClassSum {
    /// Its name, number of leaves and root: what the root of a commodity is made of.
    fn commitment(&self) -> (&str, u64, Node) {
        (&self.class, self.leaves, Node { hash: self.root, sum: self.owed.0 })
    }
}

impl AssetReserves {
    /// The root over its classes as they stand, which `root` must be.
    #[must_use]
    pub fn root_over_classes(&self) -> Hash {
        root_over(&self.asset, self.owed.iter().map(ClassSum::commitment))
    }

    /// A class by its name.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<&ClassSum> {
        self.owed.iter().find(|known| known.class == name)
    }
}

/// JSON as files have it.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("it has text for keys alone") + "\n"
}

/// Checks that two texts are one; else the first byte that differs, from 1.
pub(crate) fn same_form(written: &str, text: &str) -> Result<(), usize> {
    if written == text {
        return Ok(());
    }
    let same = written.bytes().zip(text.bytes()).take_while(|(one, other)| one == other);
    Err(same.count() + 1)
}

impl Serialize for SignedUnits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for SignedUnits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}
