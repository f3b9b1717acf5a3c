//! What a command needs to know of the archive, looked up before it is judged, so that judging
//! stays pure.

use super::archive::Archive;
use super::command::{Fact, Request, What};
use super::operation::Operation;
use super::record::{Outside, Scope};
use super::state::State;
use crate::id::{AccountId, CustodyId, Kind, OpId, Seq};

/// What state and archive hold under the keys a command names.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The subaccounts named, in the order named; the house balance where none is named.
    pub parties: [Option<CustodyId>; 2],
    /// The operation the account created before under the same id.
    pub original: Option<(OpId, Operation)>,
    /// The operation named.
    pub operation: Option<(OpId, Operation)>,
    /// The second operation named: the charge that suspense is attached to.
    pub second: Option<(OpId, Operation)>,
    /// The record that first brought this fact.
    pub seen: Option<Seq>,
    /// The record that first brought the PIX that evidence or a release names besides.
    pub pix_seen: Option<Seq>,
}

impl Found {
    /// Looks up everything `what` names.
    #[must_use]
    pub fn gather(state: &State, archive: &impl Archive, what: &What) -> Self {
        match what {
            What::Request(account, request) => Self::for_request(state, archive, *account, request),
            What::Fact(reported) => {
                let outside = what.outside();
                let mut found = Self::for_fact(state, archive, &reported.fact);
                found.seen = outside.and_then(|outside| archive.seen(&outside));
                found
            }
        }
    }

    fn for_request(
        state: &State,
        archive: &impl Archive,
        account: AccountId,
        request: &Request,
    ) -> Self {
        let party = |customer: &Option<Box<str>>| match customer {
            Some(customer) => archive.subaccount(account, customer),
            None => state.account(account).map(|account| account.house),
        };
        let (kind, external_id, parties) = match request {
            Request::Charge(r) => (Kind::Charge, &r.external_id, [party(&r.customer), None]),
            Request::Transfer(r) => {
                (Kind::Transfer, &r.external_id, [party(&r.from), party(&r.to)])
            }
            Request::Payout(r) => (Kind::Payout, &r.external_id, [party(&r.customer), None]),
        };
        let original = external_id
            .as_deref()
            .and_then(|external_id| archive.identity(account, kind, external_id))
            .and_then(|op| operation(state, archive, op));
        Self { parties, original, ..Self::default() }
    }

    fn for_fact(state: &State, archive: &impl Archive, fact: &Fact) -> Self {
        let named = |op: Option<OpId>| op.and_then(|op| operation(state, archive, op));
        let party = |account: &str, customer: &Option<Box<str>>| {
            let account = state.account_named(account)?;
            match customer {
                Some(customer) => archive.subaccount(account, customer),
                None => state.account(account).map(|account| account.house),
            }
        };
        let mut found = Self { operation: named(fact.about()), ..Self::default() };
        match fact {
            // A hold that names its cause and no customer is on the cause's own subaccount.
            Fact::HoldPlaced { customer: None, cause: Some(_), .. } => {}
            Fact::HoldPlaced { account, customer, .. }
            | Fact::FeeAdjusted { account, customer, .. }
            | Fact::BalanceWrittenOff { account, customer, .. } => {
                found.parties[0] = party(account, customer);
            }
            Fact::SuspenseAttached { charge, .. } => found.second = named(*charge),
            _ => {}
        }
        let pix = match fact {
            Fact::PayoutEvidence { paid: Some(e2e), .. } => Some((Scope::SentPix, e2e)),
            Fact::ProviderReleased { receipt: Some(receipt), .. } => {
                Some((Scope::ReceivedPix, &receipt.e2e))
            }
            _ => None,
        };
        found.pix_seen =
            pix.and_then(|(scope, id)| archive.seen(&Outside { scope, id: id.clone() }));
        found
    }
}

/// An operation wherever it is: open in the state, or ended in the archive.
#[must_use]
pub(super) fn operation(
    state: &State,
    archive: &impl Archive,
    op: OpId,
) -> Option<(OpId, Operation)> {
    let known = state.open(op).cloned().or_else(|| archive.ended(op));
    known.map(|operation| (op, operation))
}
