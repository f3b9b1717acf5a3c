//! Which column of a CSV is what: one TOML file for the provider and the exchange.

use ledger_reconcile::Mapping;
use serde::Deserialize;

use super::position::position_at;
use crate::statement::FileError;

/// The columns of every CSV.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Columns {
    /// The provider's, as `reconcile` takes them.
    #[serde(default)]
    pub provider: Option<Mapping>,
    /// The exchange's: names of columns, and words in them.
    #[serde(default)]
    pub exchange: Option<ExchangeColumns>,
}

/// The columns of an exchange's statement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExchangeColumns {
    /// The exchange, as results name it.
    #[serde(default)]
    pub name: String,
    /// The sign between columns; a comma where nothing is said.
    #[serde(default = "comma")]
    pub delimiter: char,
    /// The sign before decimals; a dot where nothing is said.
    #[serde(default = "dot")]
    pub decimal: char,
    /// The offset of times without one; UTC where nothing is said.
    #[serde(default = "utc")]
    pub offset: String,
    /// The names of the columns.
    pub columns: Names,
    /// The words of the column of kinds.
    #[serde(default)]
    pub kind: Kinds,
    /// The words of the column of sides.
    #[serde(default)]
    pub side: Sides,
}

/// The names of an exchange's columns.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // Each is the column of what its name says.
pub struct Names {
    pub time: String,
    pub asset: String,
    pub amount: String,
    #[serde(default)]
    pub kind: Option<String>,
    #[serde(default)]
    pub id: Option<String>,
    #[serde(default)]
    pub reference: Option<String>,
    #[serde(default)]
    pub side: Option<String>,
    #[serde(default)]
    pub counter_asset: Option<String>,
    #[serde(default)]
    pub counter_amount: Option<String>,
    #[serde(default)]
    pub fee: Option<String>,
    #[serde(default)]
    pub fee_asset: Option<String>,
    #[serde(default)]
    pub address: Option<String>,
}

/// Which words of the column of kinds are what; any other is a fault.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Kinds {
    /// The words for trades of one asset for another.
    pub fill: Vec<String>,
    /// The words for deposits at the exchange.
    pub deposit: Vec<String>,
    /// The words for withdrawals from the exchange.
    pub withdrawal: Vec<String>,
    /// Fees on their own.
    pub fee: Vec<String>,
    /// Balances of assets before the lines.
    pub opening: Vec<String>,
    /// Balances after them.
    pub closing: Vec<String>,
    /// Lines that move nothing.
    pub ignore: Vec<String>,
}

/// Which words of the column of sides buy the asset, and which sell it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sides {
    /// The asset comes in.
    pub buy: Vec<String>,
    /// The asset goes out.
    pub sell: Vec<String>,
}

const fn comma() -> char {
    ','
}

const fn dot() -> char {
    '.'
}

fn utc() -> String {
    "Z".to_owned()
}

impl Columns {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// [`FileError`] naming the line and column of the first fault.
    pub fn parse(file: &str, text: &str) -> Result<Self, FileError> {
        from_toml(file, text)
    }
}

/// Reads TOML, or names the line and column of its first fault.
pub(crate) fn from_toml<T: serde::de::DeserializeOwned>(
    file: &str,
    text: &str,
) -> Result<T, FileError> {
    toml::from_str(text).map_err(|error| {
        let place = error.span().map_or(0, |span| span.start);
        let (line, column) = position_at(text, place);
        FileError::one(file, line, column, error.message())
    })
}
