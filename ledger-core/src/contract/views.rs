//! Views of charges, payouts, transfers and balances, with the contract's exact field names.

use super::input::tokens::Vault;
use crate::id::{OpId, SubaccountId, Token};
use crate::ledger::{Archive, Event, ExternalId, Operation, PixDetails, Scope, State};

/// What views are computed from: committed state, its archive, and the vault.
pub struct Views<'a, A, V> {
    /// The committed state, as of its last record.
    pub state: &'a State,
    /// What has ended, by its keys.
    pub archive: &'a A,
    /// Personal values by their tokens; one that was erased is shown as erased.
    pub vault: &'a V,
}

/// What a view of an operation asks of what came before it: an archive knows it, and so does an
/// [`EventContext`](super::EventContext), of the one operation that it was taken for.
pub trait Recall {
    /// The name of the operation's subaccount; none for a house balance.
    fn customer_of(&self, subaccount: SubaccountId) -> Option<&str>;

    /// What was reported of a PIX with the fact that made it known; nothing where nothing was.
    fn details_of(&self, scope: Scope, e2e: &str) -> PixDetails;
}

impl<A: Archive> Recall for A {
    fn customer_of(&self, subaccount: SubaccountId) -> Option<&str> {
        self.customer(subaccount)
    }

    fn details_of(&self, scope: Scope, e2e: &str) -> PixDetails {
        let outside = ExternalId { scope, id: e2e.into() };
        let record = self.fact_seq(&outside).and_then(|seq| self.record(seq));
        let events = record.into_iter().flat_map(|record| record.events);
        let mut described = events.filter_map(|event| match event {
            Event::PixDescribed(details) => Some(*details),
            _ => None,
        });
        described.next().unwrap_or_default()
    }
}

/// What stands where a person was erased.
const ERASED: &str = "[apagado]";

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// An operation by the id this ledger gave it, wherever it is kept.
    #[must_use]
    pub fn operation(&self, op: OpId) -> Option<Operation> {
        self.state.open(op).cloned().or_else(|| self.archive.ended_operation(op))
    }
}

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// A value from the vault, or the word that it was erased.
    #[must_use]
    pub fn value(&self, token: Token) -> String {
        self.vault.value(token).unwrap_or(ERASED).to_owned()
    }

    pub(super) fn mask(&self, token: Token) -> String {
        self.vault.mask(token).unwrap_or(ERASED).to_owned()
    }

    /// Tells whether this is the ledger of test keys.
    pub(super) fn is_sandbox(&self) -> bool {
        self.state.is_sandbox()
    }
}
