//! Values that cannot be wrong: each is checked when it is made, and none is checked again.

mod decision;
mod ids;
mod metadata;
mod money;
mod page;
mod party;
mod pix;
mod reading;
mod text;

pub use decision::DecidedBy;
pub use ids::{AccountName, ApiKey, ExternalId, FactId, OperationId};
pub use ledger_core::pix::KeyType;
pub use ledger_core::time::{Instant, Span};
pub use metadata::{Metadata, Scalar};
pub use money::{Amount, Balance, Bps, Cents};
pub use page::PageSize;
pub use party::{CustomerRef, Party};
pub use pix::{Document, EndToEndId, PixKey};
pub use rust_decimal::Decimal;
pub use text::Text;

/// A value that is not what it should be: which value it was to be, and what is wrong with it. It
/// never repeats the text, which may be of a person.
///
/// ```
/// use custody_ledger::value::{CustomerRef, Document};
///
/// let long = CustomerRef::new(&"a".repeat(81)).unwrap_err();
/// assert_eq!(long.to_string(), "customer reference: 81 characters, at most 80");
/// assert_eq!(long.what(), "customer reference");
/// let typo = Document::new("52998224726").unwrap_err();
/// assert_eq!(typo.to_string(), "document: the check digits of this CPF are wrong");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {why}")]
pub struct InvalidValue {
    what: &'static str,
    why: String,
}

impl InvalidValue {
    pub(crate) fn new(what: &'static str, why: impl Into<String>) -> Self {
        Self { what, why: why.into() }
    }

    /// Which value or field is wrong: `customer reference`, `amount`, `actor`.
    #[must_use]
    pub const fn what(&self) -> &'static str {
        self.what
    }

    /// Returns what is wrong with it.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }
}

/// The text, if it has 1 to `most` characters and no control character: what the contract takes of
/// any text.
fn check_text(what: &'static str, text: &str, most: usize) -> Result<Box<str>, InvalidValue> {
    let wrong = |why: String| Err(InvalidValue::new(what, why));
    match text.chars().count() {
        0 => wrong("empty".into()),
        count if count > most => wrong(format!("{count} characters, at most {most}")),
        _ => match text.chars().position(char::is_control) {
            Some(place) => wrong(format!("character {} is a control character", place + 1)),
            None => Ok(text.into()),
        },
    }
}
