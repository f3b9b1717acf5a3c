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
    /// The token that records go on naming.
    pub token: id::Token,
    /// What sort of value it stood for.
    pub sort: Sort,
}

impl Erased {
    /// Returns what sort of value it was, as certificates and logs name it: `document`, `pix_key`,
    /// ...
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self.sort {
            Sort::Document => "document",
            Sort::Name => "name",
            Sort::PixKey => "pix_key",
            Sort::Text => "text",
            Sort::Email => "email",
            Sort::Credential => "credential",
        }
    }

    /// The token as records show it: 32 hexadecimal digits.
    #[must_use]
    pub fn token_text(&self) -> String {
        super::token_text(self.token.0)
    }
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
    pub fn with_stored(self, known: &Personal) -> Self {
        let sort = Sort::ALL.iter().position(|sort| *sort == known.sort);
        let sort = sort.expect("all sorts are among them");
        self.with(&known.value, &Sort::ALL[sort..=sort])
    }

    /// A value as it stands in a row of a vault; one of no known sort says nothing.
    pub(super) fn row(self, row: &VaultRow) -> Self {
        match Sort::ALL.iter().position(|sort| *sort as u8 == row.kind) {
            Some(sort) => self.with(&row.value, &Sort::ALL[sort..=sort]),
            None => self,
        }
    }

    /// Tells whether nothing is known of them.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The tokens that stand for them in the ledger whose tokens these are.
    pub fn tokens(&self, tokens: &Tokens) -> impl Iterator<Item = id::Token> {
        self.sorted_tokens(tokens).into_iter().map(|(_, token)| token)
    }

    /// The same with what sort of value each stands for.
    pub(super) fn sorted_tokens(&self, tokens: &Tokens) -> Vec<(Sort, id::Token)> {
        let each = self.values.iter().flat_map(|(value, sorts)| {
            sorts.iter().map(move |sort| (*sort, tokens.token(*sort, value)))
        });
        each.collect()
    }

    /// Tells whether a row of a vault is theirs: one of their values, or a text that mentions a
    /// document, a key or an address of theirs, as a PIX code does.
    #[must_use]
    pub fn has(&self, row: &VaultRow) -> bool {
        self.has_value(row.kind, &row.value)
    }

    /// The same of a value of this kind.
    pub(crate) fn has_value(&self, kind: u8, text: &str) -> bool {
        let same = |sorts: &[Sort]| sorts.iter().any(|sort| kind == *sort as u8);
        let is_text = kind == Sort::Text as u8;
        self.values.iter().any(|(value, sorts)| {
            (text == &**value && same(sorts))
                || (is_text && identifies(sorts) && mentions(text, value))
        })
    }

    /// Tells whether a text that is kept beside the vault has any of their values in it, in
    /// whichever case: it errs towards saying so, since such a text is kept for a while at most.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.values.iter().any(|(value, _)| mentions(&text, &value.to_lowercase()))
    }

    fn with(mut self, value: &str, sorts: &'static [Sort]) -> Self {
        self.values.push((value.into(), sorts));
        self
    }
}

/// Tells whether values of these sorts are of one person only, so that a text with one in it is
/// theirs.
fn identifies(sorts: &[Sort]) -> bool {
    sorts.iter().any(|sort| matches!(sort, Sort::Document | Sort::PixKey | Sort::Email))
}

/// Tells whether a text has this value in it, a CPF or CNPJ in either way of writing.
fn mentions(text: &str, value: &str) -> bool {
    let punctuated = |before: &[(usize, char)]| {
        let mut written = value.to_owned();
        before.iter().rev().for_each(|(place, sign)| written.insert(*place, *sign));
        written
    };
    let is_document =
        |length| value.len() == length && value.bytes().all(|b| b.is_ascii_alphanumeric());
    text.contains(value)
        || is_document(11) && text.contains(&punctuated(&[(3, '.'), (6, '.'), (9, '-')]))
        || is_document(14) && text.contains(&punctuated(&[(2, '.'), (5, '.'), (8, '/'), (12, '-')]))
}

/// Shows how much is known of them and nothing of it: personal data must not reach a log.
impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Person({} values)", self.values.len())
    }
}

#[cfg(test)]
mod tests {
    use ledger_core::pix::Letters;

    use super::*;

    fn row(sort: Sort, value: &str) -> VaultRow {
        VaultRow { token: [1; 16], kind: sort as u8, value: value.into(), mask: String::new() }
    }

    #[test]
    fn a_text_that_mentions_what_identifies_a_person_is_theirs() {
        let document = Document::parse("11144477735", Letters::Accepted).unwrap();
        let company = Document::parse("11222333000181", Letters::Accepted).unwrap();
        let person = Person::default().document(&document).document(&company);
        let person = person.email("Ana@Example.com").name("Ana");
        for text in [
            "11144477735",
            "paid for 111.444.777-35.",
            "11.222.333/0001-81",
            "BR code: 0136ana@example.com5204",
        ] {
            assert!(person.has(&row(Sort::Text, text)), "{text}");
        }
        // A name is borne by others, and a value of another sort is what it is as a whole.
        assert!(!person.has(&row(Sort::Text, "Ana")) && !person.has(&row(Sort::Text, "111444777")));
        assert!(person.has(&row(Sort::Name, "Ana")) && !person.has(&row(Sort::Name, "Ana Souza")));
        assert!(!person.has(&row(Sort::Document, "111444777350")));
    }
}
