//! Rows as CSV and as JSON.

use std::fmt;

use ledger_core::coin::units_text;
use ledger_store::export::centavos;
use serde_json::{Value, json};

use super::{Counterparty, Row, RowClass};
use crate::account::Commodity;
use crate::cell::csv_line;

/// Which rows a CSV has, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// Every row, with its accounts.
    Neutral,
    /// The rows of crypto that a declaration of crypto assets asks for, by client; its layout is
    /// not that of the tax authority.
    CryptoDeclaration,
}

/// Returns rows as CSV.
#[must_use]
pub fn rows_csv(rows: &[Row], format: RowFormat) -> String {
    match format {
        RowFormat::Neutral => csv_table(rows.iter(), &NEUTRAL, neutral_cells),
        RowFormat::CryptoDeclaration => {
            csv_table(rows.iter().filter(|row| row.is_declared()), &DECLARED, declared_cells)
        }
    }
}

/// Returns rows as JSON.
#[must_use]
pub fn rows_json(rows: &[Row]) -> Value {
    rows.iter().map(Row::json).collect()
}

const NEUTRAL: [&str; 20] = [
    "record",
    "event",
    "at",
    "operation",
    "class",
    "undone",
    "person",
    "counterparty",
    "asset",
    "quantity",
    "reais",
    "against_asset",
    "against_quantity",
    "from_account",
    "to_account",
    "quote",
    "quote_source",
    "quote_at",
    "references",
    "unknown",
];

const DECLARED: [&str; 14] = [
    "day",
    "class",
    "undone",
    "person",
    "counterparty",
    "asset",
    "quantity",
    "reais",
    "against_asset",
    "against_quantity",
    "operation",
    "references",
    "record",
    "unknown",
];

fn csv_table<'a, const N: usize>(
    rows: impl Iterator<Item = &'a Row>,
    header: &[&str; N],
    cells: impl Fn(&Row) -> [String; N],
) -> String {
    let mut text = csv_line(header.iter().copied());
    for row in rows {
        text += &csv_line(cells(row).iter().map(String::as_str));
    }
    text
}

fn neutral_cells(row: &Row) -> [String; 20] {
    let [quote, source, at] = row.quote_texts();
    let [against, against_quantity] = row.against_texts();
    [
        row.record.0.to_string(),
        row.event.to_string(),
        row.at.to_string(),
        row.operation.clone().unwrap_or_default(),
        row.class.name().to_owned(),
        row.undone.to_string(),
        row.person.to_string(),
        row.counterparty.to_string(),
        row.part.asset.clone(),
        units_text(row.part.amount, row.part.scale),
        row.reais_text().unwrap_or_default(),
        against,
        against_quantity,
        row.part.from.account.chart().to_owned(),
        row.part.to.account.chart().to_owned(),
        quote,
        source,
        at,
        row.references.join(" "),
        row.unknown().join(" "),
    ]
}

fn declared_cells(row: &Row) -> [String; 14] {
    let [against, against_quantity] = row.against_texts();
    [
        row.at.day_in_brasilia().to_string(),
        row.class.name().to_owned(),
        row.undone.to_string(),
        row.person.to_string(),
        row.counterparty.to_string(),
        row.part.asset.clone(),
        units_text(row.part.amount, row.part.scale),
        row.reais_text().unwrap_or_default(),
        against,
        against_quantity,
        row.operation.clone().unwrap_or_default(),
        row.references.join(" "),
        row.record.0.to_string(),
        row.unknown().join(" "),
    ]
}

impl Row {
    /// Tells whether a declaration of crypto assets has it.
    #[must_use]
    pub fn is_declared(&self) -> bool {
        let crypto = self.part.commodity != Commodity::Reais;
        crypto && !matches!(self.class, RowClass::Internal | RowClass::Own)
    }

    /// Returns the reais that moved as a decimal text, where reais did.
    #[must_use]
    pub fn reais_text(&self) -> Option<String> {
        self.centavos().map(|cents| units_text(cents, centavos()))
    }

    /// The asset and quantity against which it moved; reais have a column of their own.
    fn against_texts(&self) -> [String; 2] {
        match &self.against {
            Some(part) if part.commodity != Commodity::Reais => {
                [part.asset.clone(), units_text(part.amount, part.scale)]
            }
            _ => [String::new(), String::new()],
        }
    }

    fn quote_texts(&self) -> [String; 3] {
        let Some(quote) = &self.quote else { return <[String; 3]>::default() };
        let at = quote.at.map(|at| at.to_string()).unwrap_or_default();
        [quote.text.clone(), quote.source.clone(), at]
    }

    /// Returns the row as JSON, with the names that the neutral CSV has.
    #[must_use]
    pub fn json(&self) -> Value {
        let [against, against_quantity] = self.against_texts();
        let some = |text: String| (!text.is_empty()).then_some(text);
        json!({
            "record": self.record.0,
            "event": self.event,
            "at": self.at.to_string(),
            "operation": self.operation,
            "class": self.class.name(),
            "undone": self.undone,
            "person": self.person.to_string(),
            "counterparty": self.counterparty.to_string(),
            "asset": self.part.asset,
            "quantity": units_text(self.part.amount, self.part.scale),
            "reais": self.reais_text(),
            "against_asset": some(against),
            "against_quantity": some(against_quantity),
            "from_account": self.part.from.account.chart(),
            "to_account": self.part.to.account.chart(),
            "quote": self.quote.as_ref().map(|quote| json!({
                "reais": quote.text,
                "source": quote.source,
                "at": quote.at.map(|at| at.to_string()),
            })),
            "references": self.references,
            "unknown": self.unknown(),
        })
    }
}

/// The person, the address, `vault`, `unknown`, or nothing.
impl fmt::Display for Counterparty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(person) => person.fmt(f),
            Self::Address(address) => f.write_str(address),
            Self::Vault => f.write_str("vault"),
            Self::Unknown => f.write_str("unknown"),
            Self::Nobody => Ok(()),
        }
    }
}
