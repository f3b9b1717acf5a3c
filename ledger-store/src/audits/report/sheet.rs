//! The figures of a report as data: one structure that every form of it is made of, so that no two
//! forms can differ.

use ledger_core::coin::Scale;
use ledger_core::id::LedgerName;
use ledger_core::time::Instant;
use serde_json::{Map, Value as Json, json};

use crate::tables::export::{centavos, decimal};

/// All figures of the report of one ledger.
///
/// Keys of sections and columns are names of ours, in English, and stay as they are: whoever shows
/// them to people has words for each.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The ledger's name.
    pub ledger: LedgerName,
    /// Its sections, in reading order; each is there whatever it holds.
    pub sections: Vec<Section>,
}

/// One section: named values, or rows under columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Its name: `trial_balance`.
    pub key: &'static str,
    /// What it holds.
    pub holds: Holds,
}

/// What a section holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Holds {
    /// Values, each with its name.
    Facts(Vec<(&'static str, Value)>),
    /// Rows under columns, which are named; every row has a value for each.
    Table {
        /// The names of the columns.
        columns: &'static [&'static str],
        /// The rows, each with a value for every column.
        rows: Vec<Vec<Value>>,
    },
}

/// A figure of the report, by its kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// There is none.
    Nothing,
    /// A text of the journal or the vault: a name, a reason.
    Text(String),
    /// An id, a link, a name of the chart: shown letter by letter.
    Code(String),
    /// One of a few words of ours: `asset`.
    Word(String),
    /// The count of something, from 0.
    Count(u64),
    /// Tells whether it is so.
    Flag(bool),
    /// An instant, in UTC.
    At(Instant),
    /// A span in whole hours.
    Hours(u64),
    /// Money or crypto.
    Amount(Amount),
    /// A fee: basis points, and the fixed part in centavos where it may have one.
    Fee {
        /// The percentage, in basis points.
        bps: u16,
        /// The fixed part, in centavos.
        fixed: Option<i64>,
    },
}

/// An amount in smallest units of its commodity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
    /// How much, with its sign.
    pub units: i128,
    /// `BRL`, or an asset's name.
    pub commodity: String,
    /// How many decimals the commodity has.
    pub scale: Scale,
}

impl Sheet {
    /// As JSON: the ledger, and under `sections` an object of each section's values, or a list of
    /// an object a row. Amounts are decimal strings, exact; instants are RFC 3339 in UTC; ages are
    /// whole hours.
    #[must_use]
    pub fn json(&self) -> Json {
        let sections = self.sections.iter().map(|section| (section.key.to_owned(), section.json()));
        json!({
            "ledger": &*self.ledger,
            "environment": self.ledger.environment().name(),
            "sections": sections.collect::<Map<_, _>>(),
        })
    }

    /// The section of this name.
    #[must_use]
    pub fn section(&self, key: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.key == key)
    }
}

impl Section {
    pub(super) const fn facts(key: &'static str, facts: Vec<(&'static str, Value)>) -> Self {
        Self { key, holds: Holds::Facts(facts) }
    }

    pub(super) const fn table(
        key: &'static str,
        columns: &'static [&'static str],
        rows: Vec<Vec<Value>>,
    ) -> Self {
        Self { key, holds: Holds::Table { columns, rows } }
    }

    fn json(&self) -> Json {
        match &self.holds {
            Holds::Facts(facts) => {
                let facts = facts.iter().map(|(name, value)| ((*name).to_owned(), value.json()));
                Json::Object(facts.collect())
            }
            Holds::Table { columns, rows } => {
                let named = |row: &Vec<Value>| -> Json {
                    let values = columns.iter().zip(row);
                    values.map(|(name, value)| ((*name).to_owned(), value.json())).collect()
                };
                rows.iter().map(named).collect()
            }
        }
    }
}

impl Value {
    /// Centavos of reais.
    pub(super) fn reais(cents: impl Into<i128>) -> Self {
        let commodity = "BRL".to_owned();
        Self::Amount(Amount { units: cents.into(), commodity, scale: centavos() })
    }

    /// Smallest units of a commodity.
    pub(super) fn units(units: i128, commodity: &str, scale: Scale) -> Self {
        Self::Amount(Amount { units, commodity: commodity.to_owned(), scale })
    }

    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn code(text: impl Into<String>) -> Self {
        Self::Code(text.into())
    }

    /// The word of ours that a variant is called by.
    pub(super) fn word(variant: impl std::fmt::Debug) -> Self {
        Self::Word(snake_case(variant))
    }

    /// The word of the wire that a variant is called by.
    pub(super) fn wire(variant: impl std::fmt::Debug) -> Self {
        Self::Code(snake_case(variant))
    }

    /// Returns the value as JSON.
    #[must_use]
    pub fn json(&self) -> Json {
        match self {
            Self::Nothing => Json::Null,
            Self::Text(text) | Self::Code(text) | Self::Word(text) => text.as_str().into(),
            Self::Count(number) | Self::Hours(number) => (*number).into(),
            Self::Flag(flag) => (*flag).into(),
            Self::At(at) => at.to_string().into(),
            Self::Amount(amount) => amount.text().into(),
            Self::Fee { bps, fixed } => {
                let percent = format!("{} %", decimal((*bps).into(), centavos()));
                let fixed = fixed.map(|cents| format!(" + {}", decimal(cents.into(), centavos())));
                format!("{percent}{}", fixed.unwrap_or_default()).into()
            }
        }
    }
}

/// A variant's name as words are written on the wire: `under_review` of `UnderReview`.
fn snake_case(variant: impl std::fmt::Debug) -> String {
    let mut word = String::new();
    for letter in format!("{variant:?}").chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.extend(letter.to_lowercase());
    }
    word
}

impl Amount {
    /// As a decimal string, exact: `-91.35`.
    #[must_use]
    pub fn text(&self) -> String {
        decimal(self.units, self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_exact_in_json() {
        let six = Scale::SIX;
        let facts = vec![("one", Value::units(-1, "usdt", six)), ("two", Value::reais(1_i64))];
        let rows = vec![vec![Value::word(six.decimals() > 0), Value::Nothing]];
        let sections = vec![Section::facts("f", facts), Section::table("t", &["a", "b"], rows)];
        let sheet = Sheet { ledger: "live".into(), sections };
        let expected = json!({
            "ledger": "live",
            "environment": "live",
            "sections": { "f": { "one": "-0.000001", "two": "0.01" }, "t": [{ "a": "true", "b": null }] },
        });
        assert_eq!(sheet.json(), expected);
        assert_eq!(Value::word(Some(1)).json(), "some(1)");
        assert_eq!(sheet.section("t").map(|section| section.key), Some("t"));
    }
}
