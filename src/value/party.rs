//! Whose money: the house's, or a customer's.

use std::fmt;

use super::reading::{of_text, shown};
use super::{InvalidValue, check_text};

/// The contract's word for the house, which no customer may bear.
const HOUSE: &str = "casa";

/// What a name of a customer is called where it is none.
const WHAT: &str = "customer reference";

/// Whose balance of an account is meant. It is always said: a forgotten field must not spend the
/// house's money. For the same reason only answers are read as one: of other JSON, read a
/// [`CustomerRef`].
///
/// ```
/// use custody_ledger::value::Party;
///
/// let ana = Party::customer("ana")?;
/// assert_ne!(ana, Party::House);
/// assert!(Party::customer("casa").is_err());
/// # Ok::<(), custody_ledger::value::InvalidValue>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    /// The account's own balance.
    House,
    /// A subaccount, by the client's own name for it.
    Customer(CustomerRef),
}

impl Party {
    /// The customer of this name.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it is no name of a customer.
    pub fn customer(name: &str) -> Result<Self, InvalidValue> {
        CustomerRef::new(name).map(Self::Customer)
    }

    /// The party that an answer names so: the house is `casa` there.
    pub(crate) fn from_wire(name: &str) -> Option<Self> {
        if name == HOUSE { Some(Self::House) } else { Self::customer(name).ok() }
    }

    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::House => None,
            Self::Customer(customer) => Some(customer.as_str()),
        }
    }
}

/// The customer's name, or `casa` for the house.
impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().unwrap_or(HOUSE))
    }
}

/// A customer's: the house is said as [`Party::House`].
impl TryFrom<&str> for Party {
    type Error = InvalidValue;

    fn try_from(name: &str) -> Result<Self, InvalidValue> {
        Self::customer(name)
    }
}

impl From<CustomerRef> for Party {
    fn from(customer: CustomerRef) -> Self {
        Self::Customer(customer)
    }
}

/// A client's own name for a subaccount: 1 to 80 characters, no control characters, not `casa`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CustomerRef(Box<str>);

impl CustomerRef {
    /// This name.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it is empty, too long, has control characters, or is the house's.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        if text == HOUSE {
            return Err(InvalidValue::new(WHAT, "casa, which is the house"));
        }
        check_text(WHAT, text, 80).map(Self)
    }

    /// The customer's name, as the service gave it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

of_text! { CustomerRef, "customer reference"; }
shown!(CustomerRef);
