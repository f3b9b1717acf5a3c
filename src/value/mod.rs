//! Values that cannot be wrong: each is checked when it is made, and none is checked again.

mod decision;
mod ids;
mod party;
mod pix;
mod text;
mod wire;

pub use decision::DecidedBy;
pub use ids::{AccountName, ApiKey, ExternalId, FactId, OperationId};
pub use ledger_core::money::{Amount, Bps, Cents};
pub use ledger_core::pix::KeyType;
pub use ledger_core::time::{Instant, Span};
pub use party::{CustomerRef, Party};
pub use pix::{Document, EndToEndId, PixKey};
pub use rust_decimal::Decimal;
pub use text::Text;
pub(crate) use wire::{Body, Wire};

/// A text that is not what it should be: what was expected, and never the text itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {why}")]
pub struct InvalidValue {
    /// What it was to be.
    what: &'static str,
    /// Why it is none.
    why: String,
}

impl InvalidValue {
    fn new(what: &'static str, why: impl Into<String>) -> Self {
        Self { what, why: why.into() }
    }
}

/// The text, if it has 1 to `most` characters and no control character: what the contract takes of
/// any text.
fn checked(what: &'static str, text: &str, most: usize) -> Result<Box<str>, InvalidValue> {
    let wrong = |why: String| Err(InvalidValue::new(what, why));
    match text.chars().count() {
        0 => wrong("must not be empty".into()),
        count if count > most => wrong(format!("must have at most {most} characters")),
        _ if text.chars().any(char::is_control) => {
            wrong("must not contain control characters".into())
        }
        _ => Ok(text.into()),
    }
}
