//! Lines of the log beside those of requests: attempts to send a webhook or a mail, to push an
//! instruction or to ask a provider's service, searches, and acts about an endpoint. None has an
//! address, a secret, a body or a link, and none names whom it was about.

use std::time::Duration;

use ledger_core::contract::Environment;
use ledger_core::time::Instant;
use serde_json::json;

use super::LineFormat;

/// The command that says what to do while a provider's service does not answer.
const ADVICE: &str = "custody-ledger runbook ProviderSilent";

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

/// One act of an operator about an account's endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointAct {
    /// When it was asked for, by the service's clock.
    pub at: Instant,
    /// The operator's name.
    pub operator: String,
    /// What was asked for: `resend`, `resend_many`, `recover` or `switch_on`.
    pub act: &'static str,
    /// The name of the account.
    pub account: String,
    /// What came of it: `delivered-200`, `queued-3`, `on`.
    pub outcome: String,
}

impl EndpointAct {
    /// The line, with its end.
    ///
    /// ```
    /// use ledger_core::time::Instant;
    /// use ledger_http::{EndpointAct, LineFormat};
    ///
    /// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
    /// let (account, outcome) = ("loja".to_owned(), "queued-3".to_owned());
    /// let act = EndpointAct { at, operator: "bia".to_owned(), act: "recover", account, outcome };
    /// let line = "2026-11-20T12:00:00Z endpoint bia recover \"loja\" queued-3\n";
    /// assert_eq!(act.line(LineFormat::Text), line);
    /// ```
    #[must_use]
    pub fn line(&self, format: LineFormat) -> String {
        let Self { at, operator, act, account, outcome } = self;
        match format {
            // An account is named by whoever opens it: in quotes nothing ends the line.
            LineFormat::Text => format!("{at} endpoint {operator} {act} {account:?} {outcome}\n"),
            LineFormat::Json => {
                let line = json!({ "at": at.to_string(), "endpoint": act, "operator": operator,
                    "account": account, "outcome": outcome });
                format!("{line}\n")
            }
        }
    }
}
