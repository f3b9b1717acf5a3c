//! Money that goes back to a payer, and what it takes by force: rulings 21 to 23 and 27.

use ledger_core::accounting::RowKind;
use ledger_core::id::{OpId, SubaccountId};
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::time::Instant;

use super::ChargeStatus;
use crate::goal::Goal;
use crate::oracle::Oracle;
use crate::oracle::books::RowOf;

impl Oracle {
    /// A PIX went back to its payer, in part or whole.
    pub(in crate::oracle) fn pix_returned(
        &mut self,
        op: Option<OpId>,
        return_id: &str,
        amount: i64,
        at: Instant,
    ) -> Outcome {
        let known = op.filter(|op| self.charges.contains_key(op));
        if let Some(op) = known.filter(|op| self.goes_back(*op, amount, at)) {
            self.goes_back_by(return_id, (op, amount), None);
            return Outcome::Applied(None);
        }
        if known.is_some_and(|op| self.charges[&op].credited && self.charges[&op].buy.is_none()) {
            self.reach(Goal::ReturnAbove);
        }
        self.return_waits(known, return_id, amount, at)
    }

    /// So much of a charge goes back; false when it cannot.
    pub(in crate::oracle) fn goes_back(&mut self, op: OpId, amount: i64, at: Instant) -> bool {
        let charge = &self.charges[&op];
        let (left, whole) = (charge.returnable(), amount == charge.returnable());
        if amount > left {
            return false;
        }
        if charge.buy.is_some() && charge.credited {
            return self.purchase_returned(op, amount);
        }
        if charge.status == ChargeStatus::Paid {
            self.forced_debit((op, None), amount, whole);
        } else {
            self.goes_back_uncredited(op, amount, at);
        }
        true
    }

    /// Rulings 22 and 23, step by step; the blocks that give are a recovery's, where it is its
    /// refund.
    pub(in crate::oracle) fn forced_debit(
        &mut self,
        (op, recovery): (OpId, Option<&str>),
        amount: i64,
        whole: bool,
    ) {
        let charge = &self.charges[&op];
        let (subaccount, bears) = (charge.subaccount, charge.borne_of(amount));
        let fee = amount - bears;
        if fee > 0 && charge.returned_since > 0 {
            self.reach(Goal::ReturnedInParts);
        }
        self.note(op);
        let traced = self.give_from_traced((op, recovery), subaccount, bears);
        let bears = bears - traced;
        let mut need = self.take_from_blocks((op, recovery), subaccount, bears);
        let own = self.charges[&op].part;
        // Nothing of a deposit that is gone stays held until it matures.
        let own = if whole { own } else { own.min(need) };
        self.free_part(op, subaccount, own);
        need = (need - own).max(0);
        need = self.take_other_parts(op, subaccount, need);
        let books = self.touch(subaccount);
        books.available -= bears;
        if books.available < 0 && need > 0 {
            self.reach(Goal::SpentThenReturned);
        }
        self.totals.provider_pix -= amount;
        self.totals.deposit_income -= fee;
        self.row(subaccount, op, RowKind::Reversal, RowOf::Principal(traced - amount));
        self.row(subaccount, op, RowKind::Reversal, RowOf::Fee(fee));
        let charge = self.charges.get_mut(&op).expect("found above");
        charge.returned_since += amount;
        if whole {
            charge.status = ChargeStatus::Refunded;
            self.notify(op, Topic::ChargeRefunded);
            self.end_blocks(op);
        }
    }

    /// Takes what is needed from the held parts of other deposits; says what is still needed.
    pub(in crate::oracle) fn take_other_parts(
        &mut self,
        op: OpId,
        subaccount: SubaccountId,
        need: i64,
    ) -> i64 {
        let mut need = need;
        let others = self.parts_latest_first(op, subaccount);
        let held: i64 = others.iter().map(|other| self.charges[other].part).sum();
        if others.len() > 1 && 0 < need && need < held {
            self.reach(Goal::ChoseLatestPart);
        }
        for other in others {
            let taken = self.charges[&other].part.min(need);
            if taken > 0 {
                self.free_part(other, subaccount, taken);
                self.note(other);
                self.reach(Goal::TookOtherPart);
                need -= taken;
            }
        }
        need
    }

    /// The held parts of other deposits on the subaccount, the latest release first.
    fn parts_latest_first(&self, except: OpId, subaccount: SubaccountId) -> Vec<OpId> {
        let parts = self.charges.iter().filter(|(op, charge)| {
            **op != except && charge.subaccount == subaccount && charge.part > 0
        });
        let mut parts: Vec<_> = parts.map(|(op, charge)| (charge.available_at, *op)).collect();
        parts.sort_unstable();
        parts.into_iter().rev().map(|(_, op)| op).collect()
    }
}
