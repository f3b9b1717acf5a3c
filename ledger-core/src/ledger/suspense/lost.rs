//! Confirmed coins that are lost for good: no refund of them is sent, and the orders and receipts
//! that had nothing else end (rulings 45).

use super::after::{After, receipt_steps};
use crate::id::OpId;
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::notification::{InstructionKey, TaskKind};
use crate::ledger::record::event::Event;
use crate::ledger::registry::Machine;
use crate::machine::cash_out::Stage;
use crate::machine::erroneous_delivery::{self, End};
use crate::machine::refund::Refund;
use crate::machine::{Verdict, cash_out, unmatched_deposit};

impl FactContext<'_> {
    /// Returns what ends with a claim that is settled as lost: the refunds of the coins that it is
    /// on. None while they may still be paid for or sent, so that a person settles that first.
    pub(in crate::ledger) fn forgone(
        &self,
        settled: &erroneous_delivery::Event,
    ) -> Option<Vec<Event>> {
        let erroneous_delivery::Event::Settled { order: claim, end: End::Lost } = settled else {
            return Some(Vec::new());
        };
        let about = claim.about;
        let mut steps = Vec::new();
        let after = self.after();
        let receipts = match after.before(about) {
            Some(Machine::CashOut(order)) => {
                let known = order.progress().filter(|known| known.order.is_sellers());
                let Some(known) = known else { return Some(Vec::new()) };
                steps.extend(self.order_forgoes(after, (about, order), &claim.hash)?);
                known.unmatched.clone()
            }
            _ => vec![about],
        };
        for op in receipts {
            steps.extend(self.receipt_forgoes(op, &claim.hash)?);
        }
        Some(steps)
    }

    fn order_forgoes(
        &self,
        after: After<'_>,
        (op, order): (OpId, &cash_out::State),
        hash: &str,
    ) -> Option<Vec<Event>> {
        let known = order.progress()?;
        let held = known.deposits.iter().filter(|held| *held.deposit.hash == *hash);
        let Some(coins) = held.map(|held| held.deposit.coins).next() else {
            return Some(Vec::new());
        };
        let due = known.refund.as_ref().filter(|_| known.stage == Stage::Refunding);
        if self.may_be_sent(op, due) {
            return None;
        }
        let (mut order, command) = (order.clone(), cash_out::Command::LoseCoins(coins));
        match cash_out::decide(&order, command.clone(), &after.context()) {
            Verdict::SetAside => None,
            _ => Some(after.order_steps((op, &mut order), command)),
        }
    }

    fn receipt_forgoes(&self, op: OpId, hash: &str) -> Option<Vec<Event>> {
        let known = self.state.open(op).and_then(|known| known.unmatched_deposit());
        let Some(receipt) = known.filter(|known| known.is_of(hash)) else {
            return Some(Vec::new());
        };
        if self.may_be_sent(op, receipt.refund()) {
            return None;
        }
        Some(receipt_steps((op, receipt), unmatched_deposit::Command::Lose))
    }

    /// Tells whether a refund was handed out, and nobody knows yet whether it was sent.
    fn may_be_sent(&self, op: OpId, due: Option<&Refund>) -> bool {
        due.is_some_and(|due| {
            let key = InstructionKey { op, kind: TaskKind::Refund, attempt: due.attempt };
            due.is_under_way() && self.state.handed_out.contains(&key)
        })
    }
}
