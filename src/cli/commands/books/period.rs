//! `statement --format`: the statement of a period as a page to print, CSV or OFX.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ledger_http::{PageLang, StatementFormat, StatementOf, statement_file};
use ledger_store::days::{Period, Span};

use crate::Failure;
use crate::commands::audit::Language;
use crate::reading::Reading;
use crate::whole_file::whole;

#[derive(Args)]
pub struct PeriodOptions {
    /// Writes the statement of whole days as a file: a page to print, a table, or OFX 1.0.2.
    #[arg(
        long,
        value_enum,
        requires = "from",
        conflicts_with_all = ["json", "view", "limit", "before", "tables"]
    )]
    format: Option<Format>,
    /// The first day or month of that file: 2026-11-20, or 2026-11.
    #[arg(long, value_name = "DAY|MONTH", value_parser = day_or_month)]
    from: Option<String>,
    /// The last day or month; absent: the first.
    #[arg(long, value_name = "DAY|MONTH", requires = "from", value_parser = day_or_month)]
    to: Option<String>,
    /// The language of that file.
    #[arg(long, value_enum, default_value = "pt", requires = "format")]
    lang: Language,
    /// Who keeps the account, as the file says.
    #[arg(long, value_name = "NAME", requires = "format")]
    institution: Option<String>,
    /// The file to write; absent: standard output.
    #[arg(long, value_name = "FILE", requires = "format")]
    output: Option<PathBuf>,
}

/// Reads a day or a month, and leaves it as it is said.
fn day_or_month(text: &str) -> Result<String, String> {
    let wrong = || "a day is 2026-11-20, and a month 2026-11".to_owned();
    Span::parse(text, text, Period::Day).map(|_| text.to_owned()).ok_or_else(wrong)
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Html,
    Csv,
    Ofx,
}

impl PeriodOptions {
    /// Tells whether a file is asked for; days without its format are a fault of usage.
    pub fn is_asked(&self) -> Result<bool, Failure> {
        if self.from.is_some() && self.format.is_none() {
            return Err(Failure::of_usage(
                "--from and --to name the days of a file, so they need its --format: html, csv or \
                 ofx; without a file, --limit and --before go through the rows",
            ));
        }
        Ok(self.format.is_some())
    }

    /// Writes the file.
    pub fn write(&self, reading: &Reading) -> Result<(), Failure> {
        let from = self.from.as_deref().unwrap_or_default();
        let to = self.to.as_deref().unwrap_or(from);
        let span = Span::parse(from, to, Period::Day).ok_or_else(|| {
            Failure::new("--from and --to are days, 2026-11-20, or months, 2026-11, in their order")
        })?;
        let format = match self.format {
            Some(Format::Csv) => StatementFormat::Csv,
            Some(Format::Ofx) => StatementFormat::Ofx,
            Some(Format::Html) | None => StatementFormat::Html,
        };
        let lang = match self.lang {
            Language::Pt => PageLang::Pt,
            Language::En => PageLang::En,
        };
        let (sequencer, _) = reading.open()?;
        let (account, customer) = (reading.account()?, reading.customer.as_deref());
        let of = StatementOf { account, customer, span, institution: self.institution.as_deref() };
        let bytes = statement_file(&sequencer, &of, format, lang).ok_or_else(|| {
            let customer = customer.unwrap_or_default();
            Failure::new(format!("{account} has no customer {customer}: none was credited"))
        })?;
        match &self.output {
            Some(path) => whole(path, |file| Ok(file.write_all(&bytes)?)),
            None => Ok(std::io::stdout().write_all(&bytes)?),
        }
    }
}
