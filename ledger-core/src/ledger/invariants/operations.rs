//! What holds of open operations: their deadlines, what waits for them, and what they count for.

use std::collections::BTreeMap;

use super::Holds;
use crate::id::{AccountId, Token};
use crate::ledger::archive::Archive;
use crate::ledger::state::State;
use crate::machine::charge;

/// Checks what documents have pending against their pending charges (INV-40).
pub(super) fn ladder_counts_pending_charges(state: &State, _: &dyn Archive) -> Holds {
    let mut pending: BTreeMap<Token, i128> = BTreeMap::new();
    let mut unpaid: BTreeMap<(Token, AccountId), i128> = BTreeMap::new();
    for (_, known) in state.open_operations() {
        let order = match known.charge() {
            Some(charge::State::Pending(order)) => order,
            Some(charge::State::UnderReview(arrived)) => &arrived.order,
            _ => continue,
        };
        let cents = i128::from(order.amount.cents());
        *pending.entry(order.payer).or_default() += cents;
        *unpaid.entry((order.payer, order.account)).or_default() += cents;
    }
    let counted = state.payers().filter(|(_, payer)| !payer.pending.is_zero());
    let counted: BTreeMap<Token, i128> =
        counted.map(|(document, payer)| (document, i128::from(payer.pending.cents()))).collect();
    let of_each = state.unpaid.iter().map(|(of, cents)| (*of, i128::from(cents.cents())));
    if counted == pending && of_each.collect::<BTreeMap<_, _>>() == unpaid {
        Ok(())
    } else {
        Err("the ladder and the pending charges differ".into())
    }
}

/// What was set aside before its time is found by what makes it possible (ASIDE, rulings 46).
pub(super) fn what_waits_is_found(state: &State, _: &dyn Archive) -> Holds {
    let mut waiting = 0_usize;
    for (op, known) in state.open_operations() {
        let Some(about) = known.machine.waits_about() else { continue };
        waiting += 1;
        if !state.set_aside.contains(&(about, op)) {
            return Err(format!("{op:?} waits, and {about:?} does not find it"));
        }
    }
    if waiting != state.set_aside.len() {
        let found = state.set_aside.len();
        return Err(format!("{found} are found, and {waiting} wait"));
    }
    Ok(())
}

/// The agenda has the deadline of each open operation, and as many as there are (AGENDA).
pub(super) fn agenda_holds_every_deadline(state: &State, _: &dyn Archive) -> Holds {
    let mut due = 0_usize;
    for (op, operation) in state.open_operations() {
        if let Some((at, kind)) = operation.machine.deadline() {
            due += 1;
            if !state.agenda.contains(&(at, op, kind)) {
                return Err(format!("{op:?} is not on the agenda for {at}"));
            }
        }
    }
    if due != state.agenda.len() {
        let found = state.agenda.len();
        return Err(format!("{found} deadlines for {due} operations"));
    }
    Ok(())
}

/// A deadline that was passed over is a record that is missing (TIME, rulings 3).
pub(super) fn nothing_is_overdue(state: &State) -> Holds {
    match state.agenda.get_min() {
        Some((at, op, _)) if *at < state.now => {
            Err(format!("{op:?} was due at {at}, and it is {}", state.now))
        }
        _ => Ok(()),
    }
}
