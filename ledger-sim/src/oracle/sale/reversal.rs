//! A PIX of a sale that came back after it was paid, as the oracle sees it: COUT-41, W55; rulings
//! 32.

use ledger_core::id::OpId;
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::time::Instant;

use super::refund::From;
use super::{APPLIED, Coin, Due, Phase, Way};
use crate::goal::Goal;
use crate::oracle::{Oracle, Waiting};

impl Oracle {
    /// A PIX that was paid came back: what came back is bought anew at the frozen price (W55).
    pub(super) fn sale_reversed(
        &mut self,
        order: Option<OpId>,
        return_id: &str,
        back: i64,
        at: Instant,
    ) -> Outcome {
        let taken = self.selling(order).filter(|op| self.reverse(*op, back));
        let Some(op) = taken else { return self.money_in(back, false, return_id, at) };
        if let Some(waiting) = self.waits_as(return_id, Waiting::is_payment_back) {
            self.settle_suspense(waiting, op);
        }
        self.notify_reversal(op);
        self.refund_steps(op);
        self.note(op);
        APPLIED
    }

    /// Every return sends its event, in part or whole, whatever its refund waits for (rulings 52).
    pub(super) fn notify_reversal(&mut self, op: OpId) {
        self.notify(op, Topic::CashOutRefunding);
        if self.sales[&op].refund.as_ref().is_some_and(|due| due.to.is_none()) {
            self.notify(op, Topic::RefundAddressAwaited);
        }
    }

    /// Tells whether the order can take what came back: completed, no more than was paid, and no
    /// refund on its way yet, for it is sent once.
    pub(super) fn may_reverse(&self, op: OpId, back: i64) -> bool {
        let sale = &self.sales[&op];
        let waits =
            sale.refund.as_ref().is_none_or(|due| due.way == Way::Due && !due.is_under_way());
        let Some((_, split)) = sale.sold else { return false };
        let within = sale.reversed + back <= split.net;
        let buys = sale.counts_by().buy_back_units(back) > 0;
        sale.phase == Phase::Completed && waits && within && buys
    }

    /// Tells whether the order takes what came back, and books it.
    pub(super) fn reverse(&mut self, op: OpId, back: i64) -> bool {
        if !self.may_reverse(op, back) {
            return false;
        }
        let beside = self.beside(op);
        let sale = self.sale(op);
        let (coin, _) = sale.sold.expect("what was paid was priced");
        let coin = Coin { units: sale.counts_by().buy_back_units(back), ..coin };
        sale.reversed += back;
        let (mut allowed, mut whole) = (true, coin);
        if let Some(known) = &sale.refund {
            whole.units += known.coin.units;
            allowed = known.allowed;
        }
        let first = sale.refund.is_none();
        let to = if first { sale.wallet_for(coin) } else { None };
        let allowed = allowed && sale.goes_alone(whole, beside);
        let due = sale.refund.get_or_insert_with(|| Due::new(coin, to, allowed));
        (due.coin, due.allowed) = (whole, allowed);
        sale.delayed = false;
        self.book_refund(op, coin, From::Reversal(back));
        self.reach(if first { Goal::Reversed } else { Goal::ReversedAgain });
        true
    }
}
