//! What is offered at what price, and to which wallet, as the oracle sees it: rulings 6, 16, 17,
//! 40.

use std::collections::BTreeMap;

use ledger_core::coin::Units;
use ledger_core::id::{AccountId, AssetId, ChainId};
use ledger_core::ledger::{Outcome, Refusal};
use ledger_core::machine::charge::Delivery as Target;
use ledger_core::terms::{Listing, Market as Pair, Price, Quote, Rail};
use ledger_core::time::{Instant, Span};

use crate::oracle::fees::Invocation;
use crate::oracle::{Oracle, later};
use crate::wallets::is_wallet;

/// The catalogue and the prices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Market {
    /// Tells whether there ever was a catalogue.
    exists: bool,
    listed: BTreeMap<(Box<str>, Box<str>), Listing>,
    /// Assets and networks in the order they were first listed: that is their number.
    assets: Vec<(Box<str>, u8)>,
    /// The names among `assets` that are units of products, and no assets.
    units: Vec<Box<str>>,
    chains: Vec<Box<str>>,
    rates: BTreeMap<Box<str>, (Instant, Invocation)>,
    /// What sellers may deposit, numbered like what buyers get.
    pub(in crate::oracle) sellers: BTreeMap<(Box<str>, Box<str>), Pair>,
}

/// A pair that can be had now.
#[derive(Clone, Debug)]
pub(in crate::oracle) struct Offer {
    pub(in crate::oracle) rail: Rail,
    asset: u16,
    chain: u16,
    scale: u8,
    least: u128,
    network_fee: u128,
    ask: Invocation,
}

/// What is bought and delivered, frozen when it was agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeliveryTerms {
    pub(crate) asset: u16,
    pub(crate) chain: u16,
    /// The cost in centavos.
    pub(crate) cost: i64,
    /// In the asset's smallest units, of which the network takes a part.
    pub(crate) units: u128,
    pub(crate) network_fee: u128,
}

impl Market {
    /// The pairs on the catalogue.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = &Listing> {
        self.listed.values()
    }

    /// How many assets were ever listed, and units are counted in: the number of the next.
    pub(crate) fn assets(&self) -> usize {
        self.assets.len()
    }

    /// The numbers of all assets ever listed, of which no unit of a product is.
    pub(crate) fn asset_numbers(&self) -> Vec<u16> {
        let numbered = (0..).zip(&self.assets);
        let assets = numbered.filter(|(_, (name, _))| !self.units.contains(name));
        assets.map(|(number, _)| number).collect()
    }

    /// Tells whether an asset of this name was ever listed.
    pub(in crate::oracle) fn has_asset(&self, name: &str) -> bool {
        let mut assets = self.assets.iter().map(|(asset, _)| asset);
        assets.any(|asset| **asset == *name && !self.units.contains(asset))
    }

    /// The number and decimals of a unit that products count in.
    pub(in crate::oracle) fn unit_named(&self, name: &str) -> Option<(u16, u8)> {
        let known = self.units.iter().any(|unit| **unit == *name);
        let place = self.assets.iter().position(|(other, _)| **other == *name);
        let place = place.filter(|_| known)?;
        Some((u16::try_from(place).ok()?, self.assets[place].1))
    }

    /// Numbers a unit that products count in.
    pub(in crate::oracle) fn count_in(&mut self, name: &str, decimals: u8) {
        if self.unit_named(name).is_none() {
            self.assets.push((name.into(), decimals));
            self.units.push(name.into());
        }
    }

    /// When an asset's price was last reported.
    pub(crate) fn reported_at(&self, asset: &str) -> Option<Instant> {
        self.rates.get(asset).map(|(at, _)| *at)
    }

    /// An asset's latest price, unless it is too old (rulings 40).
    pub(in crate::oracle) fn fresh(
        &self,
        asset: &str,
        age: Option<Span>,
        at: Instant,
    ) -> Option<Invocation> {
        let known = self.rates.get(asset);
        let fresh = known.filter(|(reported, _)| age.is_none_or(|age| at <= later(*reported, age)));
        fresh.map(|(_, ask)| *ask)
    }

    /// The numbers of a pair's asset and network.
    pub(in crate::oracle) fn numbers_of(&self, pair: &Pair) -> (u16, u16) {
        let asset = Self::number(self.assets.iter().map(|(name, _)| name), &pair.asset_name);
        (asset, Self::number(self.chains.iter(), &pair.chain_name))
    }

    /// The number and decimals of an asset ever listed.
    pub(crate) fn asset_named(&self, name: &str) -> Option<(AssetId, u8)> {
        let place = self.assets.iter().position(|(known, _)| **known == *name)?;
        Some((AssetId(u16::try_from(place).ok()?), self.assets[place].1))
    }

    /// The number of a network ever listed.
    pub(crate) fn chain_named(&self, name: &str) -> Option<ChainId> {
        let place = self.chains.iter().position(|known| **known == *name)?;
        u16::try_from(place).ok().map(ChainId)
    }

    /// The name of a network by its number.
    pub(crate) fn chain_numbered(&self, number: u16) -> Option<&str> {
        self.chains.get(usize::from(number)).map(|name| &**name)
    }

    /// The name and decimals of an asset by its number.
    pub(in crate::oracle) fn asset_numbered(&self, number: u16) -> Option<(Box<str>, u8)> {
        self.assets.get(usize::from(number)).cloned()
    }

    fn update_sellers(&mut self, opened: &[Pair], closed: &[(Box<str>, Box<str>)]) -> Option<()> {
        for pair in opened {
            self.number_asset(&pair.asset_name, pair.scale.decimals())?;
            if !self.chains.contains(&pair.chain_name) {
                self.chains.push(pair.chain_name.clone());
            }
            let name = (pair.asset_name.clone(), pair.chain_name.clone());
            self.sellers.insert(name, pair.clone());
        }
        closed.iter().try_for_each(|pair| self.sellers.remove(pair).map(|_| ()))
    }

    fn number_asset(&mut self, name: &str, scale: u8) -> Option<()> {
        if self.unit_named(name).is_some() {
            return None;
        }
        match self.assets.iter().find(|(known, _)| **known == *name) {
            Some((_, known)) => (*known == scale).then_some(()),
            None => {
                self.assets.push((name.into(), scale));
                Some(())
            }
        }
    }

    fn update(&mut self, listed: &[Listing], dropped: &[(Box<str>, Box<str>)]) -> Option<()> {
        for listing in listed {
            self.number_asset(&listing.asset_name, listing.scale.decimals())?;
            if !self.chains.contains(&listing.chain_name) {
                self.chains.push(listing.chain_name.clone());
            }
            let pair = (listing.asset_name.clone(), listing.chain_name.clone());
            self.listed.insert(pair, listing.clone());
        }
        for pair in dropped {
            self.listed.remove(pair)?;
        }
        self.exists = true;
        Some(())
    }

    fn pair(&self, asset: &str, chain: &str) -> Result<&Listing, Refusal> {
        if !self.exists {
            return Err(Refusal::CatalogueMissing);
        }
        let pair = (Box::from(asset), Box::from(chain));
        let listing = self.listed.get(&pair).ok_or(Refusal::PairUnknown)?;
        // Nobody can check a name on NEAR (rulings 65).
        let offered = listing.deliverable.is_on() && *listing.chain_name != *"near";
        if offered { Ok(listing) } else { Err(Refusal::PairNotDeliverable) }
    }

    fn number(names: impl Iterator<Item = impl AsRef<str>>, name: &str) -> u16 {
        let place = names.into_iter().position(|known| known.as_ref() == name);
        u16::try_from(place.expect("what is listed has a number")).expect("few are listed")
    }
}

impl Offer {
    /// Returns what so many centavos buy.
    pub(in crate::oracle) fn units(&self, cents: i64) -> u128 {
        self.ask.buys(cents, self.scale)
    }

    /// The fewest centavos that buy what the network demands, and more than it takes.
    pub(in crate::oracle) fn fewest_cents(&self) -> i64 {
        let wanted = self.least.max(self.network_fee + 1);
        self.ask.costs(wanted, self.scale)
    }

    /// Returns what so many centavos deliver; none below the fewest.
    pub(in crate::oracle) fn delivery_terms(&self, cost: i64) -> Option<DeliveryTerms> {
        if cost < self.fewest_cents() {
            return None;
        }
        let (asset, chain) = (self.asset, self.chain);
        Some(DeliveryTerms {
            asset,
            chain,
            cost,
            units: self.units(cost),
            network_fee: self.network_fee,
        })
    }
}

impl Oracle {
    /// Pairs were listed, changed or dropped: all of it, or nothing when part contradicts the
    /// books.
    pub(in crate::oracle) fn catalogue_updated(
        &mut self,
        listed: &[Listing],
        dropped: &[(Box<str>, Box<str>)],
    ) -> Outcome {
        let mut after = self.market.clone();
        match after.update(listed, dropped) {
            Some(()) => {
                self.market = after;
                Outcome::Applied(None)
            }
            None => Outcome::SetAside(None),
        }
    }

    /// Pairs for sellers were listed, changed or closed: all of it or nothing.
    pub(in crate::oracle) fn markets_updated(
        &mut self,
        opened: &[Pair],
        closed: &[(Box<str>, Box<str>)],
    ) -> Outcome {
        let mut after = self.market.clone();
        match after.update_sellers(opened, closed) {
            Some(()) => {
                self.market = after;
                Outcome::Applied(None)
            }
            None => Outcome::SetAside(None),
        }
    }

    /// A price; one reported before the price we know is an old report.
    pub(in crate::oracle) fn rate_quoted(&mut self, asset: &str, quote: &Quote) -> Outcome {
        let known = self.market.rates.get(asset);
        if known.is_some_and(|(at, _)| quote.at < *at) {
            return Outcome::Known;
        }
        self.market.rates.insert(asset.into(), (quote.at, Invocation::read(&quote.price.text())));
        Outcome::Applied(None)
    }

    /// Returns what is offered of a pair, once wallet and memo are sound; fills in the account's
    /// own wallet.
    pub(in crate::oracle) fn destination(
        &self,
        account: AccountId,
        target: &mut Target,
        memo: Option<&str>,
        at: Instant,
        liquid: bool,
    ) -> Result<Offer, Refusal> {
        let listing = self.market.pair(&target.asset, &target.chain)?;
        if listing.rail == Rail::Liquid && !liquid {
            return Err(Refusal::PairNotDeliverable);
        }
        if target.address.is_none() && *target.chain == *"polygon" {
            target.address.clone_from(&self.accounts[account.0 as usize].settlement);
        }
        let Some(address) = target.address.as_deref() else { return Err(Refusal::AddressMissing) };
        if !is_wallet(&target.chain, address) {
            return Err(Refusal::AddressInvalid);
        }
        if listing.memo.is_on() && memo.is_none() {
            return Err(Refusal::MemoMissing);
        }
        let ask = match listing.rail {
            Rail::Liquid => Invocation::read(&Price::PAR.text()),
            Rail::Instant | Rail::Convert => {
                let fresh = self.market.fresh(&target.asset, self.policy.rate_age, at);
                fresh.ok_or(Refusal::RateUnavailable)?
            }
        };
        Ok(Offer {
            rail: listing.rail,
            asset: Market::number(self.market.assets.iter().map(|(name, _)| name), &target.asset),
            chain: Market::number(self.market.chains.iter(), &target.chain),
            scale: listing.scale.decimals(),
            least: listing.least.get(),
            network_fee: listing.network_fee.map_or(0, Units::get),
            ask,
        })
    }
}
