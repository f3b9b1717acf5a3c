//! Money in integer centavos: amounts that are positive, shares that may be zero, balances of any
//! sign.
//!
//! There is no float constructor anywhere (GEN-01), and every sum is checked (LED-08).

use std::fmt;

use minicbor::{Decode, Decoder, Encode, Encoder};

/// Basis points in a whole: 10,000 bps = 100 %.
pub const WHOLE: i64 = 10_000;

/// The largest amount one request or fact may name: one trillion reais.
pub const LARGEST_AMOUNT: i64 = 100_000_000_000_000;

/// A positive number of centavos.
///
/// ```
/// use ledger_core::money::{Amount, Cents};
///
/// let amount = Amount::new(10_000).expect("one hundred reais are above zero");
/// let fee = Cents::new(250).expect("a fee is not negative");
/// assert_eq!(amount.minus(fee).map(Cents::cents), Some(9_750));
/// assert_eq!(Amount::new(0), None); // Nothing is no amount.
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i64);

/// A number of centavos that is zero or positive: a part of an amount, a fee, what is left of a
/// sum.
///
/// ```
/// use ledger_core::money::Cents;
///
/// let fee = Cents::new(250).expect("a fee is not negative");
/// let discount = Cents::new(300).expect("nor is a discount");
/// assert_eq!(fee.minus(discount), None);
/// assert_eq!(fee.less_or_nothing(discount), Cents::ZERO);
/// assert_eq!(Cents::ZERO.amount(), None); // What may be nothing is no amount to be paid.
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(i64);

/// A signed number of centavos.
///
/// ```
/// use ledger_core::money::{Amount, Balance, Cents};
///
/// // A return that comes after the money was spent is debited all the same.
/// let overdrawn = Balance::new(-9_135);
/// assert!(overdrawn.is_negative() && !overdrawn.covers(Amount::CENTAVO));
/// assert_eq!(overdrawn.spendable(), Cents::ZERO);
/// assert_eq!(overdrawn.to_string(), "-91.35");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Balance(i64);

/// A percentage rate in basis points, 0 to 10,000.
///
/// ```
/// use ledger_core::money::{Amount, Bps};
///
/// let rate = Bps::new(180).expect("1.8 % is below the whole");
/// let amount = Amount::new(10_055).expect("it is above zero");
/// assert_eq!(rate.fraction_of(amount).cents(), 180); // Of 180.99 centavos.
/// assert_eq!(Bps::new(10_001), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bps(u16);

impl Amount {
    /// One centavo, the smallest amount.
    pub const CENTAVO: Self = Self(1);

    /// The amount of so many centavos; `None` when zero or negative.
    #[must_use]
    pub const fn new(cents: i64) -> Option<Self> {
        if cents > 0 { Some(Self(cents)) } else { None }
    }

    /// The number of centavos.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// This amount as a share.
    #[must_use]
    pub const fn as_cents(self) -> Cents {
        Cents(self.0)
    }

    /// This amount with `more` on top; `None` on overflow.
    #[must_use]
    pub const fn plus(self, more: Cents) -> Option<Self> {
        match self.0.checked_add(more.0) {
            Some(cents) => Some(Self(cents)),
            None => None,
        }
    }

    /// Returns what is left of this amount after `less`; `None` when `less` is more.
    #[must_use]
    pub const fn minus(self, less: Cents) -> Option<Cents> {
        self.as_cents().minus(less)
    }
}

impl Cents {
    /// Zero centavos, the least there is.
    pub const ZERO: Self = Self(0);

    /// The share of so many centavos; `None` when negative.
    #[must_use]
    pub const fn new(cents: i64) -> Option<Self> {
        if cents >= 0 { Some(Self(cents)) } else { None }
    }

    /// The number of centavos.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// The same as a positive amount; `None` when zero.
    #[must_use]
    pub const fn amount(self) -> Option<Amount> {
        Amount::new(self.0)
    }

    /// Tells whether there is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum of two shares; `None` on overflow.
    #[must_use]
    pub const fn plus(self, more: Self) -> Option<Self> {
        match self.0.checked_add(more.0) {
            Some(cents) => Some(Self(cents)),
            None => None,
        }
    }

    /// Returns what is left after `less`; `None` when `less` is more.
    #[must_use]
    pub const fn minus(self, less: Self) -> Option<Self> {
        if less.0 <= self.0 { Some(Self(self.0 - less.0)) } else { None }
    }

    /// What is left after `less`, nothing when `less` is more.
    #[must_use]
    pub const fn less_or_nothing(self, less: Self) -> Self {
        if less.0 <= self.0 { Self(self.0 - less.0) } else { Self::ZERO }
    }
}

impl Balance {
    /// Zero centavos: neither owed nor owned.
    pub const ZERO: Self = Self(0);

    /// The balance of so many centavos, of any sign.
    #[must_use]
    pub const fn new(cents: i64) -> Self {
        Self(cents)
    }

    /// The number of centavos.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// Tells whether this balance is at least `amount`.
    #[must_use]
    pub const fn covers(self, amount: Amount) -> bool {
        amount.0 <= self.0
    }

    /// Tells whether this balance is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Returns what can be taken without going below zero.
    #[must_use]
    pub const fn spendable(self) -> Cents {
        if self.0 > 0 { Cents(self.0) } else { Cents::ZERO }
    }

    /// The sum; `None` on overflow.
    #[must_use]
    pub const fn plus(self, cents: i64) -> Option<Self> {
        match self.0.checked_add(cents) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }
}

impl Bps {
    /// The rate of so many basis points; `None` above 10,000.
    #[must_use]
    pub const fn new(bps: u16) -> Option<Self> {
        if bps as i64 <= WHOLE { Some(Self(bps)) } else { None }
    }

    /// The number of basis points.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The percentage of `amount`, rounded down (P:FeeRounding, rulings 17).
    #[must_use]
    pub fn fraction_of(self, amount: Amount) -> Cents {
        let product = i128::from(amount.0) * i128::from(self.0);
        let floor = product / i128::from(WHOLE);
        Cents(
            i64::try_from(floor).expect("at most the amount itself, because bps are at most whole"),
        )
    }

    /// The two rates added; `None` above 10,000.
    #[must_use]
    pub fn plus(self, more: Self) -> Option<Self> {
        self.0.checked_add(more.0).and_then(Self::new)
    }
}

impl From<Amount> for Cents {
    fn from(amount: Amount) -> Self {
        amount.as_cents()
    }
}

impl From<Cents> for Balance {
    fn from(as_cents: Cents) -> Self {
        Self(as_cents.0)
    }
}

/// Centavos as reais, `-91.35`: for people, never for the wire.
impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:02}", cents / 100, cents % 100))
    }
}

impl<C> Encode<C> for Amount {
    fn encode<W: minicbor::encode::Write>(
        &self,
        e: &mut Encoder<W>,
        _: &mut C,
    ) -> Result<(), minicbor::encode::Error<W::Error>> {
        e.i64(self.0)?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Amount {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Self, minicbor::decode::Error> {
        Self::new(d.i64()?).ok_or_else(|| minicbor::decode::Error::message("an amount is positive"))
    }
}

impl<C> Encode<C> for Cents {
    fn encode<W: minicbor::encode::Write>(
        &self,
        e: &mut Encoder<W>,
        _: &mut C,
    ) -> Result<(), minicbor::encode::Error<W::Error>> {
        e.i64(self.0)?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Cents {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Self, minicbor::decode::Error> {
        Self::new(d.i64()?)
            .ok_or_else(|| minicbor::decode::Error::message("a share is not negative"))
    }
}

impl<C> Encode<C> for Bps {
    fn encode<W: minicbor::encode::Write>(
        &self,
        e: &mut Encoder<W>,
        _: &mut C,
    ) -> Result<(), minicbor::encode::Error<W::Error>> {
        e.u16(self.0)?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Bps {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Self, minicbor::decode::Error> {
        Self::new(d.u16()?)
            .ok_or_else(|| minicbor::decode::Error::message("a rate is at most whole"))
    }
}
