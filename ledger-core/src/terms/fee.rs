//! Fees as functions of an amount, and their exact inverses (rulings 17).

use minicbor::{Decode, Encode};

use crate::money::{Amount, Bps, Cents};

/// A percentage and a fixed part.
///
/// ```
/// use ledger_core::money::{Amount, Bps, Cents};
/// use ledger_core::terms::Rate;
///
/// let bps = Bps::new(250).expect("2.5 % is below the whole");
/// let fixed = Cents::new(100).expect("it is not negative");
/// let amount = Amount::new(10_000).expect("it is above zero");
/// assert_eq!(Rate { bps, fixed }.on(amount).map(Cents::cents), Some(350));
/// assert_eq!(Rate { bps, fixed }.net(amount).map(Cents::cents), Some(9_650));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Rate {
    /// The percentage, in basis points.
    #[n(0)]
    pub bps: Bps,
    /// The fixed part, in centavos.
    #[n(1)]
    pub fixed: Cents,
}

/// What the provider takes for one PIX sent (FEE-27, FEE-42).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Tariff {
    /// A fixed sum in centavos: `saque_taxa_provedor_tipo` is `fixo`.
    #[n(0)]
    Fixed(#[n(0)] Cents),
    /// Not known: a new payout is refused (rulings 20).
    #[n(1)]
    Unknown,
}

/// The fee of one payout, by who earns it (FEE-28, FEE-29, INV-17).
///
/// ```
/// use ledger_core::money::{Amount, Bps, Cents};
/// use ledger_core::terms::PayoutFees;
///
/// let bps = |bps| Bps::new(bps).expect("it is below the whole");
/// let amount = Amount::new(10_000).expect("it is above zero");
/// let tariff = Cents::new(100).expect("it is not negative");
/// let fees = PayoutFees::on(amount, bps(180), bps(20), tariff).expect("2 % are below the whole");
/// assert_eq!((fees.house.cents(), fees.partner.cents()), (180, 20));
/// assert_eq!(fees.total().map(Cents::cents), Some(300)); // What the client pays on top.
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct PayoutFees {
    /// The house's part of the service fee.
    #[n(0)]
    pub house: Cents,
    /// The partner's part of the service fee.
    #[n(1)]
    pub partner: Cents,
    /// The provider's tariff.
    #[n(2)]
    pub tariff: Cents,
}

impl Rate {
    /// The fee on `amount`: the percentage rounded down, plus the fixed part; `None` on overflow.
    #[must_use]
    pub fn on(self, amount: Amount) -> Option<Cents> {
        self.bps.fraction_of(amount).plus(self.fixed)
    }

    /// Returns what `amount` leaves after the fee; `None` when the fee is more than the amount.
    #[must_use]
    pub fn net(self, amount: Amount) -> Option<Cents> {
        amount.minus(self.on(amount)?)
    }

    /// Tells whether `amount` leaves at least `net` after the fee.
    pub(super) fn leaves(self, net: Cents, amount: Amount) -> bool {
        self.net(amount).is_some_and(|left| net <= left)
    }

    /// The smallest amount in `least..=most` that leaves at least `net`; `None` when none does.
    ///
    /// Exact, because what is left never falls as the amount grows (INV-22): the search halves.
    #[must_use]
    pub fn smallest_leaving(self, net: Cents, least: Amount, most: Amount) -> Option<Amount> {
        smallest(|amount| self.leaves(net, amount), least, most)
    }
}

/// The smallest amount in `least..=most` that `passes`, which holds for all above one that does.
pub(super) fn smallest(
    passes: impl Fn(Amount) -> bool,
    least: Amount,
    most: Amount,
) -> Option<Amount> {
    if most < least || !passes(most) {
        return None;
    }
    let (mut low, mut high) = (least.cents(), most.cents());
    while low < high {
        let middle = low + (high - low) / 2;
        if Amount::new(middle).is_some_and(&passes) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Amount::new(low)
}

/// The largest amount up to `most` that `passes`, which holds for all below one that does.
pub(super) fn largest(passes: impl Fn(Amount) -> bool, most: Amount) -> Option<Amount> {
    let (mut low, mut high) = (0, most.cents());
    while low < high {
        let middle = high - (high - low) / 2;
        if Amount::new(middle).is_some_and(&passes) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Amount::new(low)
}

impl PayoutFees {
    /// The fees on `amount`: the total rounded down once, the partner's part rounded down, the rest
    /// the house's (P:FeeSplit); `None` when the rates add up to more than the whole.
    #[must_use]
    pub fn on(amount: Amount, house: Bps, partner: Bps, tariff: Cents) -> Option<Self> {
        let total = house.plus(partner)?.fraction_of(amount);
        let partner = partner.fraction_of(amount);
        Some(Self { house: total.minus(partner)?, partner, tariff })
    }

    /// House and partner together: `fee_service_total_cents`.
    #[must_use]
    pub fn service_total(self) -> Cents {
        self.house.plus(self.partner).expect("both are parts of one rounded total")
    }

    /// Everything the client pays on top: `fee_cents`; `None` on overflow.
    #[must_use]
    pub fn total(self) -> Option<Cents> {
        self.house.plus(self.partner)?.plus(self.tariff)
    }
}
