//! Requests for transfers, judged in the order of rulings 6.

use crate::id::{AccountId, Kind, OpId, SubaccountId, Token};
use crate::ledger::account::opening::resolve;
use crate::ledger::decision::field::Field;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::named::Named;
use crate::ledger::decision::refusal::{Refusal, affordable};
use crate::ledger::decision::repetition::{repeat, repeatable};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::transfer;
use crate::money::{Amount, Balance};
use crate::terms::Terms;
use crate::time::Instant;

repeatable! {
    /// A transfer to be made. A customer of `None` is the house (`casa`).
    TransferRequest, as |asked, order: &transfer::Order, parties: [Option<SubaccountId>; 2]| {
        /// The subaccount to debit.
        from?: Box<str>, same { From: Some(order.from) == parties[0] };
        /// The subaccount to credit.
        to?: Box<str>, same { To: Some(order.to) == parties[1] };
        /// How much, in centavos, above zero.
        amount: Amount, same { Amount: order.amount == asked.amount };
        /// The client's own description.
        note?: Token, same { Note: order.note == asked.note };
        /// The client's own id.
        external_id?: Box<str>, free;
    }
}

impl TransferRequest {
    /// Returns what it names of what the ledger keeps.
    pub(in crate::ledger) fn references(&self) -> Named<'_> {
        let named = Named::new(Kind::Transfer, self.external_id.as_deref());
        let named = named.with_balance("from_customer_ref", self.from.as_deref());
        named.and("to_customer_ref", self.to.as_deref())
    }
}

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
        return match original.transfer() {
            Some(transfer::State::Done(order)) => {
                repeat(*op, request.differing(order, lookup.subaccounts))
            }
            // The id names a group.
            _ => repeat(*op, vec![Field::Legs]),
        };
    }
    let custody = state.known_terms(account, at).map(|terms| terms.custody);
    if !custody.unwrap_or_else(|| Terms::latest().custody).is_on() {
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
