//! Search: what an operator types, found by the indexes that stand, and then in the latest records.
//!
//! The first step asks the archive for what it keeps by key: ids, external ids, customers, PIX and
//! transactions. What no index keeps (an address, the transaction of a delivery, a person, an
//! amount) is looked for in records, the latest first, some in each read, so that none takes long.

mod dossier;
mod exact;
mod hit;
mod records;
mod text;

use ledger_core::contract::Tokens;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

use hit::Hit;
use text::SearchText;

pub use dossier::{Dossier, OperatorWords};
pub(crate) use hit::{HitTarget, SearchResult};
pub(crate) use text::document;

/// How many hits are shown.
pub(crate) const HITS: usize = 50;
/// How many of the latest records are looked at.
pub(crate) const RECORDS: u64 = 20_000;
/// How many of them one read looks at.
const TURN: u64 = 250;
/// In how many accounts an external id or a customer is looked up.
const ACCOUNTS: usize = 2_000;

/// Finds what a text names in a ledger that is read beside whoever holds it, as the console does;
/// `tokens` are the ledger's own.
///
/// ```
/// # use ledger_core::contract::Tokens;
/// # use ledger_store::{Algorithm, journal::Identity, sequencer::Sequencer};
/// # let sequencer = Sequencer::new("live", Identity::by_name(Algorithm::Blake3, [7; 32]));
/// let found = ledger_http::find_in(&sequencer, &Tokens::new([7; 32]), "R$ 50,00");
/// assert_eq!(found["items"], serde_json::json!([]));
/// ```
#[must_use]
pub fn find_in(sequencer: &Sequencer, tokens: &Tokens, text: &str) -> Value {
    let mut search = Search::new(text, tokens);
    search.begin(sequencer);
    while search.go_on(sequencer) {}
    let hits: Vec<_> = search.results(sequencer).iter().map(SearchResult::json).collect();
    json!({ "items": hits, "more": search.more })
}

/// One search of one ledger, step by step.
pub(crate) struct Search {
    asked: SearchText,
    hits: Vec<Hit>,
    /// The records that are looked at next, from this one backwards, and how many still may be.
    rest: Option<(u64, u64)>,
    /// Tells whether more was there than is shown or looked at.
    pub(crate) more: bool,
}

impl Search {
    pub(crate) fn new(text: &str, tokens: &Tokens) -> Self {
        Self { asked: SearchText::read(text, tokens), hits: Vec::new(), rest: None, more: false }
    }

    /// Tells whether the text is a person's, of whom this ledger's vault knows.
    pub(crate) fn names_a_person(&self) -> bool {
        !self.asked.persons.is_empty()
    }

    /// The first step: what is kept by key.
    pub(crate) fn begin(&mut self, sequencer: &Sequencer) {
        self.asked.keep_persons_of(sequencer);
        for hit in exact::hits(sequencer, &self.asked) {
            self.add(hit);
        }
        // What is known by its key is not looked for word by word.
        if self.hits.is_empty() && self.asked.is_looked_for() {
            self.rest = Some((sequencer.ledger().state.seq.0, RECORDS));
        }
    }

    /// Looks at some more records; whether that is to be done again.
    pub(crate) fn go_on(&mut self, sequencer: &Sequencer) -> bool {
        let Some((from, left)) = self.rest.take().filter(|(from, left)| *from > 0 && *left > 0)
        else {
            return false;
        };
        let first = from.saturating_sub(TURN.min(left) - 1).max(1);
        for hit in records::hits(sequencer, &self.asked, first..=from) {
            self.add(hit);
        }
        let (next, left) = (first - 1, left - (from + 1 - first));
        if next > 0 && left == 0 {
            self.more = true;
        }
        self.rest = (!self.more && next > 0).then_some((next, left));
        self.rest.is_some()
    }

    /// Returns what was found, as it stands now.
    pub(crate) fn results(&self, sequencer: &Sequencer) -> Vec<SearchResult> {
        self.hits.iter().map(|hit| hit.to_result(sequencer)).collect()
    }

    fn add(&mut self, hit: Hit) {
        if self.hits.iter().any(|known| known.place == hit.place) {
            return;
        }
        if self.hits.len() == HITS {
            self.more = true;
            return;
        }
        self.hits.push(hit);
    }
}
