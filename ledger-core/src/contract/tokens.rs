//! Personal data at the door: every value becomes a keyed token, and goes to the vault (rulings 11).

use core::net::IpAddr;

use super::secret::Secret;
use crate::id::{KeyHash, Token};
use crate::pix::{Document, PixKey};

/// What sort of personal value a token stands for; the numbers are stored for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A CPF or CNPJ.
    Document = 1,
    /// A person's name.
    Name = 2,
    /// A PIX key.
    PixKey = 3,
    /// Free text: a description, a reason, a reference.
    Text = 4,
    /// An e-mail address that registered a key.
    Email = 30,
    /// A credential that must be shown or used again: a webhook's secret, a monitor's token.
    Credential = 31,
}

/// A personal value with its token, on its way to the vault.
#[derive(Clone, PartialEq, Eq)]
pub struct Personal {
    /// What stands for it in the journal.
    pub token: Token,
    /// What sort it is.
    pub sort: Sort,
    /// The value.
    pub value: Box<str>,
    /// What may be shown of it.
    pub mask: Box<str>,
}

/// Where personal values are kept; the store's vault is one.
pub trait Vault {
    /// The value behind a token; none when erased or unknown.
    fn value(&self, token: Token) -> Option<&str>;
    /// What may be shown of it; none when erased or unknown.
    fn mask(&self, token: Token) -> Option<&str>;
    /// Keeps a value that an accepted command brought.
    fn learn(&mut self, personal: Personal);
}

/// Derives tokens and hashes under the vault's key. Its `Debug` shows nothing of the key.
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
        self.personal(Sort::Document, document.as_str(), &document.mask())
    }

    /// A PIX key with its token, of its canonical form (IDEM-11).
    #[must_use]
    pub fn pix_key(&self, key: &PixKey) -> Personal {
        self.personal(Sort::PixKey, key.as_str(), &key.mask())
    }

    /// A name with its token.
    #[must_use]
    pub fn name(&self, name: &str) -> Personal {
        self.personal(Sort::Name, name, "***")
    }

    /// Free text with its token.
    #[must_use]
    pub fn text(&self, text: &str) -> Personal {
        self.personal(Sort::Text, text, "***")
    }

    /// A registered e-mail with its token, the same however it is capitalised.
    #[must_use]
    pub fn email(&self, email: &str) -> Personal {
        let email = email.to_ascii_lowercase();
        let (name, domain) = email.split_once('@').unwrap_or((&email, ""));
        let mask = format!("{}***@{domain}", name.chars().next().unwrap_or('*'));
        self.personal(Sort::Email, &email, &mask)
    }

    /// A credential with the token that stands for it and authenticates it.
    #[must_use]
    pub fn credential(&self, secret: &Secret) -> Personal {
        self.personal(Sort::Credential, secret.expose(), "***")
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

    fn personal(&self, sort: Sort, value: &str, mask: &str) -> Personal {
        let hash = self.hash(sort as u8, value.as_bytes());
        let token = Token(std::array::from_fn(|i| hash[i]));
        Personal { token, sort, value: value.into(), mask: mask.into() }
    }

    fn hash(&self, domain: u8, value: &[u8]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&[domain]);
        hasher.update(value);
        *hasher.finalize().as_bytes()
    }
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
