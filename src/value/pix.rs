//! What PIX names things by: documents, keys, and ids from end to end.

use ledger_core::pix::{self, KeyError, KeyType, Letters};

use super::InvalidValue;
use super::reading::{of_text, shown};

/// A CPF of 11 digits or a CNPJ of 14, whose check digits are right. `Debug` does not show it.
///
/// ```
/// use custody_ledger::value::Document;
///
/// assert!(Document::new("52998224725").is_ok());
/// assert!(Document::new("52998224726").is_err()); // A wrong check digit.
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Document(pix::Document);

impl Document {
    /// The document of these characters, without points or dashes.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it is neither a CPF nor a CNPJ.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        let known = pix::Document::parse(text, Letters::Accepted);
        known.map(Self).ok_or_else(|| InvalidValue::new("document", no_document(text)))
    }

    /// Its characters, without points or dashes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// Why a text is no document.
fn no_document(text: &str) -> String {
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric());
    match text.chars().count() {
        11 if plain => "the check digits of this CPF are wrong".to_owned(),
        14 if plain => "the check digits of this CNPJ are wrong".to_owned(),
        _ if !plain => "only digits, and letters in a CNPJ: no points or dashes".to_owned(),
        count => format!("{count} characters; a CPF has 11 digits, a CNPJ has 14"),
    }
}

/// A PIX key: a CPF, a CNPJ, a phone, an e-mail address, or a random one. `Debug` does not show it.
///
/// ```
/// use custody_ledger::value::PixKey;
///
/// use custody_ledger::value::KeyType;
///
/// assert!(PixKey::new("ana@example.com").is_ok());
/// assert!(PixKey::new("ana").is_err());
/// // Eleven digits are a CPF or a phone: whoever asked for the key knows which.
/// assert!(PixKey::new("52998224725").is_err());
/// assert!(PixKey::of_kind("52998224725", KeyType::Cpf).is_ok());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PixKey(pix::PixKey);

impl PixKey {
    /// The key of this text, of the kind that its form tells.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it is of no kind, or might be of two: [`PixKey::of_kind`] says which.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        Self::parse(text, None)
    }

    /// The key of this text, of this kind.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it is none of that kind.
    pub fn of_kind(text: &str, kind: KeyType) -> Result<Self, InvalidValue> {
        Self::parse(text, Some(kind))
    }

    fn parse(text: &str, kind: Option<KeyType>) -> Result<Self, InvalidValue> {
        let key = pix::PixKey::parse(text, kind, Letters::Accepted).map_err(|error| match error {
            KeyError::Ambiguous => "a CPF or a phone: PixKey::of_kind says which",
            KeyError::Invalid if text.starts_with("+55") => {
                "no phone of Brazil: +55, an area code, and 8 or 9 digits"
            }
            KeyError::Invalid if kind.is_some() => {
                "none of that kind: a CPF and a CNPJ are digits alone, with their check digits"
            }
            KeyError::Invalid => "no CPF, CNPJ, phone, e-mail address or random key",
        });
        key.map(Self).map_err(|why| InvalidValue::new("PIX key", why))
    }

    /// Its text, in the form that the central bank keeps.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Which kind it is of.
    #[must_use]
    pub const fn kind(&self) -> KeyType {
        self.0.kind()
    }
}

/// The end-to-end id of a PIX, or of its return: 32 characters, `E` or `D` first.
///
/// ```
/// use custody_ledger::value::EndToEndId;
///
/// assert!(EndToEndId::new("E9040088820261120120300123873170").is_ok());
/// assert!(EndToEndId::new("E90400888").is_err());
/// assert!(EndToEndId::new("X9040088820261120120300123873170").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndToEndId(Box<str>);

impl EndToEndId {
    /// The id of this text.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it is none.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        let known = pix::EndToEnd::parse(text).filter(|id| id.as_str().starts_with(['E', 'D']));
        let why = "not 32 letters and digits of which the first is E, or D of a return";
        known
            .map(|id| Self(id.as_str().into()))
            .ok_or_else(|| InvalidValue::new("end-to-end id", why))
    }

    /// Its 32 letters and digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

of_text! {
    Document, "document";
    PixKey, "PIX key";
    EndToEndId, "end-to-end id";
}
shown!(EndToEndId);

macro_rules! hidden {
    ($($name:ident),*) => {
        $(
            /// It is of a person.
            impl std::fmt::Debug for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(concat!(stringify!($name), "(***)"))
                }
            }
        )*
    };
}

hidden!(Document, PixKey);
