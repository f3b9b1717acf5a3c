//! What charges count for: the payer's ladder and the account's day (rulings 12, LIM-05, LIM-16).

use crate::id::Token;
use crate::ledger::state::State;
use crate::machine::charge;
use crate::terms::Payer;
use crate::time::Instant;

impl State {
    /// Counts a charge that moved at `at`: pending from its issue, paid on the day of its payment,
    /// however late that is reported; expired and failed ones release their share, refunded ones do
    /// not.
    pub(in crate::ledger) fn count(
        &mut self,
        before: &charge::State,
        after: &charge::State,
        at: Instant,
    ) {
        let Some(order) = after.order() else { return };
        let (was, is) = (Counted::of(before), Counted::of(after));
        if was == is {
            return;
        }
        let amount = order.amount;
        let (paid, paid_at) = match after.payment() {
            Some(payment) => (payment.amount, payment.paid_at.min(at)),
            None => (amount, at),
        };
        self.change_payer(order.payer, |payer| {
            if was == Counted::Pending {
                payer.release(amount);
            }
            match is {
                Counted::Pending => payer.issue(amount),
                Counted::Paid => payer.pay(paid, paid_at, at),
                Counted::Not => {}
            }
        });
        if let Some(usage) = self.usage.get_mut(order.account.0 as usize) {
            match (was, is) {
                (Counted::Not, Counted::Pending) if *before == charge::State::Absent => {
                    usage.charge(amount, at);
                }
                (Counted::Not, _) => usage.recharge(amount, order.created_at),
                (Counted::Pending, Counted::Not) => usage.uncharge(amount, order.created_at),
                _ => {}
            }
        }
    }

    pub(in crate::ledger) fn change_payer(
        &mut self,
        document: Token,
        change: impl FnOnce(&mut Payer),
    ) {
        let mut payer = self.payer(&document);
        change(&mut payer);
        if payer.is_blank() {
            self.payers.remove(&document);
        } else {
            self.payers.insert(document, payer);
        }
    }
}

/// How a charge counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Not,
    Pending,
    Paid,
}

impl Counted {
    fn of(state: &charge::State) -> Self {
        match state {
            charge::State::Absent | charge::State::Expired(_) | charge::State::Failed(_) => {
                Self::Not
            }
            // What was only seen is not confirmed yet (LIM-06).
            charge::State::Pending(_) | charge::State::UnderReview(_) => Self::Pending,
            charge::State::Delayed(_)
            | charge::State::Paid(_)
            | charge::State::Bought(_)
            | charge::State::Refunded(_) => Self::Paid,
        }
    }
}
