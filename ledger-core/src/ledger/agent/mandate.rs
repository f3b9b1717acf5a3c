//! What an agent's mandate lets its account send, and what of a day is used (AGT-13 to AGT-18).

use crate::id::{AccountId, Token};
use crate::ledger::decision::refusal::Refusal;
use crate::ledger::registry::Machine;
use crate::ledger::state::State;
use crate::ledger::state::outgoing::Outgoing;
use crate::machine::cash_out::Bound;
use crate::money::{Amount, Cents};
use crate::terms::{Excess, Mandate};
use crate::time::Instant;

impl State {
    /// The mandate of the agent that an account belongs to, if it belongs to one that has set one.
    #[must_use]
    pub fn mandate(&self, account: AccountId) -> Option<&Mandate> {
        let member = self.member(self.agent_of(account)?)?;
        member.state.agent()?.mandate.as_ref()
    }

    /// Tells whether the mandate lets an account send `amount` to `counterparty` at `at`; in the
    /// order of rulings 6 after the feature switch and before the destination.
    ///
    /// # Errors
    ///
    /// The [`Refusal`], with what would pass.
    pub fn mandate_admits(
        &self,
        account: AccountId,
        amount: Amount,
        counterparty: Option<Token>,
        at: Instant,
    ) -> Result<(), Refusal> {
        let Some(mandate) = self.mandate(account) else { return Ok(()) };
        let admitted = mandate.admits(amount, self.sent_on(account, at), counterparty);
        admitted.map_err(|excess| against_mandate(excess, at))
    }

    /// Returns what an account's operations send on the day of `at`, which is not over.
    #[must_use]
    pub fn sent_on(&self, account: AccountId, at: Instant) -> Cents {
        self.sent.sum_on_day(account, at)
    }

    /// What each account of an agent sends, by day: every day that a PIX may still be sent of.
    pub fn sent_by_day(&self) -> impl Iterator<Item = (AccountId, Instant, Cents)> + '_ {
        self.sent.all(self.now).map(|(account, ends, day)| (account, ends, day.sum))
    }

    /// Returns what the mandate of an account leaves an operation that counts on the day of `then`,
    /// where
    /// `own` is what that operation counts already.
    pub(in crate::ledger) fn bound(
        &self,
        account: AccountId,
        then: Instant,
        own: Option<Outgoing>,
    ) -> Option<Bound> {
        let mandate = self.mandate(account)?.clone();
        let day = |at: Instant| at.next_day_in_brasilia();
        let own = own.filter(|own| day(own.at) == day(then));
        let own = own.map_or(Cents::ZERO, |own| own.amount.as_cents());
        let used = self.sent.sum_on_day(account, then).less_or_nothing(own);
        Some(Bound { mandate, used })
    }

    /// Returns what may be sent at once under what the platform allows and the mandate: the lower
    /// of the two (INV-42).
    #[must_use]
    pub fn ceiling(&self, account: AccountId, platform: Amount) -> Cents {
        let mandate = self.mandate(account);
        mandate.map_or(platform.as_cents(), |mandate| mandate.ceiling(platform))
    }

    /// Counts what an operation of an agent's account sends on its day, and no longer once it came
    /// to nothing.
    pub(in crate::ledger) fn count_outgoing(&mut self, before: Option<&Machine>, after: &Machine) {
        if self.domains.agents.by_account.is_empty() {
            return;
        }
        let now = self.now;
        let mut count = |machine: &Machine, way: Way| {
            let (sent, open) = (machine.outgoing(), machine.unsent());
            let named = sent.map(|of| (of.account, of.at));
            let named = named.or(open.map(|open| (open.account, open.at)));
            let Some((account, at)) = named else { return };
            if self.domains.agents.by_account.contains_key(&account) {
                self.sent.change(account, at, now, |day| match way {
                    Way::Adds => {
                        if let Some(of) = sent {
                            day.add(of.amount);
                        }
                        day.open += u32::from(open.is_some());
                        let until = open.and_then(|open| open.until);
                        day.until = until.unwrap_or_default().max(day.until);
                    }
                    Way::Takes => {
                        if let Some(of) = sent {
                            day.take(of.amount);
                        }
                        day.open = day.open.saturating_sub(open.is_some().into());
                    }
                });
            }
        };
        // What is added first keeps the day open.
        count(after, Way::Adds);
        if let Some(before) = before {
            count(before, Way::Takes);
        }
    }
}

/// Tells whether a day is to count more or less.
#[derive(Clone, Copy)]
enum Way {
    Adds,
    Takes,
}

/// Returns what of a mandate stands against a request of the day of `at`.
pub(in crate::ledger) fn against_mandate(excess: Excess, at: Instant) -> Refusal {
    match excess {
        Excess::Operation { most } => Refusal::MandateExceeded { most, until: None },
        Excess::Day { left } => {
            Refusal::MandateExceeded { most: left, until: Some(at.next_day_in_brasilia()) }
        }
        Excess::Counterparty => Refusal::CounterpartyNotAllowed,
    }
}
