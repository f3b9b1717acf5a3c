//! Ids: what clients, the world and the ledger call things.

use std::fmt;

use super::reading::{of_text, shown};
use super::{InvalidValue, check_text};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $what:literal, $most:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(Box<str>);

            impl $name {
                /// This id.
                ///
                /// # Errors
                ///
                /// [`InvalidValue`] when it is empty, too long, or has control characters.
                pub fn new(text: &str) -> Result<Self, InvalidValue> {
                    check_text($what, text, $most).map(Self)
                }

                /// The id as text.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            of_text! { $name, $what; }
            shown!($name);
        )*
    };
}

ids! {
    /// The id a client gave a request, at most 64 characters: asked again with it, nothing is done
    /// twice.
    ExternalId, "external id", 64;
    /// The id of a fact that the world gives none, at most 80 characters: reported again with it,
    /// nothing is booked twice.
    FactId, "fact id", 80;
    /// The name of an API account, at most 80 characters.
    AccountName, "account name", 80;
}

/// The id of an operation, as answers bear it: `po_000000000003...`.
///
/// ```
/// use custody_ledger::value::OperationId;
///
/// let payout: OperationId = "po_0000000000030123456789abcdef".try_into()?;
/// assert_eq!(payout.to_string(), "po_0000000000030123456789abcdef");
/// assert!(OperationId::new("a payout").is_err());
/// # Ok::<(), custody_ledger::value::InvalidValue>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationId(Box<str>);

impl OperationId {
    /// The id of this text. Whether the ledger gave it, the ledger says when it is used.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it can be no operation's.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        if (8..=64).contains(&text.len()) && text.contains('_') && text.bytes().all(plain) {
            Ok(Self(text.into()))
        } else {
            Err(InvalidValue::new("operation id", "not like po_ and 28 hexadecimal digits"))
        }
    }

    /// The id as text, such as `po_` and 28 hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

of_text! { OperationId, "operation id"; }
shown!(OperationId);

/// An API key: what a client proves that an account is its own with. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(Box<str>);

impl ApiKey {
    /// This key, as the header `X-API-Key` brings it; whether it opens an account, the ledger says.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it is empty, too long, or has control characters.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        check_text("API key", text, 255).map(Self)
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

of_text! { ApiKey, "API key"; }

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(***)")
    }
}
