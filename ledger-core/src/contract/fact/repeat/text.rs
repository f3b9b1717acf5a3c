//! Fields as text that is equal where their values are.

use core::fmt::Debug;

use crate::coin::{Scale, Units};
use crate::hexadecimal::digits;
use crate::id::Token;

/// A field of the wire and its value; none where the field is absent.
pub(super) type FieldText = (&'static str, Option<String>);

/// So many units, as a decimal.
pub(super) fn units(name: &'static str, units: Units, scale: Scale) -> FieldText {
    (name, Some(plain_decimal(&units.text(scale))))
}

/// So many centavos.
pub(super) fn cents(name: &'static str, cents: i64) -> FieldText {
    (name, Some(cents.to_string()))
}

/// A word of a closed list, or any other text.
pub(super) fn word(name: &'static str, word: &str) -> FieldText {
    (name, Some(word.to_owned()))
}

/// A field of several values: equal where they are.
pub(super) fn debug(name: &'static str, values: &impl Debug) -> FieldText {
    (name, Some(format!("{values:?}")))
}

/// A decimal without the zeros that say nothing: `010.50` and `10.5` are one.
pub(super) fn plain_decimal(text: &str) -> String {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    format!("{whole}.{part}")
}

/// The text of a token, by which personal values are compared.
pub(super) fn token(token: Token) -> String {
    digits(&token.0)
}
