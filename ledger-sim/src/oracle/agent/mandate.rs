//! What agents may send and what that earns others, as the oracle counts it: from the operations
//! themselves, every time anew (AGT-13 to AGT-21; INV-24, INV-42; W65).

use ledger_core::id::{AccountId, OpId, Token};
use ledger_core::ledger::Refusal;
use ledger_core::money::Cents;
use ledger_core::time::Instant;

use crate::goal::Goal;
use crate::oracle::payout::PayoutStatus;
use crate::oracle::{Oracle, Sale, next_midnight};

impl Oracle {
    /// Tells whether an agent's mandate lets so much go to somebody: the ceilings, then the
    /// recipient.
    pub(in crate::oracle) fn check_mandate(
        &mut self,
        account: AccountId,
        cents: i64,
        to: Option<Token>,
        at: Instant,
    ) -> Result<(), Refusal> {
        let Some(agent) = self.agent_of(account) else { return Ok(()) };
        let Some(mandate) = self.agents[agent].mandate.clone() else { return Ok(()) };
        if let Some(most) = mandate.per_operation.filter(|most| cents > most.cents()) {
            self.reach(if most.cents() + 1 == cents {
                Goal::MandateByOne
            } else {
                Goal::MandateExceeded
            });
            return Err(Refusal::MandateExceeded { most, until: None });
        }
        let (used, freed) = self.sent_on(account, next_midnight(at), None);
        if let Some(daily) = mandate.daily {
            let left = (daily.cents() - used).max(0);
            let until = next_midnight(at);
            if cents > left {
                self.reach(Goal::MandateOfTheDay);
                if until.since(at).micros() == 1 {
                    self.reach(Goal::MandateToTheLast);
                }
                let most = Cents::new(left).expect("not negative");
                return Err(Refusal::MandateExceeded { most, until: Some(until) });
            }
            if cents == left {
                self.reach(Goal::MandateExact);
            }
            if freed && cents + used + 1 > daily.cents() / 2 {
                self.reach(Goal::MandateFreed);
            }
        }
        let named = to.is_some_and(|to| mandate.counterparties.contains(&to));
        if !mandate.counterparties.is_empty() && !named {
            self.reach(Goal::CounterpartyRefused);
            return Err(Refusal::CounterpartyNotAllowed);
        }
        Ok(())
    }

    /// Returns what an account's operations of a day send, but for one of them, and whether any of
    /// the day came to nothing.
    pub(crate) fn sent_on(
        &self,
        account: AccountId,
        until: Instant,
        except: Option<OpId>,
    ) -> (i64, bool) {
        let own = &self.accounts[account.0 as usize];
        let payouts = own.paid_out.iter().map(|op| {
            let it = &self.payouts[op];
            let gone = matches!(it.status, PayoutStatus::Failed | PayoutStatus::Returned);
            (*op, it.created_at, it.amount, gone)
        });
        let conversions = own.converted.iter().map(|op| {
            let it = &self.conversions[op];
            (*op, it.created_at, it.amount, it.refunded)
        });
        let own = |(_, it): &(&OpId, &Sale)| it.account == account && it.payment.is_none();
        let sales = self.sales.iter().filter(own).map(|(op, it)| {
            let (net, gone) = it.sends();
            (*op, it.counts_at(), net, gone)
        });
        let payments = self.payments.iter().filter(|(_, it)| it.account == account);
        let payments = payments.map(|(op, it)| (*op, it.made_at, it.net, it.came_to_nothing()));
        let all = payouts.chain(conversions).chain(sales).chain(payments);
        let today =
            all.filter(|(op, made, ..)| next_midnight(*made) == until && Some(*op) != except);
        let (mut sent, mut freed) = (0, false);
        for (.., cents, gone) in today {
            sent += if gone { 0 } else { cents };
            freed |= gone;
        }
        (sent, freed)
    }

    /// Tells whether the mandate lets a quote be accepted now: it counts on the day of that.
    pub(in crate::oracle) fn accept_mandated(
        &mut self,
        op: OpId,
        at: Instant,
    ) -> Result<(), Refusal> {
        let sale = &self.sales[&op];
        let (account, net, to) = (sale.account, sale.split.net, sale.document);
        let Some(agent) = self.agent_of(account) else { return Ok(()) };
        let Some(mandate) = self.agents[agent].mandate.clone() else { return Ok(()) };
        if let Some(most) = mandate.per_operation.filter(|most| net > most.cents()) {
            self.reach(Goal::MandateAtAccept);
            return Err(Refusal::MandateExceeded { most, until: None });
        }
        let until = next_midnight(at);
        let (used, _) = self.sent_on(account, until, Some(op));
        let left = mandate.daily.map(|daily| (daily.cents() - used).max(0));
        if let Some(most) = left.filter(|left| net > *left).and_then(Cents::new) {
            self.reach(Goal::MandateAtAccept);
            return Err(Refusal::MandateExceeded { most, until: Some(until) });
        }
        let named = to.is_some_and(|to| mandate.counterparties.contains(&to));
        if !mandate.counterparties.is_empty() && !named {
            return Err(Refusal::CounterpartyNotAllowed);
        }
        Ok(())
    }

    /// Tells whether a payout that was stopped may go on: what others of its day send leaves room
    /// for it.
    pub(in crate::oracle) fn payout_mandated(&self, op: OpId) -> bool {
        let payout = &self.payouts[&op];
        let mandate = self.agent_of(payout.account).map(|agent| &self.agents[agent].mandate);
        let Some(Some(mandate)) = mandate else { return true };
        let until = next_midnight(payout.created_at);
        let (used, _) = self.sent_on(payout.account, until, Some(op));
        let fits = |daily: Cents| used + payout.amount <= daily.cents();
        let names = mandate.counterparties.is_empty()
            || payout.proven.is_some_and(|to| mandate.counterparties.contains(&to));
        let small = mandate.per_operation.is_none_or(|most| payout.amount <= most.cents());
        small && names && mandate.daily.is_none_or(fits)
    }

    /// An account settled so much: a thousandth of it is due to whoever referred its agent, in
    /// whole centavos of all that was settled (P:RewardDepth).
    pub(in crate::oracle) fn settles(&mut self, account: AccountId, cents: i64) {
        let Some(agent) = self.agent_of(account) else { return };
        let referrer = self.agents[agent].referrer;
        let before = referrer.map_or(0, |referrer| self.reward_of(referrer));
        self.agents[agent].volume += i128::from(cents);
        self.trace.access = true;
        let Some(referrer) = referrer else { return };
        let after = self.reward_of(referrer);
        if after == before {
            self.reach(Goal::RewardFraction);
        } else {
            self.reach(Goal::RewardEarned);
            if after - before > i128::from(cents) * 10 / 10_000 {
                self.reach(Goal::RewardOfFractions);
            }
        }
    }

    /// Returns what all that an agent's referrals settled makes: 0.10 %, rounded down once.
    pub(crate) fn reward_of(&self, agent: usize) -> i128 {
        let brought = self.agents.iter().filter(|it| it.referrer == Some(agent));
        brought.map(|it| it.volume).sum::<i128>() * 10 / 10_000
    }

    /// Returns what is owed to all agents together.
    pub(crate) fn rewards(&self) -> i64 {
        let all = (0..self.agents.len()).map(|agent| self.reward_of(agent)).sum::<i128>();
        i64::try_from(all).expect("the simulator deals in sums below 2^63 centavos")
    }
}
