//! Groups of transfers: every leg moves, from one balance to another, and nothing moves besides
//! (OUT-19).

use super::{Findings, violates};
use crate::accounting::{Account, Nature};
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::machine::transfer::{Event as Moved, Group};

/// Holds what is booked of each group against the legs that were decided.
pub(super) fn whole(record: &Record, found: &mut Findings) {
    for event in &record.events {
        if let Event::Transfer { op, event: Moved::Grouped(group) } = event
            && let Some(why) = group_mismatch(event, group)
        {
            violates(found, "OUT-19", format!("{op:?}: {why}"));
        }
    }
}

fn group_mismatch(event: &Event, group: &Group) -> Option<String> {
    let entry = event.entry();
    if group.legs.is_empty() || entry.moves().count() != group.legs.len() {
        return Some("it does not move each of its legs once".to_owned());
    }
    let wrong = group.legs.iter().zip(entry.moves()).position(|(leg, m)| {
        let booked = (m.debit, m.credit, m.amount.cents(), m.nature);
        let (from, to) = (Account::Available(leg.from), Account::Available(leg.to));
        leg.from == leg.to || booked != (from, to, leg.amount.cents(), Nature::Principal)
    });
    wrong.map(|leg| format!("leg {leg} is not from one balance to another"))
}
