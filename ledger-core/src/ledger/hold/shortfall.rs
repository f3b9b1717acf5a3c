//! Shortfalls: open holds take what becomes available, first claim first (rulings 26).

use crate::accounting::Account;
use crate::id::{OpId, SubaccountId};
use crate::ledger::record::event::Event;
use crate::ledger::registry::Operation;
use crate::ledger::state::State;
use crate::ledger::state::due::watches;
use crate::machine::hold;
use crate::money::Amount;

/// Adds to a decision what the watching holds take of the money it makes available.
pub(in crate::ledger) fn top_up(state: &State, events: &mut Vec<Event>) {
    if state.holds.is_empty() {
        return;
    }
    let mut raised: Vec<SubaccountId> = Vec::new();
    for entry in events.iter().map(Event::entry) {
        for m in entry.moves() {
            // A return credits the fee that it gives back in the entry that debits the principal.
            // Only an entry that raises available counts, or a hold would take the money that the
            // return has just gathered.
            if let Account::Available(subaccount) = m.credit
                && state.subaccount(subaccount).is_some_and(|known| known.watchers > 0)
                && entry.net_credit(m.credit) > 0
                && !raised.contains(&subaccount)
            {
                raised.push(subaccount);
            }
        }
    }
    for subaccount in raised {
        let more = taken_by_holds(state, events, subaccount);
        events.extend(more);
    }
}

fn taken_by_holds(state: &State, events: &[Event], subaccount: SubaccountId) -> Vec<Event> {
    let mut available = available_after(state, events, subaccount);
    let touched = |op: OpId| events.iter().any(|event| event.op() == Some(op));
    let mut after = events.to_vec();
    for op in state.holds_on(subaccount).filter(|op| !touched(*op)) {
        let Some(hold::State::Open(open)) = state.open(op).and_then(Operation::hold) else {
            continue;
        };
        let left = Amount::new(i64::try_from(available).unwrap_or(i64::MAX));
        let room = state.recovery_room(op, &after);
        let wanted = room.map_or(open.shortfall(), |room| open.shortfall().min(room));
        let wanted = wanted.amount().filter(|_| watches(open));
        if let (Some(left), Some(wanted)) = (left, wanted) {
            let amount = left.min(wanted);
            available -= i128::from(amount.cents());
            let event = hold::Event::ToppedUp { subaccount, amount };
            after.push(Event::Hold { op, event });
        }
    }
    after.split_off(events.len())
}

/// Returns what will be available once the events are posted.
fn available_after(state: &State, events: &[Event], subaccount: SubaccountId) -> i128 {
    let account = Account::Available(subaccount);
    let change: i128 = events.iter().map(|event| event.entry().net_credit(account)).sum();
    i128::from(state.books.subaccount(subaccount).available.cents()) + change
}
