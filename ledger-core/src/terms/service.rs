//! What a purchase or conversion costs, by who earns it, and the smallest that passes.

use minicbor::{Decode, Encode};

use super::catalogue::Listing;
use super::fee::{Rate, largest, smallest};
use super::price::Price;
use crate::coin::Units;
use crate::money::{Amount, Bps, Cents};

/// The service fee of one operation: house and partner parts of one total (FEE-07, P:FeeSplit).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct ServiceFees {
    /// The house's part, fixed part included.
    #[n(0)]
    pub house: Cents,
    /// The partner's part.
    #[n(1)]
    pub partner: Cents,
}

/// The rates a purchase or conversion is charged.
///
/// ```
/// use ledger_core::money::{Amount, Bps, Cents};
/// use ledger_core::terms::{Rate, ServiceRates};
///
/// let bps = |bps| Bps::new(bps).expect("it is below the whole");
/// let fixed = Cents::new(100).expect("it is not negative");
/// let rates = ServiceRates { house: Rate { bps: bps(200), fixed }, partner: bps(50) };
/// let amount = Amount::new(10_000).expect("it is above zero");
/// let fees = rates.on(amount).expect("2.5 % are below the whole");
/// assert_eq!((fees.house.cents(), fees.partner.cents()), (300, 50));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ServiceRates {
    /// The house's percentage and fixed part.
    pub house: Rate,
    /// The partner's percentage, on top.
    pub partner: Bps,
}

/// What is bought, and at what price: all that the smallest purchase depends on.
#[derive(Clone, Copy, Debug)]
pub struct Offer<'a> {
    /// The pair, as the catalogue lists it.
    pub listing: &'a Listing,
    /// The price of its asset.
    pub price: Price,
}

impl ServiceRates {
    /// The fees on `amount`: the total percentage rounded down once, the partner's part rounded
    /// down, the rest the house's with the fixed part; `None` when the rates pass the whole.
    #[must_use]
    pub fn on(self, amount: Amount) -> Option<ServiceFees> {
        let total = self.house.bps.plus(self.partner)?.fraction_of(amount);
        let partner = self.partner.fraction_of(amount);
        let house = total.minus(partner)?.plus(self.house.fixed)?;
        Some(ServiceFees { house, partner })
    }

    /// House and partner percentages together: `admin_fee_bps`.
    #[must_use]
    pub fn total_bps(self) -> Option<Bps> {
        self.house.bps.plus(self.partner)
    }

    /// Returns what `amount` leaves after the fees; `None` when they are all of it or more.
    #[must_use]
    pub fn net(self, amount: Amount) -> Option<Amount> {
        amount.minus(self.on(amount)?.total()?)?.amount()
    }

    /// Tells whether `amount` leaves `least_net` and buys what the network demands: then every
    /// larger one does (INV-43), as neither what is left nor what it buys ever falls as the amount
    /// grows.
    #[must_use]
    pub fn passes(self, offer: Offer<'_>, least_net: Cents, amount: Amount) -> bool {
        self.net(amount).is_some_and(|net| least_net <= net.as_cents() && offer.sells(net))
    }

    /// The smallest amount in `least..=most` that [`ServiceRates::passes`]; `None` when none does.
    #[must_use]
    pub fn smallest(
        self,
        offer: Offer<'_>,
        least_net: Cents,
        (least, most): (Amount, Amount),
    ) -> Option<Amount> {
        let counted = |amount| self.net(amount).is_none_or(|net| offer.is_counted(net));
        let most = largest(counted, most)?;
        smallest(|amount| self.passes(offer, least_net, amount), least, most)
    }
}

impl Offer<'_> {
    /// Returns what so many centavos buy of it.
    #[must_use]
    pub fn units(self, cents: Amount) -> Option<Units> {
        self.price.units(cents, self.listing.scale)
    }

    /// Tells whether so many centavos buy at least the network minimum, and more than the network
    /// takes.
    #[must_use]
    pub fn sells(self, cents: Amount) -> bool {
        self.units(cents).is_some_and(|units| {
            self.listing.least <= units && units.minus(self.listing.network_fee).is_some()
        })
    }

    /// Tells whether so many centavos buy no more units than can be counted.
    fn is_counted(self, cents: Amount) -> bool {
        // Rounded up, less than a unit is one.
        self.price.units_for(cents, self.listing.scale).is_some()
    }

    /// The smallest number of centavos up to `most` that [`Offer::sells`]; `None` when none does.
    #[must_use]
    pub fn smallest(self, most: Amount) -> Option<Amount> {
        let most = largest(|cents| self.is_counted(cents), most)?;
        smallest(|cents| self.sells(cents), Amount::CENTAVO, most)
    }
}

impl ServiceFees {
    /// House and partner together; `None` on overflow.
    #[must_use]
    pub fn total(self) -> Option<Cents> {
        self.house.plus(self.partner)
    }

    /// The partner's part of so much of the total, rounded down (rulings 28).
    #[must_use]
    pub fn partner_of(self, part: Cents) -> Cents {
        let total = i128::from(self.house.cents()) + i128::from(self.partner.cents());
        if total == 0 {
            return Cents::ZERO;
        }
        let partner = i128::from(self.partner.cents()) * i128::from(part.cents()) / total;
        let cents = i64::try_from(partner).expect("at most the partner's part itself");
        Cents::new(cents).expect("parts are not negative")
    }
}
