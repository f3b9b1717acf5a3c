//! Fees, their inverses and their dates: W02, W10, W11, W14, W23 to W26, W68; INV-17, 22, 43.

use ledger_core::money::{Amount, Bps, Cents};
use ledger_core::terms::{PayoutFees, Rate, Schedule, Terms};
use proptest::prelude::*;

use crate::samples::{amount, as_cents, at, bps};

fn rate(percentage: u16, fixed: i64) -> Rate {
    Rate { bps: bps(percentage), fixed: as_cents(fixed) }
}

/// Service total, house, partner, tariff, all fees, full debit.
fn payout(cents: i64, house: u16, partner: u16, tariff: i64) -> [i64; 6] {
    let fees = PayoutFees::on(amount(cents), bps(house), bps(partner), as_cents(tariff)).unwrap();
    let total = fees.total().unwrap().cents();
    let service = fees.service_total().cents();
    let [house, partner, tariff] = [fees.house, fees.partner, fees.tariff].map(Cents::cents);
    [service, house, partner, tariff, total, cents + total]
}

#[test]
fn published_deposit_fees() {
    // W01, W03, W11, W12, W13.
    let of = |rate: Rate, cents| {
        let amount = amount(cents);
        (rate.on(amount).unwrap().cents(), rate.net(amount).unwrap().cents())
    };
    assert_eq!(of(rate(0, 100), 10_000), (100, 9_900));
    assert_eq!(of(rate(0, 100), 600_000), (100, 599_900));
    assert_eq!(of(rate(250, 100), 10_000), (350, 9_650));
    assert_eq!(of(rate(250, 100), 102), (102, 0));
    assert_eq!(of(rate(200, 200), 10_000), (400, 9_600));
    assert_eq!(of(rate(35, 0), 10_000), (35, 9_965));
    assert_eq!(of(rate(35, 0), 600_000), (2_100, 597_900));
}

#[test]
fn published_payout_fees() {
    // W23 to W26; W10 in payout form.
    assert_eq!(payout(10_000, 150, 0, 0), [150, 150, 0, 0, 150, 10_150]);
    assert_eq!(payout(10_000, 150, 100, 100), [250, 150, 100, 100, 350, 10_350]);
    assert_eq!(payout(10_000, 180, 0, 100), [180, 180, 0, 100, 280, 10_280]);
    assert_eq!(payout(3_333, 150, 100, 0), [83, 50, 33, 0, 83, 3_416]);
    assert_eq!(payout(3_333, 150, 0, 0), [49, 49, 0, 0, 49, 3_382]);
    assert_eq!(payout(3_333, 330, 70, 0), [133, 110, 23, 0, 133, 3_466]);
}

#[test]
fn published_smallest_amounts() {
    // W02, W11, W14, P:NonPositiveNet.
    let smallest = |rate: Rate, net| {
        let found = rate.smallest_leaving(as_cents(net), amount(1), amount(600_000));
        found.map(Amount::cents)
    };
    assert_eq!(smallest(rate(0, 100), 1), Some(101));
    assert_eq!(smallest(rate(250, 100), 0), Some(102));
    assert_eq!(smallest(rate(330, 100), 1), Some(104));
    assert_eq!(smallest(rate(330, 100), 546), Some(668));
    assert_eq!(smallest(rate(10_000, 0), 1), None);
    let terms = Terms::latest();
    assert_eq!(terms.smallest_charge(as_cents(1)), Some(amount(101)));
    assert_eq!(terms.smallest_charge(as_cents(0)), Some(amount(100)));
    let dear = Terms { charge_least: amount(500), ..terms };
    assert_eq!(dear.smallest_charge(as_cents(1)), Some(amount(500)));
}

#[test]
fn a_range_without_a_passing_amount_has_none() {
    let smallest = |least, most| {
        rate(0, 100).smallest_leaving(as_cents(1), amount(least), amount(most)).map(Amount::cents)
    };
    assert_eq!(smallest(1, 100), None);
    assert_eq!(smallest(1, 101), Some(101));
    assert_eq!(smallest(102, 101), None);
    assert_eq!(smallest(200, 300), Some(200));
}

#[test]
fn rates_above_the_whole_do_not_exist() {
    assert_eq!(Bps::new(10_001), None);
    assert_eq!(Bps::new(10_000).map(Bps::get), Some(10_000));
    assert_eq!(bps(9_999).plus(bps(1)), Some(bps(10_000)));
    assert_eq!(bps(9_999).plus(bps(2)), None);
    assert_eq!(Bps::new(u16::MAX), None);
    let whole = PayoutFees::on(amount(100), bps(6_000), bps(4_001), as_cents(0));
    assert_eq!(whole, None);
}

#[test]
fn terms_are_in_force_from_their_first_instant_on() {
    // W68, P:EffectiveZone: 2026-10-15 begins at 03:00Z.
    let published = Terms::latest();
    let earlier = Terms { deposit: rate(250, 100), ..published };
    let mut schedule = Schedule::starting_with(earlier);
    schedule.adopt(at("2026-10-15T03:00:00Z"), published);
    assert_eq!(schedule.at(at("2026-10-15T02:59:59.999999Z")), &earlier);
    assert_eq!(schedule.at(at("2026-10-15T03:00:00Z")), &published);
    assert_eq!(schedule.at(at("1970-01-01T00:00:00Z")), &earlier);
    assert_eq!(schedule.at(at("9999-12-31T23:59:59Z")), &published);
}

#[test]
fn terms_adopted_later_win_at_the_same_instant_and_nowhere_else() {
    let with = |fixed| Terms { deposit: rate(0, fixed), ..Terms::latest() };
    let (monday, tuesday) = (at("2026-10-19T03:00:00Z"), at("2026-10-20T03:00:00Z"));
    let mut schedule = Schedule::starting_with(with(0));
    schedule.adopt(tuesday, with(2));
    schedule.adopt(monday, with(1));
    schedule.adopt(tuesday, with(3));
    let fixed = |instant| schedule.at(instant).deposit.fixed.cents();
    assert_eq!(fixed(at("2026-10-19T02:59:59Z")), 0);
    assert_eq!(fixed(monday), 1);
    assert_eq!(fixed(at("2026-10-20T02:59:59.999999Z")), 1);
    assert_eq!(fixed(tuesday), 3);
    assert_eq!(schedule.dated_terms().len(), 4);
}

fn rates() -> impl Strategy<Value = Rate> {
    let fixed = prop_oneof![Just(0), 0..1_000_i64, 0..=i64::MAX];
    (0..=10_000_u16, fixed).prop_map(|(percentage, fixed)| rate(percentage, fixed))
}

fn amounts() -> impl Strategy<Value = i64> {
    prop_oneof![1..1_000_i64, 1..1_000_000_i64, 1..=i64::MAX, i64::MAX - 10..=i64::MAX]
}

proptest! {
    #[test]
    fn a_fee_is_the_largest_whole_percentage_and_the_fixed_part(
        rate in rates(),
        cents in amounts(),
    ) {
        // Said without dividing: 10,000 x <= amount x bps < 10,000 (x + 1).
        let product = i128::from(cents) * i128::from(rate.bps.get());
        let percentage = i128::from(rate.bps.fraction_of(amount(cents)).cents());
        prop_assert!(10_000 * percentage <= product && product < 10_000 * (percentage + 1));
        let whole = percentage + i128::from(rate.fixed.cents());
        let fee = rate.on(amount(cents)).map(|fee| i128::from(fee.cents()));
        prop_assert_eq!(fee, Some(whole).filter(|fee| *fee <= i128::from(i64::MAX)));
        let net = rate.net(amount(cents)).map(|net| i128::from(net.cents()));
        prop_assert_eq!(net, Some(i128::from(cents) - whole).filter(|net| 0 <= *net));
    }

    #[test]
    fn fee_and_net_never_fall_as_the_amount_grows(rate in rates(), cents in 1..i64::MAX) {
        // INV-22: and the fee grows by at most one centavo at a time.
        let part = |cents| rate.bps.fraction_of(amount(cents)).cents();
        let [now, next] = [cents, cents + 1].map(part);
        prop_assert!(now <= next && next <= now + 1);
        let [now, next] = [cents, cents + 1].map(|cents| rate.net(amount(cents)));
        prop_assert!(now <= next, "nothing, then zero, then more: {:?}, {:?}", now, next);
    }

    #[test]
    fn the_smallest_amount_passes_and_one_centavo_less_does_not(
        rate in rates(),
        net in amounts(),
        least in amounts(),
        most in amounts(),
    ) {
        // INV-43, rulings 17.
        let leaves = |cents: i64| {
            let product = i128::from(cents) * i128::from(rate.bps.get()) / 10_000;
            i128::from(net) <= i128::from(cents) - product - i128::from(rate.fixed.cents())
        };
        match rate.smallest_leaving(as_cents(net), amount(least), amount(most)) {
            Some(found) => {
                prop_assert!(least <= found.cents() && found.cents() <= most);
                prop_assert!(leaves(found.cents()));
                prop_assert!(found.cents() == least || !leaves(found.cents() - 1));
            }
            None => prop_assert!(most < least || !leaves(most)),
        }
    }

    #[test]
    fn the_parts_of_a_payout_fee_add_up(
        cents in amounts(),
        house in 0..=10_000_u16,
        partner in 0..=10_000_u16,
        tariff in 0..=i64::MAX,
    ) {
        // INV-17, P:FeeSplit: the total and the partner's part rounded down, no centavo lost.
        let fees = PayoutFees::on(amount(cents), bps(house), bps(partner), as_cents(tariff));
        let together = u32::from(house) + u32::from(partner);
        prop_assert_eq!(fees.is_none(), 10_000 < together);
        if let Some(fees) = fees {
            let floor = |bps: u32| i128::from(cents) * i128::from(bps) / 10_000;
            let total = i128::from(fees.service_total().cents());
            prop_assert_eq!(total, floor(together));
            prop_assert_eq!(i128::from(fees.partner.cents()), floor(u32::from(partner)));
            prop_assert_eq!(total, i128::from(fees.house.cents()) + floor(u32::from(partner)));
            prop_assert!(floor(u32::from(house)) <= i128::from(fees.house.cents()));
            let all = total + i128::from(tariff);
            let counted = fees.total().map(|all| i128::from(all.cents()));
            prop_assert_eq!(counted, Some(all).filter(|all| *all <= i128::from(i64::MAX)));
        }
    }

    #[test]
    fn the_smallest_charge_passes_the_range_it_states(
        fixed in 0..5_000_i64,
        percentage in 0..=1_000_u16,
        least_net in 0..5_000_i64,
    ) {
        let terms = Terms { deposit: rate(percentage, fixed), ..Terms::latest() };
        let smallest = terms.smallest_charge(as_cents(least_net)).unwrap();
        let net = terms.deposit.net(smallest).unwrap();
        prop_assert!(terms.charge_least <= smallest && as_cents(least_net) <= net);
    }
}
