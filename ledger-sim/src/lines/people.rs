//! Who is meant by a token: a text made up once, and found again by the token that the reader makes
//! of it.

use std::collections::BTreeMap;

use ledger_core::contract::Tokens;
use ledger_core::id::{KeyHash, Token};
use ledger_core::ledger::Ownership;
use ledger_core::money::Amount;
use ledger_core::pix::{Document, KeyType, Letters, PixKey};
use serde_json::{Value, json};

use super::{Unrepresentable, Written};
use crate::system_under_test::store::VAULT_KEY;

/// What sort of text a token stands for: the same bytes may stand for several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Document,
    Name,
    PixKey,
    Text,
    Metadata,
    Email,
    Url,
    Address,
    /// The entropy that makes a webhook's secret.
    Secret,
    /// The entropy that makes what opens a monitor.
    Monitor,
}

/// Texts by the tokens that stand for them.
pub(super) struct People {
    pub(super) tokens: Tokens,
    texts: BTreeMap<(Sort, Token), String>,
    keys: BTreeMap<KeyHash, String>,
    pub(super) codes: BTreeMap<Code, String>,
    count: u32,
}

impl People {
    pub(super) fn new() -> Self {
        let tokens = Tokens::new(VAULT_KEY);
        Self {
            tokens,
            texts: BTreeMap::new(),
            keys: BTreeMap::new(),
            codes: BTreeMap::new(),
            count: 0,
        }
    }

    /// A CPF for a document.
    pub(super) fn document(&mut self, token: Token) -> String {
        if let Some(text) = self.texts.get(&(Sort::Document, token)) {
            return text.clone();
        }
        let document = self.next_document();
        let read = self.tokens.document(&document).token;
        self.learn(Sort::Document, [token, read], document.as_str())
    }

    /// A person's name.
    pub(super) fn name(&mut self, token: Token) -> String {
        if let Some(text) = self.texts.get(&(Sort::Name, token)) {
            return text.clone();
        }
        let text = format!("Pessoa {}", self.next());
        let read = self.tokens.name(&text).token;
        self.learn(Sort::Name, [token, read], &text)
    }

    /// A person's free text.
    pub(super) fn text(&mut self, token: Token) -> String {
        if let Some(text) = self.texts.get(&(Sort::Text, token)) {
            return text.clone();
        }
        let text = format!("texto {}", self.next());
        let read = self.tokens.text(&text).token;
        self.learn(Sort::Text, [token, read], &text)
    }

    /// Metadata: some pairs, in an order and a spelling that are not those of its token.
    pub(super) fn metadata(&mut self, token: Token) -> Value {
        let known = self.texts.get(&(Sort::Metadata, token)).cloned();
        let number = known.unwrap_or_else(|| {
            let number = self.next().to_string();
            let text = format!(r#"{{"nota":"dado {number}","parcela":{number},"urgente":true}}"#);
            let read = self.tokens.text(&text).token;
            self.learn(Sort::Metadata, [token, read], &number)
        });
        let parcel: f64 = number.parse().expect("it is a number of few digits");
        json!({ "urgente": true, "parcela": parcel, "nota": format!("dado {number}") })
    }

    /// A PIX key of an owner, with its type: the owner's own document, another's, or no document.
    pub(super) fn pix_key(
        &mut self,
        token: Token,
        owner: &str,
        ownership: Ownership,
    ) -> Written<(String, &'static str)> {
        let known = self.texts.get(&(Sort::PixKey, token)).cloned();
        let text = match (ownership, known) {
            (_, Some(known)) => known,
            (Ownership::Proven, None) => owner.to_owned(),
            (Ownership::Refuted, None) => self.next_document().as_str().to_owned(),
            (Ownership::Unknown, None) => format!("chave{}@example.com", self.next()),
        };
        let (means, kind) = match Document::parse(&text, Letters::Refused) {
            Some(document) if document.as_str() == owner => (Ownership::Proven, KeyType::Cpf),
            Some(_) => (Ownership::Refuted, KeyType::Cpf),
            None => (Ownership::Unknown, KeyType::Email),
        };
        if means != ownership {
            return Err(Unrepresentable("a PIX key that is once a document and once none"));
        }
        let key = PixKey::parse(&text, Some(kind), Letters::Refused);
        let key = key.map_err(|_| Unrepresentable("a PIX key that is none"))?;
        let read = self.tokens.pix_key(&key).token;
        Ok((self.learn(Sort::PixKey, [token, read], &text), kind.name()))
    }

    /// A PIX key of whomever, with its type.
    pub(super) fn any_key(&mut self, token: Token) -> Written<(String, &'static str)> {
        let known = self.texts.get(&(Sort::PixKey, token));
        let ownership = match known.map(|text| Document::parse(text, Letters::Refused).is_some()) {
            Some(true) => Ownership::Refuted,
            Some(false) | None => Ownership::Unknown,
        };
        self.pix_key(token, "", ownership)
    }

    /// An API key.
    pub(super) fn key(&mut self, hash: KeyHash) -> String {
        if let Some(key) = self.keys.get(&hash) {
            return key.clone();
        }
        // As entropy makes it, for a key that is asked for or rotated is made of nothing else.
        let key = format!("svc_live_{:048x}", self.next());
        self.keys.insert(hash, key.clone());
        self.keys.insert(self.tokens.api_key(&key), key.clone());
        key
    }

    /// The token that the reader makes of the key that a token stands for.
    pub(super) fn read_key(&self, token: Token) -> Option<Token> {
        let text = self.find_text(Sort::PixKey, token)?;
        let document = Document::parse(text, Letters::Refused).is_some();
        let kind = if document { KeyType::Cpf } else { KeyType::Email };
        let key = PixKey::parse(text, Some(kind), Letters::Refused).ok()?;
        Some(self.tokens.pix_key(&key).token)
    }

    pub(super) fn find_text(&self, sort: Sort, token: Token) -> Option<&String> {
        self.texts.get(&(sort, token))
    }

    pub(super) fn learn(&mut self, sort: Sort, tokens: [Token; 2], text: &str) -> String {
        for token in tokens {
            self.texts.insert((sort, token), text.to_owned());
        }
        text.to_owned()
    }

    pub(super) fn next(&mut self) -> u32 {
        self.count += 1;
        self.count
    }

    fn next_document(&mut self) -> Document {
        let root = 100_000_000 + self.next();
        let all = (0..100).map(|check| format!("{root}{check:02}"));
        let sound = all.into_iter().find_map(|text| Document::parse(&text, Letters::Refused));
        sound.expect("some two digits are the check digits of any nine")
    }
}

/// What a code says: its token, how much, the key, the merchant.
pub(crate) type Code = (Token, Option<Amount>, Option<Token>, Option<Token>);
