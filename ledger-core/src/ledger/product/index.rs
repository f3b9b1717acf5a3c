//! What the state keeps of accounts that products declared.

use std::sync::Arc;

use im::{OrdMap, Vector};

use crate::accounting::{Commodity, Control, DeclaredAccount, Unit};
use crate::counted::hash_counted;
use crate::ledger::malformed::Malformed;
use crate::template::{Program, Template};

/// First words of the chart's accounts of crypto that no account in reais has.
const CRYPTO: [&str; 5] = ["treas", "transit", "dep", "refund", "wal"];

/// The account that opening balances are debited to. Products cannot declare the name, because its
/// first word is in the chart.
pub(super) const OPENING: &str = "equity.opening";

/// Tells whether products may name this account in legs: opening balances and their reversals alone
/// move `equity.opening`.
pub(in crate::ledger) fn is_open_to_products(name: &str) -> bool {
    name != OPENING
}

/// The accounts that were declared, by number and by name. Clones in O(1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::ledger) struct Products {
    pub(super) accounts: Vector<Arc<DeclaredAccount>>,
    by_name: OrdMap<Box<str>, u32>,
    pub(super) templates: Vector<Arc<Adopted>>,
}

hash_counted!(Products {} { accounts, by_name, templates });

/// A template that was adopted, with its expressions read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::ledger) struct Adopted {
    pub(super) template: Template,
    /// Its version among those of its name, from 1.
    pub(super) version: u32,
    pub(super) program: Program,
}

impl DeclaredAccount {
    /// Checks an account's name: words of lower-case letters, digits and `_`, parted by points, of
    /// which the first is none that the chart of accounts has itself.
    ///
    /// ```
    /// use ledger_core::ledger::product::DeclaredAccount;
    ///
    /// assert!(DeclaredAccount::well_named("taxas.cartao").is_ok());
    /// assert!(DeclaredAccount::well_named("rev.cartao").is_err()); // The chart has `rev.deposit`.
    /// ```
    ///
    /// # Errors
    ///
    /// [`Malformed::AccountName`] for any other.
    pub fn well_named(name: &str) -> Result<(), Malformed> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let word = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(plain)
        };
        let first = |name: &'static str| name.split('.').next();
        let own = name.split('.').next();
        let reserved = Control::ALL.iter().any(|control| first(control.name()) == own)
            || own.is_some_and(|own| CRYPTO.contains(&own));
        let fits = name.len() <= 64 && name.split('.').all(word) && !reserved;
        fits.then_some(()).ok_or(Malformed::AccountName)
    }
}

impl Products {
    /// The account of this name, with its number.
    pub(in crate::ledger) fn by_name(&self, name: &str) -> Option<(u32, &DeclaredAccount)> {
        let number = *self.by_name.get(name)?;
        Some((number, self.by_number(number)?))
    }

    /// The account of this number.
    pub(in crate::ledger) fn by_number(&self, number: u32) -> Option<&DeclaredAccount> {
        self.accounts.get(number as usize).map(|known| &**known)
    }

    /// The units that accounts count in, those of several accounts as often.
    pub(in crate::ledger) fn units(&self) -> impl Iterator<Item = &Unit> {
        self.accounts.iter().filter_map(|known| known.commodity.as_ref().and_then(Commodity::unit))
    }

    /// The number that the next account gets.
    pub(in crate::ledger) fn next(&self) -> u32 {
        u32::try_from(self.accounts.len()).expect("fewer than four billion accounts")
    }

    /// Remembers a declaration.
    pub(in crate::ledger) fn declare(
        &mut self,
        number: u32,
        declared: &DeclaredAccount,
    ) -> Result<(), &'static str> {
        if number != self.next() || self.by_name.contains_key(&declared.name) {
            return Err(
                "accounts of a product are numbered in order, each under a name of its own",
            );
        }
        self.by_name.insert(declared.name.clone(), number);
        self.accounts.push_back(Arc::new(declared.clone()));
        Ok(())
    }

    /// Returns what is saved of them.
    pub(in crate::ledger) fn save(&self) -> Vec<DeclaredAccount> {
        let Self { accounts, by_name: _, templates: _ } = self;
        accounts.iter().map(|known| DeclaredAccount::clone(known)).collect()
    }

    /// The template of this name with its number: of this version, or the latest.
    pub(in crate::ledger) fn template(
        &self,
        name: &str,
        version: Option<u32>,
    ) -> Option<(u32, &Adopted)> {
        let fits = |known: &Adopted| {
            *known.template.name == *name && version.is_none_or(|version| known.version == version)
        };
        let mut latest_first = self.templates.iter().enumerate().rev();
        let (number, known) = latest_first.find(|(_, known)| fits(known))?;
        Some((u32::try_from(number).ok()?, &**known))
    }

    /// The number and version that the next template of this name gets.
    pub(in crate::ledger) fn next_template(&self, name: &str) -> (u32, u32) {
        let number =
            u32::try_from(self.templates.len()).expect("fewer than four billion templates");
        let latest = self.template(name, None).map_or(0, |(_, known)| known.version);
        (number, latest + 1)
    }

    /// Remembers a template; it was proven when it was adopted.
    pub(in crate::ledger) fn adopt(
        &mut self,
        (number, version): (u32, u32),
        template: &Template,
    ) -> Result<(), &'static str> {
        if (number, version) != self.next_template(&template.name) {
            return Err("templates are numbered in order, and so are the versions of each name");
        }
        let program = Program::read(template);
        let program = program.map_err(|_| "a template that was adopted can be read")?;
        self.templates.push_back(Arc::new(Adopted {
            template: template.clone(),
            version,
            program,
        }));
        Ok(())
    }

    /// Returns what is saved of the templates; none where there are none.
    pub(in crate::ledger) fn save_templates(&self) -> Option<Vec<Template>> {
        let saved: Vec<_> = self.templates.iter().map(|known| known.template.clone()).collect();
        Some(saved).filter(|saved| !saved.is_empty())
    }

    /// Those that were saved.
    pub(in crate::ledger) fn restore(saved: &[DeclaredAccount], templates: &[Template]) -> Self {
        let mut products = Self::default();
        for (number, declared) in (0..).zip(saved) {
            let _ = products.declare(number, declared);
        }
        for template in templates {
            let _ = products.adopt(products.next_template(&template.name), template);
        }
        products
    }
}
