//! What recipients were promised today, for the ceiling on sales (COUT-79, rulings 14).

use super::state::State;
use crate::id::Token;
use crate::machine::cash_out::{self, Counted};
use crate::money::{Amount, Share};
use crate::time::Instant;

/// What one recipient was promised on its last day of Brasília.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promised {
    /// The day, as its first instant.
    pub day: Instant,
    /// The first instant of the next day.
    pub ends: Instant,
    /// Accepted that day and not come to nothing since.
    pub sum: Share,
}

impl Promised {
    fn on(self, at: Instant) -> Self {
        if self.day <= at && at < self.ends {
            return self;
        }
        let (day, ends) = (at.day_begins_in_brasilia(), at.next_day_in_brasilia());
        Self { day, ends, sum: Share::ZERO }
    }
}

impl State {
    /// What a recipient may still be promised on the day of `at`.
    #[must_use]
    pub fn room(&self, recipient: Token, at: Instant) -> Share {
        let used = self.recipients.get(&recipient).copied().unwrap_or_default().on(at).sum;
        let ceiling = self.policy.sale_limits().recipient_daily.share();
        ceiling.minus(used).unwrap_or(Share::ZERO)
    }

    /// Every recipient with what it was promised on its last day.
    pub fn promised(&self) -> impl Iterator<Item = (Token, Promised)> + '_ {
        self.recipients.iter().map(|(recipient, promised)| (*recipient, *promised))
    }

    /// Counts what an order promises more than before, and gives back what it no longer does.
    pub(super) fn count_recipient(
        &mut self,
        before: &cash_out::State,
        after: &cash_out::State,
        at: Instant,
    ) {
        let counted = |state: &cash_out::State| {
            state.standing().map_or_else(Vec::new, |standing| standing.counted.clone())
        };
        let (before, now) = (counted(before), counted(after));
        let Some(standing) = after.standing() else { return };
        let recipient = standing.payee.counted_as;
        for gone in before.iter().filter(|counted| !now.contains(counted)) {
            self.release(recipient, *gone);
        }
        for new in now.iter().skip(before.len()) {
            self.promise(recipient, new.amount, at);
        }
    }

    fn promise(&mut self, recipient: Token, amount: Amount, at: Instant) {
        let known = self.recipients.get(&recipient).copied().unwrap_or_default().on(at);
        let sum = known.sum.plus(amount.share());
        let sum = sum.unwrap_or(crate::money::Balance::new(i64::MAX).spendable());
        self.recipients.insert(recipient, Promised { sum, ..known });
    }

    /// What was promised then comes to nothing: the day gets it back, if it is still that day.
    fn release(&mut self, recipient: Token, counted: Counted) {
        let Some(known) = self.recipients.get(&recipient).copied() else { return };
        // It is no earlier one: what counts moves the day on.
        if known.day <= counted.at {
            let sum = known.sum.less_or_nothing(counted.amount.share());
            self.recipients.insert(recipient, Promised { sum, ..known });
        }
    }
}
