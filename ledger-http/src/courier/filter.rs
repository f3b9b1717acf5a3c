//! Which events an account is sent: all of them, until it has chosen some.

use std::collections::BTreeSet;

use ledger_core::contract::{Code, Problem, TOPICS, topic};
use serde_json::{Value, json};

/// What an account has chosen (P:WebhookFilter).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter(Option<BTreeSet<String>>);

impl Filter {
    /// The choice that a body makes: `events` with names, or null for all.
    ///
    /// # Errors
    ///
    /// `campos_obrigatorios` without `events`; `formato_invalido` for an empty list, and for a name
    /// that no event has, since whoever misspells one would wait for it in vain.
    pub(super) fn read(body: &Value) -> Result<Self, Problem> {
        let wrong = |detail: String| Problem::new(Code::FormatInvalid, detail);
        let body =
            body.as_object().ok_or_else(|| wrong("body must be a JSON object".to_owned()))?;
        let missing = || Problem::new(Code::FieldsRequired, "events is required, names or null");
        let events = match body.get("events").ok_or_else(missing)? {
            Value::Null => return Ok(Self(None)),
            Value::Array(events) => events,
            _ => return Err(wrong("events must be a list of names, or null".to_owned())),
        };
        let named = |(index, event): (usize, &Value)| {
            let known = TOPICS.into_iter().map(topic).find(|known| event == known);
            let known = known.ok_or_else(|| wrong(format!("events[{index}] is no event")));
            known.map(str::to_owned)
        };
        let chosen = events.iter().enumerate().map(named).collect::<Result<BTreeSet<_>, _>>()?;
        if chosen.is_empty() {
            return Err(wrong("events must name at least one; null chooses all".to_owned()));
        }
        Ok(Self(Some(chosen)))
    }

    /// As it is kept: names with commas between, and nothing for all.
    pub(super) fn text(&self) -> String {
        let chosen = self.0.iter().flatten().map(String::as_str);
        chosen.collect::<Vec<_>>().join(",")
    }

    /// What was kept as this text.
    pub(super) fn of_text(text: &str) -> Self {
        Self((!text.is_empty()).then(|| text.split(',').map(str::to_owned).collect()))
    }

    /// Tells whether events of this name are sent.
    pub(super) fn admits(&self, event: &str) -> bool {
        self.0.as_ref().is_none_or(|chosen| chosen.contains(event))
    }

    /// As its account is shown it.
    pub(super) fn json(&self) -> Value {
        json!({ "events": self.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_kept_as_it_was_made() {
        for body in [
            json!({ "events": null }),
            json!({ "events": ["cashin.paid"] }),
            json!({ "events": ["cashin.paid", "payout.failed"] }),
        ] {
            let filter = Filter::read(&body).unwrap();
            assert_eq!(Filter::of_text(&filter.text()), filter);
            assert_eq!(filter.json(), body);
        }
        assert_eq!(Filter::of_text(""), Filter::default());
        let filter = Filter::of_text("cashin.paid,payout.failed");
        assert!(filter.admits("payout.failed") && !filter.admits("payout"));
        assert!(Filter::default().admits("whatever.comes"));
    }

    #[test]
    fn what_chooses_nothing_is_refused() {
        for (body, code) in [
            (json!([]), Code::FormatInvalid),
            (json!({}), Code::FieldsRequired),
            (json!({ "events": [] }), Code::FormatInvalid),
            (json!({ "events": "cashin.paid" }), Code::FormatInvalid),
            (json!({ "events": ["cashin.paid", "cashin.payed"] }), Code::FormatInvalid),
            (json!({ "events": ["cashin.paid,"] }), Code::FormatInvalid),
            (json!({ "events": [1] }), Code::FormatInvalid),
        ] {
            assert_eq!(Filter::read(&body).unwrap_err().code, code, "{body}");
        }
    }
}
