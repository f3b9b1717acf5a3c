//! What is handed to support: enough to find the case, and nothing that must stay secret (AUTH-09).
//!
//! No field takes free text: ids are checked for their form, and everything else is a word of the
//! contract. So a key, a secret, a document or a client's payload has no place to stand in it.

use serde_json::{Value, json};

use super::{Action, Code, Problem, RouteKind};
use crate::contract::call::is_request_id;
use crate::contract::input::tokens::Vault;
use crate::contract::registry::facts;
use crate::contract::views::Views;
use crate::id::{Environment, OpId};
use crate::ledger::{Archive, Notification, Operation};
use crate::time::Instant;

/// A case for support. Only this room makes one, of what the ledger itself knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupportCase {
    environment: Environment,
    at: Instant,
    operation: Option<String>,
    external_id: Option<String>,
    last_status: Option<&'static str>,
    http_status: Option<u16>,
    code: Option<Code>,
    action: Option<Action>,
    request_id: Option<String>,
    event_id: Option<String>,
}

impl SupportCase {
    /// A case about nothing yet.
    #[must_use]
    pub const fn new(environment: Environment, at: Instant) -> Self {
        Self {
            environment,
            at,
            operation: None,
            external_id: None,
            last_status: None,
            http_status: None,
            code: None,
            action: None,
            request_id: None,
            event_id: None,
        }
    }

    /// With a refusal: its status, code and action, never its detail or numbers.
    #[must_use]
    pub fn with_refusal(mut self, problem: &Problem, route: RouteKind) -> Self {
        self.http_status = Some(problem.code.status(route));
        self.code = Some(problem.code);
        self.action = Some(problem.action());
        self
    }

    /// With a request id; text that is none is left out.
    #[must_use]
    pub fn with_request_id(mut self, request_id: &str) -> Self {
        let sound = is_request_id(request_id) && !is_secret(request_id);
        self.request_id = sound.then(|| request_id.to_owned());
        self
    }

    /// The case as the JSON object that is handed to support.
    #[must_use]
    pub fn body(&self) -> Value {
        json!({
            "environment": self.environment.name(),
            "operation_id": self.operation,
            "external_id": self.external_id,
            "timestamp": self.at.to_string(),
            "http_status": self.http_status,
            "erro": self.code.map(Code::name),
            "acao": self.action.map(Action::name),
            "request_id": self.request_id,
            "last_status": self.last_status,
            "webhook_event_id": self.event_id,
        })
    }
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The case with an operation: its id, the client's own id of it, and how it stands.
    #[must_use]
    pub fn escalated_operation(
        &self,
        case: SupportCase,
        op: OpId,
        operation: &Operation,
    ) -> SupportCase {
        let view = self.creation_response(op, operation);
        let external_id = view.get("external_id").and_then(Value::as_str);
        SupportCase {
            operation: Some(op.text(&self.state.name)),
            external_id: external_id.filter(|id| is_plain(id)).map(str::to_owned),
            last_status: facts(operation).status,
            ..case
        }
    }

    /// The case with an event that was sent, and its operation.
    #[must_use]
    pub fn escalated_event(&self, case: SupportCase, notification: &Notification) -> SupportCase {
        let case = self.escalated_operation(case, notification.op, &notification.operation);
        SupportCase { event_id: Some(self.event_id(notification)), ..case }
    }
}

/// Tells whether a client's own id may be handed on: short, of one piece, and neither secret nor
/// document.
fn is_plain(id: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b':' | b'-');
    let digits = id.bytes().filter(u8::is_ascii_digit).count();
    let document = matches!(digits, 11 | 14) && id.bytes().all(|b| !b.is_ascii_alphabetic());
    id.bytes().all(plain) && !document && !is_secret(id)
}

fn is_secret(text: &str) -> bool {
    ["svc_", "whk_", "mon_"].iter().any(|prefix| text.contains(prefix))
}
