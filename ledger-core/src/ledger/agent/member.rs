//! Agents as the ledger knows them: where each stands, what it settled, whom it referred.

use minicbor::{Decode, Encode};

use crate::id::{AgentId, KeyHash, Token};
use crate::machine::agent;
use crate::terms::Mandate;
use crate::time::Instant;

/// An agent with what it has done and whom it brought.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Member {
    /// Where it stands.
    pub state: agent::State,
    /// What it settled, in centavos.
    pub volume: i128,
    /// What the agents it referred settled, in centavos: what its rewards are reckoned from.
    pub referred_volume: i128,
    /// The agents it referred, in the order they came.
    pub referred: Vec<AgentId>,
    /// The referrals it gave: for which capability, under which id.
    pub referrals: Vec<(Box<str>, Box<str>)>,
    /// What became of its operations.
    pub reputation: Reputation,
}

/// What became of an agent's operations, counted since it came (rulings 58).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Reputation {
    /// Those that settled volume.
    #[n(0)]
    pub settled: u64,
    /// Those that definitely failed.
    #[n(1)]
    pub failed: u64,
    /// Those of which an operator blocked money because somebody disputes them.
    #[n(2)]
    pub disputed: u64,
    /// When it came to this ledger.
    #[n(3)]
    pub since: Instant,
}

/// An agent coming from the sandbox, before its account has a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Newcomer {
    /// Its permanent id.
    pub id: Box<str>,
    /// The hash of its production key.
    pub key: KeyHash,
    /// Its name, under a token of the vault.
    pub name: Token,
    /// Where it is reached.
    pub contact: Token,
    /// What it can do.
    pub capabilities: Vec<Box<str>>,
    /// The referral it came by.
    pub referral: Option<Box<str>>,
    /// The address production was asked from, by which keys are counted; none where nobody knows
    /// it.
    pub address: Option<Token>,
    /// The wallet it settles to.
    pub settlement: Box<str>,
    /// What it allows itself to send.
    pub mandate: Mandate,
}
