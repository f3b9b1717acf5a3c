//! What charges count for: the payer's ladder and the account's day (rulings 12, LIM-05, LIM-16).

use crate::id::{AccountId, Token};
use crate::ledger::state::State;
use crate::machine::charge;
use crate::money::{Balance, Cents};
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
        let (was, is) = (Counted::from_state(before), Counted::from_state(after));
        if was == is {
            return;
        }
        let amount = order.amount;
        if was == Counted::Pending {
            self.change_unpaid(order, |unpaid| Some(unpaid.less_or_nothing(amount.as_cents())));
        }
        if is == Counted::Pending {
            self.change_unpaid(order, |unpaid| unpaid.plus(amount.as_cents()));
        }
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

    /// Changes what the account of a charge has pending of its payer.
    pub(in crate::ledger) fn change_unpaid(
        &mut self,
        order: &charge::Order,
        change: impl FnOnce(Cents) -> Option<Cents>,
    ) {
        let of = (order.payer, order.account);
        let before = self.unpaid.get(&of).copied().unwrap_or(Cents::ZERO);
        let after = change(before).unwrap_or(Balance::new(i64::MAX).spendable());
        if after.is_zero() {
            self.unpaid.remove(&of);
        } else {
            self.unpaid.insert(of, after);
        }
    }

    /// Returns what accounts other than this one have pending of a document.
    #[must_use]
    pub fn unpaid_elsewhere(&self, document: &Token, account: AccountId) -> Cents {
        let own = self.unpaid.get(&(*document, account)).copied().unwrap_or(Cents::ZERO);
        self.payer(document).pending.less_or_nothing(own)
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
    fn from_state(state: &charge::State) -> Self {
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
