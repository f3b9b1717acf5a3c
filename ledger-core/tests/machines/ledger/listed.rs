//! What is offered: catalogue, prices and wallets, as facts bring them (rulings 40, GEN-14).

use ledger_core::coin::Scale;
use ledger_core::id::{AssetId, ChainId};
use ledger_core::ledger::{
    AccountSettings, ChargeRequest, Destination, Fact, Intent, Outcome, Refusal, Request,
};
use ledger_core::machine::charge::Delivery;
use ledger_core::terms::{Listing, Policy, Quote, Rail, Switch};
use ledger_core::time::Span;

use super::counter::{conversion, purchase};
use super::{Desk, SHOP, created, instant, unlimited};
use crate::samples::{WALLET, at, listing, price, units};

const TRON: &str = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";

fn on(asset: &str, chain: &str, address: Option<&str>) -> ChargeRequest {
    let address = address.map(Into::into);
    let delivery = Delivery { asset: asset.into(), chain: chain.into(), address };
    ChargeRequest { delivery, ..purchase(None, 10_000) }
}

fn named(asset: &str, chain: &str) -> Listing {
    Listing { asset_name: asset.into(), chain_name: chain.into(), ..listing(1, 0) }
}

#[test]
fn the_ledger_gives_assets_and_networks_their_numbers() {
    let mut desk = Desk::trading(instant());
    // Whatever numbers the fact carries.
    let usdc = Listing { asset: AssetId(77), chain: ChainId(78), ..named("usdc", "tron") };
    assert_eq!(desk.list(usdc), Outcome::Applied(None));
    let catalogue = &desk.ledger.state.catalogue;
    assert_eq!(catalogue.asset("usdc"), Some((AssetId(1), Scale::SIX)));
    assert_eq!(catalogue.chain("tron"), Some(ChainId(1)));
}

#[test]
fn decimals_that_change_and_pairs_that_never_were_are_set_aside() {
    let mut desk = Desk::trading(instant());
    let eight = Listing { scale: Scale::new(8).unwrap(), ..named("usdt", "tron") };
    assert_eq!(desk.list(eight), Outcome::SetAside(None));
    assert_eq!(desk.ledger.state.catalogue.listing("usdt", "tron"), None);
    let dropped = vec![("usdt".into(), "tron".into())];
    let never = Fact::CatalogueUpdated { listed: Vec::new(), dropped };
    assert_eq!(desk.fact(never), Outcome::SetAside(None));
    // All of a fact or none of it.
    let listed = vec![named("usdt", "tron")];
    let dropped = vec![("btc".into(), "btc".into())];
    assert_eq!(desk.fact(Fact::CatalogueUpdated { listed, dropped }), Outcome::SetAside(None));
    assert_eq!(desk.ledger.state.catalogue.listing("usdt", "tron"), None);
}

#[test]
fn nothing_is_bought_that_is_not_listed_deliverable_and_priced() {
    let mut desk = Desk::open(instant());
    let asked = || purchase(None, 10_000);
    assert_eq!(desk.request(asked()), Err(Refusal::CatalogueMissing));
    desk.list(named("usdc", "polygon"));
    assert_eq!(desk.request(asked()), Err(Refusal::PairUnknown));
    desk.list(Listing { deliverable: Switch::Off, ..named("usdt", "polygon") });
    assert_eq!(desk.request(asked()), Err(Refusal::PairNotDeliverable));
    desk.list(named("usdt", "polygon"));
    assert_eq!(desk.request(asked()), Err(Refusal::RateUnavailable));
    desk.quote("usdt", "5.40");
    assert!(desk.request(asked()).is_ok());
    let dropped = vec![("usdt".into(), "polygon".into())];
    desk.fact(Fact::CatalogueUpdated { listed: Vec::new(), dropped });
    assert_eq!(desk.request(asked()), Err(Refusal::PairUnknown));
}

#[test]
fn a_price_is_quoted_until_it_is_too_old_and_never_an_older_one() {
    // Rulings 40: 15 minutes by default, inclusive.
    let policy = Policy { rate_age: Policy::default().rate_age, ..unlimited() };
    let mut desk = Desk::under(policy, instant());
    desk.list(listing(1, 0));
    let reported_at = desk.now;
    desk.quote("usdt", "5.40");
    let older =
        Quote { price: price("9.99"), source: "late".into(), at: at("2026-10-20T11:00:00Z") };
    let late = Fact::RateQuoted { asset: "usdt".into(), quote: older };
    assert_eq!(desk.fact(late), Outcome::Known);
    let last = reported_at.after(Span::seconds(900));
    desk.now = last;
    let op = created(desk.request(purchase(None, 10_000)).unwrap());
    let charge = desk.operation(op);
    let terms = charge.charge().unwrap().order().unwrap().purchase.clone().unwrap();
    assert_eq!(
        (terms.quote.price, terms.quote.at, &*terms.quote.source),
        (price("5.40"), reported_at, "exchange")
    );
    desk.now = ledger_core::time::Instant::from_micros(last.micros() + 1).unwrap();
    assert_eq!(desk.request(purchase(None, 10_000)), Err(Refusal::RateUnavailable));
    desk.quote("usdt", "5.41");
    assert!(desk.request(purchase(None, 10_000)).is_ok());
}

#[test]
fn liquid_is_one_to_one_without_a_price_and_is_no_conversion() {
    // W17, LIM-27.
    let mut desk = Desk::trading(instant());
    let depix = Listing {
        rail: Rail::Liquid,
        scale: Scale::new(8).unwrap(),
        least: units(101_000_000),
        ..named("depix", "liquid")
    };
    desk.list(depix);
    let wallet = format!("V{}", "2".repeat(40));
    let op = created(desk.request(on("depix", "liquid", Some(&wallet))).unwrap());
    let charge = desk.operation(op);
    let terms = charge.charge().unwrap().order().unwrap().purchase.clone().unwrap();
    assert_eq!(
        (terms.delivery_terms.units, terms.fees.total().unwrap().cents()),
        (units(10_000_000_000), 0)
    );
    desk.deposit(Some("ana"), 20_000);
    let mut asked = conversion(Some("ana"), 10_000);
    asked.target = on("depix", "liquid", Some(&wallet)).delivery;
    assert_eq!(desk.convert(asked), Err(Refusal::PairNotDeliverable));
}

#[test]
fn a_wallet_is_named_or_the_accounts_own_on_polygon() {
    let mut desk = Desk::trading(instant());
    desk.list(named("usdt", "tron"));
    assert_eq!(desk.request(on("usdt", "polygon", None)), Err(Refusal::AddressMissing));
    assert_eq!(desk.request(on("usdt", "polygon", Some(TRON))), Err(Refusal::AddressInvalid));
    let own = |text: &str| {
        let settings =
            AccountSettings { settlement: Some(text.into()), ..AccountSettings::default() };
        Intent::Request(SHOP, Request::Settings(Box::new(settings)))
    };
    assert_eq!(desk.execute(own(TRON)), Err(Refusal::AddressInvalid));
    assert_eq!(desk.execute(own(WALLET)), Ok(Outcome::Done));
    let told = desk.records.len();
    assert_eq!(desk.execute(own(WALLET)), Ok(Outcome::Done));
    assert_eq!(desk.records.len(), told, "it is so already");
    let op = created(desk.request(on("usdt", "polygon", None)).unwrap());
    let charge = desk.operation(op);
    assert_eq!(charge.charge().unwrap().order().unwrap().delivery.address.as_deref(), Some(WALLET));
    // Elsewhere it is no wallet.
    assert_eq!(desk.request(on("usdt", "tron", None)), Err(Refusal::AddressMissing));
    assert!(desk.request(on("usdt", "tron", Some(TRON))).is_ok());
}

#[test]
fn a_network_that_needs_a_memo_gets_one() {
    let mut desk = Desk::trading(instant());
    desk.list(Listing { memo: Switch::On, ..named("usdt", "ton") });
    let asked = |memo: Option<&str>| ChargeRequest {
        destination: Destination::Crypto { memo: memo.map(Into::into) },
        ..on("usdt", "ton", Some("EQwallet-of-somebody"))
    };
    assert_eq!(desk.request(asked(None)), Err(Refusal::MemoMissing));
    let op = created(desk.request(asked(Some("42"))).unwrap());
    desk.receive(op, 10_000);
    assert_eq!(desk.purchase(op).terms().memo.as_deref(), Some("42"));
}
