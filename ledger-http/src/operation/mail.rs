//! What is logged of every attempt to mail links: never whom it was to, or a link.

use std::time::Duration;

use ledger_core::time::Instant;
use serde_json::json;

use super::LineFormat;

/// One attempt to send a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailAttempt {
    /// When it was made, by the service's clock.
    pub at: Instant,
    /// Its number, from 1.
    pub number: u32,
    /// What came of it: `sent`, `later`, `refused` or `given_up`.
    pub outcome: &'static str,
    /// The code of SMTP, if the server gave one.
    pub code: Option<u16>,
    /// How long it took.
    pub took: Duration,
}

impl MailAttempt {
    /// The line, with its end.
    ///
    /// ```
    /// # use std::time::Duration;
    /// use ledger_http::{LineFormat, MailAttempt};
    /// # use ledger_core::time::Instant;
    ///
    /// # let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
    /// let took = Duration::from_micros(912);
    /// let attempt = MailAttempt { at, number: 2, outcome: "later", code: Some(451), took };
    /// assert_eq!(attempt.line(LineFormat::Text), "2026-11-20T12:00:00Z mail 2 later 451 912us\n");
    /// ```
    #[must_use]
    pub fn line(&self, format: LineFormat) -> String {
        let Self { at, number, outcome, code, took } = self;
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        match format {
            LineFormat::Text => {
                let code = code.map_or_else(|| "-".to_owned(), |code| code.to_string());
                format!("{at} mail {number} {outcome} {code} {micros}us\n")
            }
            LineFormat::Json => {
                let line = json!({ "at": at.to_string(), "mail": outcome, "attempt": number,
                    "code": code, "micros": micros });
                format!("{line}\n")
            }
        }
    }
}
