//! `audit --html` and `audit --json`: the report as one page, and the same figures as JSON.

use std::io::Write as _;
use std::path::Path;

use clap::{Args, ValueEnum};
use ledger_http::{AuditHeading, PageLang, audit_page};
use ledger_store::report::{Report, Sheet};
use serde_json::Value;

use crate::Failure;
use crate::whole_file::whole;

/// What was found of a ledger that holds.
pub struct Audited {
    pub report: Report,
    /// What else was proved, a sentence each.
    pub beside: Vec<String>,
}

/// What the head of the page says.
#[derive(Args)]
pub struct HeadingOptions {
    /// Whose ledgers they are, for the head of that page.
    #[arg(long, value_name = "NAME", requires = "html")]
    institution: Option<String>,
    /// Of which period the page is, in words; absent: the days of the first and the last record.
    #[arg(long, value_name = "TEXT", requires = "html")]
    period: Option<String>,
    /// Who prepared the page.
    #[arg(long, value_name = "NAME", requires = "html")]
    preparer: Option<String>,
}

/// The languages of a page.
#[derive(Clone, Copy, ValueEnum)]
pub enum Language {
    /// Portuguese of Brazil.
    Pt,
    /// English in place of Portuguese.
    En,
}

impl Audited {
    fn sheet(&self) -> &Sheet {
        self.report.sheet().expect("an audit closes its report")
    }

    /// The sheet's JSON, and under `beside` what else was proved.
    pub fn json(&self) -> Value {
        let mut json = self.sheet().json();
        json["beside"] = self.beside.clone().into();
        json
    }
}

/// Writes the page of all that was audited.
pub fn write(
    path: &Path,
    audited: &[Audited],
    heading: &HeadingOptions,
    lang: Language,
) -> Result<(), Failure> {
    let reports: Vec<(&Sheet, &[String])> =
        audited.iter().map(|audited| (audited.sheet(), &*audited.beside)).collect();
    let lang = match lang {
        Language::Pt => PageLang::Pt,
        Language::En => PageLang::En,
    };
    let heading = AuditHeading {
        institution: heading.institution.as_deref(),
        period: heading.period.as_deref(),
        preparer: heading.preparer.as_deref(),
    };
    let page = audit_page(&reports, heading, lang);
    whole(path, |file| Ok(file.write_all(page.as_bytes())?))
}
