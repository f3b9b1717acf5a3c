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
        if given.iter().any(|known| known.op == op) {
            continue;
        }
        let Some((_, operation)) = lookup::operation(state, archive, op) else { continue };
        let task = of.task(&operation.machine);
        given.extend(task.map(|task| Instruction { seq: record.seq, op, task }));
    }
    given
}
