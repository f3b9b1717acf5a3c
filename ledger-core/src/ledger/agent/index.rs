//! What the state keeps of agents: each with what it has done, and under which names it is found.

use std::sync::Arc;

use im::{OrdMap, Vector};
use minicbor::bytes::ByteArray;
use minicbor::{Decode, Encode};

use super::member::{Member, Reputation};
use crate::counted::hash_counted;
use crate::id::{AccountId, AgentId};
use crate::machine::agent::{self, Agent, Stage};

/// Agents, by number and by name. Clones in O(1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::ledger) struct Agents {
    pub(in crate::ledger) members: Vector<Arc<Member>>,
    /// By their permanent ids.
    pub(in crate::ledger) by_id: OrdMap<Box<str>, AgentId>,
    pub(in crate::ledger) by_account: OrdMap<AccountId, AgentId>,
    /// Who gave each referral.
    pub(in crate::ledger) referrals: OrdMap<Box<str>, AgentId>,
}

hash_counted!(Agents {} { members, by_id, by_account, referrals });

/// An agent; whom it referred, the others tell.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(in crate::ledger) struct SavedAgent {
    #[n(0)]
    agent: Agent,
    #[n(1)]
    stage: Stage,
    #[n(2)]
    suspended: bool,
    #[n(3)]
    volume: ByteArray<16>,
    #[n(4)]
    referred_volume: ByteArray<16>,
    #[n(5)]
    referrals: Vec<(Box<str>, Box<str>)>,
    #[n(6)]
    reputation: Reputation,
}

/// Returns what is saved of an agent that registered.
fn save_member(member: &Member) -> Option<SavedAgent> {
    // Taken apart, so that what is added to a member is not forgotten here.
    let Member { state, volume, referred_volume, referred: _, referrals, reputation } = member;
    Some(SavedAgent {
        agent: Agent::clone(state.agent()?),
        stage: state.stage()?,
        suspended: state.is_suspended(),
        volume: ByteArray::from(volume.to_le_bytes()),
        referred_volume: ByteArray::from(referred_volume.to_le_bytes()),
        referrals: referrals.clone(),
        reputation: *reputation,
    })
}

impl Agents {
    /// An agent, to be changed.
    pub(in crate::ledger) fn member_mut(&mut self, agent: AgentId) -> Option<&mut Member> {
        self.members.get_mut(agent.0 as usize).map(Arc::make_mut)
    }

    /// Returns what is saved of them.
    pub(in crate::ledger) fn save(&self) -> Vec<SavedAgent> {
        // Taken apart, so that what is added is not forgotten here; the rest is an index over it.
        let Self { members, by_id: _, by_account: _, referrals: _ } = self;
        members.iter().filter_map(|member| save_member(member)).collect()
    }

    /// Those that were saved.
    pub(in crate::ledger) fn restore(saved: Vec<SavedAgent>) -> Self {
        let mut agents = Self::default();
        for (index, saved) in (0..).zip(saved) {
            agents.restore_member(AgentId(index), saved);
        }
        agents
    }

    /// Restores an agent, and tells its referrer of it.
    fn restore_member(&mut self, agent: AgentId, saved: SavedAgent) {
        let SavedAgent {
            agent: known,
            stage,
            suspended,
            volume,
            referred_volume,
            referrals,
            reputation,
        } = saved;
        self.by_id.insert(known.profile.id.clone(), agent);
        self.by_account.insert(known.profile.account, agent);
        for (_, referral) in &referrals {
            self.referrals.insert(referral.clone(), agent);
        }
        if let Some(referrer) = known.referrer.and_then(|referrer| self.member_mut(referrer)) {
            referrer.referred.push(agent);
        }
        let known = Arc::new(known);
        let state = if suspended {
            agent::State::Suspended(known, stage)
        } else {
            agent::State::at(stage, known)
        };
        self.members.push_back(Arc::new(Member {
            state,
            volume: i128::from_le_bytes(*volume),
            referred_volume: i128::from_le_bytes(*referred_volume),
            referred: Vec::new(),
            referrals,
            reputation,
        }));
    }
}
