//! For whoever reads what the service sends: errors and events, tolerant of what is not known yet
//! (contract, rule 8; ERR-11).

use serde_json::{Map, Value};

use super::{Action, Code, Problem};
use crate::contract::wire_names;
use crate::ledger::Topic;

/// A word of the wire: one that is known, or one that a later contract brought, kept as it came.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word<T> {
    /// A word of this version of the contract.
    Known(T),
    /// Any other word, as it came.
    Other(Box<str>),
}

/// An error as a client reads it: all but `erro` may be missing (ERR-01).
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorBody {
    /// The code: what to branch on (ERR-02).
    pub code: Word<Code>,
    /// What to do; a client that does not know the word asks for support.
    pub action: Option<Word<Action>>,
    /// Human text; never to be branched on (ERR-02).
    pub detail: Option<String>,
    /// The request id to keep.
    pub request_id: Option<String>,
    /// All other fields, as they came: `limits`, `docs`, `libera_em`, and those not known yet.
    pub more: Map<String, Value>,
}

/// An event as a receiver reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct EventBody {
    /// The event's id: one that was handled before is a duplicate.
    pub id: String,
    /// The name of the event: what happened to the operation.
    pub name: Word<Topic>,
    /// Its place in time: an event with a smaller one of the same operation is stale
    /// (P:EventOrder).
    pub sequence: Option<u64>,
    /// The operation as it stood then.
    pub data: Value,
    /// All other fields, as they came.
    pub more: Map<String, Value>,
}

impl Word<Code> {
    /// Reads the word of `erro`, known or not.
    #[must_use]
    pub fn erro(text: &str) -> Self {
        Code::parse(text).map_or_else(|| Self::Other(text.into()), Self::Known)
    }

    /// The word as it stands on the wire.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Known(code) => code.name(),
            Self::Other(text) => text,
        }
    }
}

impl Word<Action> {
    /// Reads the word of `acao`, known or not.
    #[must_use]
    pub fn acao(text: &str) -> Self {
        Action::parse(text).map_or_else(|| Self::Other(text.into()), Self::Known)
    }

    /// The word as it stands on the wire.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Known(action) => action.name(),
            Self::Other(text) => text,
        }
    }
}

impl Word<Topic> {
    /// Reads the name of an event.
    #[must_use]
    pub fn event(text: &str) -> Self {
        wire_names::topic_of(text).map_or_else(|| Self::Other(text.into()), Self::Known)
    }

    /// The word as it stands on the wire.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Known(topic) => wire_names::topic(*topic),
            Self::Other(text) => text,
        }
    }
}

impl ErrorBody {
    /// Reads an error body; none when it is no object with `erro`, nor with its retired alias
    /// `code`.
    #[must_use]
    pub fn read(body: &Value) -> Option<Self> {
        let mut more = body.as_object()?.clone();
        let alias = text(more.shift_remove("code"));
        let code = Word::erro(&text(more.shift_remove("erro")).or(alias)?);
        Some(Self {
            code,
            action: text(more.shift_remove("acao")).map(|acao| Word::acao(&acao)),
            detail: text(more.shift_remove("detail")),
            request_id: text(more.shift_remove("request_id")),
            more,
        })
    }

    /// Writes it again: what was not known goes through as it came.
    #[must_use]
    pub fn body(&self) -> Value {
        let mut body = Map::new();
        body.insert("erro".into(), self.code.text().into());
        let mut put = |name: &str, value: Option<&str>| {
            if let Some(value) = value {
                body.insert(name.into(), value.into());
            }
        };
        put("acao", self.action.as_ref().map(Word::<Action>::text));
        put("detail", self.detail.as_deref());
        put("request_id", self.request_id.as_deref());
        body.extend(self.more.clone());
        Value::Object(body)
    }

    /// What to do: as the error says; what is not known, or not said, is for people (ERR-04).
    #[must_use]
    pub fn advice(&self) -> Action {
        match &self.action {
            Some(Word::Known(action)) => *action,
            Some(Word::Other(_)) | None => Action::CallSupport,
        }
    }
}

impl EventBody {
    /// Reads an event; none when it is no object with `id` and `event`.
    #[must_use]
    pub fn read(body: &Value) -> Option<Self> {
        let mut more = body.as_object()?.clone();
        Some(Self {
            id: text(more.shift_remove("id"))?,
            name: Word::event(&text(more.shift_remove("event"))?),
            sequence: more.shift_remove("sequence").and_then(|value| value.as_u64()),
            data: more.shift_remove("data").unwrap_or(Value::Null),
            more,
        })
    }
}

fn text(value: Option<Value>) -> Option<String> {
    match value {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

impl From<&Problem> for ErrorBody {
    fn from(problem: &Problem) -> Self {
        let more = problem.extra.iter().map(|(field, value)| ((*field).to_owned(), value.clone()));
        Self {
            code: Word::Known(problem.code),
            action: Some(Word::Known(problem.action())),
            detail: Some(problem.detail.clone()),
            request_id: None,
            more: more.collect(),
        }
    }
}
