//! The catalogue: which asset is delivered on which network, as data that facts bring (GEN-14).

use std::sync::Arc;

use im::OrdMap;
use minicbor::{Decode, Encode};

use super::Switch;
use super::market::Market;
use super::settings::{Stablecoin, WalletSettings};
use crate::coin::{Scale, Units};
use crate::counted::hash_counted;
use crate::id::{AssetId, ChainId};
use crate::network::Scheme;
use crate::time::Instant;

/// Networks on which one address serves many, told apart by a memo or tag: those the contract names
/// (section 2.1), and others of the kind.
const MEMO_NETWORKS: [&str; 12] = [
    "ton", "algo", "xrp", "ripple", "xlm", "stellar", "eos", "hbar", "hedera", "atom", "cosmos",
    "stacks",
];

/// How an asset reaches its wallet (CIN-39).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Rail {
    /// Own settlement: USDT and USDC on Polygon.
    #[n(0)]
    Instant,
    /// Through an exchange.
    #[n(1)]
    Convert,
    /// The BRL stablecoin on Liquid: one unit is one real, and no key fee is deducted (FEE-24).
    #[n(2)]
    Liquid,
}

/// One asset on one network.
///
/// ```
/// use ledger_core::coin::{Scale, Units};
/// use ledger_core::terms::{Catalogue, Listing, Rail, Switch};
///
/// let mut catalogue = Catalogue::default();
/// let (asset, chain) = catalogue.numbers("usdt", "polygon").expect("there are more numbers");
/// let listing = Listing {
///     # asset_name: "usdt".into(), chain_name: "polygon".into(), network_fee: None,
///     # least: Units::new(1_000_000).expect("it is above zero"), memo: Switch::Off,
///     # eta: "1 min".into(), eta_seconds: 0, deliverable: Switch::On,
///     asset, chain, scale: Scale::SIX, rail: Rail::Instant, // ...
/// };
/// assert_eq!(catalogue.list(&listing), Some(()));
/// let other = Listing { scale: Scale::new(8).expect("at most 18"), ..listing };
/// assert_eq!(catalogue.list(&other), None); // What was counted in millionths stays so.
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Listing {
    /// The asset's number in this ledger.
    #[n(0)]
    pub asset: AssetId,
    /// The network's number in this ledger.
    #[n(1)]
    pub chain: ChainId,
    /// The asset's name: `usdt`.
    #[n(2)]
    pub asset_name: Box<str>,
    /// The network's name: `polygon`.
    #[n(3)]
    pub chain_name: Box<str>,
    /// The asset's decimals, the same on every network.
    #[n(4)]
    pub scale: Scale,
    /// How it is delivered.
    #[n(5)]
    pub rail: Rail,
    /// The network minimum in the asset: `minBuyAmount`.
    #[n(6)]
    pub least: Units,
    /// What the network takes of a delivery; none for nothing.
    #[n(7)]
    pub network_fee: Option<Units>,
    /// Tells whether a fact offers it; see [`Listing::is_offered`] for `entregavel`.
    #[n(8)]
    pub deliverable: Switch,
    /// Tells whether a delivery needs a memo: `memoRequired`.
    #[n(9)]
    pub memo: Switch,
    /// How long a delivery takes, for people.
    #[n(10)]
    pub eta: Box<str>,
    /// How long a delivery takes, in seconds: never zero outside Polygon (LIM-24).
    #[n(11)]
    pub eta_seconds: u32,
}

impl Listing {
    /// Tells whether the pair is offered: a fact says so, and the network's addresses can be
    /// checked (contract 2.1; rulings 65).
    #[must_use]
    pub fn is_offered(&self) -> bool {
        self.deliverable.is_on() && Scheme::for_network(&self.chain_name).checks_addresses()
    }
}

/// Every pair that is or was listed. Clones in O(1).
///
/// ```
/// use ledger_core::terms::Catalogue;
///
/// let mut catalogue = Catalogue::default();
/// catalogue.show_pages([("tron", "https://tronscan.org/#/transaction/{tx}")].into_iter());
/// let page = catalogue.page_of("tron", "5f2c").expect("it is known who shows its transactions");
/// assert_eq!(page, "https://tronscan.org/#/transaction/5f2c");
/// assert!(catalogue.needs_memo("xrp", "ripple") && !catalogue.needs_memo("usdt", "tron"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// When it last changed; none while there is no catalogue.
    pub updated_at: Option<Instant>,
    assets: OrdMap<Box<str>, (AssetId, Scale)>,
    /// Units of products' own, numbered among the assets.
    units: OrdMap<Box<str>, (AssetId, Scale)>,
    chains: OrdMap<Box<str>, ChainId>,
    listed: OrdMap<(Box<str>, Box<str>), Arc<Listing>>,
    dropped: OrdMap<(Box<str>, Box<str>), ()>,
    markets: OrdMap<(Box<str>, Box<str>), Arc<Market>>,
    pages: OrdMap<Box<str>, Box<str>>,
}

hash_counted!(Catalogue { updated_at } { assets, units, chains, listed, dropped, markets, pages });

impl Catalogue {
    /// The number and scale of an asset that was ever listed.
    #[must_use]
    pub fn asset(&self, name: &str) -> Option<(AssetId, Scale)> {
        self.assets.get(name).copied()
    }

    /// The number and scale of a unit that products count in.
    #[must_use]
    pub fn unit(&self, name: &str) -> Option<(AssetId, Scale)> {
        self.units.get(name).copied()
    }

    /// The number of a network that was ever listed.
    #[must_use]
    pub fn chain(&self, name: &str) -> Option<ChainId> {
        self.chains.get(name).copied()
    }

    /// The name and scale of an asset, or of a unit that products count in, by its number.
    #[must_use]
    pub fn asset_of(&self, id: AssetId) -> Option<(&str, Scale)> {
        let known = self.assets.iter().chain(&self.units).find(|(_, (asset, _))| *asset == id);
        known.map(|(name, (_, scale))| (&**name, *scale))
    }

    /// The name and scale of an asset by its number; of one that is not listed, the number.
    #[must_use]
    pub fn asset_or_number(&self, id: AssetId) -> (String, Scale) {
        let known = self.asset_of(id).map(|(name, scale)| (name.to_owned(), scale));
        known.unwrap_or_else(|| (format!("asset{}", id.0), Scale::SIX))
    }

    /// The name of a network by its number.
    #[must_use]
    pub fn chain_of(&self, id: ChainId) -> Option<&str> {
        self.chains.iter().find(|(_, chain)| **chain == id).map(|(name, _)| &**name)
    }

    /// A pair that is listed, deliverable or not.
    #[must_use]
    pub fn listing(&self, asset: &str, chain: &str) -> Option<&Arc<Listing>> {
        self.listed.get(&(asset.into(), chain.into()))
    }

    /// Every pair listed, by name.
    pub fn listings(&self) -> impl Iterator<Item = &Listing> {
        self.listed.values().map(|listing| &**listing)
    }

    /// Every pair that was listed and is no longer: asset and network.
    pub fn dropped_pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.dropped.keys().map(|(asset, chain)| (&**asset, &**chain))
    }

    /// The numbers of an asset and a network: those they have, or the next ones; `None` when there
    /// are no more.
    #[must_use]
    pub fn numbers(&self, asset: &str, chain: &str) -> Option<(AssetId, ChainId)> {
        let next = |known: usize| u16::try_from(known).ok();
        let asset = match self.asset(asset) {
            Some((known, _)) => known,
            None => AssetId(next(self.assets())?),
        };
        let chain = match self.chain(chain) {
            Some(known) => known,
            None => ChainId(next(self.chains.len())?),
        };
        Some((asset, chain))
    }

    /// Tells whether a wallet's tokens and networks have the numbers of this catalogue, and its
    /// tokens are counted in millionths: what it takes in would else be booked as something else.
    #[must_use]
    pub fn numbers_wallet(&self, wallet: &WalletSettings) -> bool {
        let token = |coin: Stablecoin, number| {
            self.asset(&coin.name().to_lowercase()) == Some((number, Scale::SIX))
        };
        token(Stablecoin::Usdt, wallet.usdt)
            && wallet.usdc.is_none_or(|usdc| token(Stablecoin::Usdc, usdc))
            && wallet.networks.iter().all(|it| self.chain(&it.name) == Some(it.chain))
    }

    /// How many assets were ever listed, units of products among them: the number of the next.
    #[must_use]
    pub fn assets(&self) -> usize {
        self.assets.len() + self.units.len()
    }

    /// How many networks were ever listed: the number of the next.
    #[must_use]
    pub fn chains(&self) -> usize {
        self.chains.len()
    }

    /// Where networks show their transactions: `{tx}` stands in a template for the hash.
    pub fn show_pages<'a>(&mut self, pages: impl Iterator<Item = (&'a str, &'a str)>) {
        for (chain, template) in pages {
            self.pages.insert(chain.into(), template.into());
        }
    }

    /// The networks whose transactions are shown somewhere, with their templates.
    pub fn pages(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pages.iter().map(|(chain, template)| (&**chain, &**template))
    }

    /// Tells whether another one has the same names of assets, networks and pages because it is a
    /// copy of this, or this of it: two that were made apart are not the same.
    #[must_use]
    pub fn names_as(&self, other: &Self) -> bool {
        let assets = self.assets.ptr_eq(&other.assets) && self.units.ptr_eq(&other.units);
        assets && self.chains.ptr_eq(&other.chains) && self.pages.ptr_eq(&other.pages)
    }

    /// The page of a transaction on a network, where it is known which shows it.
    #[must_use]
    pub fn page_of(&self, chain: &str, hash: &str) -> Option<String> {
        let mut safe = String::with_capacity(hash.len());
        for byte in hash.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
                safe.push(char::from(byte));
            } else {
                let digit = |half: u8| char::from_digit(half.into(), 16);
                let digits = [digit(byte >> 4), digit(byte & 0xf)];
                safe.push('%');
                safe.extend(digits.into_iter().flatten().map(|digit| digit.to_ascii_uppercase()));
            }
        }
        self.pages.get(chain).map(|template| template.replace("{tx}", &safe))
    }

    /// A pair that sellers may deposit, offered now or not; never one whose network needs a memo.
    #[must_use]
    pub fn market(&self, asset: &str, chain: &str) -> Option<&Arc<Market>> {
        let market = self.markets.get(&(asset.into(), chain.into()));
        market.filter(|market| !self.needs_memo(&market.asset_name, &market.chain_name))
    }

    /// Every pair that sellers may deposit, by name; none whose network needs a memo.
    pub fn markets(&self) -> impl Iterator<Item = &Market> {
        let every = self.every_market();
        every.filter(|market| !self.needs_memo(&market.asset_name, &market.chain_name))
    }

    /// Every pair that a fact opened for sellers, whatever its network needs.
    pub(crate) fn every_market(&self) -> impl Iterator<Item = &Market> {
        self.markets.values().map(|market| &**market)
    }

    /// Tells whether what is sent to an address on this network needs a memo beside it, so that
    /// nobody could tell whose deposit it is (rulings 56): as every fact says, or as is known
    /// anyway.
    #[must_use]
    pub fn needs_memo(&self, asset: &str, chain: &str) -> bool {
        let listed = self.listing(asset, chain).is_some_and(|listing| listing.memo.is_on());
        listed || MEMO_NETWORKS.contains(&chain)
    }

    /// Lists a pair for sellers, or changes it; `None` when its numbers or scale contradict what is
    /// known.
    pub fn open_market(&mut self, market: &Market) -> Option<()> {
        let numbers = (market.asset, market.chain, market.scale);
        self.number(&market.asset_name, &market.chain_name, numbers)?;
        let pair = (market.asset_name.clone(), market.chain_name.clone());
        self.markets.insert(pair, Arc::new(market.clone()));
        Some(())
    }

    /// Takes a pair off the sellers' list; `None` when it was not on it.
    pub fn close_market(&mut self, asset: &str, chain: &str) -> Option<()> {
        self.markets.remove(&(asset.into(), chain.into())).map(|_| ())
    }

    /// Every asset ever listed.
    pub(crate) fn every_asset(&self) -> impl Iterator<Item = (Box<str>, AssetId, Scale)> + '_ {
        self.assets.iter().map(|(name, (asset, scale))| (name.clone(), *asset, *scale))
    }

    /// Every network ever listed.
    pub(crate) fn every_chain(&self) -> impl Iterator<Item = (Box<str>, ChainId)> + '_ {
        self.chains.iter().map(|(name, chain)| (name.clone(), *chain))
    }

    /// A catalogue that was saved.
    pub(crate) fn restore(
        updated_at: Option<Instant>,
        assets: Vec<(Box<str>, AssetId, Scale)>,
        chains: Vec<(Box<str>, ChainId)>,
        listed: Vec<Listing>,
        dropped: Vec<(Box<str>, Box<str>)>,
        markets: Vec<Market>,
    ) -> Self {
        let named = |listing: Listing| {
            ((listing.asset_name.clone(), listing.chain_name.clone()), Arc::new(listing))
        };
        Self {
            updated_at,
            assets: assets.into_iter().map(|(name, id, scale)| (name, (id, scale))).collect(),
            units: OrdMap::new(),
            chains: chains.into_iter().collect(),
            listed: listed.into_iter().map(named).collect(),
            dropped: dropped.into_iter().map(|pair| (pair, ())).collect(),
            markets: markets
                .into_iter()
                .map(|market| {
                    ((market.asset_name.clone(), market.chain_name.clone()), Arc::new(market))
                })
                .collect(),
            pages: OrdMap::new(),
        }
    }

    /// Lists a pair, or changes it; `None` when its numbers or scale contradict what is known.
    pub fn list(&mut self, listing: &Listing) -> Option<()> {
        let numbers = (listing.asset, listing.chain, listing.scale);
        self.number(&listing.asset_name, &listing.chain_name, numbers)?;
        let pair = (listing.asset_name.clone(), listing.chain_name.clone());
        self.dropped.remove(&pair);
        self.listed.insert(pair, Arc::new(listing.clone()));
        Some(())
    }

    /// Keeps the numbers and decimals of an asset and a network; `None` when they contradict what
    /// is known, or are not the next ones.
    fn number(
        &mut self,
        asset_name: &str,
        chain_name: &str,
        numbers: (AssetId, ChainId, Scale),
    ) -> Option<()> {
        let assets = u16::try_from(self.assets()).ok()?;
        if self.units.contains_key(asset_name) {
            return None;
        }
        let (asset, scale) = self.asset(asset_name).unwrap_or((AssetId(assets), numbers.2));
        let chains = u16::try_from(self.chains.len()).ok()?;
        let chain = self.chain(chain_name).unwrap_or(ChainId(chains));
        if (asset, chain, scale) != numbers {
            return None;
        }
        self.assets.insert(asset_name.into(), (asset, scale));
        self.chains.insert(chain_name.into(), chain);
        Some(())
    }

    /// The number that a unit of this name and scale has, or would get; `None` where it has another
    /// scale, an asset bears the name, or there are no more numbers.
    #[must_use]
    pub fn number_unit(&self, name: &str, scale: Scale) -> Option<AssetId> {
        let next = || Some((AssetId(u16::try_from(self.assets()).ok()?), scale));
        let (asset, known) = self.unit(name).or_else(next)?;
        (known == scale && !self.assets.contains_key(name)).then_some(asset)
    }

    /// Keeps the number and decimals of a unit that products count in.
    pub fn count_in(&mut self, name: &str, numbers: (AssetId, Scale)) {
        self.units.insert(name.into(), numbers);
    }

    /// Takes a pair off the list; `None` when it was not on it.
    pub fn drop_pair(&mut self, asset: &str, chain: &str) -> Option<()> {
        let pair = (Box::from(asset), Box::from(chain));
        self.listed.remove(&pair)?;
        self.dropped.insert(pair, ());
        Some(())
    }
}
