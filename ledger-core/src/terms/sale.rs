//! What a sale of crypto for PIX costs, from either end: the net that a recipient is to have, or
//! the gross that a deposit brought (FEE-41, rulings 47, P:DepositVariance, INV-19).

use minicbor::{Decode, Encode};

use super::Switch;
use super::fee::{Rate, largest, smallest};
use super::price::Price;
use super::service::{ServiceFees, ServiceRates};
use crate::coin::{Scale, Units};
use crate::money::{Amount, Bps, Cents};
use crate::time::Span;

/// The largest gross that is looked for, in centavos: what it costs can still be counted.
const LARGEST_GROSS: i64 = i64::MAX / 4;

/// The rates a sale is charged: frozen when it is quoted (FEE-34, FEE-38).
///
/// ```
/// use ledger_core::money::{Amount, Cents};
/// use ledger_core::terms::{Route, Terms};
///
/// // For a recipient to have R$ 100.00: 2 % and R$ 2.00 of fees, R$ 1.00 of reserve.
/// let rates = Terms::latest().sale_rates(Route::Fast);
/// let net = Amount::new(10_000).expect("it is above zero");
/// let gross = rates.cost(net).expect("it can be counted");
/// assert_eq!(gross.cents(), 10_500);
/// let deal = rates.exactly(net, gross).expect("the gross covers it");
/// assert_eq!(deal.residue, Cents::ZERO);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct SaleRates {
    /// The house's percentage and fixed part.
    #[n(0)]
    pub house: Rate,
    /// The partner's percentage, on top.
    #[n(1)]
    pub partner: Bps,
    /// The operational reserve, in centavos; nothing on Liquid.
    #[n(2)]
    pub reserve: Cents,
    /// What percentages and bounds are of. None: the net.
    #[n(3)]
    pub base: Option<FeeBase>,
}

/// What the percentages of a sale are of, and what its least and most bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum FeeBase {
    /// What the recipient receives (FEE-41).
    #[n(0)]
    Net,
    /// What is sold: the Liquid stablecoin (rulings 47).
    #[n(1)]
    Gross,
}

/// How the gross of a sale is divided: net, fees, reserve and residue are all of it (INV-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Deal {
    /// What the PIX key receives, in centavos.
    #[n(0)]
    pub net: Amount,
    /// The service fee, by who earns it.
    #[n(1)]
    pub fees: ServiceFees,
    /// The operational reserve.
    #[n(2)]
    pub reserve: Cents,
    /// What rounding leaves.
    #[n(3)]
    pub residue: Cents,
}

/// Platform limits on sales: numbers of the policy (contract, section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct SaleLimits {
    /// The least a recipient may receive, in centavos. Default R$ 6.00.
    #[n(0)]
    pub least: Amount,
    /// The most of one sale. Default R$ 250,000.00.
    #[n(1)]
    pub most: Amount,
    /// The least of the Liquid stablecoin that is sold. Default R$ 1.02.
    #[n(2)]
    pub liquid_least: Amount,
    /// The most of it in one sale. Default R$ 6,000.00.
    #[n(3)]
    pub liquid_most: Amount,
    /// The most a recipient may receive a day of Brasília. Default R$ 100,000.00.
    #[n(4)]
    pub recipient_daily: Amount,
    /// The largest refund without an operator, in whole USDT. Default 5,000.
    #[n(5)]
    pub refund_alone: u32,
    /// How long after its expiry an order takes a late deposit. Default 7 days.
    #[n(6)]
    pub revival: Span,
    /// How often a failed send is tried again. Default every 5 minutes.
    #[n(7)]
    pub retry_every: Span,
    /// For how long. Default 45 minutes.
    #[n(8)]
    pub retry_for: Span,
    /// Tells whether no sale is quoted or accepted for now. Default off.
    #[n(9)]
    pub paused: Switch,
    /// Tells whether no Copia e Cola is sold for now. Default off.
    #[n(10)]
    pub codes_paused: Switch,
}

impl SaleRates {
    /// Returns what a net of so many centavos costs: net, fees and reserve; `None` on overflow, and
    /// where no gross leaves so much.
    ///
    /// Exact where the fee is on the gross, too: what a gross leaves never falls as it grows, so
    /// the smallest that leaves the net is found by halving (rulings 17).
    #[must_use]
    pub fn cost(self, net: Amount) -> Option<Amount> {
        match self.base() {
            FeeBase::Net => net.plus(self.fees(net)?.total()?)?.plus(self.reserve),
            FeeBase::Gross => {
                let leaves = |gross| self.net_of_gross(gross).is_some_and(|left| net <= left);
                smallest(leaves, net, Amount::new(LARGEST_GROSS)?)
            }
        }
    }

    /// The deal that pays exactly `net` out of `gross`; `None` when the gross does not cover it.
    #[must_use]
    pub fn exactly(self, net: Amount, gross: Amount) -> Option<Deal> {
        let of = match self.base() {
            FeeBase::Net => net,
            FeeBase::Gross => gross,
        };
        let (fees, reserve) = (self.fees(of)?, self.reserve);
        let residue = gross.minus(net.as_cents())?.minus(fees.total()?)?.minus(reserve)?;
        Some(Deal { net, fees, reserve, residue })
    }

    /// The deal with the largest net that `gross` covers; `None` when it covers none.
    #[must_use]
    pub fn largest(self, gross: Amount) -> Option<Deal> {
        let net = match self.base() {
            FeeBase::Net => largest(|net| self.cost(net).is_some_and(|cost| cost <= gross), gross),
            FeeBase::Gross => self.net_of_gross(gross),
        };
        self.exactly(net?, gross)
    }

    /// Returns what the least and the most of a sale bound, of this deal.
    #[must_use]
    pub fn bounded_amount(self, deal: Deal) -> Option<Amount> {
        match self.base() {
            FeeBase::Net => Some(deal.net),
            FeeBase::Gross => deal.checked_gross(),
        }
    }

    /// Tells whether so much crypto is more than `most` lets be sold at this price: to the asset's
    /// last place where the gross is bounded (rulings 76). None on overflow.
    #[must_use]
    pub fn exceeds(
        self,
        (units, deal): (Units, Deal),
        most: Amount,
        (price, scale): (Price, Scale),
    ) -> Option<bool> {
        let bound = self.bounded_amount(deal)?;
        Some(match self.base() {
            FeeBase::Net => most < bound,
            FeeBase::Gross => most < bound || price.units_for(most, scale)? < units,
        })
    }

    /// Returns what so much of what is bounded costs.
    #[must_use]
    pub fn cost_at(self, bound: Amount) -> Option<Amount> {
        match self.base() {
            FeeBase::Net => self.cost(bound),
            FeeBase::Gross => Some(bound),
        }
    }

    /// The most of what is bounded that pays no more than `net`; nothing where not a centavo fits.
    #[must_use]
    pub fn bound_of(self, net: Cents, most: Amount) -> Cents {
        match self.base() {
            FeeBase::Net => net.min(most.as_cents()),
            FeeBase::Gross => {
                let fits =
                    |gross| self.net_of_gross(gross).is_none_or(|left| left.as_cents() <= net);
                let whole = net.amount().and_then(|_| largest(fits, most));
                whole.map_or(Cents::ZERO, Amount::as_cents)
            }
        }
    }

    fn base(self) -> FeeBase {
        self.base.unwrap_or(FeeBase::Net)
    }

    /// Returns what a gross leaves of itself where the fee is on it.
    fn net_of_gross(self, gross: Amount) -> Option<Amount> {
        gross.minus(self.fees(gross)?.total()?)?.minus(self.reserve)?.amount()
    }

    fn fees(self, net: Amount) -> Option<ServiceFees> {
        ServiceRates { house: self.house, partner: self.partner }.on(net)
    }
}

impl Deal {
    /// All of it together.
    ///
    /// # Panics
    ///
    /// When it is no deal that [`SaleRates`] made: those sum to a gross that was an amount.
    #[must_use]
    pub fn gross(self) -> Amount {
        self.checked_gross().expect("a deal divides an amount")
    }

    /// All of it together; `None` where nobody can have made it.
    #[must_use]
    pub fn checked_gross(self) -> Option<Amount> {
        self.net.plus(self.deductions()?)
    }

    /// Returns what is not paid out: fees, reserve and residue; `None` on overflow.
    #[must_use]
    pub fn deductions(self) -> Option<Cents> {
        self.fees.total()?.plus(self.reserve)?.plus(self.residue)
    }
}

impl Default for SaleLimits {
    fn default() -> Self {
        let amount = |cents| Amount::new(cents).expect("positive");
        Self {
            least: amount(600),
            most: amount(25_000_000),
            liquid_least: amount(102),
            liquid_most: amount(600_000),
            recipient_daily: amount(10_000_000),
            refund_alone: 5_000,
            revival: Span::days(7),
            retry_every: Span::seconds(5 * 60),
            retry_for: Span::seconds(45 * 60),
            paused: Switch::Off,
            codes_paused: Switch::Off,
        }
    }
}
