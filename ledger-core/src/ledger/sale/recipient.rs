//! What recipients were promised on each day of acceptance, for the ceiling on sales (COUT-79,
//! rulings 14 and 44).

use crate::id::Token;
use crate::ledger::state::State;
use crate::machine::cash_out::{self, Payee};
use crate::money::Cents;
use crate::time::Instant;

impl State {
    /// What a payee may still be promised by what is accepted at `at`.
    #[must_use]
    pub fn room(&self, payee: &Payee, at: Instant) -> Cents {
        self.room_of(payee, at, None)
    }

    /// What a payee may have by an operation that was accepted at `then`, where `own` is whom it
    /// counts already and with how much, and what of that was reserved when it was accepted: the
    /// least that anybody has left whom the payee counts (rulings 66), and of whom it counts
    /// already what was reserved at least, which needs no further room (rulings 75).
    pub(in crate::ledger) fn room_of(
        &self,
        payee: &Payee,
        then: Instant,
        own: Option<((&Payee, Cents), Cents)>,
    ) -> Cents {
        let ceiling = self.policy.sale_limits().recipient_daily.as_cents();
        let rooms = payee.recipients().map(|of| {
            let own = own.filter(|((payee, _), _)| payee.recipients().any(|it| it == of));
            let (own, reserved) =
                own.map_or((Cents::ZERO, Cents::ZERO), |((_, cents), reserved)| (cents, reserved));
            let others = self.recipients.sum_on_day(of, then).less_or_nothing(own);
            ceiling.less_or_nothing(others).max(reserved)
        });
        rooms.min().unwrap_or(ceiling)
    }

    /// Every day that something open was accepted on: whose it is, when it ends, what it promised.
    pub fn promised_sums(&self) -> impl Iterator<Item = (Token, Instant, Cents)> + '_ {
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
        let of = |payee: &Payee| -> Vec<Token> { payee.recipients().collect() };
        let whom = of(&progress.payee);
        let was = before.progress().map_or_else(|| whom.clone(), |known| of(&known.payee));
        for recipient in &whom {
            let known = was.contains(recipient);
            self.recipients.change(*recipient, accepted.at, now, |day| {
                if let Some(gone) = counted.amount().filter(|_| known) {
                    day.take(gone);
                }
                if let Some(promised) = progress.counted.amount() {
                    day.add(promised);
                }
                let closed = u32::from(was_open && known);
                day.open = (day.open + u32::from(!after.has_ended())).saturating_sub(closed);
                day.until = until.max(Some(day.until)).unwrap_or_default();
            });
        }
        // A key that was corrected gives its share of the day back.
        for recipient in was.iter().filter(|recipient| !whom.contains(recipient)) {
            self.recipients.change(*recipient, accepted.at, now, |day| {
                if let Some(gone) = counted.amount() {
                    day.take(gone);
                }
                day.open = day.open.saturating_sub(was_open.into());
            });
        }
    }
}
