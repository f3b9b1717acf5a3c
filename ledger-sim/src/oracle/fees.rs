//! Fees by the oracle's own arithmetic (rulings 17): 128 bits, and a closed form for the smallest
//! charge where the core searches.

use ledger_core::money::{Amount, Cents};
use ledger_core::terms::{Rail, Rate, Terms};

const WHOLE: i128 = 10_000;

/// The percentage of an amount, rounded down.
pub(super) fn percentage(amount: i64, bps: u16) -> i64 {
    narrow(i128::from(amount) * i128::from(bps) / WHOLE)
}

/// The deposit fee on what was received.
pub(super) fn deposit_fee(rate: Rate, received: i64) -> i64 {
    percentage(received, rate.bps.get()) + rate.fixed.cents()
}

/// The fees on a payout: the house's, the partner's and the provider's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fees {
    pub(crate) house: i64,
    pub(crate) partner: i64,
    pub(crate) tariff: i64,
}

/// One rounded total; the partner's part rounded down; the rest the house's.
pub(super) fn payout_fees(amount: i64, terms: &Terms, tariff: Cents) -> Fees {
    let (house, partner) = (terms.payout_house.get(), terms.payout_partner.get());
    let total = percentage(amount, house + partner);
    let partner = percentage(amount, partner);
    Fees { house: total - partner, partner, tariff: tariff.cents() }
}

impl Fees {
    pub(super) fn total(self) -> i64 {
        self.house + self.partner + self.tariff
    }
}

/// The rates of a purchase or conversion: the house's percentage and fixed part, and the partner's
/// percentage on top.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Service {
    house: u16,
    fixed: i64,
    partner: u16,
}

/// What a service earns, by whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Earned {
    pub(crate) house: i64,
    pub(crate) partner: i64,
}

impl Earned {
    pub(crate) fn total(self) -> i64 {
        self.house + self.partner
    }

    /// The partner's part of so much of the total, rounded down (rulings 28).
    pub(super) fn partner_of(self, part: i64) -> i64 {
        if self.total() == 0 {
            return 0;
        }
        let (partner, total) = (i128::from(self.partner), i128::from(self.total()));
        narrow(partner * i128::from(part) / total)
    }
}

impl Service {
    /// Nothing is earned by handing over what was earned.
    pub(super) const FREE: Self = Self { house: 0, fixed: 0, partner: 0 };

    /// Direct purchase: no key fee on Liquid (FEE-24, P:LiquidMin).
    pub(super) fn purchase(terms: &Terms, rail: Rail) -> Self {
        match rail {
            Rail::Liquid => Self { house: 0, fixed: terms.liquid.cents(), partner: 0 },
            Rail::Instant | Rail::Convert => Self {
                house: terms.purchase.bps.get(),
                fixed: terms.purchase.fixed.cents(),
                partner: terms.purchase_partner.get(),
            },
        }
    }

    /// Conversion of custody: both percentages, and the partner's on exits (FEE-05, FEE-43).
    pub(super) fn conversion(terms: &Terms) -> Self {
        Self {
            house: terms.conversion.bps.get() + terms.crypto_withdrawal.get(),
            fixed: terms.conversion.fixed.cents(),
            partner: terms.payout_partner.get(),
        }
    }

    /// The total percentage rounded down once; the partner's part rounded down; the rest and the
    /// fixed part the house's (FEE-37).
    pub(super) fn on(self, amount: i64) -> Earned {
        let partner = percentage(amount, self.partner);
        let whole = percentage(amount, self.house + self.partner) + self.fixed;
        Earned { house: whole - partner, partner }
    }

    /// The smallest amount that leaves so many centavos after the fees.
    pub(super) fn smallest_leaving(self, net: i64) -> Option<i64> {
        smallest(self.house + self.partner, self.fixed, net)
    }
}

/// A price: reais for one whole of an asset, as a number and how many of its digits are decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Invocation {
    digits: u128,
    decimals: u32,
}

impl Invocation {
    /// Reads what the wire says.
    pub(super) fn read(text: &str) -> Self {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{fraction}").parse().expect("a price is digits and a dot");
        Self { digits, decimals: u32::try_from(fraction.len()).expect("few decimals") }
    }

    /// Returns what centavos buy, rounded down: long division by hand, one decimal of the asset at
    /// a time.
    pub(super) fn buys(self, cents: i64, scale: u8) -> u128 {
        let by = self.digits * 100;
        let dividend = u128::from(cents.unsigned_abs()) * 10_u128.pow(self.decimals);
        let (mut units, mut rest) = (dividend / by, dividend % by);
        for _ in 0..scale {
            rest *= 10;
            units = units * 10 + rest / by;
            rest %= by;
        }
        units
    }

    /// The fewest units whose sale brings so many centavos: rounded up.
    pub(super) fn needs(self, cents: i64, scale: u8) -> u128 {
        let shift = 10_u128.pow(self.decimals + u32::from(scale));
        (u128::from(cents.unsigned_abs()) * shift).div_ceil(self.digits * 100)
    }

    /// The centavos that the sale of so many units brings: rounded down; of more than can be
    /// counted, the most that can.
    pub(super) fn brings(self, units: u128, scale: u8) -> i64 {
        let by = 10_u128.pow(self.decimals + u32::from(scale));
        i64::try_from(units * self.digits * 100 / by).unwrap_or(i64::MAX)
    }

    /// The fewest centavos that buy so many units: rounded up.
    pub(super) fn costs(self, units: u128, scale: u8) -> i64 {
        let by = 10_u128.pow(self.decimals + u32::from(scale));
        i64::try_from((units * self.digits * 100).div_ceil(by)).expect("the simulator buys little")
    }
}

/// The smallest charge that leaves at least `least_net`; none when the largest does not.
pub(super) fn smallest_charge(terms: &Terms, least_net: Cents) -> Option<Amount> {
    let (bps, fixed) = (terms.deposit.bps.get(), terms.deposit.fixed.cents());
    let smallest = smallest(bps, fixed, least_net.cents())?.max(terms.charge_least.cents());
    if smallest <= terms.charge_most.cents() { Amount::new(smallest) } else { None }
}

/// The smallest amount that leaves `net` of it.
///
/// What is left of `a` is `ceil(a * (10000 - bps) / 10000) - fixed`, so the smallest is one more
/// than the largest `a` whose part falls short.
fn smallest(bps: u16, fixed: i64, net: i64) -> Option<i64> {
    let wanted = i128::from(fixed) + i128::from(net);
    match (wanted, WHOLE - i128::from(bps)) {
        (0, _) => Some(1),
        (_, ..=0) => None,
        (wanted, kept) => Some(narrow((wanted - 1) * WHOLE / kept + 1)),
    }
}

fn narrow(cents: i128) -> i64 {
    i64::try_from(cents).expect("the simulator deals in sums below 2^63 centavos")
}

#[cfg(test)]
mod tests {
    use ledger_core::money::Bps;

    use super::*;

    fn terms(deposit: (u16, i64), payout: (u16, u16)) -> Terms {
        let bps = |value| Bps::new(value).expect("below the whole");
        let fixed = Cents::new(deposit.1).expect("not negative");
        let deposit = Rate { bps: bps(deposit.0), fixed };
        let (payout_house, payout_partner) = (bps(payout.0), bps(payout.1));
        Terms { deposit, payout_house, payout_partner, ..Terms::latest() }
    }

    /// W01, W11, W12, W13.
    #[test]
    fn deposit_fees_are_those_of_the_worked_examples() {
        let fee = |bps, fixed, amount| deposit_fee(terms((bps, fixed), (0, 0)).deposit, amount);
        assert_eq!(fee(0, 100, 10_000), 100);
        assert_eq!(fee(250, 100, 10_000), 350);
        assert_eq!(fee(250, 100, 102), 102);
        assert_eq!(fee(200, 200, 10_000), 400);
        assert_eq!(fee(35, 0, 10_000), 35);
        assert_eq!(fee(35, 0, 600_000), 2_100);
    }

    /// W10, W23, W24, W25, W26.
    #[test]
    fn payout_fees_are_those_of_the_worked_examples() {
        let fees = |house, partner, tariff, amount| {
            let tariff = Cents::new(tariff).expect("not negative");
            let Fees { house, partner, tariff } =
                payout_fees(amount, &terms((0, 0), (house, partner)), tariff);
            [house, partner, tariff]
        };
        assert_eq!(fees(330, 70, 0, 3_333), [110, 23, 0]);
        assert_eq!(fees(150, 0, 0, 10_000), [150, 0, 0]);
        assert_eq!(fees(150, 100, 100, 10_000), [150, 100, 100]);
        assert_eq!(fees(180, 0, 100, 10_000), [180, 0, 100]);
        assert_eq!(fees(150, 100, 0, 3_333), [50, 33, 0]);
    }

    /// W02 and W14, and that one centavo less falls short.
    #[test]
    fn the_smallest_charge_leaves_what_is_wanted_and_one_less_does_not() {
        let one = Cents::new(1).expect("not negative");
        let smallest = |bps, fixed| smallest_charge(&terms((bps, fixed), (0, 0)), one);
        assert_eq!(smallest(0, 100), Amount::new(101));
        assert_eq!(smallest(330, 100), Amount::new(104));
        for bps in [0, 1, 35, 200, 330, 2_500, 9_999] {
            for fixed in [0, 7, 100, 200] {
                let terms = Terms { charge_least: Amount::CENTAVO, ..terms((bps, fixed), (0, 0)) };
                let Some(least) = smallest_charge(&terms, one) else { continue };
                let leaves = |cents| cents - deposit_fee(terms.deposit, cents) >= 1;
                assert!(leaves(least.cents()), "{bps} {fixed}");
                assert!(!leaves(least.cents() - 1), "{bps} {fixed}");
            }
        }
        assert_eq!(smallest(10_000, 0), None);
    }

    /// Fees, net and units of a purchase of this amount at R$ 5.40 for one USDT.
    fn purchase(house: u16, fixed: i64, partner: u16, amount: i64) -> [i128; 4] {
        let earned = Service { house, fixed, partner }.on(amount);
        let net = amount - earned.total();
        let units = i128::try_from(Invocation::read("5.40").buys(net, 6)).expect("few");
        [earned.house.into(), earned.partner.into(), net.into(), units]
    }

    /// W04, W05, W07, W08.
    #[test]
    fn purchases_are_those_of_the_worked_examples() {
        assert_eq!(purchase(330, 100, 0, 10_000), [430, 0, 9_570, 17_722_222]);
        assert_eq!(purchase(330, 100, 0, 5_000), [265, 0, 4_735, 8_768_518]);
        assert_eq!(purchase(330, 100, 0, 600_000), [19_900, 0, 580_100, 1_074_259_259]);
        assert_eq!(purchase(330, 100, 100, 10_000), [430, 100, 9_470, 17_537_037]);
    }

    /// W14 and W16: one centavo for the account, 1.011 USDC and 5.0065 USDT for the network.
    #[test]
    fn minima_are_those_of_the_worked_examples_and_one_less_does_not_pass() {
        let service = Service { house: 330, fixed: 100, partner: 0 };
        let ask = Invocation::read("5.40");
        for (least, smallest) in [(1, 104), (1_011_000, 668), (5_006_500, 2_899)] {
            let net = ask.costs(least, 6);
            assert_eq!(service.smallest_leaving(net), Some(smallest));
            let bought = |amount: i64| ask.buys((amount - service.on(amount).total()).max(0), 6);
            assert!(bought(smallest) >= least);
            assert!(bought(smallest - 1) < least);
        }
    }

    /// Rulings 28: parts of the total never add up to more than the partner's whole.
    #[test]
    fn the_partners_part_of_the_whole_fee_is_its_whole_part() {
        let earned = Service { house: 200, fixed: 200, partner: 100 }.on(33_333);
        assert_eq!(earned.partner_of(earned.total()), earned.partner);
        assert_eq!(earned.partner_of(0), 0);
    }
}
