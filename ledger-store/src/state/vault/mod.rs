//! The vault: personal data beside the journal, under tokens.
//!
//! Records name a person by token only, so erasing the person's row leaves the chain whole.
//! The chain does not cover the rows, so no value is believed that does not prove its token: the
//! token is the keyed hash of kind and value, and the mask is a function of them.

mod certificate;
pub(crate) mod hold;
mod lender;
mod mentions;
pub(crate) mod named;
mod person;
pub(crate) mod row;

pub use certificate::{Certificate, ErasedRecords, records_naming};
pub use hold::{LegalHold, OperatorNote};
use lender::Lender;
pub(crate) use lender::SharedVault;
pub use mentions::{MentionedValue, Mentions};
pub use named::KeptTokens;
pub use person::{Erased, Person};
pub use row::{Token, VaultRow};

use std::cell::RefCell;
use std::fmt;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use ledger_core::contract::{Personal, Tokens, Unproved};
use ledger_core::hexadecimal::digits;
use ledger_core::{contract, id};

use crate::journal::{Journal, JournalError};

/// A value and what may be shown of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    /// What sort of value it is; the numbers are the core's.
    pub kind: u8,
    /// The personal datum itself.
    pub value: String,
    /// What may be shown of it.
    pub mask: String,
}

/// Every value known, and those not yet handed to a commit.
///
/// ```
/// use ledger_core::contract::{Tokens, Vault as _};
/// use ledger_store::Vault;
///
/// let ana = Tokens::new([7; 32]).name("Ana");
/// let token = ana.token.0;
/// let mut vault = Vault::default();
/// vault.learn(ana);
/// assert_eq!(vault.get(token).map(|secret| &*secret.value), Some("Ana"));
///
/// // Records go on naming the token, and nobody knows any more for whom it stands.
/// assert!(vault.erase(token) && vault.get(token).is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Vault {
    secrets: HashMap<Token, Secret>,
    new: Vec<Token>,
    /// The tokens whose values were asked for in vain, where those are read when they are needed.
    missed: Option<RefCell<Vec<Token>>>,
    /// Where values are looked for, if it is a reader's.
    lender: Option<Lender>,
}

impl Vault {
    /// The vault of a journal, each row of it proved under the ledger's key.
    ///
    /// # Errors
    ///
    /// [`JournalError::Vault`] naming the first row that is not what it was, or
    /// [`JournalError::VaultKey`] when no row is.
    pub fn open(journal: &mut dyn Journal) -> Result<Self, JournalError> {
        Ok(Self::from_rows(proved_rows(journal)?))
    }

    /// The values of these tokens alone, each proved under the ledger's key: what is shown of a few
    /// persons costs the same, however many the vault knows.
    ///
    /// # Errors
    ///
    /// As [`Vault::open`], of the rows read.
    pub fn read(journal: &mut dyn Journal, tokens: &[id::Token]) -> Result<Self, JournalError> {
        let mut tokens: Vec<Token> = tokens.iter().map(|token| token.0).collect();
        tokens.sort_unstable();
        tokens.dedup();
        if tokens.is_empty() {
            return Ok(Self::default());
        }
        let rows = journal.values(&tokens)?;
        prove_rows(&rows, &journal.identity().vault_key)?;
        Ok(Self::from_rows(rows))
    }

    /// A vault that knows `rows`, which the journal already holds.
    fn from_rows(rows: impl IntoIterator<Item = VaultRow>) -> Self {
        let secrets = rows.into_iter().map(VaultRow::split).collect();
        Self { secrets, ..Self::default() }
    }

    /// A vault that knows nothing, and notes what it is asked for.
    pub(crate) fn asked_for() -> Self {
        Self { missed: Some(RefCell::default()), ..Self::default() }
    }

    /// The tokens it was asked for and knows no value of, each once, since this was last taken.
    pub(crate) fn take_missed(&mut self) -> Vec<Token> {
        let mut missed = self.missed.as_ref().map(RefCell::take).unwrap_or_default();
        missed.sort_unstable();
        missed.dedup();
        missed
    }

    /// The same with these values, which the journal holds and which were proved.
    pub(crate) fn with_rows(self, rows: Vec<VaultRow>) -> Self {
        Self { secrets: Self::from_rows(rows).secrets, ..self }
    }

    /// Keeps `row` for the next commit; a token already known keeps what it stands for.
    pub fn insert(&mut self, row: VaultRow) {
        let (token, secret) = row.split();
        if let Entry::Vacant(entry) = self.secrets.entry(token) {
            entry.insert(secret);
            self.new.push(token);
        }
    }

    /// What `token` stands for, unless it was never known or is erased.
    #[must_use]
    pub fn get(&self, token: Token) -> Option<&Secret> {
        if let Some(lender) = &self.lender {
            return lender.get(token);
        }
        let known = self.secrets.get(&token);
        if let (None, Some(missed)) = (known, &self.missed) {
            missed.borrow_mut().push(token);
        }
        known
    }

    /// Returns what may be shown of the value behind `token`.
    #[must_use]
    pub fn mask(&self, token: Token) -> Option<&str> {
        self.get(token).map(|secret| secret.mask.as_str())
    }

    /// Forgets what `token` stands for, whether or not it was committed; says whether it was known.
    pub fn erase(&mut self, token: Token) -> bool {
        self.new.retain(|new| *new != token);
        self.secrets.remove(&token).is_some()
    }

    /// The tokens of what is known of a person, texts that mention them included, in no order of a
    /// hash table.
    pub(crate) fn theirs(&self, person: &Person) -> Vec<Token> {
        let is_theirs = |secret: &Secret| person.has_value(secret.kind, &secret.value);
        let theirs = self.secrets.iter().filter(|(_, secret)| is_theirs(secret));
        let mut tokens: Vec<Token> = theirs.map(|(token, _)| *token).collect();
        tokens.sort_unstable();
        tokens
    }

    /// The rows inserted since the last call, in order, for the next commit.
    pub fn take_new(&mut self) -> Vec<VaultRow> {
        let secrets = &self.secrets;
        let row = |token| {
            let Secret { kind, value, mask } = secrets[&token].clone();
            VaultRow { token, kind, value, mask }
        };
        self.new.drain(..).map(row).collect()
    }

    /// Number of values known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.secrets.len()
    }

    /// Tells whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }
}

/// The names of the legal holds in force on a person, on a text that mentions them, or on whom a
/// text of theirs mentions, with commas between; none where none is.
///
/// # Errors
///
/// [`JournalError`] when the medium fails.
pub fn holding_person(
    journal: &mut dyn Journal,
    person: &Person,
) -> Result<Option<String>, JournalError> {
    let mut holds = journal.holds()?;
    if holds.iter().all(|hold| hold.released.is_some()) {
        return Ok(None);
    }
    let rows = journal.vault()?;
    let theirs: Vec<&VaultRow> = rows.iter().filter(|row| person.has(row)).collect();
    let tokens = Tokens::new(journal.identity().vault_key);
    let mut tokens: Vec<Token> = person.tokens(&tokens).map(|token| token.0).collect();
    tokens.extend(theirs.iter().map(|row| row.token));
    // A text is theirs whose values stand in it, so a hold on them covers it too.
    for hold in &mut holds {
        let known = rows.iter().filter(|row| hold.holds(row.token));
        let whom = known.fold(Person::default(), Person::row);
        let mentioning = theirs.iter().filter(|row| whom.has(row));
        let mentioning: Vec<Token> = mentioning.map(|row| row.token).collect();
        hold.tokens.extend(mentioning);
    }
    Ok(hold::holding(&holds, tokens))
}

/// The rows of a journal's vault, each proved under the ledger's key.
pub(crate) fn proved_rows(journal: &mut dyn Journal) -> Result<Vec<VaultRow>, JournalError> {
    let rows = journal.vault()?;
    prove_rows(&rows, &journal.identity().vault_key)?;
    Ok(rows)
}

/// Proves rows under a ledger's key; says which is not what it was, or that the key is another.
pub(crate) fn prove_rows(rows: &[VaultRow], vault_key: &[u8; 32]) -> Result<(), JournalError> {
    let tokens = Tokens::new(*vault_key);
    let mut faults = rows.iter().filter_map(|row| Some((row, row.prove(&tokens).err()?)));
    let Some((row, source)) = faults.next() else { return Ok(()) };
    // One value is wrong by itself; of several, all are wrong by the key.
    let others = faults.filter(|(_, fault)| *fault == Unproved::Value).count();
    if source == Unproved::Value && others > 0 && others + 1 == rows.len() {
        return Err(JournalError::VaultKey);
    }
    Err(JournalError::Vault { token: row.token_text(), source })
}

impl contract::Vault for Vault {
    fn value(&self, token: id::Token) -> Option<&str> {
        self.get(token.0).map(|secret| secret.value.as_str())
    }

    fn mask(&self, token: id::Token) -> Option<&str> {
        Vault::mask(self, token.0)
    }

    fn learn(&mut self, personal: Personal) {
        self.insert(VaultRow {
            token: personal.token.0,
            kind: personal.sort as u8,
            value: personal.value.into(),
            mask: personal.mask.into(),
        });
    }
}

/// A token as records and tables show it.
pub(crate) fn token_text(token: Token) -> String {
    digits(&token)
}

impl VaultRow {
    /// Tells whether token and mask are those of kind and value.
    pub(crate) fn prove(&self, tokens: &Tokens) -> Result<(), Unproved> {
        let Self { token, kind, value, mask } = self;
        tokens.prove(id::Token(*token), *kind, value, mask)
    }

    /// The token as records and tables show it.
    pub(crate) fn token_text(&self) -> String {
        token_text(self.token)
    }

    fn split(self) -> (Token, Secret) {
        let Self { token, kind, value, mask } = self;
        (token, Secret { kind, value, mask })
    }
}

/// Shows the mask only: personal data must not reach a log.
impl fmt::Debug for VaultRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VaultRow")
            .field("token", &self.token)
            .field("kind", &self.kind)
            .field("mask", &self.mask)
            .finish_non_exhaustive()
    }
}

/// Shows the mask only: personal data must not reach a log.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret")
            .field("kind", &self.kind)
            .field("mask", &self.mask)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(token: u8) -> VaultRow {
        let (value, mask) = (format!("value {token}"), format!("mask {token}"));
        VaultRow { token: [token; 16], kind: 1, value, mask }
    }

    #[test]
    fn new_rows_are_handed_over_once_and_in_order() {
        let mut vault = Vault::default();
        vault.insert(row(2));
        vault.insert(row(1));
        assert_eq!(vault.take_new(), [row(2), row(1)]);
        assert_eq!(vault.take_new(), []);
        assert_eq!(vault.mask([1; 16]), Some("mask 1"));
        assert_eq!(vault.get([2; 16]).unwrap().value, "value 2");
        assert_eq!(vault.len(), 2);
    }

    #[test]
    fn a_known_token_yields_no_new_row_and_keeps_its_value() {
        let mut vault = Vault::from_rows([row(1)]);
        vault.insert(VaultRow { value: "another".into(), ..row(1) });
        assert_eq!(vault.take_new(), []);
        assert_eq!(vault.get([1; 16]).unwrap().value, "value 1");
    }

    #[test]
    fn an_erased_token_is_unknown_even_before_its_commit() {
        let mut vault = Vault::from_rows([row(1)]);
        vault.insert(row(2));
        assert!(vault.erase([1; 16]) && vault.erase([2; 16]));
        assert!(!vault.erase([1; 16]));
        assert!(vault.is_empty());
        assert_eq!(vault.mask([1; 16]), None);
        assert_eq!(vault.take_new(), []);
    }

    #[test]
    fn a_person_who_comes_back_after_erasure_yields_a_new_row() {
        let mut vault = Vault::from_rows([row(1)]);
        vault.erase([1; 16]);
        vault.insert(row(1));
        assert_eq!(vault.take_new(), [row(1)]);
    }

    #[test]
    fn personal_data_does_not_reach_debug_output() {
        let vault = Vault::from_rows([row(1)]);
        let shown = format!("{:?} {vault:?}", row(1));
        assert!(shown.contains("mask 1") && !shown.contains("value 1"));
    }
}
