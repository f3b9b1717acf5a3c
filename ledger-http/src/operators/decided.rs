//! A decision as it is proposed, and its outcome.

use std::collections::BTreeMap;

use ledger_core::contract::{Problem, Response};
use ledger_store::sequencer::Preview;
use serde_json::Value;

use super::OperatorsFailed;
use crate::ledgers::Unanswered;

/// A decision that an operator proposes.
pub(crate) struct Proposal {
    /// The decision's name.
    pub(crate) name: String,
    /// The ledger that it is for, by its label; none where what it names says so.
    pub(crate) ledger: Option<String>,
    /// The fact's fields without `actor`.
    pub(crate) body: Value,
    /// It is tried alone.
    pub(crate) dry_run: bool,
}

/// The outcome of a proposal.
pub(crate) struct Decided {
    pub(crate) preview: Preview,
    /// The answer to what was carried out; none of a dry run, and of what waits.
    pub(crate) response: Option<Response>,
    /// It wants a second operator, and for nobody's confirmation it is not carried out.
    pub(crate) wants_second: bool,
    /// What is known of whom it is about, where it is a person.
    pub(crate) about: Option<Value>,
}

/// Why it was not decided: nothing was left behind, or nobody knows.
pub(crate) enum NotDecided {
    Refused(Problem),
    Unanswered(Unanswered),
}

impl From<OperatorsFailed> for NotDecided {
    fn from(_: OperatorsFailed) -> Self {
        Self::Unanswered(Unanswered::Away)
    }
}

impl From<Problem> for NotDecided {
    fn from(problem: Problem) -> Self {
        Self::Refused(problem)
    }
}

impl From<Unanswered> for NotDecided {
    fn from(why: Unanswered) -> Self {
        Self::Unanswered(why)
    }
}

/// A body as text that is the same in whichever order its fields came.
pub(super) fn in_order(body: &Value) -> String {
    let fields: BTreeMap<_, _> = body.as_object().into_iter().flatten().collect();
    serde_json::to_string(&fields).expect("names are text, and memory takes it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_the_same_in_whichever_order_its_fields_came() {
        let one = serde_json::json!({ "id": "a", "reason": "b" });
        let other = serde_json::json!({ "reason": "b", "id": "a" });
        assert_eq!(in_order(&one), in_order(&other));
        assert_ne!(in_order(&one), in_order(&serde_json::json!({ "id": "b", "reason": "a" })));
    }
}
