//! Counts of questions to a provider's service: each attempt, by what came of it.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::Name;
use crate::operation::lines::QuestionAttempt;

/// Counts of attempts to ask a provider's service; clones count together.
///
/// A [`Supply`](crate::Supply) that asks a service of its own notes each attempt here, and the
/// service shows them as `custody_ledger_questions_total`.
///
/// ```
/// use ledger_http::Questions;
///
/// let questions = Questions::default();
/// let shared = questions.clone(); // Counts with `questions`.
/// # drop(shared);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Questions(Family<QuestionLabels, Counter>);

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct QuestionLabels {
    question: Name,
    outcome: Name,
}

impl Questions {
    /// Counts one attempt.
    pub fn note(&self, attempt: &QuestionAttempt) {
        self.0.get_or_create(&QuestionLabels::new(attempt.question, attempt.outcome)).inc();
    }

    /// Shows each outcome of these questions as 0 before it is seen: an increase from nothing at
    /// all is none.
    pub(crate) fn begin(questions: &[&'static str], outcomes: &[&'static str]) -> Self {
        let counts = Self::default();
        for &question in questions {
            for &outcome in outcomes {
                counts.0.get_or_create(&QuestionLabels::new(question, outcome)).inc_by(0);
            }
        }
        counts
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("questions", "Attempts to ask a provider's service", self.0.clone());
    }
}

impl QuestionLabels {
    const fn new(question: &'static str, outcome: &'static str) -> Self {
        Self { question: Name(question), outcome: Name(outcome) }
    }
}
