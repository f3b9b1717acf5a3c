//! One transaction has one spelling (rulings 64): records that hold another are found by it.

use crate::id::Seq;
use crate::ledger::Ledger;
use crate::ledger::archive::Archive;
use crate::ledger::record::{ExternalId, Record, Scope};
use crate::network::{Scheme, hash};

/// What the keys of other spellings begin with.
const SPELLED: &str = "spelled ";

impl ExternalId {
    /// The same identity in the one spelling of `scheme`, if it is an identity of a transaction.
    #[must_use]
    pub fn to_canonical(&self, scheme: Scheme) -> Self {
        if !self.scope.is_of_transaction() {
            return self.clone();
        }
        // What stands before the transaction is ours, and has no other spelling.
        let (before, named) = self.id.rsplit_once(' ').unwrap_or(("", &self.id));
        let named = match (self.scope, named.rsplit_once(':')) {
            (Scope::ReceivedCoins, Some((hash, index))) => {
                format!("{}:{index}", hash::canonical(scheme, hash))
            }
            (_, _) => transaction(scheme, named).into(),
        };
        let gap = if before.is_empty() { "" } else { " " };
        Self { scope: self.scope, id: format!("{before}{gap}{named}").into() }
    }

    /// The key under which an archive finds records that hold this identity in another spelling: no
    /// record brings it, since what is seen again has a number.
    pub(in crate::ledger) fn by_spelling(&self) -> Option<Self> {
        let Self { scope, id } = self;
        let key = || Self { scope: Scope::Again, id: format!("{SPELLED}{scope:?} {id}").into() };
        scope.is_of_transaction().then(key)
    }

    /// Tells whether `key` is what an archive finds this identity by in another spelling.
    pub(super) fn is_found_by(&self, key: &Self) -> bool {
        let spelled = |scheme| self.to_canonical(scheme).by_spelling().as_ref() == Some(key);
        key.scope == Scope::Again
            && key.id.starts_with(SPELLED)
            && Scheme::ALL.into_iter().any(spelled)
    }
}

impl<A: Archive> Ledger<A> {
    /// The transactions that `record`, which was applied, brings although an earlier record brought
    /// them in another spelling: each with that record, which owns the identity. Only records of
    /// before transactions had one spelling do so.
    pub fn told_before(&self, record: &Record) -> Vec<(ExternalId, Seq)> {
        let mut found = Vec::new();
        for event in &record.events {
            let Some(scheme) = event.chain().map(|chain| self.state.scheme(chain)) else {
                continue;
            };
            for outside in event.outsides() {
                let brings = matches!(
                    outside.scope,
                    Scope::Delivery | Scope::Deposit | Scope::ReceivedCoins
                );
                let first =
                    brings.then(|| self.first_seen(&outside.to_canonical(scheme))).flatten();
                if let Some(first) = first.filter(|first| *first < record.seq) {
                    found.push((outside, first));
                }
            }
        }
        found
    }
}

impl Scope {
    /// Tells whether ids of this scope name a transaction.
    pub(in crate::ledger) const fn is_of_transaction(self) -> bool {
        match self {
            Self::Delivery
            | Self::Deposit
            | Self::Confirmation
            | Self::Vanishing
            | Self::ReceivedCoins
            | Self::Again
            | Self::Misreported => true,
            Self::ReceivedPix
            | Self::SentPix
            | Self::ReturnedDeposit
            | Self::ReturnedPayout
            | Self::Fact => false,
        }
    }
}

impl Scope {
    /// Tells whether ids of this scope name a transaction that was reported to bring a deposit.
    pub(super) const fn is_of_sighting(self) -> bool {
        matches!(self, Self::Confirmation | Self::Vanishing | Self::Again | Self::Misreported)
    }
}

/// The one spelling of a transaction and its output; the first output needs no number.
pub(in crate::ledger) fn transaction(scheme: Scheme, text: &str) -> Box<str> {
    let (hash, output) = text.rsplit_once('#').map_or((text, None), |(hash, n)| (hash, Some(n)));
    let hash = hash::canonical(scheme, hash);
    match output {
        None | Some("0") => hash.into(),
        Some(output) => format!("{hash}#{output}").into(),
    }
}
