//! Commodities of products' accounts: reais, assets of the catalogue, and units of their own
//! (P:ProductUnits).
//!
//! The declaration of an account says what it counts, and each move of an entry quotes it. Books
//! keep what is not reais as they keep crypto, by commodity.

use std::collections::BTreeMap;

use super::fact::{AVAILABLE, Leg};
use crate::accounting::own_accounts::OwnAccount;
use crate::accounting::{Account, Commodity, DeclaredAccount, Side, Unit};
use crate::id::AssetId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::malformed::Malformed;
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::template::{Program, Template};

/// Names of money and coins that no product may give a unit, whether they are listed or not.
const RESERVED: [&str; 4] = ["brl", "depix", "usdc", "usdt"];

/// The name of the commodity that accounts are kept in where nothing else is said.
const REAIS: &str = "BRL";

impl Unit {
    /// Checks a unit's name: 1 to 16 lower-case letters and digits, none of `brl`, `depix`, `usdc`
    /// and `usdt`.
    ///
    /// ```
    /// use ledger_core::accounting::Unit;
    ///
    /// assert!(Unit::well_named("pontos").is_ok());
    /// assert!(Unit::well_named("usdt").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Malformed::UnitName`] for any other.
    pub fn well_named(name: &str) -> Result<(), Malformed> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let fits = (1..=16).contains(&name.len()) && name.bytes().all(plain);
        if fits && !RESERVED.contains(&name) { Ok(()) } else { Err(Malformed::UnitName) }
    }
}

impl FactContext<'_> {
    /// A name is declared once; declared again as it is, it is known. The first account of a unit
    /// gives the unit its number and decimals.
    pub(super) fn account_declared(&self, mut declared: DeclaredAccount) -> Decision {
        match &mut declared.commodity {
            None => {}
            Some(Commodity::Asset(asset)) if self.state.is_listed(*asset) => {}
            Some(Commodity::Asset(_)) => return self.aside(Reason::Unmatched),
            Some(Commodity::Unit(unit)) => {
                match self.state.catalogue.number_unit(&unit.name, unit.scale) {
                    Some(asset) => unit.asset = asset,
                    None => return self.aside(Reason::UnitDiffers),
                }
            }
        }
        let products = &self.state.domains.products;
        match products.by_name(&declared.name) {
            Some((_, before)) if *before == declared => already_known(),
            Some(_) => self.aside(Reason::NameTaken),
            None => {
                let (number, declared) = (products.next(), Box::new(declared));
                accept(vec![Event::ProductAccountDeclared { number, declared }])
            }
        }
    }

    /// Checks that legs balance in each commodity by itself.
    pub(super) fn balance_each(&self, legs: &[(Account, i128)]) -> Result<(), Reason> {
        let legs = legs.iter().map(|(account, units)| (self.state.asset_of(*account), *units));
        let sums = sums_by_commodity(legs);
        if sums.values().all(|[debits, credits]| debits == credits) {
            Ok(())
        } else {
            Err(Reason::UnitDiffers)
        }
    }
}

impl State {
    /// Remembers an account that was declared, and its unit where it is the first of it.
    pub(in crate::ledger) fn declare_product_account(
        &mut self,
        number: u32,
        declared: &DeclaredAccount,
    ) -> Result<(), &'static str> {
        match &declared.commodity {
            None => {}
            Some(Commodity::Asset(asset)) => {
                let listed = self.is_listed(*asset).then_some(());
                listed.ok_or("an account in an asset is declared after the asset was listed")?;
            }
            Some(Commodity::Unit(Unit { name, scale, asset })) => {
                let numbered = self.catalogue.number_unit(name, *scale) == Some(*asset);
                numbered.then_some(()).ok_or("a unit keeps its number and decimals")?;
                self.catalogue.count_in(name, (*asset, *scale));
            }
        }
        self.domains.products.declare(number, declared)
    }

    fn is_listed(&self, asset: AssetId) -> bool {
        let named = self.catalogue.asset_of(asset);
        named.is_some_and(|(name, _)| self.catalogue.asset(name).is_some())
    }

    /// The commodity that an account is kept in; none for reais.
    pub(in crate::ledger) fn asset_of(&self, account: Account) -> Option<AssetId> {
        self.product_account(account.product()?.number)?.asset()
    }

    /// The net credit of an account of a product, or of what is in flight, in smallest units.
    pub(in crate::ledger) fn net_credit_of(&self, account: Account) -> i128 {
        match self.asset_of(account).zip(account.coins()) {
            Some((asset, coins)) => self.books.coin(asset, coins),
            None => self.books.flight(account).into(),
        }
    }

    /// Returns the first commodity other than reais in which legs do not balance: its name, debits
    /// and credits. None as long as a leg names an account that nobody declared.
    pub(crate) fn unbalanced_unit(&self, legs: &[Leg]) -> Option<(&str, [i128; 2])> {
        let assets = legs.iter().map(|leg| self.asset_of_leg(&leg.account));
        let assets: Vec<_> = assets.collect::<Option<_>>()?;
        let signed = legs.iter().zip(assets).map(|(leg, asset)| {
            let units = i128::from(leg.amount.cents());
            (asset, if leg.side == Side::Credit { units } else { -units })
        });
        let sums = sums_by_commodity(signed).into_iter();
        let uneven = |(asset, [debits, credits]): &(Option<AssetId>, [i128; 2])| {
            asset.is_some() && debits != credits
        };
        sums.filter(uneven).map(|(asset, sums)| (self.name_of(asset), sums)).next()
    }

    /// Returns the name of the first commodity in which a template is not proven to balance. None
    /// as long as a leg names an account that nobody declared.
    pub(crate) fn unproven_unit(&self, template: &Template) -> Option<&str> {
        let assets = template.legs.iter().map(|leg| self.asset_of_leg(&leg.account));
        let assets: Vec<_> = assets.collect::<Option<_>>()?;
        let proven = Program::read(template).ok()?.prove_each(&assets);
        proven.err().map(|asset| self.name_of(asset))
    }

    /// The commodity of the account of this name: the outer none where nobody declared it.
    #[allow(clippy::option_option)] // Unknown, and known to be reais.
    fn asset_of_leg(&self, name: &str) -> Option<Option<AssetId>> {
        if name == AVAILABLE || OwnAccount::parse(name).is_some() {
            return Some(None);
        }
        self.domains.products.by_name(name).map(|(_, declared)| declared.asset())
    }

    fn name_of(&self, asset: Option<AssetId>) -> &str {
        let named = asset.and_then(|asset| self.catalogue.asset_of(asset));
        named.map_or(REAIS, |(name, _)| name)
    }
}

/// Debits and credits of each commodity, of legs whose credits are above zero.
fn sums_by_commodity(
    legs: impl Iterator<Item = (Option<AssetId>, i128)>,
) -> BTreeMap<Option<AssetId>, [i128; 2]> {
    let mut sums = BTreeMap::new();
    for (asset, units) in legs {
        let [debits, credits]: &mut [i128; 2] = sums.entry(asset).or_default();
        *if units < 0 { debits } else { credits } += units.abs();
    }
    sums
}
