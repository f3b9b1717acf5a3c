//! When faults stop, everything comes to rest: it ends, or it waits for a person.

use ledger_core::id::OpId;
use ledger_core::ledger::Fact;
use ledger_core::time::Span;

use crate::checker;
use crate::oracle::{ChargeStatus, PayoutStatus, WaitingStatus};
use crate::run::Run;
use crate::settings::Faults;
use crate::subject::Wrong;

/// Longer than any deadline: a watch of 90 days is the longest.
const LONG: Span = Span::days(100);

impl Run {
    /// Delivers everything, resolves what is unknown, lets time pass, and looks at what is left.
    pub(crate) fn come_to_rest(&mut self) -> Result<(), Wrong> {
        self.flush()?;
        self.world.faults = Faults::None;
        // A crash that was still to come strikes here, and what it lost is said again below.
        self.flush()?;
        self.say_what_is_planned()?;
        self.resolve()?;
        self.say_what_is_planned()?;
        self.world.now = self.world.now.after(LONG);
        self.pass_time()?;
        self.flush()?;
        self.is_at_rest()?;
        self.tell_ends();
        checker::compare_all(&self.oracle, &self.subject)?;
        self.check_all()?;
        self.subject.replays_to_itself()
    }

    fn say_what_is_planned(&mut self) -> Result<(), Wrong> {
        loop {
            self.flush()?;
            let Some(command) = self.world.next_planned() else { return Ok(()) };
            let bound = self.oracle.now.after(self.oracle.policy.largest_jump);
            if bound < command.at {
                self.pass_time()?;
            }
            self.say(command)?;
        }
    }

    fn pass_time(&mut self) -> Result<(), Wrong> {
        let command = self.world.time_passes();
        self.say(command)
    }

    /// The provider releases what it holds, and operators find out what became of payouts.
    fn resolve(&mut self) -> Result<(), Wrong> {
        let held = self.oracle.charges.iter();
        let held = held.filter(|(_, charge)| charge.status == ChargeStatus::Delayed);
        let held: Vec<OpId> = held.map(|(op, _)| *op).collect();
        for op in held {
            self.world.tell(Fact::ProviderReleased { charge: Some(op), receipt: None });
        }
        let under_way = self.oracle.payouts.iter().filter(|(_, payout)| payout.is_under_way());
        let under_way: Vec<OpId> = under_way.map(|(op, _)| *op).collect();
        for op in under_way {
            let paid = self.world.rng.percent(50).then(|| self.world.fresh("o"));
            let judgement = self.world.judgement();
            self.world.tell(Fact::PayoutEvidence { payout: Some(op), paid, judgement });
        }
        self.say_what_is_planned()
    }

    fn is_at_rest(&self) -> Result<(), Wrong> {
        for (op, charge) in &self.oracle.charges {
            let ended = match charge.status {
                ChargeStatus::Pending | ChargeStatus::Delayed => false,
                ChargeStatus::Paid => charge.settled,
                ChargeStatus::Expired | ChargeStatus::Failed | ChargeStatus::Refunded => true,
            };
            if !ended {
                return Err(format!("{op:?} does not come to rest: {:?}", charge.status));
            }
        }
        if let Some((op, payout)) = self.oracle.payouts.iter().find(|(_, it)| it.is_under_way()) {
            return Err(format!("{op:?} does not come to rest: {:?}", payout.status));
        }
        let state = &self.subject.ledger.state;
        let flights = state.books.flights().count();
        let deadlines = state.deadlines().count();
        let held = self.oracle.custodies.iter().filter(|custody| custody.held != 0).count();
        if flights + deadlines + held > 0 {
            return Err(format!(
                "at rest there are {flights} flights, {deadlines} deadlines and {held} held parts"
            ));
        }
        Ok(())
    }

    fn tell_ends(&mut self) {
        for charge in self.oracle.charges.values() {
            self.report.ended(
                "charge",
                match charge.status {
                    ChargeStatus::Pending => "pending",
                    ChargeStatus::Expired => "expired",
                    ChargeStatus::Failed => "failed",
                    ChargeStatus::Delayed => "delayed",
                    ChargeStatus::Paid if charge.returned_since + charge.returned_before > 0 => {
                        "paid, returned in part"
                    }
                    ChargeStatus::Paid => "paid",
                    ChargeStatus::Refunded => "refunded",
                },
            );
        }
        for payout in self.oracle.payouts.values() {
            self.report.ended(
                "payout",
                match payout.status {
                    PayoutStatus::Requested => "requested",
                    PayoutStatus::Submitted => "submitted",
                    PayoutStatus::Uncertain => "uncertain",
                    PayoutStatus::Failed => "failed",
                    PayoutStatus::Completed if payout.returned > 0 => "completed, returned in part",
                    PayoutStatus::Completed => "completed",
                    PayoutStatus::Returned => "returned",
                },
            );
        }
        for hold in self.oracle.holds.values() {
            self.report.ended("hold", if hold.closed { "closed" } else { "waits for a person" });
        }
        for waiting in self.oracle.suspense.values() {
            self.report.ended(
                "suspense",
                match waiting.status {
                    WaitingStatus::Waiting => "waits for a person",
                    WaitingStatus::Attached(_) => "attached",
                    WaitingStatus::Returned => "returned",
                },
            );
        }
        for _ in 0..self.oracle.transfers {
            self.report.ended("transfer", "done");
        }
    }
}
