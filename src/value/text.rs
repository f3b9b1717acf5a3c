//! Text within bounds.

use std::fmt;

use super::reading::of_text;
use super::{InvalidValue, check_text};

/// Text of 1 to `MOST` characters, none of which is a control character.
///
/// ```
/// use custody_ledger::value::Text;
///
/// assert_eq!(Text::<5>::new("chave").unwrap().as_str(), "chave");
/// assert!(Text::<5>::new("chaves").is_err() && Text::<5>::new("").is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const MOST: usize>(Box<str>);

impl<const MOST: usize> Text<MOST> {
    /// This text.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it is empty, too long, or has control characters.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        Self::of_field("text", text)
    }

    /// The text of this field.
    pub(super) fn of_field(field: &'static str, text: &str) -> Result<Self, InvalidValue> {
        check_text(field, text, MOST).map(Self)
    }

    /// Returns what it says.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

of_text! { Text<const MOST: usize>, "text"; }

/// It may be of a person: how long it is, and not what it says.
impl<const MOST: usize> fmt::Debug for Text<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} characters)", self.0.chars().count())
    }
}
