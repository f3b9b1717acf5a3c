//! Prices: reais for one whole of an asset, and what so many centavos buy (P:CryptoRounding).

use minicbor::{Decode, Decoder, Encode, Encoder};
use rust_decimal::Decimal;

use crate::coin::{Scale, Units, mul_div, mul_div_up};
use crate::money::Amount;
use crate::time::Instant;

/// The most decimals a price may have.
const MOST_DECIMALS: u32 = 12;

/// Reais for one whole unit of an asset: positive, at most 12 decimals.
///
/// The ask price of an exchange, used unmodified: margins appear only as fees (FEE-09).
///
/// ```
/// use ledger_core::coin::Scale;
/// use ledger_core::money::Amount;
/// use ledger_core::terms::Price;
///
/// let price = Price::parse("5.40").expect("it is a decimal above zero");
/// let reais = Amount::new(9_570).expect("it is above zero");
/// let bought = price.units(reais, Scale::SIX).expect("so much buys something");
/// assert_eq!(bought.text(Scale::SIX), "17.722222");
/// // What was rounded down does not come back.
/// assert_eq!(price.cents(bought, Scale::SIX).map(Amount::cents), Some(9_569));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Price(Decimal);

/// A price as it stood when something was agreed: stored in the event that used it (rulings 40).
///
/// ```
/// use ledger_core::terms::{Policy, Price, Quote};
/// use ledger_core::time::{Instant, Span};
///
/// let price = Price::parse("5.40").expect("it is a decimal above zero");
/// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let quote = Quote { price, source: "exchange".into(), at };
/// let oldest = Policy::default().rate_age.expect("the default says how old");
/// assert!(oldest < at.after(Span::hours(1)).since(quote.at)); // Too old to be used an hour later.
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Quote {
    /// Reais for one whole unit of the asset.
    #[n(0)]
    pub price: Price,
    /// Whose price it is.
    #[n(1)]
    pub source: Box<str>,
    /// When it was reported.
    #[n(2)]
    pub at: Instant,
}

impl Price {
    /// One real for one unit: the Liquid BRL stablecoin.
    pub const PAR: Self = Self(Decimal::ONE);

    /// Reads a decimal string with a dot: `5.40`.
    ///
    /// `None` for zero, a sign, an exponent, blanks, or more than 12 decimals.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let bare = text.starts_with('.') || text.ends_with('.');
        if !plain || bare || text.len() > 29 {
            return None;
        }
        Self::new(Decimal::from_str_exact(text).ok()?)
    }

    fn new(price: Decimal) -> Option<Self> {
        let sound = price.mantissa() > 0 && price.scale() <= MOST_DECIMALS;
        sound.then_some(Self(price))
    }

    /// Returns what so many centavos buy, rounded down to a unit of the asset; `None` when that is
    /// nothing, or more than can be counted.
    #[must_use]
    pub fn units(self, cents: Amount, scale: Scale) -> Option<Units> {
        let (wholes, divisor) = self.wholes(cents)?;
        Units::new(mul_div(wholes, scale.one(), divisor)?)
    }

    /// Returns what must be sold to have so many centavos, rounded up to a unit of the asset
    /// (P:CryptoRounding); `None` when that is more than can be counted.
    #[must_use]
    pub fn units_for(self, cents: Amount, scale: Scale) -> Option<Units> {
        let (wholes, divisor) = self.wholes(cents)?;
        Units::new(mul_div_up(wholes, scale.one(), divisor)?)
    }

    /// Returns what so many units are worth in centavos, rounded down; `None` when that is nothing,
    /// or more than can be counted.
    #[must_use]
    pub fn cents(self, units: Units, scale: Scale) -> Option<Amount> {
        let hundredfold = self.0.mantissa().unsigned_abs().checked_mul(100)?;
        let divisor = scale.one().checked_mul(10_u128.pow(self.0.scale()))?;
        let cents = mul_div(units.get(), hundredfold, divisor)?;
        Amount::new(i64::try_from(cents).ok()?)
    }

    /// cents / 100 / (mantissa / 10^decimals) wholes, as dividend and divisor.
    fn wholes(self, cents: Amount) -> Option<(u128, u128)> {
        let dividend =
            u128::from(cents.cents().unsigned_abs()).checked_mul(10_u128.pow(self.0.scale()))?;
        Some((dividend, self.0.mantissa().unsigned_abs().checked_mul(100)?))
    }

    /// The price as text, as it was reported: `5.40`.
    #[must_use]
    pub fn text(self) -> String {
        self.0.to_string()
    }
}

/// Mantissa and number of decimals.
impl<C> Encode<C> for Price {
    fn encode<W: minicbor::encode::Write>(
        &self,
        e: &mut Encoder<W>,
        ctx: &mut C,
    ) -> Result<(), minicbor::encode::Error<W::Error>> {
        let mantissa = Units::new(self.0.mantissa().unsigned_abs());
        let mantissa = mantissa.expect("a decimal of 96 bits is positive and far below 10^36");
        e.array(2)?.encode_with(mantissa, ctx)?.u32(self.0.scale())?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Price {
    fn decode(d: &mut Decoder<'b>, ctx: &mut C) -> Result<Self, minicbor::decode::Error> {
        let message = minicbor::decode::Error::message;
        if d.array()? != Some(2) {
            return Err(message("a price is mantissa and decimals"));
        }
        let mantissa: Units = d.decode_with(ctx)?;
        let decimals = d.u32()?;
        let price = Decimal::try_from_i128_with_scale(mantissa.to_i128(), decimals).ok();
        price
            .and_then(Self::new)
            .ok_or_else(|| message("a price is positive, of 12 decimals at most"))
    }
}
