//! How values are read from text and from JSON, and which are shown as text.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{Error, Visitor};

use super::InvalidValue;

/// A value that is made of a text, which it checks.
pub(crate) trait OfText: Sized {
    /// What it is called where a text is none.
    const WHAT: &'static str;

    fn of_text(text: &str) -> Result<Self, InvalidValue>;
}

/// Reads a value from a JSON string. What is wrong is named; the text, which may be of a person, is
/// never repeated.
pub(crate) fn read<'de, T: OfText, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    if from.is_human_readable() {
        // Asked for a string alone, a reader of JSON would repeat what stands there instead.
        from.deserialize_any(Reader(PhantomData))
    } else {
        from.deserialize_str(Reader(PhantomData))
    }
}

struct Reader<T>(PhantomData<T>);

/// The error for what is no string: without it serde would repeat the number, which may be that of
/// a document.
fn no_text<T: OfText, E: Error>() -> E {
    E::custom(InvalidValue::new(T::WHAT, "no string"))
}

impl<T: OfText> Visitor<'_> for Reader<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as a string", T::WHAT)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::of_text(text).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<T, E> {
        Err(no_text::<T, E>())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<T, E> {
        Err(no_text::<T, E>())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<T, E> {
        Err(no_text::<T, E>())
    }
}

/// Values that are read from text: `new` checks it.
macro_rules! of_text {
    ($($name:ident $(<const $most:ident: usize>)?, $what:literal;)*) => {
        $(
            impl $(<const $most: usize>)? $crate::value::reading::OfText for $name $(<$most>)? {
                const WHAT: &'static str = $what;

                fn of_text(text: &str) -> Result<Self, $crate::value::InvalidValue> {
                    Self::new(text)
                }
            }

            impl $(<const $most: usize>)? TryFrom<&str> for $name $(<$most>)? {
                type Error = $crate::value::InvalidValue;

                fn try_from(text: &str) -> Result<Self, $crate::value::InvalidValue> {
                    Self::new(text)
                }
            }

            impl $(<const $most: usize>)? std::str::FromStr for $name $(<$most>)? {
                type Err = $crate::value::InvalidValue;

                fn from_str(text: &str) -> Result<Self, $crate::value::InvalidValue> {
                    Self::new(text)
                }
            }

            /// From a string, checked as `new` checks it.
            impl<'de $(, const $most: usize)?> serde::Deserialize<'de> for $name $(<$most>)? {
                fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    $crate::value::reading::read(from)
                }
            }
        )*
    };
}
pub(crate) use of_text;

/// Values that anybody may see: neither a person's nor a secret.
macro_rules! shown {
    ($($name:ident),*) => {
        $(
            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(self.as_str())
                }
            }

            /// As a string.
            impl serde::Serialize for $name {
                fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                    to.serialize_str(self.as_str())
                }
            }
        )*
    };
}
pub(crate) use shown;
