//! `audit --html` and `audit --json`: the report as one page, and the same figures as JSON.

use std::io::Write as _;
use std::path::Path;

use clap::ValueEnum;
use ledger_http::{PageLang, audit_page};
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

/// The languages of a page.
#[derive(Clone, Copy, ValueEnum)]
pub enum Language {
    /// Portuguese.
    Pt,
    /// English.
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
pub fn write(path: &Path, audited: &[Audited], lang: Language) -> Result<(), Failure> {
    let reports: Vec<(&Sheet, &[String])> =
        audited.iter().map(|audited| (audited.sheet(), &*audited.beside)).collect();
    let lang = match lang {
        Language::Pt => PageLang::Pt,
        Language::En => PageLang::En,
    };
    let page = audit_page(&reports, lang);
    whole(path, |file| Ok(file.write_all(page.as_bytes())?))
}
