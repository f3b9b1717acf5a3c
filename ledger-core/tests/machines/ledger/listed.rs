//! What is offered: catalogue, prices and wallets, as facts bring them (rulings 40, GEN-14).

use ledger_core::coin::Scale;
use ledger_core::id::{AssetId, ChainId};
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{
    AccountSettings, ChargeRequest, Destination, Fact, Intent, Outcome, Refusal, Request,
};
use ledger_core::machine::charge::Delivery;
use ledger_core::terms::{Listing, Policy, Quote, Rail, Switch};
use ledger_core::time::Span;

use super::counter::{conversion, purchase};
use super::{Harness, SHOP, created, instant, unlimited};
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
    let mut harness = Harness::trading(instant());
    // Whatever numbers the fact carries.
    let usdc = Listing { asset: AssetId(77), chain: ChainId(78), ..named("usdc", "tron") };
    assert_eq!(harness.list(usdc), Outcome::Applied(None));
    let catalogue = &harness.ledger.state.catalogue;
    assert_eq!(catalogue.asset("usdc"), Some((AssetId(1), Scale::SIX)));
    assert_eq!(catalogue.chain("tron"), Some(ChainId(1)));
}

#[test]
fn decimals_that_change_and_pairs_that_never_were_are_set_aside() {
    let mut harness = Harness::trading(instant());
    let eight = Listing { scale: Scale::new(8).unwrap(), ..named("usdt", "tron") };
    assert_eq!(harness.list(eight), Outcome::SetAside(None));
    assert_eq!(harness.ledger.state.catalogue.listing("usdt", "tron"), None);
    let dropped = vec![("usdt".into(), "tron".into())];
    let never = Fact::Purchase(PurchaseFact::CatalogueUpdated { listed: Vec::new(), dropped });
    assert_eq!(harness.fact(never), Outcome::SetAside(None));
    // All of a fact or none of it.
    let listed = vec![named("usdt", "tron")];
    let dropped = vec![("btc".into(), "btc".into())];
    assert_eq!(
        harness.fact(Fact::Purchase(PurchaseFact::CatalogueUpdated { listed, dropped })),
        Outcome::SetAside(None)
    );
    assert_eq!(harness.ledger.state.catalogue.listing("usdt", "tron"), None);
}

#[test]
fn nothing_is_bought_that_is_not_listed_deliverable_and_priced() {
    let mut harness = Harness::open(instant());
    let asked = || purchase(None, 10_000);
    assert_eq!(harness.request(asked()), Err(Refusal::CatalogueMissing));
    harness.list(named("usdc", "polygon"));
    assert_eq!(harness.request(asked()), Err(Refusal::PairUnknown));
    harness.list(Listing { deliverable: Switch::Off, ..named("usdt", "polygon") });
    assert_eq!(harness.request(asked()), Err(Refusal::PairNotDeliverable));
    harness.list(named("usdt", "polygon"));
    assert_eq!(harness.request(asked()), Err(Refusal::RateUnavailable));
    harness.quote("usdt", "5.40");
    assert!(harness.request(asked()).is_ok());
    let dropped = vec![("usdt".into(), "polygon".into())];
    harness.fact(Fact::Purchase(PurchaseFact::CatalogueUpdated { listed: Vec::new(), dropped }));
    assert_eq!(harness.request(asked()), Err(Refusal::PairUnknown));
}

#[test]
fn a_price_is_quoted_until_it_is_too_old_and_never_an_older_one() {
    // Rulings 40: 15 minutes by default, inclusive.
    let policy = Policy { rate_age: Policy::default().rate_age, ..unlimited() };
    let mut harness = Harness::under(policy, instant());
    harness.list(listing(1, 0));
    let reported_at = harness.now;
    harness.quote("usdt", "5.40");
    let older =
        Quote { price: price("9.99"), source: "late".into(), at: at("2026-10-20T11:00:00Z") };
    let late = Fact::Purchase(PurchaseFact::RateQuoted { asset: "usdt".into(), quote: older });
    assert_eq!(harness.fact(late), Outcome::Known);
    let last = reported_at.after(Span::seconds(900));
    harness.now = last;
    let op = created(harness.request(purchase(None, 10_000)).unwrap());
    let charge = harness.operation(op);
    let terms = charge.charge().unwrap().order().unwrap().purchase.clone().unwrap();
    assert_eq!(
        (terms.quote.price, terms.quote.at, &*terms.quote.source),
        (price("5.40"), reported_at, "exchange")
    );
    harness.now = ledger_core::time::Instant::from_micros(last.micros() + 1).unwrap();
    assert_eq!(harness.request(purchase(None, 10_000)), Err(Refusal::RateUnavailable));
    harness.quote("usdt", "5.41");
    assert!(harness.request(purchase(None, 10_000)).is_ok());
}

#[test]
fn liquid_is_one_to_one_without_a_price_and_is_no_conversion() {
    // W17, LIM-27.
    let mut harness = Harness::trading(instant());
    let depix = Listing {
        rail: Rail::Liquid,
        scale: Scale::new(8).unwrap(),
        least: units(101_000_000),
        ..named("depix", "liquid")
    };
    harness.list(depix);
    let wallet = "GqiQRsPEyJLAsEBFB5R34KHuqxDNkG3zur";
    let op = created(harness.request(on("depix", "liquid", Some(wallet))).unwrap());
    let charge = harness.operation(op);
    let terms = charge.charge().unwrap().order().unwrap().purchase.clone().unwrap();
    assert_eq!(
        (terms.delivery_terms.units, terms.fees.total().unwrap().cents()),
        (units(10_000_000_000), 0)
    );
    harness.deposit(Some("ana"), 20_000);
    let mut asked = conversion(Some("ana"), 10_000);
    asked.target = on("depix", "liquid", Some(wallet)).delivery;
    assert_eq!(harness.convert(asked), Err(Refusal::PairNotDeliverable));
}

#[test]
fn a_wallet_is_named_or_the_accounts_own_on_polygon() {
    let mut harness = Harness::trading(instant());
    harness.list(named("usdt", "tron"));
    assert_eq!(harness.request(on("usdt", "polygon", None)), Err(Refusal::AddressMissing));
    assert_eq!(harness.request(on("usdt", "polygon", Some(TRON))), Err(Refusal::AddressInvalid));
    let own = |text: &str| {
        let settings =
            AccountSettings { settlement: Some(text.into()), ..AccountSettings::default() };
        Intent::Request(SHOP, Request::Settings(Box::new(settings)))
    };
    assert_eq!(harness.execute(own(TRON)), Err(Refusal::AddressInvalid));
    assert_eq!(harness.execute(own(WALLET)), Ok(Outcome::Done));
    let count = harness.records.len();
    assert_eq!(harness.execute(own(WALLET)), Ok(Outcome::Done));
    assert_eq!(harness.records.len(), count, "it is so already");
    let op = created(harness.request(on("usdt", "polygon", None)).unwrap());
    let charge = harness.operation(op);
    assert_eq!(charge.charge().unwrap().order().unwrap().delivery.address.as_deref(), Some(WALLET));
    // Elsewhere it is no wallet.
    assert_eq!(harness.request(on("usdt", "tron", None)), Err(Refusal::AddressMissing));
    assert!(harness.request(on("usdt", "tron", Some(TRON))).is_ok());
}

#[test]
fn a_network_that_needs_a_memo_gets_one() {
    let mut harness = Harness::trading(instant());
    harness.list(Listing { memo: Switch::On, ..named("usdt", "ton") });
    let asked = |memo: Option<&str>| ChargeRequest {
        destination: Destination::Crypto { memo: memo.map(Into::into) },
        ..on("usdt", "ton", Some("EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"))
    };
    assert_eq!(harness.request(asked(None)), Err(Refusal::MemoMissing));
    let op = created(harness.request(asked(Some("42"))).unwrap());
    harness.receive(op, 10_000);
    assert_eq!(harness.purchase(op).terms().memo.as_deref(), Some("42"));
}
