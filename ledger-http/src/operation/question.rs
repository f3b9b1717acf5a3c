//! What is logged of every attempt to ask a provider's service: never its address, a secret, what
//! was asked, or what was answered.

use std::time::Duration;

use ledger_core::time::Instant;
use serde_json::json;

use super::LineFormat;
use super::pushed::ADVICE;

/// One attempt that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionAttempt {
    /// When it was made, by the service's clock.
    pub at: Instant,
    /// The name of the question: `qr_code`, ….
    pub question: &'static str,
    /// Its idempotency key.
    pub key: String,
    /// The number of the attempt, from 1.
    pub number: u32,
    /// What came of it: `answered`, `bad_answer`, `timed_out`, ….
    pub outcome: &'static str,
    /// The HTTP status, if it was answered.
    pub status: Option<u16>,
    /// What was wrong with the answer, if it was read and is none.
    pub fault: Option<String>,
    /// How long it took.
    pub took: Duration,
}

impl QuestionAttempt {
    /// The line, with its end.
    ///
    /// ```
    /// # use std::time::Duration;
    /// use ledger_http::{LineFormat, QuestionAttempt};
    /// # use ledger_core::time::Instant;
    ///
    /// # let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
    /// let attempt = QuestionAttempt {
    ///     at,
    ///     question: "qr_code",
    ///     key: "sq_2c13dba658eae6df".into(),
    ///     number: 2,
    ///     outcome: "bad_answer",
    ///     status: Some(200),
    ///     fault: Some("it lacks qr_copypaste".into()),
    ///     took: Duration::from_micros(912),
    /// };
    /// assert_eq!(
    ///     attempt.line(LineFormat::Text),
    ///     "2026-11-20T12:00:00Z question live sq_2c13dba658eae6df qr_code 2 bad_answer 200 912us: \
    ///      it lacks qr_copypaste\n"
    /// );
    /// ```
    #[must_use]
    pub fn line(&self, format: LineFormat) -> String {
        let Self { at, question, key, number, outcome, status, fault, .. } = self;
        let micros = u64::try_from(self.took.as_micros()).unwrap_or(u64::MAX);
        match format {
            LineFormat::Text => {
                let status = status.map_or_else(|| "-".to_owned(), |status| status.to_string());
                let fault = fault.as_ref().map_or_else(String::new, |fault| format!(": {fault}"));
                format!(
                    "{at} question live {key} {question} {number} {outcome} {status} \
                     {micros}us{fault}\n"
                )
            }
            LineFormat::Json => {
                let mut line = json!({
                    "at": at.to_string(),
                    "question": question,
                    "environment": "live",
                    "idempotency_key": key,
                    "attempt": number,
                    "outcome": outcome,
                    "status": status,
                    "fault": fault,
                    "micros": micros,
                });
                if *outcome != "answered" {
                    line["runbook"] = ADVICE.into();
                }
                format!("{line}\n")
            }
        }
    }
}
