//! Amounts of any asset on one scale, so that statements and books compare exactly.

use std::fmt;

use ledger_core::coin::Scale;

/// How many decimals every amount has: as many as an asset may have at most (P:AssetScale).
const DECIMALS: usize = 18;

/// One whole, in units of the scale.
const ONE: i128 = 10_i128.pow(18);

/// The largest amount of one movement; ten thousand of them still sum exactly.
const MOST: i128 = 10_i128.pow(34);

/// An amount of an asset, of either sign, exact to eighteen decimals.
///
/// ```
/// use ledger_matching::Quantity;
///
/// let amount = Quantity::parse("19.537038").expect("a decimal");
/// assert_eq!(amount.to_string(), "19.537038");
/// assert_eq!(Quantity::from_cents(2_500), Quantity::parse("25").expect("a decimal"));
/// assert_eq!(Quantity::parse("1e3"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(i128);

impl Quantity {
    /// The amount of nothing, of any asset.
    pub const ZERO: Self = Self(0);

    /// So many centavos of a real.
    #[must_use]
    pub const fn from_cents(cents: i64) -> Self {
        Self(cents as i128 * (ONE / 100))
    }

    /// So many of an asset's smallest units; `None` where that is more than any statement has.
    #[must_use]
    pub fn from_units(units: u128, scale: Scale) -> Option<Self> {
        let one = i128::try_from(scale.one()).ok()?;
        let value = i128::try_from(units).ok()?.checked_mul(ONE / one)?;
        (value <= MOST).then_some(Self(value))
    }

    /// Reads a decimal with a dot, which a sign may precede; `None` for anything else, for more
    /// than eighteen decimals, and for more than 10^16 wholes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (whole, fraction) = match digits.split_once('.') {
            Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
            Some(_) => return None,
            None => (digits, ""),
        };
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let fraction = fraction.trim_end_matches('0');
        if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
            return None;
        }
        if fraction.len() > DECIMALS {
            return None;
        }
        let rest: i128 = format!("{fraction:0<DECIMALS$}").parse().ok()?;
        let value = whole.parse::<i128>().ok()?.checked_mul(ONE)?.checked_add(rest)?;
        (value <= MOST).then_some(Self(if negative { -value } else { value }))
    }

    /// The amount without its sign.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// The amount with the other sign.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self(self.0.saturating_neg())
    }

    /// The sum of both.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The amount less another.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Tells whether one of two amounts is the other times 10, 100, … 10^18: a decimal point that
    /// stands elsewhere.
    #[must_use]
    pub fn is_scaled(self, other: Self) -> bool {
        let (small, large) = (self.0.abs().min(other.0.abs()), self.0.abs().max(other.0.abs()));
        small != 0
            && large % small == 0
            && (1..=18).any(|power| 10_i128.checked_pow(power) == Some(large / small))
    }

    /// Tells whether it is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }
}

/// A decimal with two decimals at least, and no more zeros behind than those.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0.unsigned_abs() / ONE.unsigned_abs(), self.0 % ONE);
        let fraction = format!("{:018}", rest.unsigned_abs());
        let fraction = fraction.trim_end_matches('0');
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{whole}.{fraction:0<2}")
    }
}

impl std::iter::Sum for Quantity {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::plus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly_or_not_at_all() {
        for (text, written) in [
            ("0", Some("0.00")),
            ("12.5", Some("12.50")),
            ("-0.000001", Some("-0.000001")),
            ("+7", Some("7.00")),
            ("1.0000000000000000000000", Some("1.00")),
            ("0.0000000000000000001", None),
            ("", None),
            ("-", None),
            (".5", None),
            ("5.", None),
            ("1,5", None),
            ("0x10", None),
            ("99999999999999999", None),
        ] {
            let read = Quantity::parse(text).map(|amount| amount.to_string());
            assert_eq!(read.as_deref(), written, "{text}");
        }
    }

    #[test]
    fn a_moved_decimal_point_is_seen() {
        let amount = |text| Quantity::parse(text).unwrap();
        assert!(amount("19.5").is_scaled(amount("195")));
        assert!(amount("0.0195").is_scaled(amount("19.5")));
        assert!(!amount("19.5").is_scaled(amount("19.5")));
        assert!(!amount("19.5").is_scaled(amount("196")));
        assert!(!amount("0").is_scaled(amount("10")));
    }
}
