//! What is offered: a pair on the catalogue with its price, and where a delivery goes.

use crate::coin::{Scale, Units};
use crate::id::AccountId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::decision::refusal::Refusal;
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::machine::charge::Delivery;
use crate::machine::delivery::DeliveryTerms;
use crate::money::Amount;
use crate::network::address::may_be_wallet;
use crate::terms::{Listing, Market, Offer, Price, Quote, Rail};
use crate::time::Instant;

/// A pair that can be had now, at this price.
pub struct Offered<'a> {
    /// The pair, as the catalogue lists it.
    pub listing: &'a Listing,
    /// The asset's price, no older than the policy admits.
    pub quote: Quote,
    /// The price of USDT, where it is known and fresh.
    pub usdt: Option<Price>,
}

impl State {
    /// Returns what is offered of a pair at `at` (rulings 40).
    ///
    /// # Errors
    ///
    /// The [`Refusal`] when there is no catalogue, the pair is not on it or not deliverable, or its
    /// price is unknown or too old.
    pub fn pair_offer(
        &self,
        asset: &str,
        chain: &str,
        at: Instant,
    ) -> Result<Offered<'_>, Refusal> {
        self.deliverable_listing(asset, chain).and_then(|listing| self.quote_listing(listing, at))
    }

    /// A pair that is listed and deliverable.
    fn deliverable_listing(&self, asset: &str, chain: &str) -> Result<&Listing, Refusal> {
        if self.catalogue.updated_at.is_none() {
            return Err(Refusal::CatalogueMissing);
        }
        let listing = self.catalogue.listing(asset, chain).ok_or(Refusal::PairUnknown)?;
        if listing.is_offered() { Ok(listing) } else { Err(Refusal::PairNotDeliverable) }
    }

    fn quote_listing<'a>(
        &'a self,
        listing: &'a Listing,
        at: Instant,
    ) -> Result<Offered<'a>, Refusal> {
        let quote = match listing.rail {
            // One unit is one real (LIM-27).
            Rail::Liquid => Quote { price: Price::PAR, source: "par".into(), at },
            Rail::Instant | Rail::Convert => {
                self.fresh(&listing.asset_name, at).ok_or(Refusal::RateUnavailable)?.clone()
            }
        };
        let usdt = self.fresh("usdt", at).map(|quote| quote.price);
        Ok(Offered { listing, quote, usdt })
    }

    /// An asset's latest price, unless it is older than the policy admits.
    pub(in crate::ledger) fn fresh(&self, asset: &str, at: Instant) -> Option<&Quote> {
        let quote = self.rates.get(asset)?;
        let age = self.policy.rate_age;
        age.is_none_or(|age| at <= quote.at.after(age)).then_some(&**quote)
    }

    /// A pair, its price, and a wallet on its network, judged in this order: the destination of
    /// rulings 6.
    pub(in crate::ledger) fn destination(
        &self,
        account: AccountId,
        target: &mut Delivery,
        memo: Option<&str>,
        at: Instant,
        excluded: Option<Rail>,
    ) -> Result<Offered<'_>, Refusal> {
        let listing = self.deliverable_listing(&target.asset, &target.chain)?;
        if excluded == Some(listing.rail) {
            return Err(Refusal::PairNotDeliverable);
        }
        if target.address.is_none() && &*target.chain == "polygon" {
            // The account's own wallet is on Polygon (P:NoAddress).
            target.address = self.account(account).and_then(|known| known.settlement.clone());
        }
        let address = target.address.as_deref().ok_or(Refusal::AddressMissing)?;
        if !may_be_wallet(&target.chain, address) {
            return Err(Refusal::AddressInvalid);
        }
        if listing.memo.is_on() && memo.is_none() {
            return Err(Refusal::MemoMissing);
        }
        self.quote_listing(listing, at)
    }
}

impl Offered<'_> {
    /// Returns what is bought at what price.
    #[must_use]
    pub fn offer(&self) -> Offer<'_> {
        Offer { listing: self.listing, price: self.quote.price }
    }

    /// Returns what so many centavos, fees not among them, deliver; `None` below the network
    /// minimum.
    #[must_use]
    pub fn delivery_terms(&self, cost: Amount) -> Option<DeliveryTerms> {
        let offer = self.offer();
        let units = offer.units(cost).filter(|_| offer.sells(cost))?;
        let (asset, chain) = (self.listing.asset, self.listing.chain);
        Some(DeliveryTerms { asset, chain, cost, units, network_fee: self.listing.network_fee })
    }

    /// Returns what so many centavos are worth in millionths of USDT.
    #[must_use]
    pub fn usdt(&self, cost: Amount) -> Option<Units> {
        self.usdt.and_then(|price| price.units(cost, Scale::SIX))
    }
}

impl FactContext<'_> {
    /// Pairs get the numbers of their assets and networks; one that changes an asset's decimals
    /// contradicts the books.
    pub(in crate::ledger) fn catalogue(
        &self,
        mut listed: Vec<Listing>,
        dropped: Vec<(Box<str>, Box<str>)>,
    ) -> Decision {
        let mut after = self.state.catalogue.clone();
        for listing in &mut listed {
            let numbers = after.numbers(&listing.asset_name, &listing.chain_name);
            let Some(numbers) = numbers else { return self.aside(Reason::ListingDiffers) };
            (listing.asset, listing.chain) = numbers;
            if after.list(listing).is_none() {
                return self.aside(Reason::ListingDiffers);
            }
        }
        for (asset, chain) in &dropped {
            if after.drop_pair(asset, chain).is_none() {
                return self.aside(Reason::ListingDiffers);
            }
        }
        accept(vec![Event::CatalogueUpdated { listed, dropped }])
    }

    /// Pairs for sellers, numbered like those for buyers.
    pub(in crate::ledger) fn markets(
        &self,
        mut opened: Vec<Market>,
        closed: Vec<(Box<str>, Box<str>)>,
    ) -> Decision {
        let mut after = self.state.catalogue.clone();
        for market in &mut opened {
            let numbers = after.numbers(&market.asset_name, &market.chain_name);
            let Some(numbers) = numbers else { return self.aside(Reason::ListingDiffers) };
            (market.asset, market.chain) = numbers;
            if after.open_market(market).is_none() {
                return self.aside(Reason::ListingDiffers);
            }
        }
        for (asset, chain) in &closed {
            if after.close_market(asset, chain).is_none() {
                return self.aside(Reason::ListingDiffers);
            }
        }
        accept(vec![Event::MarketsUpdated { opened, closed }])
    }

    /// A price; one reported before the price we know is an old report.
    pub(in crate::ledger) fn rate(&self, asset: Box<str>, quote: Quote) -> Decision {
        let newer = self.state.rates.get(&asset).is_some_and(|known| quote.at < known.at);
        if newer { already_known() } else { accept(vec![Event::RateQuoted { asset, quote }]) }
    }
}
