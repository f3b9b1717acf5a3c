//! The catalogue: numbers that stay, scales that stay, pairs that come and go (GEN-14,
//! P:AssetScale).

use ledger_core::coin::Scale;
use ledger_core::id::{AssetId, ChainId};
use ledger_core::terms::{Catalogue, Listing, Switch};
use ledger_core::time::Instant;

use crate::samples::{listing, units};

/// This asset on this network, under these numbers.
fn pair(asset: (u16, &str), chain: (u16, &str)) -> Listing {
    Listing {
        asset: AssetId(asset.0),
        chain: ChainId(chain.0),
        asset_name: asset.1.into(),
        chain_name: chain.1.into(),
        ..listing(1, 0)
    }
}

const USDT: (u16, &str) = (0, "usdt");
const USDC: (u16, &str) = (1, "usdc");
const POLYGON: (u16, &str) = (0, "polygon");
const TRON: (u16, &str) = (1, "tron");

fn listed() -> Catalogue {
    let mut catalogue = Catalogue::default();
    for known in [pair(USDT, POLYGON), pair(USDT, TRON), pair(USDC, POLYGON)] {
        catalogue.list(&known).unwrap();
    }
    catalogue
}

fn names(catalogue: &Catalogue) -> Vec<(String, String)> {
    let names = |known: &Listing| (known.asset_name.to_string(), known.chain_name.to_string());
    catalogue.listings().map(names).collect()
}

#[test]
fn assets_and_networks_are_numbered_in_the_order_they_come() {
    let catalogue = listed();
    assert_eq!((catalogue.assets(), catalogue.chains()), (2, 2));
    assert_eq!(catalogue.asset("usdc"), Some((AssetId(1), Scale::SIX)));
    assert_eq!(catalogue.chain("tron"), Some(ChainId(1)));
    assert_eq!(catalogue.asset_of(AssetId(0)), Some(("usdt", Scale::SIX)));
    assert_eq!(catalogue.chain_of(ChainId(0)), Some("polygon"));
    assert_eq!((catalogue.asset("btc"), catalogue.chain("eth")), (None, None));
    assert_eq!((catalogue.asset_of(AssetId(2)), catalogue.chain_of(ChainId(2))), (None, None));
    assert_eq!(catalogue.updated_at, None::<Instant>);
}

#[test]
fn a_number_that_is_not_the_next_or_not_its_own_is_refused() {
    for other in [
        pair((3, "btc"), POLYGON),
        pair((1, "btc"), POLYGON),
        pair((1, "usdt"), POLYGON),
        pair(USDT, (3, "eth")),
        pair(USDT, (0, "eth")),
        pair(USDT, (1, "polygon")),
    ] {
        let mut catalogue = listed();
        assert_eq!(catalogue.list(&other), None, "{other:?}");
        assert_eq!(names(&catalogue), names(&listed()), "{other:?}");
        assert_eq!((catalogue.assets(), catalogue.chains()), (2, 2));
    }
    let mut catalogue = listed();
    assert_eq!(catalogue.list(&pair((2, "btc"), (2, "eth"))), Some(()));
    assert_eq!((catalogue.assets(), catalogue.chains()), (3, 3));
}

#[test]
fn an_asset_keeps_its_decimals_on_every_network_and_for_ever() {
    let eight = |chain| Listing { scale: Scale::new(8).unwrap(), ..pair(USDT, chain) };
    let mut catalogue = listed();
    assert_eq!(catalogue.list(&eight(POLYGON)), None);
    assert_eq!(catalogue.list(&eight((2, "eth"))), None);
    catalogue.drop_pair("usdt", "polygon").unwrap();
    catalogue.drop_pair("usdt", "tron").unwrap();
    assert_eq!(catalogue.list(&eight(POLYGON)), None, "although it is listed nowhere");
    assert_eq!(catalogue.asset("usdt"), Some((AssetId(0), Scale::SIX)));
}

#[test]
fn a_pair_listed_again_is_changed() {
    let mut catalogue = listed();
    let dearer =
        Listing { least: units(5_006_500), deliverable: Switch::Off, ..pair(USDT, POLYGON) };
    catalogue.list(&dearer).unwrap();
    assert_eq!(catalogue.listing("usdt", "polygon").map(|known| &**known), Some(&dearer));
    assert_eq!(catalogue.listings().count(), 3);
}

#[test]
fn a_pair_dropped_is_remembered_and_may_come_back_under_its_number() {
    let mut catalogue = listed();
    assert_eq!(catalogue.drop_pair("usdt", "tron"), Some(()));
    assert_eq!(catalogue.listing("usdt", "tron"), None);
    assert_eq!(catalogue.dropped_pairs().collect::<Vec<_>>(), [("usdt", "tron")]);
    assert_eq!((catalogue.chain("tron"), catalogue.chains()), (Some(ChainId(1)), 2));
    assert_eq!(catalogue.drop_pair("usdt", "tron"), None, "it is off the list already");
    assert_eq!(catalogue.drop_pair("usdc", "tron"), None, "it never was on it");
    catalogue.list(&pair(USDT, TRON)).unwrap();
    assert_eq!(catalogue.dropped_pairs().count(), 0);
    assert_eq!(catalogue.listings().count(), 3);
}
