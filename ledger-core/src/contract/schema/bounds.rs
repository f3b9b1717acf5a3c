//! Values of typed commands, held to the fields that the wire declares: what is journaled stands
//! there for ever, by whatever door it came.

use serde_json::Value;

use crate::contract::schema::field::{Field, FieldType};
use crate::ledger::{Malformed, Refusal};
use crate::money::{Amount, Balance, Cents};

/// A command, or a part of one, whose values in the clear are as the wire's readers take them.
pub(in crate::contract) trait Checked {
    /// Refuses the first value that its field does not hold.
    fn check_bounds(&self) -> Result<(), Refusal>;
}

/// A field, or a bound of its own kind, that a value stands within.
pub(in crate::contract) trait Bound<T: ?Sized> {
    /// Refuses a value that stands outside.
    fn holds(&self, value: &T) -> Result<(), Refusal>;
}

/// Checks a structure by a line for each of its fields, or an `enum` by a line for each variant:
/// `field: BOUND`, or `field` alone where its type is itself checked. After `else` stand the
/// variants that bring nothing in the clear. `body` declares what is sent as a body: its values
/// that have a bound of their own are written as the body's fields, too.
macro_rules! checked {
    (body $of:ty { $($field:ident $(: $bound:expr)?),+ $(,)? }) => {
        $crate::contract::schema::bounds::checked!($of { $($field $(: $bound)?),+ });

        impl $of {
            /// Its values in the clear, as a body has them; null what is not given.
            #[doc(hidden)]
            #[must_use]
            pub fn clear_fields(&self) -> ::serde_json::Map<String, ::serde_json::Value> {
                let fields = [$($((
                    $crate::contract::schema::bounds::Named::name(&$bound).to_owned(),
                    $crate::contract::schema::bounds::Clear::to_json(&self.$field),
                ),)?)+];
                fields.into_iter().collect()
            }
        }
    };
    (enum $of:ty { $(
        $variant:ident
        $({ $($field:ident $(: $bound:expr)?),+ $(,)? })?
        $(( $($place:ident $(: $limit:expr)?),+ $(,)? ))?
    ),* $(,)? } $(else $($free:ident),+ $(,)?)?) => {
        impl $crate::contract::schema::bounds::Checked for $of {
            fn check_bounds(&self) -> Result<(), $crate::ledger::Refusal> {
                match self {
                    $(Self::$variant $({ $($field,)+ .. })? $(($($place,)+ ..))? => {
                        $($($crate::contract::schema::bounds::checked!(@ $field $(, $bound)?)?;)+)?
                        $($($crate::contract::schema::bounds::checked!(@ $place $(, $limit)?)?;)+)?
                    })*
                    $($(Self::$free { .. })|+ => {})?
                }
                Ok(())
            }
        }
    };
    ($of:ty { $($field:ident $(: $bound:expr)?),+ $(,)? }) => {
        impl $crate::contract::schema::bounds::Checked for $of {
            fn check_bounds(&self) -> Result<(), $crate::ledger::Refusal> {
                let Self { $($field,)+ .. } = self;
                $($crate::contract::schema::bounds::checked!(@ $field $(, $bound)?)?;)+
                Ok(())
            }
        }
    };
    (@ $value:ident) => {
        $crate::contract::schema::bounds::Checked::check_bounds($value)
    };
    (@ $value:ident, $bound:expr) => {
        $crate::contract::schema::bounds::Bound::holds(&$bound, $value)
    };
}
pub(in crate::contract) use checked;

impl<T: Checked> Checked for Option<T> {
    fn check_bounds(&self) -> Result<(), Refusal> {
        self.as_ref().map_or(Ok(()), Checked::check_bounds)
    }
}

impl<T: Checked> Checked for Vec<T> {
    fn check_bounds(&self) -> Result<(), Refusal> {
        self.iter().try_for_each(Checked::check_bounds)
    }
}

impl<T: Checked> Checked for Box<T> {
    fn check_bounds(&self) -> Result<(), Refusal> {
        (**self).check_bounds()
    }
}

/// A field of a subaccount's name, which is never `casa` (P:CasaReserved).
pub(in crate::contract) struct Customer(pub(in crate::contract) Field);

/// A bound that has a field's name.
pub(in crate::contract) trait Named {
    fn name(&self) -> &'static str;
}

impl Named for Field {
    fn name(&self) -> &'static str {
        self.name
    }
}

impl Named for Customer {
    fn name(&self) -> &'static str {
        self.0.name
    }
}

/// A value that stands in a body as it is, and not for a person's.
pub(in crate::contract) trait Clear {
    fn to_json(&self) -> Value;
}

impl Clear for Box<str> {
    fn to_json(&self) -> Value {
        (**self).into()
    }
}

impl Clear for Amount {
    fn to_json(&self) -> Value {
        self.cents().into()
    }
}

impl<T: Clear> Clear for Option<T> {
    fn to_json(&self) -> Value {
        self.as_ref().map_or(Value::Null, Clear::to_json)
    }
}

/// A field of text that may be empty.
pub(in crate::contract) struct OrEmpty(pub(in crate::contract) Field);

/// A field supplied beside a body, by its name: at most so many bytes of whatever a provider uses.
pub(in crate::contract) struct Supplied(
    pub(in crate::contract) &'static str,
    pub(in crate::contract) usize,
);

/// An address supplied beside a body, by its name: at most so many bytes.
pub(in crate::contract) struct SuppliedAddress(
    pub(in crate::contract) &'static str,
    pub(in crate::contract) usize,
);

/// The refusal of a value of this name.
pub(in crate::contract) fn refuse_field(
    field: &'static str,
    checked: Result<(), Malformed>,
) -> Result<(), Refusal> {
    checked.map_err(|why| Refusal::Malformed { field, why })
}

impl Bound<str> for Field {
    fn holds(&self, text: &str) -> Result<(), Refusal> {
        refuse_field(
            self.name,
            match self.holds {
                FieldType::Text(most) | FieldType::Word(most) => Malformed::text(text, most),
                FieldType::Reference(most) => Malformed::reference(text, most),
                FieldType::Pix => Malformed::end_to_end(text),
                _ => unreachable!("{} is no field of text", self.name),
            },
        )
    }
}

/// A field whose text has a rule of its own.
impl<F: Fn(&str) -> Result<(), Malformed>> Bound<str> for (Field, F) {
    fn holds(&self, text: &str) -> Result<(), Refusal> {
        refuse_field(self.0.name, (self.1)(text))
    }
}

impl Bound<str> for Customer {
    fn holds(&self, name: &str) -> Result<(), Refusal> {
        refuse_field(self.0.name, Malformed::customer(name))
    }
}

impl Bound<str> for OrEmpty {
    fn holds(&self, text: &str) -> Result<(), Refusal> {
        if text.is_empty() { Ok(()) } else { self.0.holds(text) }
    }
}

impl Bound<str> for Supplied {
    fn holds(&self, text: &str) -> Result<(), Refusal> {
        refuse_field(self.0, Malformed::provider_text(text, self.1))
    }
}

impl Bound<str> for SuppliedAddress {
    fn holds(&self, text: &str) -> Result<(), Refusal> {
        refuse_field(self.0, Malformed::provider_address(text, self.1))
    }
}

impl Bound<Amount> for Field {
    fn holds(&self, amount: &Amount) -> Result<(), Refusal> {
        refuse_field(self.name, Malformed::amount(*amount))
    }
}

impl Bound<Cents> for Field {
    fn holds(&self, cents: &Cents) -> Result<(), Refusal> {
        refuse_field(self.name, Malformed::cents(*cents))
    }
}

/// An effect, of whichever sign.
impl Bound<Balance> for Field {
    fn holds(&self, effect: &Balance) -> Result<(), Refusal> {
        let magnitude = Balance::new(effect.cents().saturating_abs()).spendable();
        refuse_field(self.name, Malformed::cents(magnitude))
    }
}

/// A pair of names: an asset and its network.
impl Bound<(Box<str>, Box<str>)> for (Field, Field) {
    fn holds(&self, (first, second): &(Box<str>, Box<str>)) -> Result<(), Refusal> {
        self.0.holds(first)?;
        self.1.holds(second)
    }
}

impl<B: Bound<str>> Bound<Box<str>> for B {
    fn holds(&self, text: &Box<str>) -> Result<(), Refusal> {
        self.holds(&**text)
    }
}

impl<T, B: Bound<T>> Bound<Option<T>> for B {
    fn holds(&self, given: &Option<T>) -> Result<(), Refusal> {
        given.as_ref().map_or(Ok(()), |given| self.holds(given))
    }
}

impl<T, B: Bound<T>> Bound<Vec<T>> for B {
    fn holds(&self, items: &Vec<T>) -> Result<(), Refusal> {
        items.iter().try_for_each(|item| self.holds(item))
    }
}
