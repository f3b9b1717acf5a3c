//! Money in integer centavos, and rates in basis points.

use std::fmt;

use ledger_core::money;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::InvalidValue;

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(money::$name);

            impl From<money::$name> for $name {
                fn from(number: money::$name) -> Self {
                    Self(number)
                }
            }

            impl From<$name> for money::$name {
                fn from(number: $name) -> Self {
                    number.0
                }
            }
        )*
    };
}

numbers! {
    /// A number of centavos above zero.
    ///
    /// ```
    /// use custody_ledger::value::{Amount, Cents};
    ///
    /// let (amount, fee) = (Amount::new(10_000)?, Cents::new(250)?);
    /// assert_eq!(amount.minus(fee).map(Cents::cents), Some(9_750));
    /// let nothing = Amount::new(0).unwrap_err();
    /// assert_eq!(nothing.to_string(), "amount: 0 centavos, at least 1");
    /// # Ok::<(), custody_ledger::value::InvalidValue>(())
    /// ```
    Amount;
    /// A number of centavos that is zero or more: a fee, or a part of an amount.
    Cents;
    /// A number of centavos of any sign, which `Display` shows in reais.
    ///
    /// ```
    /// use custody_ledger::value::{Amount, Balance};
    ///
    /// let overdrawn = Balance::new(-9_135);
    /// assert!(overdrawn.is_negative() && !overdrawn.covers(Amount::CENTAVO));
    /// assert_eq!(overdrawn.to_string(), "-91.35");
    /// ```
    Balance;
    /// A rate in basis points, 0 to 10,000.
    ///
    /// ```
    /// use custody_ledger::value::{Amount, Bps};
    ///
    /// // 1.8 % of R$ 100.55 is 180.99 centavos, rounded down.
    /// assert_eq!(Bps::new(180)?.fraction_of(Amount::new(10_055)?).cents(), 180);
    /// # Ok::<(), custody_ledger::value::InvalidValue>(())
    /// ```
    Bps;
}

impl Amount {
    /// One centavo, the smallest amount.
    pub const CENTAVO: Self = Self(money::Amount::CENTAVO);

    /// The amount of so many centavos.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it is zero or negative.
    pub fn new(cents: i64) -> Result<Self, InvalidValue> {
        let wrong = || InvalidValue::new("amount", format!("{cents} centavos, at least 1"));
        money::Amount::new(cents).map(Self).ok_or_else(wrong)
    }

    /// The number of centavos.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0.cents()
    }

    /// The same as a part of an amount.
    #[must_use]
    pub const fn as_cents(self) -> Cents {
        Cents(self.0.as_cents())
    }

    /// This amount with `more` on top; none on overflow.
    #[must_use]
    pub fn plus(self, more: Cents) -> Option<Self> {
        self.0.plus(more.0).map(Self)
    }

    /// Returns what is left of this amount after `less`; none when `less` is more.
    #[must_use]
    pub fn minus(self, less: Cents) -> Option<Cents> {
        self.0.minus(less.0).map(Cents)
    }
}

impl Cents {
    /// Zero centavos, the least there is.
    pub const ZERO: Self = Self(money::Cents::ZERO);

    /// So many centavos.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] when it is negative.
    pub fn new(cents: i64) -> Result<Self, InvalidValue> {
        let wrong = || InvalidValue::new("centavos", format!("{cents}, at least 0"));
        money::Cents::new(cents).map(Self).ok_or_else(wrong)
    }

    /// The number of centavos.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0.cents()
    }

    /// Tells whether there is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// The same as an amount; none when zero.
    #[must_use]
    pub fn amount(self) -> Option<Amount> {
        self.0.amount().map(Amount)
    }

    /// The sum; none on overflow.
    #[must_use]
    pub fn plus(self, more: Self) -> Option<Self> {
        self.0.plus(more.0).map(Self)
    }

    /// Returns what is left after `less`; none when `less` is more.
    #[must_use]
    pub fn minus(self, less: Self) -> Option<Self> {
        self.0.minus(less.0).map(Self)
    }
}

impl Balance {
    /// Zero centavos: neither owed nor owned.
    pub const ZERO: Self = Self(money::Balance::ZERO);

    /// The balance of so many centavos, of any sign.
    #[must_use]
    pub const fn new(cents: i64) -> Self {
        Self(money::Balance::new(cents))
    }

    /// The number of centavos.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0.cents()
    }

    /// Tells whether this balance is at least `amount`.
    #[must_use]
    pub const fn covers(self, amount: Amount) -> bool {
        self.0.covers(amount.0)
    }

    /// Tells whether this balance is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0.is_negative()
    }

    /// Returns what can be taken without going below zero.
    #[must_use]
    pub const fn spendable(self) -> Cents {
        Cents(self.0.spendable())
    }
}

impl Bps {
    /// The rate of so many basis points.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] above 10,000, the whole.
    pub fn new(bps: u16) -> Result<Self, InvalidValue> {
        let wrong = || InvalidValue::new("rate", format!("{bps} basis points, at most 10000"));
        money::Bps::new(bps).map(Self).ok_or_else(wrong)
    }

    /// The number of basis points.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0.get()
    }

    /// The percentage of `amount`, rounded down.
    #[must_use]
    pub fn fraction_of(self, amount: Amount) -> Cents {
        Cents(self.0.fraction_of(amount.0))
    }
}

impl From<Amount> for Cents {
    fn from(amount: Amount) -> Self {
        amount.as_cents()
    }
}

impl From<Cents> for Balance {
    fn from(cents: Cents) -> Self {
        Self(cents.0.into())
    }
}

/// Centavos as reais, `-91.35`: for people, never for the wire.
impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! in_json {
    ($($name:ident, $number:ty, $get:ident, $make:expr;)*) => {
        $(
            /// As a plain number, as the contract has it.
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                    self.$get().serialize(to)
                }
            }

            /// From a plain number, checked.
            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    let make: fn($number) -> Result<Self, InvalidValue> = $make;
                    make(<$number>::deserialize(from)?).map_err(D::Error::custom)
                }
            }
        )*
    };
}

in_json! {
    Amount, i64, cents, Self::new;
    Cents, i64, cents, Self::new;
    Balance, i64, cents, |cents| Ok(Self::new(cents));
    Bps, u16, get, Self::new;
}

impl TryFrom<i64> for Amount {
    type Error = InvalidValue;

    fn try_from(cents: i64) -> Result<Self, InvalidValue> {
        Self::new(cents)
    }
}

impl TryFrom<i64> for Cents {
    type Error = InvalidValue;

    fn try_from(cents: i64) -> Result<Self, InvalidValue> {
        Self::new(cents)
    }
}
