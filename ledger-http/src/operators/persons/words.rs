//! Operators' words about a person: notes of the inbox and proposed decisions, for a dossier.
//!
//! The erasure of a person reaches those that name them. The others stand beside an operation of
//! theirs and hold no value of theirs: they go when the operation or the proposal ends.

use std::collections::BTreeSet;

use ledger_store::vault::Person;
use serde_json::{Value, json};

use crate::operators::assigning::{Assignment, assignment_json};
use crate::operators::second::{Proposed, is_said};
use crate::operators::{Operators, OperatorsFailed};
use crate::search::OperatorWords;

impl Operators {
    /// Counts the proposals and notes of all ledgers that name a person. Blocks.
    pub(crate) fn mentioning(&self, person: &Person) -> Result<usize, OperatorsFailed> {
        let proposed = self.0.proposals.existing(|store| Ok(store.theirs(person)?.len()))?;
        let noted = self.0.assignments.existing(|store| Ok(store.theirs(person)?.len()))?;
        Ok(proposed.unwrap_or_default() + noted.unwrap_or_default())
    }

    /// Reads the notes and proposals of a ledger that name a person, or stand beside one of these
    /// operations. Blocks.
    ///
    /// # Errors
    ///
    /// [`OperatorsFailed`] where the tables cannot be read.
    pub fn words_about(
        &self,
        ledger: &str,
        person: &Person,
        operations: &BTreeSet<String>,
    ) -> Result<OperatorWords, OperatorsFailed> {
        let is_theirs = |text: &str| operations.contains(text);
        let notes = self.0.assignments.existing(|store| store.all(ledger))?.unwrap_or_default();
        let notes = notes.iter().filter_map(|it| {
            let names = person.is_in(&it.note);
            (names || is_theirs(&it.operation)).then(|| note(it, names))
        });
        let proposals = self.0.proposals.existing(|store| store.with_words(ledger))?;
        let proposals = proposals.unwrap_or_default();
        let proposals = proposals.iter().filter_map(|it| {
            let names = is_said(&it.body, |text| person.is_in(text));
            (names || is_said(&it.body, is_theirs)).then(|| proposal(it, names))
        });
        Ok(OperatorWords { notes: notes.collect(), proposals: proposals.collect() })
    }
}

fn note(assignment: &Assignment, names_person: bool) -> Value {
    let mut note = assignment_json(assignment);
    note["names_person"] = names_person.into();
    note
}

fn proposal(proposed: &Proposed, names_person: bool) -> Value {
    json!({
        "decision": proposed.key.decision,
        "id": proposed.key.id,
        "proposed_by": proposed.by,
        "proposed_at": proposed.at.to_string(),
        "body": proposed.body,
        "names_person": names_person,
    })
}
