//! What the state keeps of accounts that products declared.

use std::sync::Arc;

use im::{OrdMap, Vector};

use crate::accounting::{Control, DeclaredAccount};
use crate::counted::hash_counted;
use crate::ledger::malformed::Malformed;

/// First words of the chart's accounts of crypto that no account in reais has.
const CRYPTO: [&str; 5] = ["treas", "transit", "dep", "refund", "wal"];

/// The accounts that were declared, by number and by name. Clones in O(1).
#[derive(Clone, Debug, Default)]
pub(in crate::ledger) struct Products {
    pub(super) accounts: Vector<Arc<DeclaredAccount>>,
    by_name: OrdMap<Box<str>, u32>,
}

hash_counted!(Products {} { accounts, by_name });

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
    pub(in crate::ledger) fn named(&self, name: &str) -> Option<(u32, &DeclaredAccount)> {
        let number = *self.by_name.get(name)?;
        Some((number, self.numbered(number)?))
    }

    /// The account of this number.
    pub(in crate::ledger) fn numbered(&self, number: u32) -> Option<&DeclaredAccount> {
        self.accounts.get(number as usize).map(|known| &**known)
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
        let Self { accounts, by_name: _ } = self;
        accounts.iter().map(|known| DeclaredAccount::clone(known)).collect()
    }

    /// Those that were saved.
    pub(in crate::ledger) fn restore(saved: &[DeclaredAccount]) -> Self {
        let mut products = Self::default();
        for (number, declared) in (0..).zip(saved) {
            let _ = products.declare(number, declared);
        }
        products
    }
}
