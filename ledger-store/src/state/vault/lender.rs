//! The vault of a reader: it looks in the vault of whoever decides, value by value.

use std::fmt;
use std::sync::Arc;

use super::{Secret, Token, Vault};
use crate::state::lent::Lent;

/// A vault that goes on, to be looked at between its changes.
pub(crate) trait SharedVault: Send + Sync {
    /// Shows the vault as it is now, for a moment: whoever changes it waits meanwhile.
    fn look(&self, look: &mut dyn FnMut(&Vault));
}

/// Values of another vault, each looked up once.
#[derive(Clone)]
pub(super) struct Lender {
    shared: Arc<dyn SharedVault>,
    lent: Lent<Token, Secret>,
}

impl Lender {
    pub(super) fn get(&self, token: Token) -> Option<&Secret> {
        self.lent.lend(token, || {
            let mut found = None;
            self.shared.look(&mut |vault| found = vault.get(token).cloned());
            found
        })
    }
}

impl Vault {
    /// The vault of a reader, which knows what `shared` knows when it is asked.
    pub(crate) fn reader(shared: Arc<dyn SharedVault>) -> Self {
        Self { lender: Some(Lender { shared, lent: Lent::default() }), ..Self::default() }
    }
}

impl fmt::Debug for Lender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lender").finish_non_exhaustive()
    }
}
