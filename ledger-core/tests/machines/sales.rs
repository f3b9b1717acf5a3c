//! What a sale costs, from either end: the worked examples, and that nothing is lost between.

use ledger_core::coin::{Scale, Units};
use ledger_core::money::{Amount, Bps, Cents};
use ledger_core::terms::{FeeBase, Price, Rate, Route, SaleRates, Terms};
use proptest::prelude::*;

fn amount(cents: i64) -> Amount {
    Amount::new(cents).unwrap()
}

fn rates(bps: u16, fixed: i64, partner: u16) -> SaleRates {
    SaleRates {
        house: Rate { bps: Bps::new(bps).unwrap(), fixed: Cents::new(fixed).unwrap() },
        partner: Bps::new(partner).unwrap(),
        reserve: Cents::new(100).unwrap(),
        base: None,
    }
}

/// Of the Liquid stablecoin: no reserve, and the fee is on what is sold.
fn on_gross(bps: u16, fixed: i64, partner: u16) -> SaleRates {
    SaleRates { reserve: Cents::ZERO, base: Some(FeeBase::Gross), ..rates(bps, fixed, partner) }
}

#[test]
fn rulings_47_a_sale_on_liquid_has_its_fee_and_its_bounds_on_what_is_sold() {
    let rates = on_gross(150, 100, 0);
    let net = |gross| rates.largest(amount(gross)).map(|deal| deal.net.cents());
    assert_eq!(
        (net(10_000), net(102), net(101), net(600_000)),
        (Some(9_750), Some(1), None, Some(590_900))
    );
    let cost = |net| rates.cost(amount(net)).map(Amount::cents);
    assert_eq!((cost(10_000), cost(1), cost(9_750)), (Some(10_253), Some(102), Some(9_999)));
    let deal = rates.largest(amount(10_000)).unwrap();
    assert_eq!(
        (deal.fees.house.cents(), deal.residue, deal.gross()),
        (250, Cents::ZERO, amount(10_000))
    );
    assert_eq!(rates.bounded_amount(deal), Some(amount(10_000)));
    assert_eq!(rates.cost_at(amount(102)), Some(amount(102)));
    assert_eq!(on_gross(10_000, 0, 0).cost(amount(1)), None, "nothing is ever left");
}

proptest! {
    /// Rulings 17: one centavo less leaves less, and what is left is exactly what was asked.
    #[test]
    fn what_a_net_costs_on_the_gross_is_the_smallest_that_leaves_it(
        net in prop_oneof![1..700_000_i64, 1..1_000_000_000_000_i64],
        house in 0..9_000_u16,
        partner in 0..999_u16,
        fixed in 0..10_000_i64,
    ) {
        let rates = on_gross(house, fixed, partner);
        let cost = rates.cost(amount(net)).unwrap();
        let deal = rates.largest(cost).unwrap();
        prop_assert_eq!((deal.net, deal.residue), (amount(net), Cents::ZERO));
        prop_assert_eq!(Some(deal), rates.exactly(amount(net), cost));
        let less = Amount::new(cost.cents() - 1).and_then(|less| rates.largest(less));
        prop_assert!(less.is_none_or(|less| less.net < amount(net)));
        prop_assert_eq!(deal.gross(), cost);
    }

    #[test]
    fn the_most_that_pays_no_more_than_a_recipient_may_have_is_exact(
        room in 0..700_000_i64,
        house in 0..2_000_u16,
        fixed in 0..1_000_i64,
    ) {
        let (rates, most) = (on_gross(house, fixed, 0), amount(600_000));
        let bound = rates.bound_of(Cents::new(room).unwrap(), most);
        let pays = |gross: i64| Amount::new(gross).and_then(|gross| rates.largest(gross)).map_or(0, |deal| deal.net.cents());
        prop_assert!(pays(bound.cents()) <= room);
        prop_assert!(room == 0 || bound == most.as_cents() || room < pays(bound.cents() + 1));
    }
}

fn price() -> Price {
    Price::parse("5.40").unwrap()
}

fn sold(rates: SaleRates, net: i64) -> (i64, String) {
    let cost = rates.cost(amount(net)).unwrap();
    (cost.cents(), price().units_for(cost, Scale::SIX).unwrap().text(Scale::SIX))
}

#[test]
fn w44_w45_w47_w49_the_gross_of_a_net_is_rounded_up_in_crypto() {
    assert_eq!(sold(rates(200, 200, 0), 10_000), (10_500, "19.444445".to_owned()));
    assert_eq!(sold(rates(35, 0, 0), 10_000), (10_135, "18.768519".to_owned()));
    assert_eq!(sold(rates(35, 0, 50), 10_000), (10_185, "18.861112".to_owned()));
    assert_eq!(sold(rates(35, 0, 0), 8_990), (9_121, "16.890741".to_owned()));
    assert_eq!(sold(rates(35, 0, 0), 600), (702, "1.300000".to_owned()));
    let reserve = price().units_for(amount(100), Scale::SIX).unwrap();
    assert_eq!(reserve.text(Scale::SIX), "0.185186");
    let deal = rates(35, 0, 50).exactly(amount(10_000), amount(10_185)).unwrap();
    assert_eq!((deal.fees.house.cents(), deal.fees.partner.cents()), (35, 50));
}

#[test]
fn w54_w55_what_came_back_is_refunded_at_the_frozen_price_rounded_down() {
    let refund = |cents| price().units(amount(cents), Scale::SIX).unwrap().text(Scale::SIX);
    assert_eq!((refund(9_900), refund(10_000)), ("18.333333".into(), "18.518518".into()));
}

#[test]
fn sales_cost_the_standard_integration_and_on_liquid_the_published_fee_without_reserve() {
    let published = Terms::latest();
    assert_eq!(published.sale_rates(Route::Fast), rates(200, 200, 0));
    let liquid = published.sale_rates(Route::Liquid);
    assert_eq!((liquid.house.bps.get(), liquid.house.fixed.cents()), (150, 100));
    assert_eq!(liquid.reserve, Cents::ZERO);
}

proptest! {
    #[test]
    fn the_largest_net_is_covered_and_one_centavo_more_is_not(
        gross in 1_i64..50_000_000,
        (bps, fixed, partner) in (0_u16..5_000, 0_i64..1_000, 0_u16..1_000),
    ) {
        // INV-19: net, fees, reserve and residue are the gross, and no larger net would be.
        let rates = rates(bps, fixed, partner);
        match rates.largest(amount(gross)) {
            Some(deal) => {
                prop_assert_eq!(deal.gross(), amount(gross));
                let more = amount(deal.net.cents() + 1);
                prop_assert!(rates.cost(more).unwrap() > amount(gross));
            }
            None => prop_assert!(rates.cost(amount(1)).unwrap() > amount(gross)),
        }
    }

    #[test]
    fn what_is_asked_for_a_net_pays_it(
        net in 1_i64..50_000_000,
        mantissa in 1_u64..1_000_000_000_000,
        decimals in 0_u32..8,
        scale in 0_u8..18,
    ) {
        let price = format!("{}.{:012}", mantissa / 10_u64.pow(decimals), mantissa);
        let price = Price::parse(&price).unwrap();
        let scale = Scale::new(scale).unwrap();
        let rates = rates(35, 10, 50);
        let cost = rates.cost(amount(net)).unwrap();
        if let Some(units) = price.units_for(cost, scale) {
            let gross = price.cents(units, scale).unwrap();
            prop_assert!(cost <= gross, "{units} units are worth {gross:?}, not {cost:?}");
            let less = Units::new(units.get() - 1).and_then(|units| price.cents(units, scale));
            prop_assert!(less.is_none_or(|less| less < cost), "a unit less would do");
        }
    }
}
