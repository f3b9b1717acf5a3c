//! Looking up what a command names: in the state what is open, in the archive what has ended.

use super::lookup::{Lookup, operation};
use super::named::NamedBalance;
use super::prefetch::Prefetched;
use crate::id::{AccountId, SubaccountId};
use crate::ledger::archive::{Archive, first_seen};
use crate::ledger::command::{Intent, Request};
use crate::ledger::fact::Fact;
use crate::ledger::record::ExternalId;
use crate::ledger::state::State;

impl Lookup {
    /// Looks up everything `what` names.
    #[must_use]
    pub fn gather(state: &State, archive: &impl Archive, what: &Intent) -> Self {
        let outside = what.outside();
        Self::with(state, archive, (what, outside.as_ref()), Prefetched::default())
    }

    /// Looks up everything `what` names, but for the subaccounts that are known already; with the
    /// identity of a fact.
    #[must_use]
    pub(in crate::ledger) fn with(
        state: &State,
        archive: &impl Archive,
        (what, outside): (&Intent, Option<&ExternalId>),
        subaccounts: Prefetched,
    ) -> Self {
        match what {
            Intent::Request(account, request) => {
                Self::for_request(state, archive, *account, request, subaccounts)
            }
            Intent::Public(_) => Self::default(),
            Intent::Enrolment(_) => Self::default(),
            Intent::Fact(reported) => {
                let fact = reported.fact.bare();
                let mut lookup = Self::for_fact(state, archive, fact);
                lookup.seen = match &lookup.observation {
                    Some(observation) => observation.known,
                    None => outside.and_then(|outside| first_seen(archive, outside)),
                };
                lookup
            }
        }
    }

    fn for_request(
        state: &State,
        archive: &impl Archive,
        account: AccountId,
        request: &Request,
        Prefetched(prefetched): Prefetched,
    ) -> Self {
        let named = request.references();
        let [first, second] = named.balances;
        let look = |balance: Option<NamedBalance<'_>>, known: Option<SubaccountId>| match balance?
            .customer
        {
            Some(customer) => known.or_else(|| archive.subaccount(account, customer)),
            None => state.account(account).map(|account| account.house),
        };
        let find = |op| operation(state, archive, op);
        let original = named
            .identity
            .and_then(|(kind, external_id)| archive.identity(account, kind, external_id));
        let own = named.operation.and_then(find);
        Self {
            subaccounts: [look(first, prefetched[0]), look(second, prefetched[1])],
            legs: named.legs.iter().map(|leg| leg.map(|one| look(Some(one), None))).collect(),
            original: original.and_then(find),
            operation: own.filter(|(_, known)| known.account() == Some(account)),
            ..Self::default()
        }
    }

    fn for_fact(state: &State, archive: &impl Archive, fact: &Fact) -> Self {
        let named = fact.about().and_then(|op| operation(state, archive, op));
        let mut lookup = Self { operation: named, ..Self::default() };
        lookup.subaccounts[0] = fact.subaccount().and_then(|(account, customer)| {
            let account = state.account_named(account)?;
            match customer {
                Some(customer) => archive.subaccount(account, customer),
                None => state.account(account).map(|account| account.house),
            }
        });
        lookup.pix_seen = fact
            .pix()
            .and_then(|(scope, id)| first_seen(archive, &ExternalId { scope, id: id.into() }));
        fact.look_up(&mut lookup, state, archive);
        lookup
    }
}
