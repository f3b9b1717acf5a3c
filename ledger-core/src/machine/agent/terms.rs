//! Who an agent is, and what production is granted to it under.

use minicbor::{Decode, Encode};

use crate::id::{AccountId, AgentId, KeyHash, Token};
use crate::terms::Mandate;

/// Who an agent is: fixed when it registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Profile {
    /// Its permanent id, one in both ledgers.
    #[n(0)]
    pub id: Box<str>,
    /// The account it acts for in this ledger.
    #[n(1)]
    pub account: AccountId,
    /// Its name, under a token of the vault.
    #[n(2)]
    pub name: Token,
    /// Where it is reached.
    #[n(3)]
    pub contact: Token,
    /// What it can do.
    #[n(4)]
    pub capabilities: Vec<Box<str>>,
    /// The referral it came by, as it said when it registered (AGT-23).
    #[n(5)]
    pub referral: Option<Box<str>>,
    /// The address its key was asked from, which the vault does not know; none where no adapter
    /// named one (rulings 71).
    #[n(6)]
    pub address: Option<Token>,
}

/// What production is granted under, as it stood then.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Grant {
    /// The wallet it settles to.
    #[n(0)]
    pub settlement: Box<str>,
    /// What it allows itself to send.
    #[n(1)]
    pub mandate: Mandate,
    /// The hash of the production key, as this ledger hashes keys.
    #[n(2)]
    pub key: KeyHash,
}

/// An agent coming from the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Admission {
    /// Who it is.
    #[n(0)]
    pub profile: Profile,
    /// What production was granted under.
    #[n(1)]
    pub grant: Grant,
    /// The agent whose referral it came by, where this ledger gave that referral.
    #[n(2)]
    pub referrer: Option<AgentId>,
}
