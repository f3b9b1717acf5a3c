//! Values that tests of every machine use.

use std::fmt::Debug;

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AccountId, AssetId, ChainId, Kind, OpId, Seq, SubaccountId, Token};
use ledger_core::machine::delivery::DeliveryTerms;
use ledger_core::machine::{Verdict, purchase};
use ledger_core::money::{Amount, Balance, Bps, Cents};
use ledger_core::terms::{Listing, Price, Quote, Rail, ServiceFees, Switch};
use ledger_core::time::Instant;

pub const PARTNER: AccountId = AccountId(3);
pub const HOUSE: SubaccountId = SubaccountId(0);
pub const ANA: SubaccountId = SubaccountId(1);
pub const BIA: SubaccountId = SubaccountId(2);
pub const SOMEBODY: Token = Token([7; 16]);
pub const USDT: AssetId = AssetId(0);
pub const POLYGON: ChainId = ChainId(0);
pub const WALLET: &str = "0x00112233445566778899aabbccddeeff00112233";

pub fn amount(cents: i64) -> Amount {
    Amount::new(cents).unwrap()
}

pub fn as_cents(cents: i64) -> Cents {
    Cents::new(cents).unwrap()
}

pub fn balance(cents: i64) -> Balance {
    Balance::new(cents)
}

pub fn bps(bps: u16) -> Bps {
    Bps::new(bps).unwrap()
}

pub fn at(text: &str) -> Instant {
    Instant::parse(text).unwrap()
}

pub fn op(kind: Kind, seq: u64) -> OpId {
    OpId::new(kind, Seq(seq))
}

pub fn units(number: u128) -> Units {
    Units::new(number).unwrap()
}

pub fn price(text: &str) -> Price {
    Price::parse(text).unwrap()
}

pub fn quote(text: &str) -> Quote {
    Quote { price: price(text), source: "exchange".into(), at: at("2026-10-20T11:59:00Z") }
}

/// USDT on Polygon, at least so many units of it, of which the network takes so many.
pub fn listing(least: u128, network_fee: u128) -> Listing {
    Listing {
        asset: USDT,
        chain: POLYGON,
        asset_name: "usdt".into(),
        chain_name: "polygon".into(),
        scale: Scale::SIX,
        rail: Rail::Instant,
        least: units(least),
        network_fee: Units::new(network_fee),
        deliverable: Switch::On,
        memo: Switch::Off,
        eta: "at once".into(),
        eta_seconds: 10,
    }
}

/// W08: 17.537037 USDT for 94.70, of which the network takes 0.10.
pub fn delivery_terms() -> DeliveryTerms {
    DeliveryTerms {
        asset: USDT,
        chain: POLYGON,
        cost: amount(9_470),
        units: units(17_537_037),
        network_fee: Some(units(100_000)),
    }
}

/// W08: house 3.3 % and 1.00, partner 1 %.
pub fn fees() -> ServiceFees {
    ServiceFees { house: as_cents(430), partner: as_cents(100) }
}

/// Returns what W08 is agreed under.
pub fn purchase() -> purchase::Terms {
    purchase::Terms {
        fees: fees(),
        delivery_terms: delivery_terms(),
        scale: Scale::SIX,
        quote: quote("5.40"),
        usdt: Some(units(17_537_037)),
        memo: None,
        customer: None,
        default_address: Switch::Off,
    }
}

/// Returns what a verdict applied.
pub fn applied<Event: Debug>(verdict: Verdict<Event>) -> Event {
    match verdict {
        Verdict::Applied(event) => event,
        other => panic!("{other:?} where an event was expected"),
    }
}
