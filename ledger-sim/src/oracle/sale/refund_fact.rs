//! What is reported of refunds as the oracle sees it: the token came back, a refund was sent, was
//! sent before it was due, failed, or is lost (COUT-50; rulings 46, 52).

use ledger_core::accounting::CoinAccount;
use ledger_core::id::OpId;
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::machine::refund::RefundReport;
use ledger_core::terms::Route;

use super::refund::From;
use super::{APPLIED, ASIDE, Coin, Due, Phase, Reason, UnmatchedDepositStatus, Way};
use crate::goal::Goal;
use crate::oracle::Oracle;

impl Oracle {
    /// The transaction of just the refund that is due, which was claimed before it was; what
    /// brought its deposits refunds nothing.
    pub(super) fn early_refund(&self, op: OpId, due: &Due) -> Option<Box<str>> {
        let own = |hash: &str| match (self.sales.get(&op), self.unmatched.get(&op)) {
            (Some(sale), _) => sale.was_brought_by(hash),
            (None, Some(unmatched)) => *unmatched.hash == *hash,
            (None, None) => false,
        };
        let Coin { asset, chain, units } = due.coin;
        let claim = self.erroneous_deliveries.iter().find(|(claim, it)| {
            let same = (it.about, it.asset, it.chain, it.units) == (op, asset, chain, units);
            // A claim of this very report waits for a person.
            let before = !self.trace.ops.contains(*claim);
            same && before && it.end.is_none() && !own(&it.hash)
        });
        claim.map(|(_, it)| it.hash.clone())
    }

    /// A refund that may be sent now was sent before: nobody is asked again (rulings 46).
    pub(super) fn refund_sent_early(&mut self, op: OpId) -> bool {
        let due = self.refund_of(op).clone();
        if !due.is_under_way() {
            return false;
        }
        let Some(hash) = self.early_refund(op, &due) else { return false };
        self.refund_sent(op, &due, &hash);
        self.reach(Goal::RefundSentEarly);
        true
    }

    /// The provider returned so much of the token: never more is refunded (COUT-50).
    pub(super) fn token_returned(&mut self, order: Option<OpId>, units: u128) -> Outcome {
        let Some(op) = self.selling(order) else { return ASIDE };
        let sale = &self.sales[&op];
        if sale.route != Route::Liquid {
            return ASIDE;
        }
        let back = Coin { units, ..sale.sold.map_or(sale.coin, |(coin, _)| coin) };
        let sold = sale.sold.filter(|_| !sale.kept.is_on()).map(|(coin, _)| coin.units);
        let Some(handed) = sale.handed.or(sold).filter(|had| units <= *had) else {
            return self.token_unexpected(op, back);
        };
        let reported = sale.handed.is_some();
        match sale.phase {
            Phase::Review(Reason::ReturnAwaited) => {}
            // A part is no evidence of what nobody knows: the rest may have paid the PIX.
            _ if sale.attempts.lost && sale.is_paying() && units < handed => {
                return self.token_unexpected(op, back);
            }
            // That it came back implies that it was there, and cannot be paid.
            _ if sale.is_paying() => {
                if !reported {
                    self.hand_over(op);
                    self.reach(Goal::HandingOverImplied);
                }
                self.unwind(op);
            }
            // A payment that may begin again has the whole of it there, or nothing.
            Phase::Review(Reason::KeyRefused) if units < handed => {
                return self.token_unexpected(op, back);
            }
            Phase::Refunding | Phase::Review(Reason::KeyRefused) if reported => {
                self.sale(op).handed = Some(handed - units).filter(|left| *left > 0);
                self.shift(back, back.stock(), CoinAccount::ProviderClaim);
                self.reach(Goal::TokenRecovered);
                self.note(op);
                return APPLIED;
            }
            _ => return self.token_unexpected(op, back),
        }
        let short = handed - units;
        self.due(op, back, From::Provider(short), None, false);
        self.reach(if short > 0 { Goal::TokenCameShort } else { Goal::TokenCameBack });
        self.note(op);
        APPLIED
    }

    /// Foresees that an attempt of a refund failed: one before the last failed already.
    pub(super) fn refund_failed(&mut self, order: Option<OpId>, attempt: u32) -> Outcome {
        let sale = order.and_then(|op| self.sales.get(&op)).and_then(|it| it.refund.as_ref());
        let receipt = order.and_then(|op| self.unmatched.get(&op));
        let due = sale.or(receipt.and_then(|it| it.refund.as_ref()));
        match due.map(|due| due.attempt) {
            Some(last) if attempt < last => Outcome::Known,
            Some(last) if last < attempt => ASIDE,
            _ => self.refund_reported(order, &RefundReport::Failed),
        }
    }

    /// Foresees what became of a refund, of an order or of an unmatched deposit.
    pub(super) fn refund_reported(
        &mut self,
        order: Option<OpId>,
        report: &RefundReport,
    ) -> Outcome {
        let Some(op) = order else { return ASIDE };
        let due = match self.sales.get(&op) {
            Some(sale) => sale.refund.as_ref(),
            None => self.unmatched.get(&op).and_then(|unmatched| unmatched.refund.as_ref()),
        };
        let Some(due) = due.cloned() else {
            let RefundReport::Sent(hash) = report else { return ASIDE };
            let Some(coin) = self.held_by(op) else { return ASIDE };
            self.reach(Goal::RefundBeforeDecided);
            return self.claim(op, coin, hash, Goal::RefundInError);
        };
        match report {
            RefundReport::Sent(hash) if due.way == Way::Sent(hash.clone()) => Outcome::Known,
            RefundReport::Sent(hash) if due.may_be_sent() => self.refund_sent(op, &due, hash),
            RefundReport::Sent(hash) => self.claim(op, due.coin, hash, Goal::RefundInError),
            RefundReport::Failed if due.may_be_sent() => {
                let again = Due { way: Way::Due, attempt: due.attempt + 1, ..due };
                let ready = again.is_under_way().then_some((op, Some(again.attempt)));
                self.trace.tasks.extend(ready);
                *self.refund_of(op) = again;
                self.note(op);
                self.reach(Goal::RefundFailed);
                APPLIED
            }
            RefundReport::Lost if due.is_under_way() => {
                self.refund_of(op).way = Way::Lost;
                // A reversal reads as a refund until it is sent (rulings 52).
                let known = self.sales.get(&op);
                if known.is_some_and(|sale| sale.phase != Phase::Completed) {
                    self.notify(op, Topic::CashOutUnderReview);
                }
                self.note(op);
                APPLIED
            }
            RefundReport::Lost if due.way == Way::Lost => Outcome::Known,
            RefundReport::Failed | RefundReport::Lost => ASIDE,
        }
    }

    /// Returns what an order or an unmatched deposit has of its customer's, and is not to be
    /// refunded yet; of an order that holds nothing, what it sold or was to sell.
    fn held_by(&self, op: OpId) -> Option<Coin> {
        if let Some(unmatched) = self.unmatched.get(&op) {
            let waits = matches!(
                unmatched.phase,
                UnmatchedDepositStatus::Unconfirmed | UnmatchedDepositStatus::Confirmed
            );
            return Some(unmatched.coin).filter(|_| waits);
        }
        let sale = self.sales.get(&op)?;
        let held = match sale.phase {
            Phase::Detected | Phase::Secured => sale.total_deposit(),
            Phase::Review(Reason::KeyRefused | Reason::Stopped) => None,
            Phase::Review(_) => sale.total_deposit(),
            _ => None,
        };
        held.or(sale.sold.map(|(coin, _)| coin)).or(Some(sale.coin))
    }

    pub(super) fn refund_of(&mut self, op: OpId) -> &mut Due {
        let due = match self.sales.get_mut(&op) {
            Some(sale) => sale.refund.as_mut(),
            None => self.unmatched.get_mut(&op).and_then(|unmatched| unmatched.refund.as_mut()),
        };
        due.expect("the caller found one")
    }

    fn refund_sent(&mut self, op: OpId, due: &Due, hash: &str) -> Outcome {
        if self.claim_ends(op, hash) {
            self.reach(Goal::RefundClaimTakenOver);
        }
        if due.way == Way::Lost {
            self.reach(Goal::LostRefundFound);
        }
        self.refund_of(op).way = Way::Sent(hash.into());
        self.shift(due.coin, CoinAccount::RefundDue(op), due.coin.stock());
        if let Some(sale) = self.sales.get_mut(&op) {
            let reversed = sale.phase == Phase::Completed;
            let earns = sale.given_back.is_some() && sale.e2e.is_none();
            sale.phase = Phase::Refunding;
            let split = sale.sold.map(|(_, split)| split).filter(|_| earns);
            if let Some(split) = split {
                self.earn(op, split);
                self.reach(Goal::EarnedByRefund);
            }
            self.unpromise(op);
            self.notify(op, Topic::CashOutRefunded);
            self.reach(if reversed { Goal::RefundedAfterPaid } else { Goal::Refunded });
        } else {
            self.reach(Goal::UnmatchedRefunded);
        }
        self.note(op);
        APPLIED
    }
}
