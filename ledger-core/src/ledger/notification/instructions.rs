//! The instructions of one record, read back after it was applied: what an audit and a replay hold
//! against the outcome.

use super::Instruction;
use crate::ledger::archive::Archive;
use crate::ledger::decision::lookup;
use crate::ledger::record::Record;
use crate::ledger::state::State;

/// What `record`, just applied, instructs: what [`crate::ledger::Ledger::effects`] has beside the
/// notifications, which take longer to put together.
pub(in crate::ledger) fn of(
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
pub(super) fn give(given: &mut Vec<Instruction>, instruction: Instruction) {
    let Instruction { seq, op, task } = &instruction;
    let is_known =
        |known: &Instruction| (known.op, known.seq) == (*op, *seq) && known.task.is_same_as(task);
    if !given.iter().any(is_known) {
        given.push(instruction);
    }
}
