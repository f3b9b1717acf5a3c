//! Commodities of products' accounts, as the oracle sees them: units are numbered as assets are, in
//! the order in which they came, and each commodity is added up by itself.

use ledger_core::accounting::{CoinAccount, Commodity, DeclaredAccount};
use ledger_core::id::{AssetId, ProductAccount};

use super::{Book, Signed};
use crate::goal::Goal;
use crate::oracle::Oracle;

impl Oracle {
    /// A declaration with the number of what it counts; none where that is no asset, or a unit that
    /// is counted otherwise or named as an asset.
    pub(super) fn with_number(&mut self, declared: &DeclaredAccount) -> Option<DeclaredAccount> {
        let mut declared = declared.clone();
        match &mut declared.commodity {
            None => {}
            Some(Commodity::Asset(asset)) => {
                self.market.asset_numbers().contains(&asset.0).then_some(())?;
            }
            Some(Commodity::Unit(unit)) if self.market.has_asset(&unit.name) => {
                self.reach(Goal::UnitNamedAsAsset);
                return None;
            }
            Some(Commodity::Unit(unit)) => {
                let known = self.market.unit_named(&unit.name);
                let next = u16::try_from(self.market.assets()).ok()?;
                let (number, decimals) = known.unwrap_or((next, unit.scale.decimals()));
                if decimals != unit.scale.decimals() {
                    self.reach(Goal::UnitDiffered);
                    return None;
                }
                unit.asset = AssetId(number);
            }
        }
        Some(declared)
    }

    /// The number of what a book counts; none for reais.
    pub(in crate::oracle) fn commodity_of(&self, book: Book) -> Option<AssetId> {
        let Book::Product(number, _) = book else { return None };
        self.products.accounts[number].asset()
    }

    /// The book of a product among the books of what is not reais.
    pub(super) fn coins_of(&self, book: Book) -> Option<(AssetId, CoinAccount)> {
        let Book::Product(number, holder) = book else { return None };
        let class = self.products.accounts[number].class;
        let number = u32::try_from(number).expect("few accounts");
        let account = class.account(ProductAccount { number, holder });
        Some((self.commodity_of(book)?, account.coins()?))
    }

    /// Returns what a book of a product has: its net credit.
    pub(super) fn product_balance(&self, book: Book) -> i64 {
        let found = match self.coins_of(book) {
            Some(coins) => {
                self.coins.get(&coins).map(|net| i64::try_from(*net).expect("few units"))
            }
            None => self.products.balances.get(&book).copied(),
        };
        found.unwrap_or(0)
    }

    /// Tells whether legs come to nothing in each commodity by itself.
    pub(super) fn balance_each(&self, signed: &[Signed]) -> bool {
        signed.iter().all(|(book, _)| {
            let of = self.commodity_of(*book);
            let own = signed.iter().filter(|(other, _)| self.commodity_of(*other) == of);
            own.map(|(_, units)| units).sum::<i64>() == 0
        })
    }
}
