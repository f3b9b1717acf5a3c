//! A ledger's environment as stores and files of records write it.

use ledger_core::id::{Designation, Environment, LedgerName};

use super::Identity;
use crate::bytes::chain::Algorithm;

/// The number for an environment that was chosen; none for a ledger older than the choice.
pub(crate) const fn tag(designation: Designation) -> Option<u8> {
    match designation {
        Designation::Chosen(Environment::Live) => Some(1),
        Designation::Chosen(Environment::Sandbox) => Some(2),
        Designation::ByName => None,
    }
}

/// Returns what a number says; none where it says nothing.
pub(crate) const fn designation(tag: Option<i64>) -> Option<Designation> {
    match tag {
        None => Some(Designation::ByName),
        Some(1) => Some(Designation::Chosen(Environment::Live)),
        Some(2) => Some(Designation::Chosen(Environment::Sandbox)),
        Some(_) => None,
    }
}

impl Identity {
    /// What a ledger was created with that is older than the choice of an environment.
    #[must_use]
    pub const fn by_name(algorithm: Algorithm, vault_key: [u8; 32]) -> Self {
        Self { algorithm, vault_key, designation: Designation::ByName }
    }

    /// The environment of the ledger of this name.
    #[must_use]
    pub fn environment(self, name: &str) -> Environment {
        self.designation.environment(name)
    }

    /// This name with the ledger's environment.
    #[must_use]
    pub fn ledger_name(self, name: &str) -> LedgerName {
        LedgerName::with_designation(name, self.designation)
    }
}
