//! The notifications and instructions of a record, right after it and read back later.

use std::sync::Arc;

use super::{Instruction, IntermediateStates, Notification, Topic};
use crate::id::{OpId, Seq};
use crate::ledger::archive::Archive;
use crate::ledger::decision::lookup;
use crate::ledger::record::Record;
use crate::ledger::registry::Operation;
use crate::ledger::state::State;
use crate::machine::cash_out;

/// What `record`, just applied, notifies of and asks; `passing` says how operations stood
/// meanwhile.
///
/// What is reported, and what is asked, depends on where the record left the operation; what a
/// notification shows is how it stood at its event (rulings 53).
pub(in crate::ledger) fn effects(
    state: &State,
    archive: &impl Archive,
    (record, passing): (&Record, &IntermediateStates),
    notifications: &mut Vec<Notification>,
    instructions: &mut Vec<Instruction>,
) {
    let mut index = 0;
    let kept = |op| lookup::operation(state, archive, op).map(|(_, operation)| operation);
    for (place, event) in record.events.iter().enumerate() {
        let Some((op, of)) = event.operation().filter(|(_, of)| of.may_notify()) else { continue };
        let Some(last) = kept(op) else { continue };
        for topic in of.topics(&last.machine).into_iter().flatten() {
            let meanwhile = passing.iter().find(|(known, _)| *known == place);
            let operation = meanwhile.map_or(&last, |(_, operation)| operation);
            let operation = Operation::clone(operation);
            let unmatched = unmatched_deposits(&operation, |op| kept(op).map(Arc::unwrap_or_clone));
            let (seq, at) = (record.seq, record.at);
            if let Some(known) = told_return(notifications, (seq, op, topic)) {
                known.operation = operation;
                continue;
            }
            notifications.push(Notification { seq, index, at, topic, op, operation, unmatched });
            index += 1;
        }
        if let Some(task) = of.task(&last.machine) {
            give(instructions, Instruction { seq: record.seq, op, task });
        }
    }
}

/// Returns the notification that a further part of a return belongs to: a return is one, from
/// however many subaccounts it is taken, and is told as it ended.
fn told_return(
    told: &mut [Notification],
    (seq, op, topic): (Seq, OpId, Topic),
) -> Option<&mut Notification> {
    let is_part =
        |known: &&mut Notification| (known.seq, known.op, known.topic) == (seq, op, topic);
    told.iter_mut().find(is_part).filter(|_| topic == Topic::ChargeRefunded)
}

/// Returns what `record`, just applied, instructs: what [`crate::ledger::Ledger::effects`] has
/// beside the notifications, which take longer to put together.
pub(in crate::ledger) fn instructions(
    state: &State,
    archive: &impl Archive,
    record: &Record,
) -> Vec<Instruction> {
    let mut given: Vec<Instruction> = Vec::new();
    for event in &record.events {
        let Some((op, of)) = event.operation().filter(|(_, of)| of.may_instruct()) else {
            continue;
        };
        let Some((_, operation)) = lookup::operation(state, archive, op) else { continue };
        if let Some(task) = of.task(&operation.machine) {
            give(&mut given, Instruction { seq: record.seq, op, task });
        }
    }
    given
}

/// Adds an instruction that its record has not given yet. A refund may be asked for beside a sale
/// in one record, and each is asked for once.
fn give(given: &mut Vec<Instruction>, instruction: Instruction) {
    let Instruction { seq, op, task } = &instruction;
    let is_known =
        |known: &Instruction| (known.op, known.seq) == (*op, *seq) && known.task.is_same_as(task);
    if !given.iter().any(is_known) {
        given.push(instruction);
    }
}

/// The unmatched deposits that an order lists.
fn unmatched_deposits(
    operation: &Operation,
    kept: impl Fn(OpId) -> Option<Operation>,
) -> Vec<(OpId, Operation)> {
    let order = operation.cash_out().and_then(cash_out::State::progress);
    let unmatched = order.into_iter().flat_map(|progress| &progress.unmatched);
    unmatched.filter_map(|op| Some((*op, kept(*op)?))).collect()
}

/// Returns what a record of before notified clients of, read back from the archive: each operation
/// as it stood at the event.
pub fn read_back(archive: &impl Archive, record: &Record) -> Vec<Notification> {
    let mut notifications = Vec::new();
    for (place, event) in record.events.iter().enumerate() {
        let Some((op, of)) = event.operation() else { continue };
        let before = Operation::after(op, &archive.records_of(op, record.seq));
        let then = |known, event| Operation::then(known, op, event, record.at);
        let Some(last) = record.events.iter().fold(before.clone(), then) else { continue };
        for topic in of.topics(&last.machine).into_iter().flatten() {
            let upto = record.events[..=place].iter();
            let Some(mut operation) = upto.fold(before.clone(), then) else { continue };
            operation.metadata = last.metadata; // Its event follows the one that creates it.
            let (seq, at) = (record.seq, record.at);
            if let Some(known) = told_return(&mut notifications, (seq, op, topic)) {
                known.operation = operation;
                continue;
            }
            let index = u16::try_from(notifications.len()).unwrap_or(u16::MAX);
            let kept = |op| {
                let past = archive.records_of(op, record.seq);
                Operation::after(op, past.iter().chain([record]))
            };
            let unmatched = unmatched_deposits(&operation, kept);
            notifications.push(Notification { seq, index, at, topic, op, operation, unmatched });
        }
    }
    notifications
}
