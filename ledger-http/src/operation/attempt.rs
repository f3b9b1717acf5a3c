//! What is logged of every attempt to send a webhook: never its address, a secret, a body, or whom
//! it was about.

use std::time::Duration;

use ledger_core::contract::Environment;
use ledger_core::time::Instant;
use serde_json::json;

use super::LineFormat;

/// One attempt that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookAttempt {
    /// When it was made, by the service's clock.
    pub at: Instant,
    /// The ledger that the event is of.
    pub environment: Environment,
    /// The event's id.
    pub event: String,
    /// The event's name.
    pub topic: String,
    /// Why it was made: `scheduled`, `resend`, `recover` or `test`.
    pub kind: &'static str,
    /// Its number in the schedule, from 1; 0 beside it.
    pub number: u32,
    /// What came of it: `delivered`, `timed_out`, ….
    pub outcome: &'static str,
    /// The HTTP status, if it was answered.
    pub status: Option<u16>,
    /// How long it took.
    pub took: Duration,
}

impl WebhookAttempt {
    /// The line, with its end.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use ledger_core::contract::Environment;
    /// use ledger_http::{LineFormat, WebhookAttempt};
    /// # use ledger_core::time::Instant;
    ///
    /// # let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
    /// let attempt = WebhookAttempt {
    ///     at,
    ///     environment: Environment::Live,
    ///     event: "ev_33_0_2c13dba658eae6df".into(),
    ///     topic: "cashin.paid".into(),
    ///     kind: "scheduled",
    ///     number: 2,
    ///     outcome: "refused",
    ///     status: Some(503),
    ///     took: Duration::from_micros(912),
    /// };
    /// assert_eq!(
    ///     attempt.line(LineFormat::Text),
    ///     "2026-11-20T12:00:00Z webhook live ev_33_0_2c13dba658eae6df cashin.paid scheduled 2 \
    ///      refused 503 912us\n"
    /// );
    /// ```
    #[must_use]
    pub fn line(&self, format: LineFormat) -> String {
        let Self { at, event, topic, kind, number, outcome, status, .. } = self;
        let environment = self.environment.name();
        let micros = u64::try_from(self.took.as_micros()).unwrap_or(u64::MAX);
        match format {
            LineFormat::Text => {
                let status = status.map_or_else(|| "-".to_owned(), |status| status.to_string());
                format!(
                    "{at} webhook {environment} {event} {topic} {kind} {number} {outcome} {status} \
                     {micros}us\n"
                )
            }
            LineFormat::Json => {
                let mut line = json!({
                    "at": at.to_string(),
                    "webhook": event,
                    "environment": environment,
                    "event": topic,
                    "kind": kind,
                    "attempt": number,
                    "outcome": outcome,
                    "status": status,
                    "micros": micros,
                })
                .to_string();
                line.push('\n');
                line
            }
        }
    }
}
