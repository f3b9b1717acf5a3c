//! Fees of purchases and conversions, of deposits and payouts, computed twice: by the core and on
//! paper; and the smallest amounts that pass (FEE-07, rulings 17; INV-16, 17, 18, 22, 43).

use ledger_core::coin::Scale;
use ledger_core::money::{Amount, Cents};
use ledger_core::terms::{
    Listing, Offer, PayoutFees, Price, Rail, Rate, ServiceFees, ServiceRates, Terms,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::samples::{amount, as_cents, bps, listing, price, units};
use crate::schoolbook::Big;

/// House percentage, fixed part, partner percentage: every schedule that section 1 of the contract
/// names, and those of Part C.
const NAMED: [(u16, i64, u16); 13] = [
    (0, 100, 0),
    (330, 100, 0),
    (330, 0, 0),
    (330, 100, 100),
    (330, 0, 50),
    (330, 0, 70),
    (150, 0, 0),
    (150, 0, 100),
    (250, 100, 0),
    (200, 200, 0),
    (35, 0, 0),
    (180, 0, 0),
    (150, 100, 0),
];

/// The tariffs that a payout may cost besides.
const TARIFFS: [i64; 3] = [0, 30, 100];

fn rates((house, fixed, partner): (u16, i64, u16)) -> ServiceRates {
    ServiceRates { house: Rate { bps: bps(house), fixed: as_cents(fixed) }, partner: bps(partner) }
}

/// Net, total, house, partner.
fn parts(rates: ServiceRates, cents: i64) -> Option<[i64; 4]> {
    let fees = rates.on(amount(cents))?;
    let net = rates.net(amount(cents))?;
    let parts = [fees.total()?, fees.house, fees.partner].map(Cents::cents);
    Some([net.cents(), parts[0], parts[1], parts[2]])
}

fn percent(cents: i64, bps: u32) -> Big {
    Big::new(cents).times(&Big::new(bps)).over(&Big::new(10_000))
}

#[test]
fn published_purchase_fees() {
    // W04, W05, W07, W08, W10, W11, W12, W13.
    let of = |schedule, cents| parts(rates(schedule), cents).unwrap();
    assert_eq!(of((330, 100, 0), 10_000), [9_570, 430, 430, 0]);
    assert_eq!(of((330, 100, 0), 5_000), [4_735, 265, 265, 0]);
    assert_eq!(of((330, 100, 0), 600_000), [580_100, 19_900, 19_900, 0]);
    assert_eq!(of((330, 100, 100), 10_000), [9_470, 530, 430, 100]);
    assert_eq!(of((330, 0, 70), 3_333), [3_200, 133, 110, 23]);
    assert_eq!(of((250, 100, 0), 10_000), [9_650, 350, 350, 0]);
    assert_eq!(of((200, 200, 0), 10_000), [9_600, 400, 400, 0]);
    assert_eq!(of((35, 0, 0), 10_000), [9_965, 35, 35, 0]);
    assert_eq!(of((330, 0, 50), 10_000), [9_620, 380, 330, 50]);
}

/// INV-43: an asset so cheap that the largest amount buys more than can be counted is sold all the
/// same.
#[test]
fn the_smallest_amount_is_found_however_little_a_unit_costs() {
    let listing = Listing { scale: Scale::new(18).unwrap(), ..listing(1, 0) };
    let most = amount(100_000_000_000_000);
    for text in ["0.000005", "0.0000005", "0.000000000001"] {
        let offer = Offer { price: price(text), listing: &listing };
        assert_eq!(offer.smallest(most), Some(amount(1)), "{text}");
        let least = rates((330, 100, 0)).smallest(offer, as_cents(1), (amount(1), most));
        assert_eq!(least, Some(amount(104)), "{text}");
    }
}

#[test]
fn fees_that_take_all_or_more_leave_nothing() {
    // W11, W14: nothing and less than nothing are no purchase.
    let net = |schedule, cents| rates(schedule).net(amount(cents)).map(Amount::cents);
    assert_eq!((net((330, 100, 0), 103), net((330, 100, 0), 104)), (None, Some(1)));
    assert_eq!((net((250, 100, 0), 102), net((250, 100, 0), 103)), (None, Some(1)));
    assert_eq!(net((10_000, 0, 0), 1_000_000), None);
    assert_eq!(rates((9_999, 0, 2)).on(amount(1)), None);
    assert_eq!(rates((9_999, 0, 2)).total_bps(), None);
    assert_eq!(rates((9_999, 0, 1)).total_bps(), Some(bps(10_000)));
    assert_eq!(rates((1, i64::MAX, 0)).on(amount(i64::MAX)), None);
}

#[test]
fn the_terms_in_force_are_those_of_the_rail() {
    let terms = Terms { purchase_partner: bps(100), liquid: as_cents(1), ..Terms::latest() };
    for rail in [Rail::Instant, Rail::Convert] {
        assert_eq!(terms.purchase_rates(rail), rates((330, 100, 100)));
    }
    // FEE-24: no key fee on Liquid, and no partner's part.
    assert_eq!(terms.purchase_rates(Rail::Liquid), rates((0, 1, 0)));
    // P:ConversionPartner: both house percentages, and the partner's on exits.
    let terms = Terms { crypto_withdrawal: bps(20), payout_partner: bps(50), ..terms };
    assert_eq!(terms.conversion_rates(), Some(rates((350, 0, 50))));
    let beyond = Terms { crypto_withdrawal: bps(9_671), ..terms };
    assert_eq!(beyond.conversion_rates(), None);
}

#[test]
fn published_smallest_purchases() {
    // W02, W14, W16, W17.
    let range = (amount(100), amount(600_000));
    let smallest = |listing: &Listing, text: &str, schedule| {
        let offer = Offer { listing, price: price(text) };
        rates(schedule).smallest(offer, as_cents(1), range).map(Amount::cents)
    };
    assert_eq!(smallest(&listing(1, 0), "5.40", (330, 100, 0)), Some(104));
    assert_eq!(smallest(&listing(1_011_000, 0), "5.40", (330, 100, 0)), Some(668));
    assert_eq!(smallest(&listing(5_006_500, 0), "5.40", (330, 100, 0)), Some(2_899));
    let liquid =
        Listing { rail: Rail::Liquid, scale: Scale::new(8).unwrap(), ..listing(101_000_000, 0) };
    assert_eq!(smallest(&liquid, "1", (0, 0, 0)), Some(101));
    // What the network takes leaves something, whatever its minimum says.
    assert_eq!(smallest(&listing(1, 1_000_000), "5.40", (0, 0, 0)), Some(541));
    // Nothing in the range passes.
    assert_eq!(smallest(&listing(2_000_000_000, 0), "5.40", (330, 100, 0)), None);
    assert_eq!(smallest(&listing(1, 0), "5.40", (10_000, 0, 0)), None);
}

#[test]
fn the_smallest_conversion_is_bare_of_fees() {
    let smallest = |listing: &Listing| {
        let offer = Offer { listing, price: price("5.40") };
        offer.smallest(amount(1_000_000)).map(Amount::cents)
    };
    assert_eq!(smallest(&listing(1_011_000, 0)), Some(546));
    assert_eq!(smallest(&listing(5_006_500, 0)), Some(2_704));
    assert_eq!(smallest(&listing(10_u128.pow(15), 0)), None);
}

fn schedules() -> impl Strategy<Value = (u16, i64, u16)> {
    let fixed = prop_oneof![Just(0), 0..1_000_i64, 0..=i64::MAX / 4];
    prop_oneof![select(NAMED.to_vec()), (0..=10_000_u16, fixed, 0..=10_000_u16)]
}

fn amounts() -> impl Strategy<Value = i64> {
    prop_oneof![1..2_000_i64, 1..=600_000_i64, 1..=i64::MAX / 2]
}

fn listings() -> impl Strategy<Value = Listing> {
    let network = (1..50_000_000_u128, prop_oneof![Just(0), 0..5_000_000_u128]);
    let rail = select(vec![Rail::Instant, Rail::Convert, Rail::Liquid]);
    (network, rail, 0..=18_u8).prop_map(|((least, taken), rail, decimals)| {
        let scale = Scale::new(decimals).unwrap();
        // The same minimum in wholes, whatever the scale.
        let scaled = |number: u128| (number * scale.one()).div_ceil(1_000_000);
        let network_fee = ledger_core::coin::Units::new(scaled(taken));
        Listing { rail, scale, least: units(scaled(least).max(1)), network_fee, ..listing(1, 0) }
    })
}

/// The rates and price of a rail: no key fee and one to one on Liquid.
fn on_rail(rail: Rail, schedule: (u16, i64, u16), text: &str) -> (ServiceRates, Price) {
    let (house, fixed, partner) = schedule;
    let terms = Terms {
        purchase: Rate { bps: bps(house), fixed: as_cents(fixed) },
        purchase_partner: bps(partner),
        liquid: as_cents(fixed.min(200)),
        ..Terms::latest()
    };
    match rail {
        Rail::Instant | Rail::Convert => (terms.purchase_rates(rail), price(text)),
        Rail::Liquid => (terms.purchase_rates(rail), Price::PAR),
    }
}

/// Tells whether an amount passes, on paper: what it leaves, and what that buys.
fn passes(
    rates: ServiceRates,
    listing: &Listing,
    price: Price,
    least_net: i64,
    cents: i64,
) -> bool {
    let together = u32::from(rates.house.bps.get()) + u32::from(rates.partner.get());
    let fee = percent(cents, together).plus(&Big::new(rates.house.fixed.cents()));
    let gross = Big::new(cents);
    if together > 10_000 || gross <= fee {
        return false;
    }
    let net = gross.minus(&fee);
    let text = price.text();
    let decimals = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let mantissa = Big::new(text.replace('.', "").as_str());
    let units = net
        .times(&Big::ten_to(u32::try_from(decimals).unwrap()))
        .times(&Big::new(listing.scale.one()))
        .over(&mantissa.times(&Big::new(100)));
    let taken = Big::new(listing.network_fee.map_or(0, ledger_core::coin::Units::get));
    let countable = units <= Big::ten_to(36);
    let enough = Big::new(listing.least.get()) <= units && taken < units;
    Big::new(least_net) <= net && enough && countable
}

proptest! {
    #[test]
    fn fees_are_those_on_paper_and_add_up(schedule in schedules(), cents in amounts()) {
        // INV-16: net + total = amount; total = house + partner, the fixed part the house's.
        let (house, fixed, partner) = schedule;
        let together = u32::from(house) + u32::from(partner);
        let fees = rates(schedule).on(amount(cents));
        prop_assert_eq!(fees.is_none(), together > 10_000);
        let Some(ServiceFees { house: of_house, partner: of_partner }) = fees else { return Ok(()) };
        let total = percent(cents, together).plus(&Big::new(fixed));
        let its = percent(cents, partner.into());
        prop_assert_eq!(&Big::new(of_partner.cents()), &its);
        prop_assert_eq!(Big::new(of_house.cents()), total.minus(&its));
        let net = rates(schedule).net(amount(cents)).map(Amount::cents);
        let gross = Big::new(cents);
        let expected = if total < gross { Some(gross.minus(&total)) } else { None };
        prop_assert_eq!(net.map(Big::new), expected);
    }

    #[test]
    fn deposit_fees_are_those_on_paper(schedule in schedules(), cents in amounts()) {
        // INV-13, INV-16: the same rate on a deposit has no partner's part.
        let (house, fixed, _) = schedule;
        let rate = Rate { bps: bps(house), fixed: as_cents(fixed) };
        let fee = percent(cents, house.into()).plus(&Big::new(fixed));
        prop_assert_eq!(rate.on(amount(cents)).map(|fee| Big::new(fee.cents())), Some(fee.clone()));
        let gross = Big::new(cents);
        let net = if fee <= gross { Some(gross.minus(&fee)) } else { None };
        prop_assert_eq!(rate.net(amount(cents)).map(|net| Big::new(net.cents())), net);
    }

    #[test]
    fn payout_fees_are_those_on_paper(
        schedule in schedules(),
        cents in amounts(),
        tariff in select(TARIFFS.to_vec()),
    ) {
        // INV-17.
        let (house, _, partner) = schedule;
        let fees = PayoutFees::on(amount(cents), bps(house), bps(partner), as_cents(tariff));
        let together = u32::from(house) + u32::from(partner);
        prop_assert_eq!(fees.is_none(), together > 10_000);
        let Some(fees) = fees else { return Ok(()) };
        let total = percent(cents, together);
        let its = percent(cents, partner.into());
        prop_assert_eq!(Big::new(fees.service_total().cents()), total.clone());
        prop_assert_eq!(Big::new(fees.partner.cents()), its.clone());
        prop_assert_eq!(Big::new(fees.house.cents()), total.minus(&its));
        let all = fees.total().map(|all| Big::new(all.cents()));
        prop_assert_eq!(all, Some(total.plus(&Big::new(tariff))));
    }

    #[test]
    fn fees_and_net_never_fall_as_the_amount_grows(
        schedule in schedules(),
        cents in 1..i64::MAX / 2,
    ) {
        // INV-22: the total grows by at most one centavo at a time, and so does the partner's part.
        let of = |cents| rates(schedule).on(amount(cents));
        let [Some(now), Some(next)] = [of(cents), of(cents + 1)] else { return Ok(()) };
        for part in [ServiceFees::total, |fees: ServiceFees| Some(fees.partner)] {
            let [now, next] = [now, next].map(|fees| part(fees).unwrap().cents());
            prop_assert!(now <= next && next <= now + 1);
        }
        let net = |cents| rates(schedule).net(amount(cents));
        prop_assert!(net(cents) <= net(cents + 1));
    }

    #[test]
    fn the_smallest_purchase_passes_and_one_centavo_less_does_not(
        schedule in schedules(),
        listing in listings(),
        text in select(vec!["5.40", "5.4321", "0.98", "1", "350123.45", "0.000123456789"]),
        least_net in prop_oneof![Just(1), 0..2_000_i64],
        (least, most) in (1..3_000_i64, prop_oneof![Just(600_000), 1..1_000_000_i64]),
        asked in amounts(),
    ) {
        // INV-43, rulings 17: on every rail, for any minimum of the network.
        let (rates, price) = on_rail(listing.rail, schedule, text);
        let offer = Offer { listing: &listing, price };
        let on_paper = |cents| passes(rates, &listing, price, least_net, cents);
        let passes = rates.passes(offer, as_cents(least_net), amount(asked));
        prop_assert_eq!(passes, on_paper(asked));
        match rates.smallest(offer, as_cents(least_net), (amount(least), amount(most))) {
            Some(found) => {
                let found = found.cents();
                prop_assert!(least <= found && found <= most);
                prop_assert!(on_paper(found), "{} does not pass", found);
                prop_assert!(found == least || !on_paper(found - 1), "{} passes too", found - 1);
            }
            None => prop_assert!(most < least || !on_paper(most)),
        }
    }

    #[test]
    fn the_smallest_conversion_passes_and_one_centavo_less_does_not(
        listing in listings(),
        text in select(vec!["5.40", "5.4321", "0.98", "1", "350123.45"]),
        most in 1..100_000_000_i64,
    ) {
        let offer = Offer { listing: &listing, price: price(text) };
        let on_paper = |cents| passes(ServiceRates::default(), &listing, price(text), 1, cents);
        match offer.smallest(amount(most)) {
            Some(found) => {
                prop_assert!(on_paper(found.cents()) && offer.sells(found));
                prop_assert!(found.cents() == 1 || !on_paper(found.cents() - 1));
            }
            None => prop_assert!(!on_paper(most)),
        }
    }

    #[test]
    fn the_partners_part_of_a_part_is_in_proportion(
        house in 0..=i64::MAX / 4,
        partner in 0..=i64::MAX / 4,
        part in 0..=i64::MAX / 4,
    ) {
        // Rulings 28: rounded down, the whole of the whole.
        let fees = ServiceFees { house: as_cents(house), partner: as_cents(partner) };
        let total = fees.total().unwrap();
        prop_assert_eq!(fees.partner_of(total), if total.is_zero() { Cents::ZERO } else { as_cents(partner) });
        prop_assume!(!total.is_zero() && part <= total.cents());
        let expected = Big::new(partner).times(&Big::new(part)).over(&Big::new(total.cents()));
        prop_assert_eq!(Big::new(fees.partner_of(as_cents(part)).cents()), expected);
    }
}
