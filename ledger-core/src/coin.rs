//! Crypto in integer units of an asset's scale: 128 bits, checked, no floats (rulings 16, GEN-03).

use std::fmt;

use minicbor::data::{IanaTag, Type};
use minicbor::{Decode, Decoder, Encode, Encoder};

/// How many decimals an asset has: 6 for USDT, 8 for `DePix`, at most 18 (P:AssetScale).
///
/// ```
/// use ledger_core::coin::{Scale, units_text};
///
/// let bitcoin = Scale::new(8).expect("at most 18 decimals");
/// assert_eq!(bitcoin.one(), 100_000_000);
/// assert_eq!(units_text(15_000, bitcoin), "0.00015000");
/// assert_eq!(Scale::new(19), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scale(u8);

/// A positive number of an asset's smallest units: micro-USDT where the scale is 6.
///
/// ```
/// use ledger_core::coin::{Scale, Units};
///
/// let units = Units::parse("17.722222", Scale::SIX).expect("six decimals are those of USDT");
/// assert_eq!(units.get(), 17_722_222);
/// assert_eq!(units.text(Scale::SIX), "17.722222");
/// assert_eq!(Units::parse("0.0000001", Scale::SIX), None); // Refused rather than rounded.
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Units(u128);

/// The most units anything may name; sums of them stay far from the end of 128 bits.
const MOST: u128 = 10_u128.pow(36);

impl Scale {
    /// The scale of USDT and USDC.
    pub const SIX: Self = Self(6);

    /// The scale of so many decimals; `None` above 18.
    #[must_use]
    pub const fn new(decimals: u8) -> Option<Self> {
        if decimals <= 18 { Some(Self(decimals)) } else { None }
    }

    /// The number of decimals.
    #[must_use]
    pub const fn decimals(self) -> u8 {
        self.0
    }

    /// How many units make one whole.
    #[must_use]
    pub const fn one(self) -> u128 {
        10_u128.pow(self.0 as u32)
    }
}

impl Units {
    /// So many units; `None` when zero, or more than 10^36.
    #[must_use]
    pub const fn new(units: u128) -> Option<Self> {
        if 0 < units && units <= MOST { Some(Self(units)) } else { None }
    }

    /// The number of units.
    #[must_use]
    pub const fn get(self) -> u128 {
        self.0
    }

    /// The number of units, for sums of either sign.
    #[must_use]
    pub const fn to_i128(self) -> i128 {
        self.0.cast_signed()
    }

    /// Returns what is left after `less`; `None` when nothing is.
    #[must_use]
    pub const fn minus(self, less: Option<Self>) -> Option<Self> {
        match less {
            None => Some(self),
            Some(less) if less.0 < self.0 => Some(Self(self.0 - less.0)),
            Some(_) => None,
        }
    }

    /// Reads a decimal string with a dot: `17.722222`, `50`, `0.10` (GEN-04).
    ///
    /// `None` for zero, a sign, an exponent, a comma, blanks, a bare dot, or more decimals than the
    /// scale has (P:AssetScale).
    #[must_use]
    pub fn parse(text: &str, scale: Scale) -> Option<Self> {
        let (whole, fraction) = match text.split_once('.') {
            Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
            Some(_) => return None,
            None => (text, ""),
        };
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        let sound = !whole.is_empty() && digits(whole) && digits(fraction);
        if !sound || usize::from(scale.0) < fraction.len() {
            return None;
        }
        let whole: u128 = whole.parse().ok()?;
        let padded = format!("{fraction:0<width$}", width = usize::from(scale.0));
        let fraction: u128 = if padded.is_empty() { 0 } else { padded.parse().ok()? };
        Self::new(whole.checked_mul(scale.one())?.checked_add(fraction)?)
    }

    /// The decimal string, with all decimals of the scale: `17.722222`.
    #[must_use]
    pub fn text(self, scale: Scale) -> String {
        units_text(self.0, scale)
    }
}

/// Any number of units as a decimal string, zero included.
#[must_use]
pub fn units_text(units: u128, scale: Scale) -> String {
    let (whole, fraction) = (units / scale.one(), units % scale.one());
    match usize::from(scale.0) {
        0 => whole.to_string(),
        width => format!("{whole}.{fraction:0width$}"),
    }
}

/// `a * b / d`, rounded down, exact through 256 bits; `None` when `d` is zero or the result does
/// not fit.
#[must_use]
pub fn mul_div(a: u128, b: u128, d: u128) -> Option<u128> {
    match a.checked_mul(b) {
        Some(product) => product.checked_div(d),
        None => {
            let (high, low) = wide_product(a, b);
            wide_quotient(high, low, d)
        }
    }
}

/// `a * b / d`, rounded up, exact through 256 bits; `None` when `d` is zero or the result does not
/// fit.
#[must_use]
pub fn mul_div_up(a: u128, b: u128, d: u128) -> Option<u128> {
    let down = mul_div(a, b, d)?;
    let exact = wide_product(down, d) == wide_product(a, b);
    if exact { Some(down) } else { down.checked_add(1) }
}

/// The 256 bits of `a * b`, by the four products of its halves.
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    const HALF: u32 = 64;
    let halves = |n: u128| (n >> HALF, n & u128::from(u64::MAX));
    let ((a1, a0), (b1, b0)) = (halves(a), halves(b));
    let (low, cross, other, high) = (a0 * b0, a1 * b0, a0 * b1, a1 * b1);
    let middle = (low >> HALF) + (cross & u128::from(u64::MAX)) + (other & u128::from(u64::MAX));
    let high = high + (cross >> HALF) + (other >> HALF) + (middle >> HALF);
    (high, (middle << HALF) | (low & u128::from(u64::MAX)))
}

/// Long division, a bit a step; rare, because ordinary amounts fit 128 bits.
fn wide_quotient(high: u128, low: u128, d: u128) -> Option<u128> {
    if d <= high {
        return None; // Zero, or a quotient past 128 bits.
    }
    let (mut rest, mut quotient) = (high, 0_u128);
    for bit in (0..u128::BITS).rev() {
        let carried = rest >> (u128::BITS - 1) == 1;
        rest = (rest << 1) | ((low >> bit) & 1);
        quotient <<= 1;
        if carried || d <= rest {
            rest = rest.wrapping_sub(d);
            quotient |= 1;
        }
    }
    Some(quotient)
}

/// Units never show without their scale in views; here the bare number is enough.
impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl<C> Encode<C> for Scale {
    fn encode<W: minicbor::encode::Write>(
        &self,
        e: &mut Encoder<W>,
        _: &mut C,
    ) -> Result<(), minicbor::encode::Error<W::Error>> {
        e.u8(self.0)?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Scale {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Self, minicbor::decode::Error> {
        Self::new(d.u8()?)
            .ok_or_else(|| minicbor::decode::Error::message("a scale is at most 18 decimals"))
    }
}

/// An unsigned integer where 64 bits hold it, a bignum (RFC 8949, 3.4.3) where not.
impl<C> Encode<C> for Units {
    fn encode<W: minicbor::encode::Write>(
        &self,
        e: &mut Encoder<W>,
        _: &mut C,
    ) -> Result<(), minicbor::encode::Error<W::Error>> {
        match u64::try_from(self.0) {
            Ok(small) => e.u64(small)?.ok(),
            Err(_) => {
                let bytes = self.0.to_be_bytes();
                let zeros = self.0.leading_zeros() as usize / 8;
                e.tag(IanaTag::PosBignum)?.bytes(&bytes[zeros..])?.ok()
            }
        }
    }
}

impl<'b, C> Decode<'b, C> for Units {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Self, minicbor::decode::Error> {
        let message = minicbor::decode::Error::message;
        let units = if d.datatype()? == Type::Tag {
            if d.tag()? != minicbor::data::Tag::from(IanaTag::PosBignum) {
                return Err(message("units are an integer"));
            }
            let bytes = d.bytes()?;
            let canonical = (9..=16).contains(&bytes.len()) && bytes[0] != 0;
            if !canonical {
                return Err(message("a bignum of units has 9 to 16 bytes"));
            }
            bytes.iter().fold(0_u128, |sum, byte| (sum << 8) | u128::from(*byte))
        } else {
            u128::from(d.u64()?)
        };
        Self::new(units).ok_or_else(|| message("units are positive and countable"))
    }
}
