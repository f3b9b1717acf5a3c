//! Fees by the oracle's own arithmetic (rulings 17): 128 bits, and a closed form for the smallest
//! charge where the core searches.

use ledger_core::money::{Amount, Share};
use ledger_core::terms::{Rate, Terms};

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
pub(super) fn payout_fees(amount: i64, terms: &Terms, tariff: Share) -> Fees {
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

/// The smallest charge that leaves at least `least_net`; none when the largest does not.
///
/// What is left of `a` is `ceil(a * (10000 - bps) / 10000) - fixed`, so the smallest is one more
/// than the largest `a` whose part falls short.
pub(super) fn smallest_charge(terms: &Terms, least_net: Share) -> Option<Amount> {
    let wanted = i128::from(terms.deposit.fixed.cents()) + i128::from(least_net.cents());
    let kept = WHOLE - i128::from(terms.deposit.bps.get());
    let by_fee = match (wanted, kept) {
        (0, _) => 1,
        (_, 0) => return None,
        (wanted, kept) => (wanted - 1) * WHOLE / kept + 1,
    };
    let smallest = narrow(by_fee).max(terms.charge_least.cents());
    if smallest <= terms.charge_most.cents() { Amount::new(smallest) } else { None }
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
        let fixed = Share::new(deposit.1).expect("not negative");
        let deposit = Rate { bps: bps(deposit.0), fixed };
        let (payout_house, payout_partner) = (bps(payout.0), bps(payout.1));
        Terms { deposit, payout_house, payout_partner, ..Terms::published() }
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
            let tariff = Share::new(tariff).expect("not negative");
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
        let one = Share::new(1).expect("not negative");
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
}
