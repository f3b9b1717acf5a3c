//! What an account charged and paid out today, for ceilings that are its own choice (LIM-16).

use crate::money::{Amount, Balance, Cents};
use crate::time::Instant;

/// Sums of one day of Brasília.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Usage {
    /// The day, as its first instant.
    pub day: Instant,
    /// The first instant of the next day.
    pub ends: Instant,
    /// Charges issued that day and not come to nothing since.
    pub charged: Cents,
    /// Payouts requested that day and not failed since.
    pub paid_out: Cents,
}

impl Usage {
    /// The sums of the day of `at`: nothing, when the last ones are of another.
    #[must_use]
    pub fn on(self, at: Instant) -> Self {
        if self.day <= at && at < self.ends {
            return self;
        }
        let (day, ends) = (at.day_begins_in_brasilia(), at.next_day_in_brasilia());
        Self { day, ends, ..Self::default() }
    }

    pub(in crate::ledger) fn charge(&mut self, amount: Amount, at: Instant) {
        *self = self.on(at);
        self.charged = sum(self.charged, amount);
    }

    pub(in crate::ledger) fn pay_out(&mut self, amount: Amount, at: Instant) {
        *self = self.on(at);
        self.paid_out = sum(self.paid_out, amount);
    }

    /// What was charged at `then` came to nothing: the day gets it back, if it is still that day
    /// (it is no earlier one: what counts moves the day on).
    pub(in crate::ledger) fn uncharge(&mut self, amount: Amount, then: Instant) {
        if self.day <= then {
            self.charged = self.charged.less_or_nothing(amount.as_cents());
        }
    }

    /// What came to nothing at first was paid after all: it counts on its own day.
    pub(in crate::ledger) fn recharge(&mut self, amount: Amount, then: Instant) {
        if self.day <= then {
            self.charged = sum(self.charged, amount);
        }
    }

    pub(in crate::ledger) fn unpay(&mut self, amount: Amount, then: Instant) {
        if self.day <= then {
            self.paid_out = self.paid_out.less_or_nothing(amount.as_cents());
        }
    }
}

/// Tells whether `amount` more stays within a ceiling, if there is one.
#[must_use]
pub(in crate::ledger) fn within(used: Cents, amount: Amount, ceiling: Option<Amount>) -> bool {
    ceiling
        .is_none_or(|most| used.plus(amount.as_cents()).is_some_and(|sum| sum <= most.as_cents()))
}

/// A ceiling where a journal no ledger wrote would pass what can be counted.
fn sum(a: Cents, b: Amount) -> Cents {
    a.plus(b.as_cents()).unwrap_or(Balance::new(i64::MAX).spendable())
}
