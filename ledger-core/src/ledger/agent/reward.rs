//! Rewards: a thousandth of what agents settle goes to whoever referred them (AGT-20, AGT-21).
//! Reputation: what became of their operations (rulings 58).

use super::member::Reputation;
use crate::accounting::Account;
use crate::id::{AccountId, AgentId, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::decision::lookup::operation;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::agent::reward::on_volume;
use crate::machine::cash_out::{self, DepositAccount};
use crate::machine::wallet::{payment, withdrawal};
use crate::machine::{charge, conversion, delivery, hold, payout, purchase};
use crate::money::{Amount, Cents};

impl Event {
    /// What an account settled by this event: the operation's own amount, once what it was for is
    /// paid or sent. Money that only came in is settled when it leaves.
    #[must_use]
    pub fn settled(&self) -> Option<(AccountId, Amount)> {
        match self {
            Self::Payout { event: payout::Event::Completed { account, amount, .. }, .. } => {
                Some((*account, *amount))
            }
            // A purchase's own amount is what was charged: the crypto's cost and the fees.
            Self::Charge {
                event:
                    charge::Event::Purchase(purchase::Event::Delivery(delivery::Event::Sent {
                        delivery_terms,
                        earned,
                        ..
                    })),
                ..
            } => {
                let amount = delivery_terms.cost.plus(earned.fees.total()?)?;
                Some((earned.account, amount))
            }
            Self::Conversion {
                event:
                    conversion::Event::Delivery {
                        source: conversion::FundingSource::Custody(_),
                        event: delivery::Event::Sent { delivery_terms, earned, .. },
                    },
                ..
            } => Some((earned.account, delivery_terms.cost)),
            // A payment from the wallet settles its own volume.
            Self::CashOut {
                event:
                    cash_out::Event::Completed {
                        account, sale, booked_in: DepositAccount::Order, ..
                    },
                ..
            } => Some((*account, sale.deal.net)),
            Self::WalletPayment {
                event:
                    payment::Event::Completed { reserve, cost, .. }
                    | payment::Event::Resolved { reserve, cost, resolution: payment::Resolution::Paid(_) },
                ..
            } => Some((reserve.account, cost.deal.net)),
            _ => None,
        }
    }
}

impl Event {
    /// The operation that definitely fails by this event, if one does: what was asked will not be
    /// done, and the money stays or goes back.
    #[must_use]
    pub const fn fails(&self) -> Option<OpId> {
        match self {
            Self::Payout { op, event: payout::Event::Failed { .. } }
            | Self::Conversion { op, event: conversion::Event::Refunded { .. } }
            | Self::Charge {
                op,
                event:
                    charge::Event::Failed | charge::Event::Purchase(purchase::Event::GivenUp { .. }),
            }
            | Self::CashOut {
                op,
                event: cash_out::Event::Failed | cash_out::Event::PaymentUnwound(_),
            }
            | Self::WalletPayment {
                op,
                event: payment::Event::Failed { .. } | payment::Event::FailedAfterSend(_),
            }
            | Self::CryptoWithdrawal { op, event: withdrawal::Event::Failed { .. } } => Some(*op),
            _ => None,
        }
    }
}

/// Adds to a decision what it earns those who referred the agents that settle volume by it.
pub(in crate::ledger) fn accrue(state: &State, events: &mut Vec<Event>) {
    if state.domains.agents.members.is_empty() {
        return;
    }
    // A decision settles one operation at most: were there two, invariant INV-24 would find a
    // reward too few.
    let settled = events.iter().find_map(Event::settled);
    let earned = settled.and_then(|(account, amount)| Some((state.referrer_of(account)?, amount)));
    let Some((agent, amount)) = earned else { return };
    let before = state.member(agent).map_or(0, |member| member.referred_volume);
    let reward = on_volume(before + i128::from(amount.cents())) - on_volume(before);
    let reward = i64::try_from(reward).ok().and_then(Cents::new).and_then(Cents::amount);
    events.extend(reward.map(|reward| Event::RewardAccrued { agent, reward }));
}

impl State {
    /// The agent that referred an account's agent.
    fn referrer_of(&self, account: AccountId) -> Option<AgentId> {
        let member = self.member(self.agent_of(account)?)?;
        member.state.agent()?.referrer
    }

    /// Counts what an event settled, for its agent and for whoever referred it.
    pub(in crate::ledger) fn count_settled(&mut self, event: &Event) {
        if self.domains.agents.members.is_empty() {
            return;
        }
        let Some((account, amount)) = event.settled() else { return };
        let Some(agent) = self.agent_of(account) else { return };
        let centavos = i128::from(amount.cents());
        let referrer = self.referrer_of(account);
        if let Some(member) = self.member_mut(agent) {
            member.volume += centavos;
        }
        if let Some(member) = referrer.and_then(|referrer| self.member_mut(referrer)) {
            member.referred_volume += centavos;
        }
    }

    /// Counts what became of an operation by an event, for the agent whose it is.
    pub(in crate::ledger) fn count_reputation(&mut self, archive: &impl Archive, event: &Event) {
        if self.domains.agents.members.is_empty() {
            return;
        }
        let settled = event.settled().map(|(account, _)| account);
        let failed = event.fails().and_then(|op| operation(self, archive, op)?.1.account());
        let disputed = match event {
            Event::Hold { event: hold::Event::Placed { order, .. }, .. }
                if order.kind == hold::Kind::Dispute =>
            {
                self.subaccount(order.subaccount).map(|known| known.account)
            }
            _ => None,
        };
        let agent = settled.or(failed).or(disputed).and_then(|account| self.agent_of(account));
        let Some(member) = agent.and_then(|agent| self.member_mut(agent)) else { return };
        let Reputation { settled: all, failed: lost, disputed: contested, .. } =
            &mut member.reputation;
        *all += u64::from(settled.is_some());
        *lost += u64::from(failed.is_some());
        *contested += u64::from(disputed.is_some());
    }

    /// What an agent has earned and is owed: no route pays it out yet.
    #[must_use]
    pub fn reward(&self, agent: AgentId) -> i64 {
        self.books.flight(Account::Reward(agent))
    }

    /// Whether so much more is what an agent's rewards lack, given what was settled.
    pub(in crate::ledger) fn lacks_reward(
        &self,
        agent: AgentId,
        reward: Amount,
    ) -> Result<(), &'static str> {
        let member = self.member(agent).ok_or("a reward is an agent's that exists")?;
        let owed = i128::from(self.reward(agent)) + i128::from(reward.cents());
        let due = on_volume(member.referred_volume);
        (owed == due).then_some(()).ok_or("a reward is what the volume settled makes of it")
    }
}
