//! Quotes of wallets: issued, used once, over after a while.

use crate::id::{AccountId, Kind, OpId};
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::refusal::Refusal as Denied;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::ledger::wallet::Refusal;
use crate::machine::Verdict;
use crate::machine::wallet::quote::{self, Command, Order, decide};

/// A quote is issued.
pub(in crate::ledger::wallet) fn issued(state: &State, order: Order) -> Result<Decision, Denied> {
    let op = OpId::new(Kind::Quote, state.seq.next());
    let event = applied(decide(&quote::State::Absent, Command::Issue(Box::new(order))))?;
    let events = vec![Event::WalletQuoted { op, event }];
    Ok(Decision { events, outcome: Outcome::Created(op) })
}

/// The quote that a request names, if it is the account's own.
pub(in crate::ledger::wallet) fn quoted(
    found: &Lookup,
    account: AccountId,
) -> Option<(OpId, &quote::State)> {
    let (op, known) = found.operation.as_ref()?;
    let state = known.quote()?;
    let own = state.order().is_some_and(|order| order.account == account);
    own.then_some((*op, state))
}

/// A quote is used for an operation.
pub(in crate::ledger::wallet) fn used(
    op: OpId,
    state: &quote::State,
    by: OpId,
) -> Result<Event, Denied> {
    let event = applied(decide(state, Command::Use(by)))?;
    Ok(Event::WalletQuoted { op, event })
}

/// A quote after its deadline.
pub(in crate::ledger) fn lapse(op: OpId, state: &quote::State) -> Vec<Event> {
    match decide(state, Command::Lapse) {
        Ok(Verdict::Applied(event)) => vec![Event::WalletQuoted { op, event }],
        other => unreachable!("{op:?} was due to lapse: {other:?}"),
    }
}

fn applied(decided: Result<Verdict<quote::Event>, quote::Refusal>) -> Result<quote::Event, Denied> {
    match decided {
        Ok(Verdict::Applied(event)) => Ok(event),
        Ok(verdict) => unreachable!("a quote is issued or used, or not: {verdict:?}"),
        Err(quote::Refusal::Expired) => Err(Refusal::QuoteExpired.into()),
        Err(quote::Refusal::Used { .. } | quote::Refusal::OutOfTurn) => {
            Err(Refusal::QuoteUnknown.into())
        }
    }
}
