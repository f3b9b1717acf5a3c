//! A refund that was reported sent before it was due, and the decision that makes it due
//! (rulings 46).
//!
//! What was sent is a claim on whoever received it until then. The decision that lets just that
//! refund be sent ends the claim and books the refund by it, so that nobody is asked to send it
//! again.

use crate::id::OpId;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::record::event::Event;
use crate::ledger::registry::Machine;
use crate::ledger::state::State;
use crate::ledger::suspense::after::{After, receipt_steps};
use crate::ledger::suspense::waiting::recovery_event;
use crate::machine::cash_out;
use crate::machine::refund::{Coins, Refund, RefundReport};
use crate::machine::{erroneous_delivery, unmatched_deposit};
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
        let more = sent_before(After { state, lookup, at }, events, op);
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

/// Returns the refund of `op` that was reported sent before these events made it due.
pub(in crate::ledger) fn sent_before(after: After<'_>, events: &[Event], op: OpId) -> Vec<Event> {
    let (claim, sent) = match after.before(op) {
        Some(Machine::CashOut(_)) => {
            let Some(mut order) = after.order(op, events) else { return Vec::new() };
            let Some(progress) = order.progress() else { return Vec::new() };
            let own = |hash: &str| progress.was_brought_by(hash);
            let Some((claim, hash)) = claim_of(after.state, op, progress.refund.as_ref(), own)
            else {
                return Vec::new();
            };
            let command = cash_out::Command::Refund(RefundReport::Sent(hash));
            (claim, after.order_steps((op, &mut order), command))
        }
        Some(Machine::UnmatchedDeposit(_)) => {
            let Some(receipt) = after.receipt(op, events) else { return Vec::new() };
            let own = |hash: &str| receipt.is_of(hash);
            let Some((claim, hash)) = claim_of(after.state, op, receipt.refund(), own) else {
                return Vec::new();
            };
            let command = unmatched_deposit::Command::Refund(RefundReport::Sent(hash));
            (claim, receipt_steps((op, &receipt), command))
        }
        _ => return Vec::new(),
    };
    // A claim ends by the refund that it was of.
    if sent.is_empty() { sent } else { std::iter::once(claim).chain(sent).collect() }
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
