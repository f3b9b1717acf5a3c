//! Legal holds: persons who may not be erased, because a court or an authority asked for them.
//!
//! A hold names persons by their tokens, so it says nothing of them, and holds what is brought of
//! them later too. It stands beside the journal, in tables of its own: no record knows of it.

use ledger_core::time::Instant;

use super::row::Token;

/// Who did something with what the vault keeps, when, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorNote {
    /// When, by the clock of whoever wrote it down.
    pub at: Instant,
    /// The operator who did it, by name.
    pub by: String,
    /// Why: a case, a request. It is kept in clear, so it names no person.
    pub reason: String,
}

/// A hold on a person.
///
/// ```
/// # use ledger_core::contract::Tokens;
/// # use ledger_core::time::Instant;
/// # use ledger_store::vault::{LegalHold, OperatorNote, Person};
/// # use ledger_store::{Journal as _, JournalError, MemoryDisk, MemoryJournal, OpenMode};
///
/// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let tokens = Tokens::new(journal.identity().vault_key);
/// let person: Vec<_> = Person::default().name("Ana Souza").tokens(&tokens).collect();
/// let at = Instant::default();
/// let note = OperatorNote { at, by: "bia".into(), reason: "case 0012".into() };
/// assert!(journal.place_hold(&LegalHold::new("0012", person.clone(), note.clone()))?);
///
/// journal.open_writer()?;
/// assert!(matches!(journal.erase(person[0].0), Err(JournalError::Held { .. })));
/// assert!(journal.release_hold("0012", &note)?);
/// assert!(!journal.erase(person[0].0)?); // Nothing is kept of her.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalHold {
    /// What it is called: unique within its ledger, for ever.
    pub id: String,
    /// The persons it holds.
    pub tokens: Vec<Token>,
    /// Who placed it.
    pub placed: OperatorNote,
    /// Who released it, once it was.
    pub released: Option<OperatorNote>,
}

impl LegalHold {
    /// A hold on whomever these tokens stand for; see [`Person::tokens`](super::Person::tokens).
    #[must_use]
    pub fn new(
        id: &str,
        tokens: impl IntoIterator<Item = ledger_core::id::Token>,
        placed: OperatorNote,
    ) -> Self {
        let mut tokens: Vec<Token> = tokens.into_iter().map(|token| token.0).collect();
        tokens.sort_unstable();
        tokens.dedup();
        Self { id: id.to_owned(), tokens, placed, released: None }
    }

    /// Tells whether it forbids to erase this token.
    #[must_use]
    pub fn holds(&self, token: Token) -> bool {
        self.released.is_none() && self.tokens.contains(&token)
    }
}

/// The names of the holds in force on any of these tokens, with commas between; none where none is.
#[must_use]
pub(crate) fn holding(
    holds: &[LegalHold],
    tokens: impl IntoIterator<Item = Token>,
) -> Option<String> {
    let tokens: Vec<Token> = tokens.into_iter().collect();
    let in_force = |hold: &&LegalHold| tokens.iter().any(|token| hold.holds(*token));
    let names: Vec<&str> = holds.iter().filter(in_force).map(|hold| &*hold.id).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
