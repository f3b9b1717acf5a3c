//! A refund that was reported sent before it was due, and the decision that makes it due
//! (rulings 46).
//!
//! What was sent is a claim on whoever received it until then. The decision that lets just that
//! refund be sent ends the claim and books the refund by it, so that nobody is asked to send it
//! again.

use super::early_payment::order_after;
use crate::id::{Kind, OpId};
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::record::event::Event;
use crate::ledger::registry::Machine;
use crate::ledger::state::State;
use crate::ledger::suspense::waiting::recovery_event;
use crate::machine::cash_out::{self, Ceilings, Context};
use crate::machine::refund::{Coins, Refund, RefundReport};
use crate::machine::{Verdict, erroneous_delivery, unmatched_deposit};
use crate::time::Instant;

/// Adds to a decision the refunds that it makes due and that were reported sent before.
pub(in crate::ledger) fn book(
    state: &State,
    lookup: &Lookup,
    events: &mut Vec<Event>,
    at: Instant,
) {
    let mut due: Vec<OpId> = events.iter().filter_map(lets_a_refund_go).collect();
    due.dedup();
    for op in due {
        let more = sent_before(state, lookup, events, (op, at));
        events.extend(more);
    }
}

/// The operation whose refund may be sent after this event, if one may.
const fn lets_a_refund_go(event: &Event) -> Option<OpId> {
    use cash_out::Event as E;
    match event {
        Event::CashOut {
            op,
            event: E::RefundDecided { .. } | E::RefundAddressed(_) | E::RefundAllowed,
        }
        | Event::UnmatchedDeposit {
            op,
            event:
                unmatched_deposit::Event::RefundDecided { .. }
                | unmatched_deposit::Event::RefundAllowed { .. },
        } => Some(*op),
        _ => None,
    }
}

fn sent_before(
    state: &State,
    lookup: &Lookup,
    events: &[Event],
    (op, at): (OpId, Instant),
) -> Vec<Event> {
    let named = [&lookup.operation, &lookup.holder, &lookup.order];
    let known = named.into_iter().flatten().find(|(known, _)| *known == op);
    let before = known.map(|(_, operation)| &operation.machine);
    match before {
        Some(Machine::CashOut(order)) => {
            let order = order_after(order.clone(), events, (op, at));
            let Some(progress) = order.progress() else { return Vec::new() };
            let vanished = |hash: &str| progress.vanished.iter().any(|it| *it.hash == *hash);
            let own = |hash: &str| progress.had(hash).is_some() || vanished(hash);
            let Some((claim, hash)) = claim_of(state, op, progress.refund.as_ref(), own) else {
                return Vec::new();
            };
            let unmatched = OpId::new(Kind::UnmatchedDeposit, state.seq.next());
            let ceilings = Ceilings::none();
            let now = Context { at, quote: None, scale: None, ceilings, unmatched };
            let command = cash_out::Command::Refund(RefundReport::Sent(hash));
            let Verdict::Applied(sent) = cash_out::decide(&order, command, &now) else {
                return Vec::new();
            };
            let sent = sent.into_iter().map(|event| Event::CashOut { op, event });
            std::iter::once(claim).chain(sent).collect()
        }
        Some(Machine::UnmatchedDeposit(unmatched)) => {
            let unmatched = events.iter().fold(unmatched.clone(), |state, event| match event {
                Event::UnmatchedDeposit { op: moved, event } if *moved == op => {
                    unmatched_deposit::evolve(&state, event)
                }
                _ => state,
            });
            let own = |hash: &str| unmatched.is_of(hash);
            let Some((claim, hash)) = claim_of(state, op, unmatched.refund(), own) else {
                return Vec::new();
            };
            let command = unmatched_deposit::Command::Refund(RefundReport::Sent(hash));
            let Verdict::Applied(sent) = unmatched_deposit::decide(&unmatched, command) else {
                return Vec::new();
            };
            let sent = sent.into_iter().map(|event| Event::UnmatchedDeposit { op, event });
            std::iter::once(claim).chain(sent).collect()
        }
        _ => Vec::new(),
    }
}

/// The end of the claim on just what is to be refunded, and its transaction; `own` tells the
/// transactions that brought the deposits, which refund nothing.
fn claim_of(
    state: &State,
    op: OpId,
    due: Option<&Refund>,
    own: impl Fn(&str) -> bool,
) -> Option<(Event, Box<str>)> {
    let due = due.filter(|due| due.is_under_way())?.coins;
    let refunds = |order: &erroneous_delivery::Order| {
        let erroneous_delivery::Order { asset, chain, units, .. } = *order;
        Coins { asset, chain, units } == due && !own(&order.hash)
    };
    let (claim, order) = state.claims_about(op).find(|(_, order)| refunds(order))?;
    Some((recovery_event(claim, order)?, order.hash.clone()))
}
