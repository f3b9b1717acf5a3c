//! What stands until the next of its kind: catalogue, prices, reviews, wallets.

use std::sync::Arc;

use super::State;
use crate::ledger::record::event::Event;
use crate::time::Instant;

impl State {
    /// Applies what stands until the next of its kind.
    pub(in crate::ledger) fn learn(
        &mut self,
        at: Instant,
        event: &Event,
    ) -> Result<(), &'static str> {
        match event {
            Event::CatalogueUpdated { listed, dropped } => {
                let listed = listed.iter().all(|listing| self.catalogue.list(listing).is_some());
                let mut pairs = dropped.iter();
                let gone =
                    pairs.all(|(asset, chain)| self.catalogue.drop_pair(asset, chain).is_some());
                self.catalogue.updated_at = Some(at);
                (listed && gone).then_some(()).ok_or("an asset keeps its number and decimals")
            }
            Event::NetworkPages(pages) => {
                self.catalogue.show_pages(pages.iter().map(|page| (&*page.chain, &*page.template)));
                Ok(())
            }
            Event::MarketsUpdated { opened, closed } => {
                let opened =
                    opened.iter().all(|market| self.catalogue.open_market(market).is_some());
                let mut pairs = closed.iter();
                let gone =
                    pairs.all(|(asset, chain)| self.catalogue.close_market(asset, chain).is_some());
                (opened && gone).then_some(()).ok_or("an asset keeps its number and decimals")
            }
            Event::RateQuoted { asset, quote } => {
                self.rates.insert(asset.clone(), Arc::new(quote.clone()));
                Ok(())
            }
            Event::PayerReviewed { payer, review } => {
                self.change_payer(*payer, |known| known.review = *review);
                Ok(())
            }
            Event::SettlementAddressSet { account, address } => {
                let known = self.accounts.get_mut(account.0 as usize);
                let known = known.ok_or("a wallet is set for an account that exists")?;
                Arc::make_mut(known).settlement = Some(address.clone());
                Ok(())
            }
            _ => unreachable!("only lasting facts are learnt"),
        }
    }
}
