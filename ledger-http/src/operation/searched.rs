//! What is logged of every search on the console: who searched, never for what.

use ledger_core::time::Instant;
use serde_json::json;

use super::LineFormat;

/// One search of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchNote {
    /// When it was made, by the service's clock.
    pub at: Instant,
    /// The operator's name; none where the console was opened without one.
    pub operator: Option<String>,
    /// What stands for the text, keyed by the ledger's vault: the same text has the same.
    pub text: u64,
    /// Tells whether it named a person of whom the vault knows.
    pub person: bool,
    /// How many hits were shown.
    pub hits: usize,
}

impl SearchNote {
    /// The line, with its end.
    ///
    /// ```
    /// use ledger_core::time::Instant;
    /// use ledger_http::{LineFormat, SearchNote};
    ///
    /// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
    /// let operator = Some("bia".to_owned());
    /// let note = SearchNote { at, operator, text: 255, person: true, hits: 2 };
    /// let line = "2026-11-20T12:00:00Z search bia 00000000000000ff person 2\n";
    /// assert_eq!(note.line(LineFormat::Text), line);
    /// ```
    #[must_use]
    pub fn line(&self, format: LineFormat) -> String {
        let Self { at, operator, text, person, hits } = self;
        let text = format!("{text:016x}");
        match format {
            LineFormat::Text => {
                let operator = operator.as_deref().unwrap_or("-");
                let person = if *person { "person" } else { "text" };
                format!("{at} search {operator} {text} {person} {hits}\n")
            }
            LineFormat::Json => {
                let line = json!({ "at": at.to_string(), "search": text, "operator": operator,
                    "person": person, "hits": hits });
                format!("{line}\n")
            }
        }
    }
}
