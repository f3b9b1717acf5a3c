//! PIX keys: deduced or declared type, canonical form, mask.

use std::fmt;

use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::document::{Document, Letters};

/// What kind of key it is.
///
/// With serde it is its [name](KeyType::name).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
)]
#[cbor(index_only)]
#[serde(rename_all = "lowercase")]
pub enum KeyType {
    /// A person's tax number.
    #[n(0)]
    Cpf,
    /// A company's tax number.
    #[n(1)]
    Cnpj,
    /// A phone number with its country.
    #[n(2)]
    Phone,
    /// An e-mail address.
    #[n(3)]
    Email,
    /// A random UUID.
    #[n(4)]
    Random,
}

/// A PIX key in canonical form. Its `Debug` shows the mask only (AUTH-11).
///
/// ```
/// use ledger_core::pix::{KeyError, KeyType, Letters, PixKey};
///
/// let key = PixKey::parse("Ana@Exemplo.com.br", None, Letters::Accepted)?;
/// assert_eq!((key.kind(), key.as_str()), (KeyType::Email, "ana@exemplo.com.br"));
///
/// // Eleven bare digits may be a CPF or a phone: whoever asks says which.
/// let bare = "11987654321";
/// assert_eq!(PixKey::parse(bare, None, Letters::Accepted), Err(KeyError::Ambiguous));
/// let phone = PixKey::parse(bare, Some(KeyType::Phone), Letters::Accepted)?;
/// assert_eq!(phone.as_str(), "+5511987654321");
/// # Ok::<(), KeyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PixKey {
    kind: KeyType,
    text: Box<str>,
}

/// Why text is no PIX key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    /// Eleven bare digits are a CPF or a phone: the type must be said.
    #[error("eleven bare digits are a CPF or a phone: say which")]
    Ambiguous,
    /// Not valid for its type, or of no type at all.
    #[error("not a valid PIX key")]
    Invalid,
}

impl KeyType {
    /// Reads the contract's name of the type.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "cpf" => Some(Self::Cpf),
            "cnpj" => Some(Self::Cnpj),
            "phone" => Some(Self::Phone),
            "email" => Some(Self::Email),
            "random" => Some(Self::Random),
            _ => None,
        }
    }

    /// The contract's name of the type.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpf => "cpf",
            Self::Cnpj => "cnpj",
            Self::Phone => "phone",
            Self::Email => "email",
            Self::Random => "random",
        }
    }
}

impl PixKey {
    /// Reads a key; a declared type wins and is then checked.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when the type cannot be deduced or the key is not valid for it.
    pub fn parse(
        text: &str,
        declared: Option<KeyType>,
        letters: Letters,
    ) -> Result<Self, KeyError> {
        let kind = match declared {
            Some(kind) => kind,
            None => deduce(text, letters)?,
        };
        let canonical = match kind {
            KeyType::Cpf | KeyType::Cnpj => {
                let length = if kind == KeyType::Cpf { 11 } else { 14 };
                let document = Document::parse(text, letters).filter(|_| text.len() == length);
                document.map(|_| text.to_owned())
            }
            KeyType::Phone => phone(text),
            KeyType::Email => email(text),
            KeyType::Random => uuid(text),
        };
        let text = canonical.ok_or(KeyError::Invalid)?;
        Ok(Self { kind, text: text.into() })
    }

    /// Reads a key back from its canonical text, which leaves nothing ambiguous.
    #[must_use]
    pub fn from_canonical(text: &str) -> Option<Self> {
        let kind = match deduce(text, Letters::Accepted) {
            Err(KeyError::Ambiguous) => KeyType::Cpf,
            deduced => deduced.ok()?,
        };
        let key = Self::parse(text, Some(kind), Letters::Accepted).ok()?;
        (key.as_str() == text).then_some(key)
    }

    /// Returns what kind of key it is.
    #[must_use]
    pub const fn kind(&self) -> KeyType {
        self.kind
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The tax number the key is, when it is one.
    #[must_use]
    pub fn document(&self) -> Option<&str> {
        matches!(self.kind, KeyType::Cpf | KeyType::Cnpj).then_some(&*self.text)
    }

    /// The key with enough hidden that it cannot be restored.
    #[must_use]
    pub fn mask(&self) -> String {
        let t = &self.text;
        match self.kind {
            KeyType::Cpf | KeyType::Cnpj => Document::parse(t, Letters::Accepted)
                .map_or_else(|| "***".to_owned(), |document| document.mask()),
            KeyType::Phone => format!("{}*****{}", &t[..3], &t[t.len() - 2..]),
            KeyType::Email => {
                let (user, domain) = t.split_once('@').unwrap_or(("", t));
                let first = user.chars().next().unwrap_or('*');
                format!("{first}***@{domain}")
            }
            KeyType::Random => format!("{}-****-****-****-********{}", &t[..4], &t[t.len() - 4..]),
        }
    }
}

fn deduce(text: &str, letters: Letters) -> Result<KeyType, KeyError> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    if text.contains('@') {
        Ok(KeyType::Email)
    } else if text.starts_with('+') {
        Ok(KeyType::Phone)
    } else if uuid(text).is_some() {
        Ok(KeyType::Random)
    } else if text.len() == 14 && Document::parse(text, letters).is_some() {
        Ok(KeyType::Cnpj)
    } else if digits && text.len() == 11 {
        Err(KeyError::Ambiguous)
    } else {
        Err(KeyError::Invalid)
    }
}

/// `+` and E.164; for Brazil `+55`, area code, and eight or nine digits. A number without a
/// country, which only a declared type makes one, is of Brazil.
fn phone(text: &str) -> Option<String> {
    let canonical = if text.starts_with('+') { text.to_owned() } else { format!("+55{text}") };
    let digits = &canonical[1..];
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    let length = match digits.strip_prefix("55") {
        Some(national) => (10..=11).contains(&national.len()) && !national.starts_with('0'),
        None => (8..=15).contains(&digits.len()),
    };
    (plain && length).then_some(canonical)
}

/// By the pattern that DICT publishes: at most 77 characters, and a domain of labels.
fn email(text: &str) -> Option<String> {
    let (user, domain) = text.split_once('@')?;
    let local = |b: u8| b.is_ascii_alphanumeric() || b".!#$&'*+/=?^_`{|}~-".contains(&b);
    let shaped = !user.is_empty() && user.bytes().all(local);
    let domain = domain.contains('.') && domain.split('.').all(is_label);
    (text.len() <= 77 && shaped && domain).then(|| text.to_ascii_lowercase())
}

/// Letters, digits and inner hyphens, at most 63 of them.
fn is_label(label: &str) -> bool {
    let plain = label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let inner = !label.starts_with('-') && !label.ends_with('-');
    plain && inner && (1..=63).contains(&label.len())
}

fn uuid(text: &str) -> Option<String> {
    let groups: Vec<&str> = text.split('-').collect();
    let shaped = groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12]);
    let hex = groups.iter().all(|group| group.bytes().all(|b| b.is_ascii_hexdigit()));
    (shaped && hex).then(|| text.to_ascii_lowercase())
}

impl fmt::Debug for PixKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PixKey({})", self.mask())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(KeyType, String), KeyError> {
        PixKey::parse(text, None, Letters::Accepted).map(|key| (key.kind, key.text.into()))
    }

    #[test]
    fn the_type_is_deduced_and_the_text_made_canonical() {
        let uuid = "123E4567-e12b-12d1-a456-426655440000";
        let cases = [
            ("Ana@Exemplo.com.br", KeyType::Email, "ana@exemplo.com.br"),
            ("+5511987654321", KeyType::Phone, "+5511987654321"),
            (uuid, KeyType::Random, "123e4567-e12b-12d1-a456-426655440000"),
            ("11222333000181", KeyType::Cnpj, "11222333000181"),
        ];
        for (text, kind, canonical) in cases {
            assert_eq!(read(text), Ok((kind, canonical.to_owned())));
        }
    }

    #[test]
    fn eleven_bare_digits_are_ambiguous_and_a_declared_type_wins() {
        assert_eq!(read("52998224725"), Err(KeyError::Ambiguous));
        let cpf = PixKey::parse("52998224725", Some(KeyType::Cpf), Letters::Accepted).unwrap();
        assert_eq!(cpf.document(), Some("52998224725"));
        let phone = PixKey::parse("52998224725", Some(KeyType::Phone), Letters::Accepted).unwrap();
        assert_eq!((phone.as_str(), phone.document()), ("+5552998224725", None));
    }

    #[test]
    fn a_phone_without_its_country_is_of_brazil_where_the_type_is_declared() {
        let read = |text: &str| PixKey::parse(text, Some(KeyType::Phone), Letters::Accepted);
        let written = PixKey::parse("+5511987654321", None, Letters::Accepted);
        assert_eq!(read("11987654321"), written);
        assert_eq!(read("1133334444").unwrap().as_str(), "+551133334444");
        for text in ["", "119876543", "5511987654321", "01987654321", "1198765432x", "é987654321"]
        {
            assert_eq!(read(text), Err(KeyError::Invalid), "{text}");
        }
        assert_eq!(self::read("1133334444"), Err(KeyError::Invalid), "undeclared it is nothing");
    }

    #[test]
    fn an_email_key_has_the_grammar_of_dict() {
        let longest = format!("{}@x.com.br", "a".repeat(68));
        let label = format!("a@{}.br", "b".repeat(63));
        for text in [
            "ana@exemplo.com.br",
            "a.!#$&'*+/=?^_`{|}~-9@x-1.br",
            ".ana..lopes.@exemplo.com",
            "ana@a.b-c.d",
            &longest,
            &label,
        ] {
            assert_eq!(read(text), Ok((KeyType::Email, text.to_owned())));
        }
        let (longer, label) = (format!("a{longest}"), format!("a@{}.br", "b".repeat(64)));
        for text in [
            "\"ana\"@exemplo.com",
            "ana,bia@exemplo.com",
            "<ana@exemplo.com>",
            "mailto:ana@exemplo.com",
            "ana%b@exemplo.com",
            "ana(b)@exemplo.com",
            "ana@exemplo..com",
            "ana@.exemplo.com",
            "ana@exemplo.com.",
            "ana@-exemplo.com",
            "ana@exemplo-.com",
            "ana@exem_plo.com",
            "ana@exemplo.com/",
            "ana @exemplo.com",
            "an\u{e3}@exemplo.com",
            "ana@exempl\u{f3}.com",
            &longer,
            &label,
        ] {
            assert_eq!(read(text), Err(KeyError::Invalid), "{text}");
        }
    }

    #[test]
    fn malformed_keys_are_refused() {
        for text in
            ["", "ana", "a@b", "@x.com", "a@x@y.com", "+55119", "+0123456789", "11222333000182"]
        {
            assert_eq!(read(text), Err(KeyError::Invalid), "{text}");
        }
    }

    #[test]
    fn with_serde_a_type_is_its_name() {
        use KeyType::{Cnpj, Cpf, Email, Phone, Random};

        for kind in [Cpf, Cnpj, Phone, Email, Random] {
            let name = serde_json::Value::from(kind.name());
            assert_eq!(serde_json::to_value(kind).unwrap(), name);
            assert_eq!(serde_json::from_value::<KeyType>(name).unwrap(), kind);
        }
    }

    #[test]
    fn no_mask_holds_the_whole_key() {
        for text in ["ana@exemplo.com.br", "+5511987654321", "123e4567-e12b-12d1-a456-426655440000"]
        {
            let key = PixKey::parse(text, None, Letters::Accepted).unwrap();
            assert!(!format!("{key:?}").contains(text));
        }
    }
}
