//! The statement of an account or a customer for a period, as a file: a page to print, CSV, or OFX.

mod ofx;
mod reading;
mod sheet;

use askama::Template as _;
use ledger_store::days::Span;
use ledger_store::projection::{QueryColumn, QueryRows, QueryValue};
use ledger_store::sequencer::Sequencer;

pub(super) use self::reading::PeriodStatement;
use super::lang::Lang;
// What the page's frame names.
use super::{csv, layout};

/// What a statement is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementFormat {
    /// A page that stands for itself, made to be printed on A4.
    Html,
    /// A table: a line a row, amounts as decimal numbers.
    Csv,
    /// OFX 1.0.2, as programs of accounting import it.
    Ofx,
}

/// Whose statement is written, of which days.
#[derive(Clone, Copy, Debug)]
pub struct StatementOf<'a> {
    /// The account's name.
    pub account: &'a str,
    /// The customer's name; the house where there is none.
    pub customer: Option<&'a str>,
    /// The days of the statement, in Brasília.
    pub span: Span,
    /// Who keeps the account, for the head of the page.
    pub institution: Option<&'a str>,
}

/// Writes the statement of an account or a customer for a period; `None` where the ledger has no
/// such account, or none was ever credited for the customer.
///
/// The bytes of HTML and CSV are UTF-8, those of OFX Windows-1252, as its head says.
///
/// ```
/// use ledger_http::{PageLang, StatementFormat, StatementOf, statement_file};
/// use ledger_store::days::{Period, Span};
/// use ledger_store::sequencer::Sequencer;
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let sequencer = Sequencer::open(&mut journal, "live", |_, _| ())?;
/// let span = Span::parse("2026-11", "2026-11", Period::Day).expect("it is a month");
/// let of = StatementOf { account: "loja", customer: None, span, institution: None };
/// assert!(statement_file(&sequencer, &of, StatementFormat::Ofx, PageLang::Pt).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn statement_file(
    sequencer: &Sequencer,
    of: &StatementOf<'_>,
    format: StatementFormat,
    lang: Lang,
) -> Option<Vec<u8>> {
    let mut statement = PeriodStatement::begin(sequencer, of, lang)?;
    while statement.go_on(sequencer, u32::MAX) {}
    Some(statement.to_bytes(format))
}

impl StatementFormat {
    /// Reads a format's name: `html`, `csv` or `ofx`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "html" => Some(Self::Html),
            "csv" => Some(Self::Csv),
            "ofx" => Some(Self::Ofx),
            _ => None,
        }
    }

    /// The name of a file of it, and what it is served as.
    pub(super) const fn file(self) -> (&'static str, &'static str) {
        match self {
            Self::Html => ("statement.html", "text/html; charset=utf-8"),
            Self::Csv => ("statement.csv", "text/csv; charset=utf-8"),
            Self::Ofx => ("statement.ofx", "application/x-ofx"),
        }
    }
}

impl PeriodStatement {
    /// The bytes of the file.
    pub(super) fn to_bytes(&self, format: StatementFormat) -> Vec<u8> {
        match format {
            StatementFormat::Html => {
                let page = self.page().render();
                page.expect("no filter of the template fails").into_bytes()
            }
            StatementFormat::Csv => csv::render(&self.in_columns()).into_bytes(),
            StatementFormat::Ofx => ofx::render(self),
        }
    }

    fn in_columns(&self) -> QueryRows {
        let names = ["at", "row", "operation", "description", "value", "balance_after", "record"];
        let rows = self.lines.iter().map(|line| {
            vec![
                QueryValue::Text(line.at.in_brasilia()),
                QueryValue::Number(line.number.to_string()),
                QueryValue::Text(line.operation.clone()),
                QueryValue::Text(line.text.clone()),
                QueryValue::Number(line.value.to_string()),
                QueryValue::Number(line.balance_after.to_string()),
                QueryValue::Number(line.record.to_string()),
            ]
        });
        let columns = names.map(|name| QueryColumn { name: name.to_owned() }).to_vec();
        QueryRows { columns, rows: rows.collect(), more: false }
    }
}
