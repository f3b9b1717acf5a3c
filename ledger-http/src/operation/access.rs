//! A line of the log for every request, and the last of them for the console: never a key, a body,
//! a query, or whom it was about.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ledger_core::contract::Environment;
use ledger_core::time::Instant;
use serde_json::json;

use super::LineFormat;
use super::lines::{
    EndpointAct, InstructionAttempt, MailAttempt, QuestionAttempt, SearchNote, WebhookAttempt,
};

/// One request that was answered.
///
/// Its path is the one that was declared, so that ids and persons in it do not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// When it came, by the service's clock.
    pub at: Instant,
    /// The id of the request, as `X-Request-ID` returned it.
    pub request_id: String,
    /// The method, as it came.
    pub method: String,
    /// The path as it is declared, or `-` for one that is not.
    pub route: &'static str,
    /// The ledger that was asked, if one was.
    pub environment: Option<Environment>,
    /// The HTTP status.
    pub status: u16,
    /// `erro` of the answer, if it is one.
    pub code: Option<String>,
    /// How long it took.
    pub took: Duration,
}

/// Logs every request that was answered, and every attempt to send a webhook or a mail, to push an
/// instruction, or to ask a provider's service, and every search on the console.
pub trait AccessLog: Send + Sync + 'static {
    /// Takes note of one; it must not block for long, since the answer waits for it.
    fn note(&self, access: &Access);

    /// Takes note of an attempt to send a webhook; nothing is done with it unless said.
    fn note_attempt(&self, _: &WebhookAttempt) {}

    /// Takes note of an attempt to push an instruction; nothing is done with it unless said.
    fn note_instruction(&self, _: &InstructionAttempt) {}

    /// Takes note of an attempt to ask a provider's service; nothing is done with it unless said.
    fn note_question(&self, _: &QuestionAttempt) {}

    /// Takes note of an attempt to mail links; nothing is done with it unless said.
    fn note_mail(&self, _: &MailAttempt) {}

    /// Takes note of a search on the console; nothing is done with it unless said.
    fn note_search(&self, _: &SearchNote) {}

    /// Takes note of what an operator does about an endpoint; nothing is done with it unless said.
    fn note_endpoint(&self, _: &EndpointAct) {}
}

/// Is told and says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl AccessLog for Silent {
    fn note(&self, _: &Access) {}
}

/// Writes a line for each request.
#[derive(Debug)]
pub struct LineLog<W> {
    format: LineFormat,
    to: Mutex<W>,
}

impl<W: Write> LineLog<W> {
    /// A log that is written there.
    pub const fn new(format: LineFormat, to: W) -> Self {
        Self { format, to: Mutex::new(to) }
    }

    fn write(&self, line: &str) {
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever closed the log hears nothing more; requests are answered all the same.
        let _ = to.write_all(line.as_bytes());
    }
}

impl<W: Write + Send + 'static> AccessLog for LineLog<W> {
    fn note(&self, access: &Access) {
        self.write(&access.line(self.format));
    }

    fn note_attempt(&self, attempt: &WebhookAttempt) {
        self.write(&attempt.line(self.format));
    }

    fn note_instruction(&self, attempt: &InstructionAttempt) {
        self.write(&attempt.line(self.format));
    }

    fn note_question(&self, attempt: &QuestionAttempt) {
        self.write(&attempt.line(self.format));
    }

    fn note_mail(&self, attempt: &MailAttempt) {
        self.write(&attempt.line(self.format));
    }

    fn note_search(&self, note: &SearchNote) {
        self.write(&note.line(self.format));
    }

    fn note_endpoint(&self, act: &EndpointAct) {
        self.write(&act.line(self.format));
    }
}

/// The methods that are shown; one that HTTP has no name for may be any text.
const METHODS: [&str; 9] =
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];

impl Access {
    /// A request that came and is not answered yet.
    #[must_use]
    pub fn begin(at: Instant, request_id: &str, method: &str) -> Self {
        let shown = METHODS.into_iter().find(|known| *known == method).unwrap_or("OTHER");
        Self {
            at,
            request_id: request_id.to_owned(),
            method: shown.to_owned(),
            route: "-",
            environment: None,
            status: 0,
            code: None,
            took: Duration::ZERO,
        }
    }

    /// The line, with its end.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use ledger_core::contract::Environment;
    /// use ledger_http::{Access, LineFormat};
    /// # use ledger_core::time::Instant;
    ///
    /// # let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
    /// let access = Access {
    ///     at,
    ///     request_id: "req_0000000000000007".into(),
    ///     method: "POST".into(),
    ///     route: "/saldo/transferir",
    ///     environment: Some(Environment::Live),
    ///     status: 409,
    ///     code: Some("saldo_insuficiente".into()),
    ///     took: Duration::from_micros(912),
    /// };
    /// assert_eq!(
    ///     access.line(LineFormat::Text),
    ///     "2026-11-20T12:00:00Z req_0000000000000007 live POST /saldo/transferir 409 \
    ///      saldo_insuficiente 912us\n"
    /// );
    /// ```
    #[must_use]
    pub fn line(&self, format: LineFormat) -> String {
        let Self { at, request_id, method, route, status, .. } = self;
        let environment = self.environment.map_or("-", Environment::name);
        let micros = u64::try_from(self.took.as_micros()).unwrap_or(u64::MAX);
        match format {
            LineFormat::Text => {
                let code = self.code.as_deref().unwrap_or("-");
                format!(
                    "{at} {request_id} {environment} {method} {route} {status} {code} {micros}us\n"
                )
            }
            LineFormat::Json => {
                let mut line = json!({
                    "at": at.to_string(),
                    "request_id": request_id,
                    "environment": environment,
                    "method": method,
                    "route": route,
                    "status": status,
                    "erro": self.code,
                    "micros": micros,
                })
                .to_string();
                line.push('\n');
                line
            }
        }
    }
}

/// How many requests are kept.
const MOST: usize = 500;

/// The last requests that were answered, in the memory of the process.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<VecDeque<Access>>);

impl Recent {
    /// Takes note of one; the oldest is forgotten for it.
    pub(crate) fn note(&self, access: Access) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(MOST - 1);
        kept.push_front(access);
    }

    /// All that are kept, the last one first.
    pub(crate) fn all(&self) -> Vec<Access> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().cloned().collect()
    }
}
