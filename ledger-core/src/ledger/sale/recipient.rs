//! What recipients were promised on each day of acceptance, for the ceiling on sales (COUT-79,
//! rulings 14 and 44).

use crate::id::Token;
use crate::ledger::state::State;
use crate::machine::cash_out;
use crate::money::Cents;
use crate::time::Instant;

impl State {
    /// What a recipient may still be promised by what is accepted at `at`.
    #[must_use]
    pub fn room(&self, recipient: Token, at: Instant) -> Cents {
        self.room_on(recipient, at, Cents::ZERO)
    }

    /// What a recipient may have by an operation that was accepted at `then`, where `own` is what
    /// it counts already: so much at least, since what was reserved needs no further room (rulings
    /// 75).
    pub(in crate::ledger) fn room_on(&self, recipient: Token, then: Instant, own: Cents) -> Cents {
        let ceiling = self.policy.sale_limits().recipient_daily.as_cents();
        let used = self.recipients.used(recipient, then);
        ceiling.less_or_nothing(used.less_or_nothing(own)).max(own)
    }

    /// Every day that something open was accepted on: whose it is, when it ends, what it promised.
    pub fn promised(&self) -> impl Iterator<Item = (Token, Instant, Cents)> + '_ {
        self.recipients.all(self.now).map(|(recipient, ends, day)| (recipient, ends, day.sum))
    }

    /// Counts what an order promises on the day it was accepted, and gives back what it no longer
    /// does.
    pub(in crate::ledger) fn count_recipient(
        &mut self,
        before: &cash_out::State,
        after: &cash_out::State,
        now: Instant,
    ) {
        let Some(progress) = after.progress() else { return };
        let Some(accepted) = &progress.accepted else { return };
        let was_open = before.progress().is_some_and(|known| known.accepted.is_some());
        let was_open = was_open && !before.has_ended();
        let counted = before.progress().map_or(Cents::ZERO, |known| known.counted);
        let until = progress.may_revive_until();
        self.recipients.change(progress.payee.counted_as, accepted.at, now, |day| {
            if let Some(gone) = counted.amount() {
                day.take(gone);
            }
            if let Some(promised) = progress.counted.amount() {
                day.add(promised);
            }
            day.open = (day.open + u32::from(!after.has_ended())).saturating_sub(was_open.into());
            day.until = until.max(Some(day.until)).unwrap_or_default();
        });
    }
}
