//! Which column of a CSV is what: a small TOML file, one for each provider.

use serde::Deserialize;

use crate::encoding::Encoding;
use crate::line::BalanceEnd;
use crate::{amount, date};

/// Which column is what, and how it is written.
#[derive(Debug)]
pub struct Mapping {
    pub(crate) columns: Columns,
    pub(crate) amount: amount::Format,
    pub(crate) date: date::Format,
    pub(crate) delimiter: u8,
    /// None where the file is to say it itself.
    pub(crate) encoding: Option<Encoding>,
    /// Which line has the names, from 1; none: the first that has them all.
    pub(crate) names_line: Option<u64>,
    /// How lines below the list begin: totals, closing balances.
    pub(crate) footer: Vec<String>,
    pub(crate) direction: Directions,
    pub(crate) kind: Kinds,
    pub(crate) balance: Balances,
}

/// How lines begin, or which kinds they are of, that state the account's balance.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Balances {
    #[serde(default)]
    pub opening: Vec<String>,
    #[serde(default)]
    pub closing: Vec<String>,
}

impl Balances {
    /// The end whose balance a line states, by its first word or its kind.
    pub fn end_of(&self, first: &str, kind: Option<&str>) -> Option<BalanceEnd> {
        let is = |words: &[String]| {
            words.iter().any(|word| first.starts_with(&**word) || kind == Some(&**word))
        };
        if is(&self.opening) {
            Some(BalanceEnd::Opening)
        } else if is(&self.closing) {
            Some(BalanceEnd::Closing)
        } else {
            None
        }
    }
}

/// The names of the columns.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Columns {
    /// The end-to-end id of the PIX.
    pub end_to_end_id: Option<String>,
    /// The id of a return; where it is empty the line is no return.
    pub return_id: Option<String>,
    /// Our own id of the operation, or the client's.
    pub external_id: Option<String>,
    /// The same as a `txid`, which has letters and digits only.
    pub txid: Option<String>,
    /// The amount; or else what came in and what went out, each in a column of its own.
    pub amount: Option<String>,
    pub credit: Option<String>,
    pub debit: Option<String>,
    pub date: String,
    /// Into or out of the account; absent: by the amount's sign.
    pub direction: Option<String>,
    /// What the line is; absent: a payment, or a return where it has the id of one.
    pub kind: Option<String>,
}

/// The words of the column of directions.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Directions {
    #[serde(default, rename = "in")]
    pub incoming: Vec<String>,
    #[serde(default, rename = "out")]
    pub outgoing: Vec<String>,
}

/// The words of the column of kinds; any other is a fault.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kinds {
    #[serde(default)]
    pub payment: Vec<String>,
    #[serde(default, rename = "return")]
    pub returned: Vec<String>,
    /// What is no PIX: tariffs, transfers of own money.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Kinds that are no PIX and are counted as that, with their amounts.
    #[serde(default)]
    pub other: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    columns: Columns,
    #[serde(default)]
    amount: Option<String>,
    #[serde(default)]
    date: Option<String>,
    #[serde(default)]
    delimiter: Option<String>,
    #[serde(default)]
    encoding: Option<String>,
    #[serde(default)]
    names_line: Option<u64>,
    #[serde(default)]
    footer: Vec<String>,
    #[serde(default)]
    direction: Directions,
    #[serde(default)]
    kind: Kinds,
    #[serde(default)]
    balance: Balances,
}

/// A mapping may stand within another file of TOML.
impl<'de> Deserialize<'de> for Mapping {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_written(Written::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl Mapping {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// The first fault, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::from_written(toml::from_str(text).map_err(|error| error.to_string())?)
    }

    fn from_written(written: Written) -> Result<Self, String> {
        let Written { columns, amount, date, delimiter, encoding, .. } = written;
        let Written { names_line, footer, direction, kind, balance, .. } = written;
        let of = |name: &str, given: Option<String>, known: &str| {
            let text = given.unwrap_or_default();
            format!("{name} = \"{text}\" is none of {known}")
        };
        let amount_format = amount::Format::from_example(amount.as_deref().unwrap_or("1234.56"));
        let date_format = date::Format::from_example(date.as_deref().unwrap_or("2026-11-20"));
        let encoding_known = match encoding.as_deref() {
            None => Some(None),
            Some("utf-8") => Some(Some(Encoding::Utf8)),
            Some("latin-1") => Some(Some(Encoding::Latin1)),
            Some(_) => None,
        };
        let delimiter_known = match delimiter.as_deref().unwrap_or(",").as_bytes() {
            [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() => Some(*byte),
            b"tab" => Some(b'\t'),
            _ => None,
        };
        if [&columns.end_to_end_id, &columns.external_id, &columns.txid].iter().all(|c| c.is_none())
        {
            return Err(
                "[columns] names none of end_to_end_id, external_id and txid: a line has no id"
                    .to_owned(),
            );
        }
        match (&columns.amount, &columns.credit, &columns.debit) {
            (Some(_), None, None) => {}
            (None, Some(_), Some(_)) if columns.direction.is_none() => {}
            (None, None, None) => return Err("[columns] is missing field `amount`".to_owned()),
            _ => {
                return Err(
                    "[columns] names either amount, or credit and debit without a direction"
                        .to_owned(),
                );
            }
        }
        if names_line == Some(0) {
            return Err("names_line = 0: lines are counted from 1".to_owned());
        }
        if columns.direction.is_some()
            && (direction.incoming.is_empty() || direction.outgoing.is_empty())
        {
            return Err("[direction] says which words are \"in\" and which \"out\"".to_owned());
        }
        Ok(Self {
            amount: amount_format
                .ok_or_else(|| of("amount", amount, "\"1.234,56\", \"1234.56\" and \"cents\""))?,
            date: date_format.ok_or_else(|| of("date", date, date::EXAMPLES))?,
            delimiter: delimiter_known
                .ok_or_else(|| of("delimiter", delimiter, "one sign, such as \";\""))?,
            encoding: encoding_known
                .ok_or_else(|| of("encoding", encoding, "\"utf-8\" and \"latin-1\""))?,
            names_line,
            footer,
            columns,
            direction,
            kind,
            balance,
        })
    }
}
