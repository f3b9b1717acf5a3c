//! An agent saved and restored.

use std::sync::Arc;

use minicbor::bytes::ByteArray;
use minicbor::{Decode, Encode};

use super::State;
use crate::id::AgentId;
use crate::ledger::agent::member::{Member, Reputation};
use crate::machine::agent::{self, Agent, Stage};

/// An agent; whom it referred, the others tell.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub(super) struct Came {
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

/// What is saved of an agent that registered.
pub(super) fn came(member: &Member) -> Option<Came> {
    // Taken apart, so that what is added to a member is not forgotten here.
    let Member { state, volume, referred_volume, referred: _, referrals, reputation } = member;
    Some(Came {
        agent: Agent::clone(state.agent()?),
        stage: state.stage()?,
        suspended: state.is_suspended(),
        volume: ByteArray::from(volume.to_le_bytes()),
        referred_volume: ByteArray::from(referred_volume.to_le_bytes()),
        referrals: referrals.clone(),
        reputation: *reputation,
    })
}

impl State {
    /// Restores an agent, and tells its referrer of it.
    pub(super) fn restore_member(&mut self, agent: AgentId, came: Came) {
        let Came { agent: known, stage, suspended, volume, referred_volume, referrals, reputation } =
            came;
        self.agent_ids.insert(known.profile.id.clone(), agent);
        self.agents.insert(known.profile.account, agent);
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
