//! Labels: names by which later lines refer to the answers of earlier ones.
//!
//! A label offers the ids of what its line created, and what must be sent to a deposit. They never
//! change, so a run that was killed and resumed resolves every label as an undisturbed one does.

use std::collections::HashMap;

use ledger_core::contract::{Code, Problem, Response};
use ledger_core::id::Kind;
use serde_json::Value;

/// What is known of each label.
#[derive(Default)]
pub struct Labels(HashMap<String, Bound>);

struct Bound {
    line: u64,
    ids: Vec<(String, String)>,
}

impl Labels {
    /// Refuses a label that an earlier line has.
    pub fn claim(&mut self, label: &str, line: u64) -> Result<(), Problem> {
        if let Some(earlier) = self.0.get(label) {
            let earlier = earlier.line;
            let detail = format!("as: the label {label} is that of line {earlier} already");
            return Err(Problem::new(Code::FormatInvalid, detail));
        }
        self.0.insert(label.to_owned(), Bound { line, ids: Vec::new() });
        Ok(())
    }

    /// Binds a label to ids.
    pub fn bind(&mut self, label: &str, ids: Vec<(String, String)>) {
        if let Some(bound) = self.0.get_mut(label) {
            bound.ids = ids;
        }
    }

    /// What `label.field` stands for.
    pub fn refer(&self, name: &str) -> Result<String, Problem> {
        let wrong = |what: String| Problem::new(Code::FormatInvalid, what);
        let (label, field) = name.split_once('.').unwrap_or((name, ""));
        let bound = self.0.get(label);
        let bound =
            bound.ok_or_else(|| wrong(format!("${name}: no line has the label {label}")))?;
        if bound.ids.is_empty() {
            let line = bound.line;
            return Err(wrong(format!("${name}: line {line}, labelled {label}, created nothing")));
        }
        let found = bound.ids.iter().find(|(known, _)| known == field).map(|(_, id)| id.clone());
        found.ok_or_else(|| {
            let known: Vec<_> = bound.ids.iter().map(|(known, _)| known.as_str()).collect();
            wrong(format!("${name}: the label {label} offers {}", known.join(", ")))
        })
    }
}

/// The ids an answer brings: of what was created, or had been by the original.
pub fn ids_of(response: &Response) -> Vec<(String, String)> {
    let id = |name: &str| match response.body.get(name) {
        Some(Value::String(id)) if (200..300).contains(&response.status) => {
            Some((name.to_owned(), id.clone()))
        }
        _ => None,
    };
    let quote = Kind::Quote.field();
    let made = Kind::fields().filter(|name| *name != quote);
    let made = made.chain(["referral_id", "amount_to_send"]);
    let mut found: Vec<_> = made.filter_map(id).collect();
    // Other answers name the quote they were made of; only its own created it.
    if found.is_empty() {
        found.extend(id(quote));
    }
    // The answer that shows an agent its test key is the one that registered it.
    if response.body["environment"] == "sandbox" && response.body["api_key"].is_string() {
        found.extend(id("agent_id"));
    }
    found
}
