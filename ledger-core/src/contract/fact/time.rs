//! The passing of time, as a fact.

use super::shape::{FactShape, Subject};
use crate::ledger::{Fact, FactKind};

/// The fact that reports nothing but an instant.
pub const FACTS: &[FactShape] = &[FactShape {
    kind: FactKind::TimePassed,
    name: "time.passed",
    subject: Subject::Ledger,
    meaning: "Nothing but time: the only line that may jump more than the policy's bound.",
    fields: &[],
    example: r#"{"at":"2026-11-23T12:00:00Z","fact":"time.passed"}"#,
    read: |_, _| Ok(Fact::TimePassed),
}];
