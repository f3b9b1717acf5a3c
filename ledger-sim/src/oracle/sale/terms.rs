//! What a sale costs and who may have how much, as the oracle reckons it: COUT-30, COUT-78 to
//! COUT-84, FEE-41; rulings 14 and 17.

use ledger_core::coin::{Scale, Units};
use ledger_core::ledger::{Bounds, CashOutRequest, Field, Limits, Refusal};
use ledger_core::machine::cash_out::AmountBasis;
use ledger_core::money::{Amount, Bps, Cents};
use ledger_core::terms::{Market, Route, SaleLimits, Terms};

use super::{Coin, Reason, Sale};
use crate::oracle::fees::{Invocation, percentage};
use crate::wallets::is_same;

/// The rates of a sale: the house's and the partner's percentages, the house's fixed part, and the
/// reserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rates {
    house: u16,
    partner: u16,
    fixed: i64,
    reserve: i64,
    /// Tells whether percentages and bounds are of what is sold (rulings 47).
    on_gross: bool,
}

/// How the reais of a sale are divided: all of it is one of these (INV-19).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Split {
    pub(crate) net: i64,
    pub(crate) house: i64,
    pub(crate) partner: i64,
    pub(crate) reserve: i64,
    pub(crate) residue: i64,
}

impl Split {
    pub(crate) const fn deductions(self) -> i64 {
        self.house + self.partner + self.reserve + self.residue
    }

    pub(crate) const fn gross(self) -> i64 {
        self.net + self.deductions()
    }
}

impl Rates {
    /// The rates in force: 2 % and R$ 2.00 until others are adopted (rulings 48). On Liquid 1.5 %
    /// and R$ 1.00 as published, without a reserve (FEE-22).
    pub(super) fn from_terms(terms: &Terms, route: Route) -> Self {
        let partner = terms.sale_partner.map_or(0, Bps::get);
        let published = |as_cents: Option<Cents>| as_cents.map_or(100, Cents::cents);
        if route == Route::Liquid {
            let own = terms.liquid_sale;
            let (house, fixed) = own.map_or((150, 100), |r| (r.bps.get(), r.fixed.cents()));
            return Self { house, partner, fixed, reserve: 0, on_gross: true };
        }
        let (house, fixed) = terms.sale.map_or((200, 200), |r| (r.bps.get(), r.fixed.cents()));
        let reserve = published(terms.sale_reserve);
        Self { house, partner, fixed, reserve, on_gross: false }
    }

    /// Returns what a net of so many centavos costs: of a fee on the gross, in closed form the
    /// smallest `x` with `x - floor(x * bps / 10000) >= net + fixed`, which is `ceil` of it over
    /// `10000 - bps`.
    pub(super) fn cost(self, net: i64) -> i64 {
        if self.on_gross {
            let by = 10_000 - i128::from(self.house) - i128::from(self.partner);
            // The smallest x with ceil(x * by / 10000) >= wanted: just above (wanted - 1).
            let wanted = i128::from(net + self.fixed + self.reserve);
            let cost = ((wanted - 1) * 10_000).div_euclid(by) + 1;
            return i64::try_from(cost).expect("the simulator sells for less than 2^63 centavos");
        }
        net + percentage(net, self.house + self.partner) + self.fixed + self.reserve
    }

    /// This very net out of `gross`, which covers it.
    pub(super) fn exactly(self, net: i64, gross: i64) -> Split {
        let of = if self.on_gross { gross } else { net };
        let partner = percentage(of, self.partner);
        let house = percentage(of, self.house + self.partner) - partner + self.fixed;
        let reserve = self.reserve;
        let residue = gross - net - house - partner - reserve;
        Split { net, house, partner, reserve, residue }
    }

    /// The largest net that `gross` covers, in closed form: the largest `x` with
    /// `floor(x * (10000 + bps) / 10000) <= gross - fixed - reserve`.
    pub(super) fn largest(self, gross: i64) -> Option<Split> {
        if self.on_gross {
            let net = self.net_from_gross(gross);
            return (net >= 1).then(|| self.exactly(net, gross));
        }
        let rest = i128::from(gross - self.fixed - self.reserve);
        let by = 10_000 + i128::from(self.house) + i128::from(self.partner);
        let net = ((rest + 1) * 10_000 - 1).div_euclid(by);
        let net = i64::try_from(net).expect("the simulator sells for less than 2^63 centavos");
        (net >= 1).then(|| self.exactly(net, gross))
    }
}

impl Rates {
    /// Returns what a gross leaves of itself, where the fee is on it.
    fn net_from_gross(self, gross: i64) -> i64 {
        gross - percentage(gross, self.house + self.partner) - self.fixed - self.reserve
    }

    /// Returns what the least and the most of a sale bound.
    pub(super) const fn limited_amount(self, split: Split) -> i64 {
        if self.on_gross { split.gross() } else { split.net }
    }

    /// Tells whether so much crypto is more than may be sold, to the last unit where the gross is
    /// bounded (rulings 76).
    pub(super) fn is_over(self, (units, split): (u128, Split), most: i64, priced: Priced) -> bool {
        most < self.limited_amount(split) || self.on_gross && priced.units_for(most) < units
    }

    /// The most of that which pays no more than so much.
    fn bound_of(self, net: i64, most: i64) -> i64 {
        match net {
            _ if !self.on_gross => net.min(most),
            0 => 0,
            // One centavo more of net costs at least so much.
            _ => most.min(self.cost(net + 1) - 1),
        }
    }
}

/// A price with the decimals of what is priced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Priced {
    pub(super) ask: Invocation,
    pub(super) scale: u8,
}

impl Priced {
    pub(super) fn units_for(self, cents: i64) -> u128 {
        self.ask.needs(cents, self.scale)
    }

    pub(super) fn cents(self, units: u128) -> i64 {
        self.ask.brings(units, self.scale)
    }

    /// Returns what reais buy back, rounded down.
    pub(super) fn buy_back_units(self, cents: i64) -> u128 {
        self.ask.buys(cents, self.scale)
    }
}

/// The least and the most that one sale by this route pays.
pub(super) fn range(limits: &SaleLimits, route: Route) -> (i64, i64) {
    let (least, most) = match route {
        Route::Liquid => (limits.liquid_least, limits.liquid_most),
        Route::Fast | Route::Dex | Route::Convert => (limits.least, limits.most),
    };
    (least.cents(), most.cents())
}

/// Returns what may be sold at these rates, in reais and in the asset.
pub(super) fn limits(
    rates: Rates,
    priced: Priced,
    (least, most): (i64, i64),
    market: Option<&Market>,
    room: i64,
) -> Limits {
    let cost = |bound| if rates.on_gross { bound } else { rates.cost(bound) };
    let units = |bound| Units::new(priced.units_for(cost(bound)));
    let now = rates.bound_of(room, most);
    let fits = if least <= now { units(now) } else { None };
    let bound = market.and_then(|market| market.most);
    Limits {
        least: units(least).max(market.and_then(|market| market.least)),
        most: fits.map(|fits| bound.map_or(fits, |bound| bound.min(fits))),
        scale: Scale::new(priced.scale).expect("the scale of an asset that is listed"),
        most_now: Cents::new(now).expect("not negative"),
        most_ever: Amount::new(most).expect("positive"),
    }
}

/// How much crypto for how many reais: as the amount, the reais or the code ask.
pub(super) fn worked_out(
    request: &CashOutRequest,
    rates: Rates,
    priced: Priced,
    limits: &Limits,
) -> Result<(u128, Split), Refusal> {
    let of_net = |net: Amount| {
        let units = priced.units_for(rates.cost(net.cents()));
        (units, rates.exactly(net.cents(), priced.cents(units)))
    };
    match (request.asked, request.code_amount) {
        (AmountBasis::Net(net), _) | (AmountBasis::Code(_), Some(net)) => Ok(of_net(net)),
        (AmountBasis::Code(_), None) => Err(Refusal::CodeWithoutAmount),
        (AmountBasis::Units(units), _) => match rates.largest(priced.cents(units.get())) {
            Some(split) => Ok((units.get(), split)),
            None => Err(out(Bounds::Below, limits)),
        },
    }
}

/// Tells whether it passes: the sale's range, the market's, the recipient's day.
pub(super) fn within(
    (units, split, rates, priced): (u128, Split, Rates, Priced),
    market: &Market,
    range: (i64, i64),
    (limits, room): (&Limits, i64),
) -> Result<(), Refusal> {
    let bound = rates.limited_amount(split);
    let counted = |bound: Option<Units>| bound.map(Units::get);
    if bound < range.0 || counted(market.least).is_some_and(|least| units < least) {
        return Err(out(Bounds::Below, limits));
    }
    if rates.is_over((units, split), range.1, priced)
        || counted(market.most).is_some_and(|most| most < units)
    {
        return Err(out(Bounds::Above, limits));
    }
    if room < split.net {
        return Err(Refusal::RecipientCeiling { limits: Box::new(limits.clone()) });
    }
    Ok(())
}

fn out(bound: Bounds, limits: &Limits) -> Refusal {
    Refusal::SaleOutOfRange { bound, limits: Box::new(limits.clone()) }
}

/// In what a sale differs from the original of its id (COUT-16), in the order a refusal lists it.
pub(in crate::oracle) fn differing(a: &CashOutRequest, b: &CashOutRequest) -> Vec<(bool, Field)> {
    let same = a.asked == b.asked;
    let either = |named: fn(&AmountBasis) -> bool| named(&a.asked) || named(&b.asked);
    vec![
        (a.asset == b.asset, Field::Asset),
        (a.payee.pix_key == b.payee.pix_key, Field::PixKey),
        (a.network == b.network, Field::Network),
        (same || !either(|it| matches!(it, AmountBasis::Units(_))), Field::CryptoAmount),
        (same || !either(|it| matches!(it, AmountBasis::Net(_))), Field::BrlAmount),
        (same || !either(|it| matches!(it, AmountBasis::Code(_))), Field::Code),
        (a.payee.tax_number == b.payee.tax_number, Field::PayeeTaxNumber),
        (is_same(a.refund_address.as_deref(), b.refund_address.as_deref()), Field::RefundAddress),
    ]
}

/// What a deposit pays, what of it is sold, and what is too much for a code.
pub(super) type Bargain = (Coin, Split, u128);

impl Sale {
    /// Returns what so much crypto pays at the price in force (P:DepositVariance).
    pub(super) fn bargain(&self, coin: Coin, strictly: bool) -> Result<Bargain, Reason> {
        let priced = self.counts_by();
        let as_quoted = self.repriced.is_none();
        if as_quoted && coin == self.coin {
            return Ok((coin, self.split, 0));
        }
        if self.pays_code {
            let cost = self.rates.cost(self.split.net);
            let needed = if as_quoted { self.coin.units } else { priced.units_for(cost) };
            if coin.units < needed {
                return Err(Reason::Short);
            }
            let split = self.rates.exactly(self.split.net, priced.cents(needed));
            return Ok((Coin { units: needed, ..coin }, split, coin.units - needed));
        }
        let split = self.rates.largest(priced.cents(coin.units)).ok_or(Reason::Short)?;
        match self.rates.limited_amount(split) {
            bound if strictly && bound < self.range.0 => Err(Reason::Short),
            _ if self.rates.is_over((coin.units, split), self.range.1, priced) => {
                Err(Reason::TooMuch)
            }
            _ => Ok((coin, split, 0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample_price() -> Priced {
        Priced { ask: Invocation::read("5.40"), scale: 6 }
    }

    fn rates(house: u16, fixed: i64, partner: u16) -> Rates {
        Rates { house, partner, fixed, reserve: 100, on_gross: false }
    }

    /// Rulings 47: 1.5 % and 1.00 of what is sold.
    #[test]
    fn a_sale_on_liquid_has_its_fee_on_the_gross() {
        let rates = Rates { house: 150, partner: 0, fixed: 100, reserve: 0, on_gross: true };
        assert_eq!(rates.largest(10_000).map(|split| split.net), Some(9_750));
        assert_eq!((rates.cost(10_000), rates.cost(1)), (10_253, 102));
        assert!(rates.largest(101).is_none());
        for net in 1..40_000 {
            let cost = rates.cost(net);
            assert_eq!(
                (rates.net_from_gross(cost), rates.net_from_gross(cost - 1)),
                (net, net - 1),
                "{net}"
            );
        }
    }

    /// W44, W45, W47 and W49: what a net costs, in reais and in USDT.
    #[test]
    fn sales_are_those_of_the_worked_examples() {
        let asked =
            |rates: Rates, net| (rates.cost(net), sample_price().units_for(rates.cost(net)));
        assert_eq!(asked(rates(200, 200, 0), 10_000), (10_500, 19_444_445));
        assert_eq!(asked(rates(35, 0, 0), 10_000), (10_135, 18_768_519));
        assert_eq!(asked(rates(35, 0, 50), 10_000), (10_185, 18_861_112));
        assert_eq!(asked(rates(35, 0, 0), 8_990), (9_121, 16_890_741));
        assert_eq!(asked(rates(35, 0, 0), 600), (702, 1_300_000));
    }

    /// W54 and W55: what came back buys crypto at the frozen price.
    #[test]
    fn refunds_are_those_of_the_worked_examples() {
        assert_eq!(sample_price().buy_back_units(9_900), 18_333_333);
        assert_eq!(sample_price().buy_back_units(10_000), 18_518_518);
    }

    /// INV-19: one centavo more would not be covered.
    #[test]
    fn the_largest_net_is_covered_and_one_centavo_more_is_not() {
        for rates in [rates(200, 200, 0), rates(35, 0, 50), rates(0, 0, 0), rates(9_999, 7, 1)] {
            for gross in (1..40_000).step_by(7) {
                let Some(split) = rates.largest(gross) else {
                    assert!(gross < rates.cost(1), "{gross}");
                    continue;
                };
                assert_eq!(split.gross(), gross);
                assert!(0 <= split.residue && gross < rates.cost(split.net + 1), "{gross}");
            }
        }
    }
}
