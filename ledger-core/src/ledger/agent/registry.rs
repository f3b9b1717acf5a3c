//! The mesh: agents with their lineage, what they ask for, and what becomes of it (A15).

use std::sync::Arc;

use super::member::{Member, Newcomer, Reputation};
use crate::id::{AccountId, AgentId, KeyHash};
use crate::ledger::command::{AgentRequest, Registration};
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::decision::refusal::Refusal;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::machine::Verdict;
use crate::machine::agent::{self, Admission, Command, Grant, Profile};
use crate::time::Instant;

impl State {
    /// An agent by its number.
    #[must_use]
    pub fn member(&self, agent: AgentId) -> Option<&Member> {
        self.domains.agents.members.get(agent.0 as usize).map(|member| &**member)
    }

    /// All agents, in the order they came.
    pub fn members(&self) -> impl Iterator<Item = (AgentId, &Member)> {
        self.domains
            .agents
            .members
            .iter()
            .zip(0..)
            .map(|(member, index)| (AgentId(index), &**member))
    }

    /// The agent of this permanent id.
    #[must_use]
    pub fn agent_named(&self, id: &str) -> Option<AgentId> {
        self.domains.agents.by_id.get(id).copied()
    }

    /// The agent that an account belongs to.
    #[must_use]
    pub fn agent_of(&self, account: AccountId) -> Option<AgentId> {
        self.domains.agents.by_account.get(&account).copied()
    }

    /// The agent that gave a referral.
    #[must_use]
    pub fn referrer(&self, referral: &str) -> Option<AgentId> {
        self.domains.agents.referrals.get(referral).copied()
    }

    /// Tells whether an account may ask for anything new: not while policy has stopped its agent
    /// (A15).
    pub(in crate::ledger) fn may_act(&self, account: AccountId) -> Result<(), Refusal> {
        let member = self.agent_of(account).and_then(|agent| self.member(agent));
        if member.is_some_and(|member| member.state.is_suspended()) {
            Err(Refusal::AgentSuspended)
        } else {
            Ok(())
        }
    }

    fn next_agent(&self) -> AgentId {
        let next = u32::try_from(self.domains.agents.members.len());
        AgentId(next.expect("fewer than four billion agents"))
    }

    fn account_of_agent(&self, id: &str, key: KeyHash, at: Instant) -> (AccountId, Vec<Event>) {
        (self.next_account(), self.open_account(id.into(), key, None, at))
    }

    /// Applies what happened to agents, their referrals and rewards.
    pub(in crate::ledger) fn in_the_mesh(
        &mut self,
        event: &Event,
        at: Instant,
    ) -> Result<(), &'static str> {
        match event {
            Event::Agent { agent, event } => self.agent_moves(*agent, event, at),
            Event::ReferralGiven { agent, referral, capability } => {
                self.referral_given(*agent, referral, capability)
            }
            Event::RewardAccrued { agent, reward } => self.lacks_reward(*agent, *reward),
            _ => unreachable!("only events of the mesh come here"),
        }
    }

    /// Applies an event of an agent.
    fn agent_moves(
        &mut self,
        agent: AgentId,
        event: &agent::Event,
        at: Instant,
    ) -> Result<(), &'static str> {
        let absent = agent::State::Absent;
        let before = self.member(agent).map_or(&absent, |member| &member.state);
        if !agent::follows(before, event) {
            return Err("the agent is not where this could happen to it");
        }
        let after = agent::evolve(before, event);
        let (agent::Event::Registered(_) | agent::Event::Admitted(_)) = event else {
            let member = self.domains.agents.members.get_mut(agent.0 as usize);
            let member = member.expect("an agent that is not absent is known");
            Arc::make_mut(member).state = after;
            return Ok(());
        };
        let known = after.agent().expect("an agent that came is known");
        let (profile, referrer) = (&known.profile, known.referrer);
        if let Some(address) = profile.address {
            self.count_key(address, at);
        }
        // Whoever refers came first, so no agent descends from itself (AGT-23).
        let sound = agent == self.next_agent()
            && self.account(profile.account).is_some()
            && !self.domains.agents.by_account.contains_key(&profile.account)
            && !self.domains.agents.by_id.contains_key(&profile.id)
            && referrer.is_none_or(|referrer| referrer < agent);
        if !sound {
            return Err("an agent comes once, under the next number, with an account of its own");
        }
        self.domains.agents.by_account.insert(profile.account, agent);
        self.domains.agents.by_id.insert(profile.id.clone(), agent);
        if let Some(referrer) = referrer.and_then(|referrer| self.member_mut(referrer)) {
            referrer.referred.push(agent);
        }
        let reputation = Reputation { since: at, ..Reputation::default() };
        self.domains.agents.members.push_back(Arc::new(Member {
            state: after,
            reputation,
            ..Member::default()
        }));
        Ok(())
    }

    /// Applies a referral that an agent gave.
    fn referral_given(
        &mut self,
        agent: AgentId,
        referral: &str,
        capability: &str,
    ) -> Result<(), &'static str> {
        if self.domains.agents.referrals.contains_key(referral) {
            return Err("a referral is given once");
        }
        let member = self.member_mut(agent).ok_or("a referral is given by an agent that exists")?;
        member.referrals.push((capability.into(), referral.into()));
        self.domains.agents.referrals.insert(referral.into(), agent);
        Ok(())
    }

    pub(in crate::ledger) fn member_mut(&mut self, agent: AgentId) -> Option<&mut Member> {
        self.domains.agents.member_mut(agent)
    }
}

/// An agent registers, with an account and a key of its own. The key is the credential, so one that
/// was given before names who has it (AGT-10).
pub(in crate::ledger) fn register(
    state: &State,
    asked: Registration,
    at: Instant,
) -> Result<Decision, Refusal> {
    if let Some(account) = state.account_of_key(&asked.key) {
        let agent = state.agent_of(account).ok_or(Refusal::KeyTaken)?;
        let known = state.member(agent).and_then(|member| member.state.agent());
        let profile = &known.expect("an account's agent is known").profile;
        let same = profile.name == asked.name
            && profile.contact == asked.contact
            && profile.capabilities == asked.capabilities
            && profile.referral == asked.referral;
        let again = Decision::nothing(Outcome::Registered(agent));
        return if same { Ok(again) } else { Err(Refusal::KeyTaken) };
    }
    if state.knows_key(&asked.key) {
        return Err(Refusal::KeyTaken);
    }
    if let Some(address) = asked.address {
        state.may_issue_key(address, at)?;
    }
    let agent = state.next_agent();
    let id: Box<str> = AgentId::text(state.seq.next(), &state.name).into();
    let (account, mut events) = state.account_of_agent(&id, asked.key, at);
    let profile = Box::new(Profile {
        id,
        account,
        name: asked.name,
        contact: asked.contact,
        capabilities: asked.capabilities,
        referral: asked.referral,
        address: asked.address,
    });
    let event = agent::Event::Registered(profile);
    events.push(Event::Agent { agent, event });
    Ok(Decision { events, outcome: Outcome::Registered(agent) })
}

/// Judges what an agent asks for itself.
pub(in crate::ledger) fn request(
    state: &State,
    account: AccountId,
    asked: AgentRequest,
) -> Result<Decision, Refusal> {
    let agent = state.agent_of(account).ok_or(Refusal::AgentUnknown)?;
    let member = state.member(agent).ok_or(Refusal::AgentUnknown)?;
    let asked = match asked {
        AgentRequest::Validate => agent::Request::Validate,
        AgentRequest::Mandate(mandate) => agent::Request::Mandate(mandate),
        AgentRequest::Activate { key } => {
            let settlement = state.account(account).and_then(|known| known.settlement.clone());
            agent::Request::Activate { settlement, key }
        }
        AgentRequest::Refer { capability } => return refer(state, agent, member, &capability),
    };
    let event = agent::request(&member.state, asked)?;
    let events = event.into_iter().map(|event| Event::Agent { agent, event }).collect();
    Ok(Decision { events, outcome: Outcome::Done })
}

/// A referral for a capability; the same one when it was given before (AGT-19).
fn refer(
    state: &State,
    agent: AgentId,
    member: &Member,
    capability: &str,
) -> Result<Decision, Refusal> {
    match member.state {
        agent::State::ProductionActive(_) => {}
        agent::State::Suspended(..) => return Err(Refusal::AgentSuspended),
        _ => return Err(Refusal::NotInProduction),
    }
    let events = if member.referrals.iter().any(|(known, _)| **known == *capability) {
        Vec::new()
    } else {
        let referral = AgentId::referral(state.seq.next(), &state.name).into();
        vec![Event::ReferralGiven { agent, referral, capability: capability.into() }]
    };
    Ok(Decision { events, outcome: Outcome::Done })
}

/// Adds to a decision that an agent's first operation came with it (P:AgentMoves).
pub(in crate::ledger) fn note_use(state: &State, account: AccountId, decision: &mut Decision) {
    let Outcome::Created(_) = decision.outcome else { return };
    let Some(agent) = state.agent_of(account) else { return };
    let member = state.member(agent).expect("an account's agent is known");
    if let Verdict::Applied(event) = agent::decide(&member.state, Command::Operate) {
        decision.events.push(Event::Agent { agent, event });
    }
}

impl FactContext<'_> {
    /// An agent that production was granted to comes in from the sandbox, with an account of its
    /// own.
    pub(in crate::ledger) fn agent_activated(&self, newcomer: Newcomer) -> Decision {
        let Newcomer { id, key, name, contact, capabilities, referral, address, .. } = newcomer;
        let (settlement, mandate) = (newcomer.settlement, newcomer.mandate);
        if self.state.agent_named(&id).is_some() {
            return already_known();
        }
        if self.state.knows_key(&key) {
            return self.aside(Reason::IdTaken);
        }
        // An id of this ledger's own that no agent has was never given, or its record is lost.
        if self.state.account_named(&id).is_some() || AgentId::is_given_by(&self.state.name, &id) {
            return self.aside(Reason::NameTaken);
        }
        let agent = self.state.next_agent();
        let (account, mut events) = self.state.account_of_agent(&id, key, self.at);
        // A referral that this ledger never gave refers nobody.
        let referrer = referral.as_deref().and_then(|referral| self.state.referrer(referral));
        let admission = Box::new(Admission {
            profile: Profile { id, account, name, contact, capabilities, referral, address },
            grant: Grant { settlement: settlement.clone(), mandate, key },
            referrer,
        });
        let event = agent::Event::Admitted(admission);
        events.push(Event::Agent { agent, event });
        events.push(Event::SettlementAddressSet { account, address: settlement });
        accept(events)
    }

    /// Policy stops an agent, or lets it go on.
    pub(in crate::ledger) fn agent_policed(&self, id: &str, command: Command) -> Decision {
        let Some(agent) = self.state.agent_named(id) else { return self.aside(Reason::Unmatched) };
        let member = self.state.member(agent).expect("an agent's id names one that is known");
        match agent::decide(&member.state, command) {
            Verdict::Applied(event) => accept(vec![Event::Agent { agent, event }]),
            Verdict::Known => already_known(),
            Verdict::SetAside => self.aside(Reason::OutOfTurn),
        }
    }
}
