//! What is logged of every attempt to push an instruction: never its address, a secret, a body, or
//! whom it was about.

use std::time::Duration;

use ledger_core::contract::Environment;
use ledger_core::time::Instant;
use serde_json::json;

use super::LineFormat;

/// The command that says what to do while a provider's service does not answer.
pub(super) const ADVICE: &str = "custody-ledger runbook ProviderSilent";

/// One attempt that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionAttempt {
    /// When it was made, by the service's clock.
    pub at: Instant,
    /// The ledger that the instruction is of.
    pub environment: Environment,
    /// The instruction's id.
    pub instruction: String,
    /// What it asks for: `pix.send`, ….
    pub topic: String,
    /// Its number since the process began, from 1.
    pub number: u32,
    /// What came of it: `delivered`, `timed_out`, ….
    pub outcome: &'static str,
    /// The HTTP status, if it was answered.
    pub status: Option<u16>,
    /// How long it took.
    pub took: Duration,
}

impl InstructionAttempt {
    /// The line, with its end.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use ledger_core::contract::Environment;
    /// use ledger_http::{InstructionAttempt, LineFormat};
    /// # use ledger_core::time::Instant;
    ///
    /// # let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
    /// let attempt = InstructionAttempt {
    ///     at,
    ///     environment: Environment::Live,
    ///     instruction: "in_33_0_2c13dba658eae6df".into(),
    ///     topic: "pix.send".into(),
    ///     number: 2,
    ///     outcome: "refused",
    ///     status: Some(503),
    ///     took: Duration::from_micros(912),
    /// };
    /// assert_eq!(
    ///     attempt.line(LineFormat::Text),
    ///     "2026-11-20T12:00:00Z instruction live in_33_0_2c13dba658eae6df pix.send 2 refused 503 \
    ///      912us\n"
    /// );
    /// ```
    #[must_use]
    pub fn line(&self, format: LineFormat) -> String {
        let Self { at, instruction, topic, number, outcome, status, .. } = self;
        let environment = self.environment.name();
        let micros = u64::try_from(self.took.as_micros()).unwrap_or(u64::MAX);
        match format {
            LineFormat::Text => {
                let status = status.map_or_else(|| "-".to_owned(), |status| status.to_string());
                format!(
                    "{at} instruction {environment} {instruction} {topic} {number} {outcome} \
                     {status} {micros}us\n"
                )
            }
            LineFormat::Json => {
                let mut line = json!({
                    "at": at.to_string(),
                    "instruction": instruction,
                    "environment": environment,
                    "topic": topic,
                    "attempt": number,
                    "outcome": outcome,
                    "status": status,
                    "micros": micros,
                });
                if *outcome != "delivered" {
                    line["runbook"] = ADVICE.into();
                }
                format!("{line}\n")
            }
        }
    }
}
