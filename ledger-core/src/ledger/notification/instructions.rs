//! The instructions of one record, read back after it was applied: what an audit and a replay hold
//! against the outcome.

use super::Instruction;
use super::of_event::task;
use crate::ledger::archive::Archive;
use crate::ledger::decision::lookup;
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::charge;

/// What `record`, just applied, instructs: what [`crate::ledger::Ledger::effects`] has beside the
/// notifications, which take longer to put together.
pub(in crate::ledger) fn of(
    state: &State,
    archive: &impl Archive,
    record: &Record,
) -> Vec<Instruction> {
    let mut given: Vec<Instruction> = Vec::new();
    for event in &record.events {
        let Some(op) = event.op().filter(|_| may_instruct(event)) else { continue };
        if given.iter().any(|known| known.op == op) {
            continue;
        }
        let Some((_, operation)) = lookup::operation(state, archive, op) else { continue };
        let task = task(event, &operation.machine);
        given.extend(task.map(|task| Instruction { seq: record.seq, op, task }));
    }
    given
}

/// Whether an event of this machine may instruct anything.
const fn may_instruct(event: &Event) -> bool {
    matches!(
        event,
        Event::Charge { event: charge::Event::Purchase(_), .. }
            | Event::Payout { .. }
            | Event::Conversion { .. }
            | Event::CashOut { .. }
            | Event::UnmatchedDeposit { .. }
            | Event::CryptoWithdrawal { .. }
            | Event::WalletPayment { .. }
    )
}
