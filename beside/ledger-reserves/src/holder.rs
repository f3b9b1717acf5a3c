//! Holders, as the key of a leaf names them under a salt.

use ledger_proofs::Hash;
use serde::{Deserialize, Serialize};

use crate::chart::Class;
use crate::digest::{sha256, texts};

/// The prefix of every key of a leaf.
const KEY: &[u8] = b"custody-ledger reserves key v1\0";

/// The context that salts are derived under.
const SALT: &str = "custody-ledger reserves salt v1";

/// A holder of a balance: a kind and its names.
///
/// ```text
/// customer ACCOUNT CUSTOMER      house ACCOUNT         operation ID      agent NUMBER
/// declared NAME ACCOUNT CUSTOMER declared NAME ACCOUNT declared NAME     all
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Holder(pub Vec<String>);

impl Holder {
    /// The subaccount of an API account, or without a customer its house.
    #[must_use]
    pub fn subaccount(account: &str, customer: Option<&str>) -> Self {
        match customer {
            Some(customer) => Self::from_texts(&["customer", account, customer]),
            None => Self::from_texts(&["house", account]),
        }
    }

    /// An operation, by the id that clients see.
    #[must_use]
    pub fn operation(id: &str) -> Self {
        Self::from_texts(&["operation", id])
    }

    /// An account of a product, with the subaccount that it is kept for, if it is kept for one.
    #[must_use]
    pub fn product_account(name: &str, of: Option<Self>) -> Self {
        let names = of.map(|Self(texts)| texts.into_iter().skip(1).collect::<Vec<_>>());
        let mut texts = vec!["declared".to_owned(), name.to_owned()];
        texts.extend(names.unwrap_or_default());
        Self(texts)
    }

    /// An agent, by its number.
    #[must_use]
    pub fn agent(number: u32) -> Self {
        Self::from_texts(&["agent", &number.to_string()])
    }

    /// Everybody together, where the chart keeps one account for all.
    #[must_use]
    pub fn all() -> Self {
        Self::from_texts(&["all"])
    }

    fn from_texts(texts: &[&str]) -> Self {
        Self(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    /// Tells whether the leaf is one of a subaccount's: its custody, or a product's account of it.
    #[must_use]
    pub fn is_of(&self, subaccount: &Self) -> bool {
        let names = &subaccount.0[1..];
        let declared = self.0.first().is_some_and(|kind| kind == "declared");
        self == subaccount || (declared && self.0.len() > 2 && &self.0[2..] == names)
    }

    /// The key of the leaf of this holder in a class of a commodity.
    #[must_use]
    pub fn key(&self, asset: &str, class: &str, salt: &[u8; 32]) -> Hash {
        let all: Vec<&str> =
            [asset, class].into_iter().chain(self.0.iter().map(String::as_str)).collect();
        sha256(&[KEY, salt, &texts(all.into_iter())])
    }
}

/// Salts of one record: derived from the ledger's secret, so that a proof can be made again, and
/// others at every record, so that leaves of two files cannot be matched.
pub struct Salts {
    key: [u8; 32],
    record: u64,
}

impl Salts {
    /// The salts of a record under the ledger's vault key.
    #[must_use]
    pub fn new(vault_key: &[u8; 32], record: u64) -> Self {
        Self { key: blake3::derive_key(SALT, vault_key), record }
    }

    /// The salt of a holder's leaf.
    #[must_use]
    pub fn of_holder(&self, asset: &str, class: Class, holder: &Holder) -> [u8; 32] {
        self.derive(0, &holder.key(asset, class.name(), &self.key).0)
    }

    /// The key of a padding leaf, by its number: like any other key to whoever lacks the secret.
    #[must_use]
    pub fn padding(&self, asset: &str, class: Class, number: u64) -> Hash {
        let named = texts([asset, class.name()].into_iter());
        Hash(self.derive(1, &[&named[..], &number.to_le_bytes()].concat()))
    }

    fn derive(&self, kind: u8, bytes: &[u8]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&self.record.to_le_bytes()).update(&[kind]).update(bytes);
        *hasher.finalize().as_bytes()
    }
}

/// Shows no secret.
impl std::fmt::Debug for Salts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Salts").field("record", &self.record).finish_non_exhaustive()
    }
}
