//! A person, by what is known of them: what of a vault is theirs.

use std::fmt;

use ledger_core::contract::{Personal, Sort, Tokens};
use ledger_core::id;
use ledger_core::pix::{Document, PixKey};

use super::VaultRow;

/// A person to be erased, by the values that may stand in a vault for them.
///
/// A value is known as what it was given as: whoever erases a name erases everybody who bears it.
///
/// ```
/// # use ledger_core::contract::Tokens;
/// # use ledger_core::pix::{Document, Letters};
/// # use ledger_store::vault::Person;
/// let document = Document::parse("52998224725", Letters::Accepted).expect("it is a CPF");
/// let person = Person::default().document(&document).name("Ana Souza");
/// // The document stands for her as a PIX key, too.
/// assert_eq!(person.tokens(&Tokens::new([7; 32])).count(), 3);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Person {
    values: Vec<(Box<str>, &'static [Sort])>,
}

/// What was erased of a person: the token that records go on naming, and what it stood for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erased {
    /// The token.
    pub token: id::Token,
    /// What sort of value it stood for.
    pub sort: Sort,
}

impl Person {
    /// A CPF or CNPJ, where it stands as a document and as a PIX key.
    #[must_use]
    pub fn document(self, document: &Document) -> Self {
        self.with(document.as_str(), &[Sort::Document, Sort::PixKey])
    }

    /// A PIX key.
    #[must_use]
    pub fn pix_key(self, key: &PixKey) -> Self {
        self.with(key.as_str(), &[Sort::PixKey])
    }

    /// An e-mail address, where it registered a key and as a PIX key.
    #[must_use]
    pub fn email(self, email: &str) -> Self {
        self.with(&email.trim().to_ascii_lowercase(), &[Sort::Email, Sort::PixKey])
    }

    /// A name, letter by letter as it was given.
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        self.with(name, &[Sort::Name])
    }

    /// A free text, letter by letter as it was given: a description, a reason, a reference.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.with(text, &[Sort::Text])
    }

    /// A value as it is stored, of the sort under which it is.
    #[must_use]
    pub fn stored(self, known: &Personal) -> Self {
        let sort = Sort::ALL.iter().position(|sort| *sort == known.sort);
        let sort = sort.expect("all sorts are among them");
        self.with(&known.value, &Sort::ALL[sort..=sort])
    }

    /// Whether nothing is known of them.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The tokens that stand for them in the ledger whose tokens these are.
    pub fn tokens(&self, tokens: &Tokens) -> impl Iterator<Item = id::Token> {
        let each = self
            .values
            .iter()
            .flat_map(|(value, sorts)| sorts.iter().map(move |sort| tokens.of(*sort, value)));
        each.collect::<Vec<_>>().into_iter()
    }

    /// Whether a row of a vault is theirs.
    #[must_use]
    pub fn has(&self, row: &VaultRow) -> bool {
        let same = |sorts: &[Sort]| sorts.iter().any(|sort| row.kind == *sort as u8);
        self.values.iter().any(|(value, sorts)| *row.value == **value && same(sorts))
    }

    fn with(mut self, value: &str, sorts: &'static [Sort]) -> Self {
        self.values.push((value.into(), sorts));
        self
    }
}

/// Shows how much is known of them and nothing of it: personal data must not reach a log.
impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Person({} values)", self.values.len())
    }
}
