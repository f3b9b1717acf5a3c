//! Rewards: a thousandth of what agents settle goes to whoever referred them (AGT-20, AGT-21).
//! Reputation: what became of their operations (rulings 58).

use super::member::Reputation;
use crate::accounting::Account;
use crate::id::{AccountId, AgentId};
use crate::ledger::archive::Archive;
use crate::ledger::decision::lookup::operation;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::agent::reward::on_volume;
use crate::machine::hold;
use crate::money::{Amount, Cents};

/// Adds to a decision what it earns those who referred the agents that settle volume by it.
pub(in crate::ledger) fn accrue(state: &State, events: &mut Vec<Event>) {
    if state.domains.agents.members.is_empty() {
        return;
    }
    // A decision settles one operation at most: were there two, invariant INV-24 would find a
    // reward too few.
    let settled = events.iter().find_map(Event::settlement);
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
        let Some((account, amount)) = event.settlement() else { return };
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
        let settled = event.settlement().map(|(account, _)| account);
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

    /// Returns what an agent has earned and is owed: no route pays it out yet.
    #[must_use]
    pub fn reward(&self, agent: AgentId) -> i64 {
        self.books.flight(Account::Reward(agent))
    }

    /// Tells whether so much more is what an agent's rewards lack, given what was settled.
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
