//! Requests for transfers, judged in the order of rulings 6.

use crate::id::{AccountId, Kind, OpId, SubaccountId};
use crate::ledger::account::subaccount::resolve;
use crate::ledger::command::TransferRequest;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::refusal::{Field, Refusal, affordable};
use crate::ledger::decision::repetition::{fields_of, repeat};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::registry::Operation;
use crate::ledger::state::State;
use crate::machine::transfer;
use crate::money::Balance;
use crate::terms::Terms;
use crate::time::Instant;

/// Judges a request for a transfer: every reason to refuse it, in order.
///
/// # Errors
///
/// The first [`Refusal`] that stands against it.
pub(in crate::ledger) fn request(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    request: TransferRequest,
    at: Instant,
) -> Result<Decision, Refusal> {
    if let Some((op, original)) = &lookup.original {
        return repeat(*op, differing_transfer(original, &request, lookup.subaccounts));
    }
    let custody = state.known_terms(account, at).map(|terms| terms.custody);
    if !custody.unwrap_or_else(|| Terms::published().custody).is_on() {
        return Err(Refusal::CustodyDisabled);
    }
    if request.from == request.to {
        return Err(Refusal::SameParty);
    }
    // A source never seen reads as zero balances (CUS-17).
    let Some(from) = lookup.subaccounts[0] else {
        return Err(Refusal::FundsInsufficient { available: Balance::ZERO });
    };
    let mut events = Vec::with_capacity(1);
    let to = resolve(state, account, lookup.subaccounts[1], request.to, &mut events);
    let order = transfer::Order {
        account,
        from,
        to,
        amount: request.amount,
        external_id: request.external_id,
        note: request.note,
    };
    affordable(state, from, Some(order.amount), at)?;
    let op = OpId::new(Kind::Transfer, state.seq.next());
    events.push(Event::Transfer { op, event: transfer::Event::Done(order) });
    Ok(Decision { events, outcome: Outcome::Created(op) })
}

fn differing_transfer(
    original: &Operation,
    request: &TransferRequest,
    [from, to]: [Option<SubaccountId>; 2],
) -> Vec<Field> {
    let Some(transfer::State::Done(order)) = original.transfer() else {
        unreachable!("an identity of a transfer names a transfer that was done")
    };
    fields_of(&[
        (order.amount == request.amount, Field::Amount),
        (Some(order.from) == from, Field::From),
        (Some(order.to) == to, Field::To),
        (order.note == request.note, Field::Note),
    ])
}
