//! When faults stop, every centavo of a recovery is blocked, went back or is free; none went back
//! twice.

use ledger_core::id::OpId;
use ledger_core::ledger::{Archive, Operation};
use ledger_core::machine::charge;
use ledger_core::money::Cents;

use crate::actors;
use crate::failure::wrong::Mismatch;
use crate::oracle::Recovery;
use crate::run::Run;

/// Decided, then refunded.
const ROUNDS: u64 = 2;

impl Run {
    /// Operators decide most of what is undecided, and what was accepted and is blocked goes back.
    pub(super) fn end_recoveries(&mut self) -> Result<(), Mismatch> {
        for _ in 0..ROUNDS {
            let names: Vec<Box<str>> = self.oracle.recoveries.keys().cloned().collect();
            for name in names {
                actors::end_recovery(&mut self.world, &self.oracle, &name);
            }
            self.say_what_is_planned()?;
        }
        Ok(())
    }

    /// Each centavo that the holds of a recovery ever took is blocked, went back or is free;
    /// blocked is no more than is left, and of each contested PIX went back what was told.
    pub(super) fn recoveries_are_at_rest(&self) -> Result<(), Mismatch> {
        for (name, expected) in &self.oracle.recoveries {
            let [blocked, taken, free] = self.sums_of_holds(name)?;
            let (entered, limit) = (expected.entered, expected.limit());
            if blocked + taken + free != entered {
                return Err(format!(
                    "{name}: of {entered}, {blocked} are blocked, {taken} gone and {free} free"
                ));
            }
            let over = self.oracle.is_recovered(name);
            if blocked > 0 && (over || blocked + taken > limit) {
                return Err(format!("{name} blocks {blocked} beside {taken} of {limit}"));
            }
            self.went_back_as_told(name, expected)?;
        }
        Ok(())
    }

    /// Returns what the ledger says that the holds of a recovery block, gave and let go.
    fn sums_of_holds(&self, name: &str) -> Result<[i64; 3], Mismatch> {
        let known = self.subject.ledger.state.recovery(name);
        let mut sums = [0; 3];
        for op in &known.ok_or_else(|| format!("{name} is nowhere"))?.holds {
            let hold = self.known_operation(*op)?;
            let amounts = hold.hold().and_then(|hold| hold.amounts().cloned());
            let it = amounts.ok_or_else(|| format!("{name}: {op:?} is no hold"))?;
            let more = [it.blocked_cents(), it.settled, it.released].map(Cents::cents);
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        Ok(sums)
    }

    /// Of a contested PIX went back what its returns were told to be, each counted once.
    fn went_back_as_told(&self, name: &str, recovery: &Recovery) -> Result<(), Mismatch> {
        let told = self.oracle.booked_returns.values().filter(|it| it.charge == recovery.cause);
        let told: i64 = told.map(|it| it.amount).sum();
        let known = self.known_operation(recovery.cause)?;
        let back = match known.charge() {
            Some(charge::State::Paid(paid)) => paid.returned_in_all().cents(),
            Some(charge::State::Refunded(refunded)) => refunded.payment.amount.cents(),
            other => return Err(format!("{name} is of {other:?}")),
        };
        if told == back {
            Ok(())
        } else {
            Err(format!("{name}: of its PIX went back {back}, and returns were told of {told}"))
        }
    }

    fn known_operation(&self, op: OpId) -> Result<Operation, Mismatch> {
        let ledger = &self.subject.ledger;
        let open = ledger.state.open(op).cloned();
        let known = open.or_else(|| ledger.archive.ended_operation(op));
        known.ok_or_else(|| format!("{op:?} is nowhere"))
    }

    pub(super) fn report_ends_of_recoveries(&mut self) {
        let oracle = &self.oracle;
        for (name, recovery) in &oracle.recoveries {
            let over = oracle.is_recovered(name);
            let end = match recovery.accepted {
                None => "waits for a person",
                Some(0) => "rejected",
                Some(_) if over => "accepted, gone back",
                Some(_) => "accepted, waits for the rest",
            };
            self.report.count_end("recovery", end);
        }
    }
}
