//! What domains keep in the state besides their operations: the table in which each registers its
//! part, with what is saved of it.

use minicbor::{Decode, Encode};

use super::agent::index::{Agents, SavedAgent};
use super::closing::index::{Closings, SavedClosings};
use super::product::index::Products;
use super::recovery::index::{Recoveries, Recovery};
use super::registry::Operation;
use super::wallet::index::{SavedWallets, Wallets};
use crate::accounting::DeclaredAccount;
use crate::id::OpId;
use crate::template::Template;

/// A part of the state each. Clones in O(1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::ledger) struct Domains {
    pub(in crate::ledger) agents: Agents,
    pub(in crate::ledger) closings: Closings,
    pub(in crate::ledger) products: Products,
    pub(in crate::ledger) recoveries: Recoveries,
    pub(in crate::ledger) wallets: Wallets,
}

/// What is saved of them, beside open operations.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(in crate::ledger) struct SavedDomains {
    #[n(0)]
    agents: Vec<SavedAgent>,
    #[n(1)]
    wallets: SavedWallets,
    #[n(2)]
    products: Vec<DeclaredAccount>,
    #[n(3)]
    templates: Option<Vec<Template>>,
    #[n(4)]
    closings: SavedClosings,
    #[n(5)]
    recoveries: Option<Vec<(Box<str>, Recovery)>>,
}

impl Domains {
    /// Returns what is saved of each.
    pub(in crate::ledger) fn save(&self) -> SavedDomains {
        let Self { agents, closings, products, recoveries, wallets } = self;
        SavedDomains {
            agents: agents.save(),
            wallets: wallets.save(),
            products: products.save(),
            templates: products.save_templates(),
            closings: closings.save(),
            recoveries: Some(recoveries.save()),
        }
    }

    /// What was saved, before any open operation is known.
    pub(in crate::ledger) fn restore(saved: SavedDomains) -> Self {
        Self {
            agents: Agents::restore(saved.agents),
            closings: Closings::restore(saved.closings),
            products: Products::restore(&saved.products, &saved.templates.unwrap_or_default()),
            recoveries: Recoveries::restore(saved.recoveries.unwrap_or_default()),
            wallets: Wallets::restore(saved.wallets),
        }
    }

    /// Indexes an open operation of a state that is restored.
    pub(in crate::ledger) fn index(&mut self, op: OpId, operation: &Operation) {
        if let Some(deposit) = operation.wallet_deposit() {
            self.wallets.await_deposit(op, deposit);
        }
    }
}
