//! What a text may be: an amount, a transaction or an address in any spelling, a person.

use ledger_core::contract::Tokens;
use ledger_core::id::Token;
use ledger_core::network::{Scheme, address, hash};
use ledger_core::pix::{Document, Letters, PixKey};
use ledger_store::sequencer::Sequencer;
use ledger_store::vault::Person;

/// The fewest letters of a text that is looked for inside of records.
const LEAST: usize = 8;

/// A text that is searched, read in every way in which it may be meant.
pub(super) struct SearchText {
    pub(super) text: String,
    /// As an amount, in centavos.
    pub(super) cents: Option<i64>,
    /// As a transaction or an address, in each spelling that it may be kept in.
    pub(super) spellings: Vec<String>,
    /// As a person's document, key, address or name.
    pub(super) persons: Vec<Token>,
}

impl SearchText {
    pub(super) fn read(text: &str, tokens: &Tokens) -> Self {
        let text = text.trim().to_owned();
        let mut spellings = vec![text.clone()];
        let hashes = Scheme::ALL.into_iter().map(|of| hash::canonical(of, &text).into_owned());
        let addresses = Scheme::ALL.into_iter().map(|of| address::canonical(of, &text));
        spellings.extend(hashes.chain(addresses.map(std::borrow::Cow::into_owned)));
        spellings.sort();
        spellings.dedup();
        let persons = person(&text).tokens(tokens).collect();
        Self { cents: reais(&text), spellings, persons, text }
    }

    /// Keeps of the persons those whom this ledger's vault knows.
    pub(super) fn keep_persons_of(&mut self, sequencer: &Sequencer) {
        self.persons.retain(|token| sequencer.vault().get(token.0).is_some());
    }

    /// Tells whether it is looked for inside of records.
    pub(super) fn is_looked_for(&self) -> bool {
        self.cents.is_some() || !self.persons.is_empty() || self.text.len() >= LEAST
    }

    /// Returns what stands in the bytes of a record that tells of it.
    pub(super) fn needles(&self) -> Vec<&[u8]> {
        let texts = self.spellings.iter().map(String::as_bytes);
        let texts = texts.filter(|text| text.len() >= LEAST);
        self.persons.iter().map(|token| &token.0[..]).chain(texts).collect()
    }
}

/// Whoever the text may be of: a name as it was given, a document with or without its marks.
fn person(text: &str) -> Person {
    if text.is_empty() {
        return Person::default();
    }
    let mut person = Person::default().name(text).email(text);
    if let Some(document) = document(text) {
        person = person.document(&document);
    }
    let bare = bare(text);
    for key in [text, &bare] {
        if let Ok(key) = PixKey::parse(key, None, Letters::Accepted) {
            person = person.pix_key(&key);
        }
    }
    person
}

/// A CPF or CNPJ with or without its marks.
pub(crate) fn document(text: &str) -> Option<Document> {
    Document::parse(&bare(text).to_uppercase(), Letters::Accepted)
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '.' | '-' | '/' | ' ')).collect()
}

/// An amount as people write it: `R$ 1.234,50`, `1234.50`, `R$ 50`. A whole number without `R$` is
/// a record's.
fn reais(text: &str) -> Option<i64> {
    let (said, number) = match text.strip_prefix("R$") {
        Some(number) => (true, number.trim()),
        None => (false, text),
    };
    let number = match number.rsplit_once(',') {
        Some((whole, part)) => format!("{}.{part}", whole.replace('.', "")),
        None => number.to_owned(),
    };
    let (whole, part) = number.split_once('.').unwrap_or((&number, ""));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let has_part = part.len() == 2 && digits(part);
    if !digits(whole) || !(has_part || said && part.is_empty() && !number.ends_with('.')) {
        return None;
    }
    let cents = whole.parse::<i64>().ok()?.checked_mul(100)?;
    cents.checked_add(if has_part { part.parse().ok()? } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_as_people_write_it() {
        for (text, cents) in [
            ("R$ 1.234,50", 123_450),
            ("R$50", 5_000),
            ("1234.50", 123_450),
            ("0,01", 1),
            ("1.234.567,89", 123_456_789),
        ] {
            assert_eq!(reais(text), Some(cents), "{text}");
        }
        for none in [
            "50",
            "1,5",
            "1.234",
            "",
            "R$",
            "R$ ",
            ",50",
            "-1,00",
            "1,0a",
            "R$ 5.",
            "99999999999999999999,00",
        ] {
            assert_eq!(reais(none), None, "{none}");
        }
    }

    #[test]
    fn a_transaction_is_looked_for_in_every_spelling() {
        let hash = format!("0x{}", "AB".repeat(32));
        let asked = SearchText::read(&hash, &Tokens::new([7; 32]));
        for spelling in [hash.clone(), hash.to_lowercase(), "ab".repeat(32)] {
            assert!(asked.spellings.contains(&spelling), "{spelling}");
        }
    }
}
