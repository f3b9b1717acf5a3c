//! Why an operation waits for a person, and for how much.

use std::borrow::Cow;

use crate::coin::Units;
use crate::id::AssetId;
use crate::money::Balance;

/// Why an operation waits for a person, and for how much.
#[derive(Clone, Debug)]
pub struct Waiting {
    pub(in crate::ledger) why: Cow<'static, str>,
    pub(in crate::ledger) sum: WaitingSum,
    pub(in crate::ledger) overdue: Option<u64>,
}

/// How much it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitingSum {
    /// Centavos.
    Reais(i64),
    /// An amount of crypto.
    Crypto {
        /// Which; none: the asset of USDT wallets.
        asset: Option<AssetId>,
        /// Its smallest units.
        units: u128,
        /// Both, as it is shown.
        text: String,
    },
}

impl Waiting {
    pub(in crate::ledger) fn reais(why: &'static str, sum: Balance) -> Self {
        Self { why: Cow::Borrowed(why), sum: WaitingSum::reais(sum), overdue: None }
    }

    pub(in crate::ledger) fn crypto(why: &'static str, asset: Option<AssetId>, of: Units) -> Self {
        Self { why: Cow::Borrowed(why), sum: WaitingSum::crypto(asset, of), overdue: None }
    }

    /// Says why, in a few English words.
    #[must_use]
    pub fn why(&self) -> String {
        self.why.to_string()
    }

    /// How much it is about.
    #[must_use]
    pub const fn sum(&self) -> &WaitingSum {
        &self.sum
    }

    /// For how many hours it is overdue; none of what has no date of its own.
    #[must_use]
    pub const fn overdue(&self) -> Option<u64> {
        self.overdue
    }

    /// Whether nobody knows what came of it.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.why.starts_with("unknown ")
    }
}

impl WaitingSum {
    pub(in crate::ledger) fn reais(sum: impl Into<Balance>) -> Self {
        Self::Reais(sum.into().cents())
    }

    pub(in crate::ledger) fn crypto(asset: Option<AssetId>, of: Units) -> Self {
        Self::Crypto { asset, units: of.get(), text: format!("{of} units") }
    }

    /// The amount as it is shown: reais with two decimals, crypto with what it is.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Reais(cents) => Balance::new(*cents).to_string(),
            Self::Crypto { text, .. } => text.clone(),
        }
    }
}
