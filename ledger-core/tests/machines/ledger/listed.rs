//! What is offered: catalogue, prices and wallets, as facts bring them (rulings 40, GEN-14).

use ledger_core::coin::Scale;
use ledger_core::id::{AssetId, ChainId};
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{Fact, Outcome};
use ledger_core::terms::Listing;

use super::{Harness, instant};
use crate::samples::listing;

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
