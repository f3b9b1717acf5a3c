//! Personal data at the door: every value becomes a keyed token, and goes to the vault (rulings
//! 11).

use core::net::IpAddr;

use thiserror::Error;

use super::secret::Secret;
use crate::id::{KeyHash, Token};
use crate::pix::{Document, Letters, PixKey};

/// The mask of a value of which nothing may be shown.
const HIDDEN: &str = "***";

/// What sort of personal value a token stands for; the numbers are stored for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A CPF (11 characters) or CNPJ (14), without punctuation.
    Document = 1,
    /// The name of a person or company, as it came.
    Name = 2,
    /// A PIX key: a document, a phone number, an e-mail address or a random key.
    PixKey = 3,
    /// Free text: a description, a reason, a reference.
    Text = 4,
    /// An e-mail address that registered a key.
    Email = 30,
    /// A credential that must be shown or used again: a webhook's secret, a monitor's token.
    Credential = 31,
}

/// Why a kept value is not the one its token stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unproved {
    /// Its kind is none of [`Sort`].
    #[error("its kind is {0}, which this version of the ledger does not know")]
    Kind(u8),
    /// Kind and value, hashed under the vault's key, are not the token.
    #[error("its value is not the one the token was derived from, or the vault's key was changed")]
    Value,
    /// The mask is not that of the value.
    #[error("its mask is not the mask of its value")]
    Mask,
}

/// A personal value with its token, on its way to the vault.
#[derive(Clone, PartialEq, Eq)]
pub struct Personal {
    /// What stands for it in the journal.
    pub token: Token,
    /// The sort under which its token was derived.
    pub sort: Sort,
    /// The value in clear, which stands in the vault alone.
    pub value: Box<str>,
    /// What may be shown of it.
    pub mask: Box<str>,
}

/// Where personal values are kept; the store's vault is one.
pub trait Vault: 'static {
    /// The value behind a token; none when erased or unknown.
    fn value(&self, token: Token) -> Option<&str>;
    /// What may be shown of it; none when erased or unknown.
    fn mask(&self, token: Token) -> Option<&str>;
    /// Keeps a value that an accepted command brought.
    fn learn(&mut self, personal: Personal);
}

/// Derives tokens and hashes under the vault's key. Its `Debug` shows nothing of the key.
///
/// ```
/// use ledger_core::contract::{Tokens, Unproved};
///
/// let tokens = Tokens::new([7; 32]);
/// let ana = tokens.name("Ana");
/// assert_ne!(ana.token, Tokens::new([8; 32]).name("Ana").token); // Meaningless without the key.
///
/// // A vault's row that was changed no longer proves its token.
/// let sort = ana.sort as u8;
/// assert_eq!(tokens.prove(ana.token, sort, "Ana", &ana.mask), Ok(()));
/// assert_eq!(tokens.prove(ana.token, sort, "Bia", &ana.mask), Err(Unproved::Value));
/// ```
#[derive(Clone, Copy)]
pub struct Tokens {
    key: [u8; 32],
}

impl Tokens {
    /// Tokens under this vault key.
    #[must_use]
    pub const fn new(vault_key: [u8; 32]) -> Self {
        Self { key: vault_key }
    }

    /// A document with its token.
    #[must_use]
    pub fn document(&self, document: &Document) -> Personal {
        self.personal(Sort::Document, document.as_str(), document.mask())
    }

    /// A document of which its bank shows only a part: that part is its mask.
    #[must_use]
    pub fn masked_document(&self, text: &str) -> Personal {
        self.personal(Sort::Document, text, text.into())
    }

    /// A PIX key with its token, of its canonical form (IDEM-11).
    #[must_use]
    pub fn pix_key(&self, key: &PixKey) -> Personal {
        self.personal(Sort::PixKey, key.as_str(), key.mask())
    }

    /// A name with its token.
    #[must_use]
    pub fn name(&self, name: &str) -> Personal {
        self.personal(Sort::Name, name, HIDDEN.to_owned())
    }

    /// Free text with its token.
    #[must_use]
    pub fn text(&self, text: &str) -> Personal {
        self.personal(Sort::Text, text, HIDDEN.to_owned())
    }

    /// A registered e-mail with its token, the same however it is capitalised.
    #[must_use]
    pub fn email(&self, email: &str) -> Personal {
        let email = email.to_ascii_lowercase();
        self.personal(Sort::Email, &email, email_mask(&email))
    }

    /// A credential with the token that stands for it and authenticates it.
    #[must_use]
    pub fn credential(&self, secret: &Secret) -> Personal {
        self.personal(Sort::Credential, secret.expose(), HIDDEN.to_owned())
    }

    /// Proves a row of the vault: token and mask are functions of kind, value and key.
    ///
    /// # Errors
    ///
    /// [`Unproved`] when the row was changed, or derived under another key.
    pub fn prove(&self, token: Token, kind: u8, value: &str, mask: &str) -> Result<(), Unproved> {
        let sort = Sort::ALL.into_iter().find(|sort| *sort as u8 == kind);
        let sort = sort.ok_or(Unproved::Kind(kind))?;
        if self.token(sort, value) != token {
            return Err(Unproved::Value);
        }
        match sort.mask(value) {
            Some(known) if known == mask => Ok(()),
            _ => Err(Unproved::Mask),
        }
    }

    /// What stands for a caller's address, which is kept nowhere: of IPv6 its network of 64 bits,
    /// which one subscriber has to himself.
    #[must_use]
    pub fn address(&self, address: IpAddr) -> Token {
        let hash = match address.to_canonical() {
            IpAddr::V4(address) => self.hash(b'4', &address.octets()),
            IpAddr::V6(address) => self.hash(b'6', &address.octets()[..8]),
        };
        Token(std::array::from_fn(|i| hash[i]))
    }

    /// The hash of an API key (AUTH-02): keyed, so that a guess needs the vault.
    #[must_use]
    pub fn api_key(&self, key: &str) -> KeyHash {
        KeyHash(self.hash(b'k', key.as_bytes()))
    }

    /// The hash of a line's text, for resuming (rulings 5).
    #[must_use]
    pub fn line(&self, text: &str) -> u64 {
        crate::id::first_eight(&self.hash(b'l', text.as_bytes()))
    }

    /// What makes an address of this ledger one that nobody guesses: 128 bits, keyed, of what the
    /// address is for.
    #[must_use]
    pub fn link(&self, text: &str) -> u128 {
        let hash = self.hash(b'u', text.as_bytes());
        u128::from_be_bytes(std::array::from_fn(|i| hash[i]))
    }

    fn personal(&self, sort: Sort, value: &str, mask: String) -> Personal {
        Personal { token: self.token(sort, value), sort, value: value.into(), mask: mask.into() }
    }

    /// A value as it is kept, with its token; none where it is no value of this sort.
    #[must_use]
    pub fn personal_value(&self, sort: Sort, value: &str) -> Option<Personal> {
        Some(self.personal(sort, value, sort.mask(value)?))
    }

    /// The token of a value as it is kept: of a document or a key, in its canonical form.
    #[must_use]
    pub fn token(&self, sort: Sort, value: &str) -> Token {
        let hash = self.hash(sort as u8, value.as_bytes());
        Token(std::array::from_fn(|i| hash[i]))
    }

    fn hash(&self, domain: u8, value: &[u8]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&[domain]);
        hasher.update(value);
        *hasher.finalize().as_bytes()
    }
}

impl Sort {
    /// Every sort, for the reading of stored numbers.
    pub const ALL: [Self; 6] =
        [Self::Document, Self::Name, Self::PixKey, Self::Text, Self::Email, Self::Credential];

    /// What may be shown of a value as it is kept; none where it is no value of this sort.
    fn mask(self, value: &str) -> Option<String> {
        match self {
            Self::Document => match Document::parse(value, Letters::Accepted) {
                Some(whole) => Some(whole.mask()),
                // What a bank showed of one hides something, and is its own mask.
                None => value.contains('*').then(|| value.to_owned()),
            },
            Self::PixKey => Some(PixKey::from_canonical(value)?.mask()),
            Self::Email => Some(email_mask(value)),
            Self::Name | Self::Text | Self::Credential => Some(HIDDEN.to_owned()),
        }
    }
}

fn email_mask(email: &str) -> String {
    let (name, domain) = email.split_once('@').unwrap_or((email, ""));
    format!("{}***@{domain}", name.chars().next().unwrap_or('*'))
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tokens(..)")
    }
}

/// Shows the mask only (AUTH-11).
impl std::fmt::Debug for Personal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Personal({:?}, {})", self.sort, self.mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pix::KeyType;

    fn one_of_each(tokens: &Tokens) -> Vec<Personal> {
        let cpf = Document::parse("52998224725", Letters::Accepted).unwrap();
        let cnpj = Document::parse("12ABC34501DE35", Letters::Accepted).unwrap();
        let keys = [
            ("52998224725", Some(KeyType::Cpf)),
            ("11222333000181", None),
            ("11987654321", Some(KeyType::Phone)),
            ("Ana@Exemplo.com.br", None),
            ("123E4567-e12b-12d1-a456-426655440000", None),
        ];
        let keys = keys.map(|(text, kind)| PixKey::parse(text, kind, Letters::Accepted).unwrap());
        let mut all: Vec<_> = keys.iter().map(|key| tokens.pix_key(key)).collect();
        all.extend([cpf, cnpj].map(|document| tokens.document(&document)));
        all.extend([tokens.name("Ana"), tokens.text("rent"), tokens.email("Bia@loja.example")]);
        all.push(tokens.credential(&Secret::new("whsec_1")));
        all
    }

    fn check_proof(tokens: &Tokens, kept: &Personal) -> Result<(), Unproved> {
        tokens.prove(kept.token, kept.sort as u8, &kept.value, &kept.mask)
    }

    #[test]
    fn a_value_proves_its_token_and_mask_and_no_other_does() {
        let tokens = Tokens::new([7; 32]);
        let all = one_of_each(&tokens);
        for sort in Sort::ALL {
            assert!(all.iter().any(|kept| kept.sort == sort), "{sort:?} has a sample");
        }
        for kept in &all {
            assert_eq!(check_proof(&tokens, kept), Ok(()), "{kept:?}");
            let other = Personal { value: format!("{}x", kept.value).into(), ..kept.clone() };
            assert_eq!(check_proof(&tokens, &other), Err(Unproved::Value), "{kept:?}");
            let other = Personal { mask: format!("{}x", kept.mask).into(), ..kept.clone() };
            assert_eq!(check_proof(&tokens, &other), Err(Unproved::Mask), "{kept:?}");
            assert_eq!(check_proof(&Tokens::new([8; 32]), kept), Err(Unproved::Value), "{kept:?}");
            for sort in Sort::ALL.into_iter().filter(|sort| *sort != kept.sort) {
                let other = Personal { sort, ..kept.clone() };
                assert_eq!(check_proof(&tokens, &other), Err(Unproved::Value), "{kept:?}");
            }
            let unknown = tokens.prove(kept.token, 200, &kept.value, &kept.mask);
            assert_eq!(unknown, Err(Unproved::Kind(200)));
        }
    }
}
