//! Labels: names by which later lines refer to the answers of earlier ones.
//!
//! A line that refers to an answer waits until that is decided, and not until it is durable: where
//! the line before it is not written, neither is it ([`Turn`](crate::environments::turn::Turn)).
//!
//! A label offers every text, number and truth value of its line's answer. A run that is resumed
//! executes its lines again on the state they were executed on (rulings 61), so an answer is what
//! it was, and a label stands for the same as in an undisturbed run.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use ledger_core::contract::{Code, Problem, Response};
use serde_json::Value;

use crate::environments::Decided;

/// What is known of each label.
#[derive(Default)]
pub struct Labels(HashMap<String, Bound>);

struct Bound {
    line: u64,
    answer: AnswerState,
}

/// What is known of the answer to a line.
enum AnswerState {
    /// Nothing is known of it.
    Nothing,
    /// It comes from there.
    Expected(Decided),
    /// It is decided, and not given yet.
    Decided(Arc<Response>),
    /// It was given: its status, and its body as text, which takes less memory than its value.
    Given(u16, Box<str>),
}

impl Labels {
    /// Refuses a label that an earlier line has.
    pub fn claim(&mut self, label: &str, line: u64) -> Result<(), Problem> {
        if let Some(earlier) = self.0.get(label) {
            let earlier = earlier.line;
            let detail = format!("as: the label {label} is that of line {earlier} already");
            return Err(Problem::new(Code::FormatInvalid, detail));
        }
        self.0.insert(label.to_owned(), Bound { line, answer: AnswerState::Nothing });
        Ok(())
    }

    /// Says where a label's answer comes from.
    pub fn expect(&mut self, label: &str, decided: Option<Decided>) {
        if let (Some(bound), Some(decided)) = (self.0.get_mut(label), decided) {
            bound.answer = AnswerState::Expected(decided);
        }
    }

    /// Binds a label to its line's answer.
    pub fn bind(&mut self, label: &str, response: &Response) {
        if let Some(bound) = self.0.get_mut(label) {
            bound.answer = AnswerState::Given(response.status, response.body.to_string().into());
        }
    }

    /// Returns what `label.field` stands for; `label.items.0.id` is a field within.
    ///
    /// Blocks until the line of the label is decided.
    pub fn refer(&mut self, name: &str) -> Result<String, Problem> {
        let wrong = |what: String| Problem::new(Code::FormatInvalid, what);
        let (label, field) = name.split_once('.').unwrap_or((name, ""));
        let bound = self.0.get_mut(label);
        let bound =
            bound.ok_or_else(|| wrong(format!("${name}: no line has the label {label}")))?;
        bound.wait();
        let line = bound.line;
        let (status, body) = match &bound.answer {
            AnswerState::Nothing | AnswerState::Expected(_) => (0, Cow::Owned(Value::Null)),
            AnswerState::Decided(response) => (response.status, Cow::Borrowed(&*response.body)),
            AnswerState::Given(status, text) => {
                (*status, Cow::Owned(serde_json::from_str(text).unwrap_or_default()))
            }
        };
        if !(200..300).contains(&status) {
            let how = if status == 0 { "has no answer yet" } else { "was refused" };
            return Err(wrong(format!("${name}: line {line}, labelled {label}, {how}")));
        }
        let found = body.pointer(&format!("/{}", field.replace('.', "/")));
        match found.filter(|_| !field.is_empty()) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(value.to_string()),
            Some(Value::Null) => {
                Err(wrong(format!("${name}: the answer to line {line} has null there")))
            }
            Some(within @ (Value::Object(_) | Value::Array(_))) => {
                Err(wrong(format!("${name}: {}", offers(label, field, within))))
            }
            None => Err(wrong(format!("${name}: {}", offers(label, "", &body)))),
        }
    }
}

impl Bound {
    /// Waits for the answer, where there is one to come.
    fn wait(&mut self) {
        self.answer = match std::mem::replace(&mut self.answer, AnswerState::Nothing) {
            AnswerState::Expected(decided) => {
                decided.blocking_recv().map_or(AnswerState::Nothing, AnswerState::Decided)
            }
            known => known,
        };
    }
}

/// Returns what may stand behind a label, for whoever named something else.
fn offers(label: &str, field: &str, value: &Value) -> String {
    let names: Vec<String> = match value {
        Value::Object(fields) => fields.keys().cloned().collect(),
        Value::Array(items) => (0..items.len().min(3)).map(|place| place.to_string()).collect(),
        _ => Vec::new(),
    };
    let label = if field.is_empty() { label.to_owned() } else { format!("{label}.{field}") };
    if names.is_empty() {
        return format!("the label {label} offers nothing");
    }
    format!("the label {label} offers {}", names.join(", "))
}
