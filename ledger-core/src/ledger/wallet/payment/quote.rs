//! Quotes of wallets: issued, used once, over after a while.

use crate::id::{AccountId, Kind, OpId};
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::refusal::Refusal as Denied;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::ledger::wallet::Refusal;
use crate::machine::wallet::quote::{self, Order};

/// A quote is issued.
pub(in crate::ledger::wallet) fn issue_quote(state: &State, order: Order) -> Decision {
    let op = OpId::new(Kind::Quote, state.seq.next());
    let event = quote::Event::Issued(Box::new(order));
    let events = vec![Event::Quote { op, event }];
    Decision { events, outcome: Outcome::Created(op) }
}

/// The quote that a request names, where it is the account's own and no operation used it.
///
/// # Errors
///
/// [`Refusal::QuoteUnknown`] where it is not (rulings 76).
pub(in crate::ledger::wallet) fn unused_quote(
    lookup: &Lookup,
    account: AccountId,
) -> Result<(OpId, &quote::State, &Order), Denied> {
    let (op, state) = own_quote(lookup, account).ok_or(Refusal::QuoteUnknown)?;
    match state {
        quote::State::Open(order) | quote::State::Lapsed(order) => Ok((op, state, order)),
        quote::State::Used(..) | quote::State::Absent => Err(Refusal::QuoteUnknown.into()),
    }
}

/// The quote that a request names, where it is the account's own.
pub(in crate::ledger::wallet) fn own_quote(
    lookup: &Lookup,
    account: AccountId,
) -> Option<(OpId, &quote::State)> {
    let (op, known) = lookup.operation.as_ref()?;
    let state = known.quote()?;
    let own = state.order().is_some_and(|order| order.account == account);
    own.then_some((*op, state))
}

/// A quote is used for an operation.
pub(in crate::ledger::wallet) fn use_quote(
    op: OpId,
    state: &quote::State,
    by: OpId,
) -> Result<Event, Denied> {
    let event = quote::request(state, by).map_err(|refusal| match refusal {
        quote::Refusal::Expired => Refusal::QuoteExpired,
        quote::Refusal::Used { .. } | quote::Refusal::Unknown => Refusal::QuoteUnknown,
    })?;
    Ok(Event::Quote { op, event })
}
