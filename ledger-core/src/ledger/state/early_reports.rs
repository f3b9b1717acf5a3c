//! Reports that came before what they are of, kept on their operation until that comes (rulings
//! 46).

use super::State;
use crate::id::OpId;
use crate::ledger::record::early_report::EarlyReport;
use crate::ledger::registry::Machine;

impl State {
    /// The reports of `op` that wait for what they are of, in the order they were reported.
    #[must_use]
    pub fn early_reports(&self, op: OpId) -> &[EarlyReport] {
        self.early.get(&op).map_or(&[], |kept| kept)
    }

    /// Keeps a report.
    pub(in crate::ledger) fn keep_report(&mut self, op: OpId, report: EarlyReport) {
        let mut kept = self.early_reports(op).to_vec();
        kept.push(report);
        self.early.insert(op, kept.into());
    }

    /// Forgets the reports of what has begun, or never will.
    pub(in crate::ledger) fn forget_reports(&mut self, op: OpId, machine: &Machine) {
        let Some(kept) = self.early.get(&op) else { return };
        let still = kept.iter().copied().filter(|report| machine.awaits_report(*report));
        let still: Vec<EarlyReport> = still.collect();
        if still.is_empty() {
            self.early.remove(&op);
        } else if still.len() < kept.len() {
            self.early.insert(op, still.into());
        }
    }
}
