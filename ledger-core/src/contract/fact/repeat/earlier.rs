//! The record that a fact known by where its operation stands, under a new id, is held against.

use super::{sale, wallet};
use crate::ledger::{Archive, Event, Fact, Ledger, Record};

/// Returns the last record in which the operation of `fact` took one of its kind, where that says
/// more than that it happened; none where its id is `known` by such a record.
pub(in crate::contract) fn earlier_record<A: Archive>(
    ledger: &Ledger<A>,
    fact: &Fact,
    known: Option<&Record>,
) -> Option<Record> {
    let (kind, op) = (fact.kind(), fact.about()?);
    let repeats = |event: &Event| match event {
        Event::Repeated { fact, about } => (*fact, *about) == (kind, Some(op)),
        _ => false,
    };
    if known.is_some_and(|record| !record.events.iter().any(repeats)) {
        return None;
    }
    let tells = |event: &Event| sale::tells(kind, event) || wallet::tells(kind, event);
    let is_it = |event: &Event| event.op() == Some(op) && tells(event);
    let records = ledger.archive.records_of(op, ledger.state.seq.next());
    records.into_iter().rev().find(|record| record.events.iter().any(is_it))
}
