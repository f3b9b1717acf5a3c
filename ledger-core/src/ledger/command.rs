//! Commands in domain terms: requests, which may be refused, and facts, which never are.

use super::archive::Archive;
use super::charge::request::ChargeRequest;
use super::conversion::request::ConversionRequest;
use super::fact::Fact;
use super::payout::request::PayoutRequest;
use super::record::account::Owner;
use super::record::{Cause, ExternalId, Scope};
use super::sale::report::CashOutRequest;
use super::state::State;
use super::transfer::group::GroupRequest;
use super::transfer::request::TransferRequest;
use super::wallet;
use crate::id::{AccountId, KeyHash, OpId, Token};
use crate::machine::cash_out::DepositTo;
use crate::money::Bps;
use crate::terms::{Mandate, Switch};
use crate::time::Instant;

/// What somebody asks or reports, when, and why we know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// When it was asked, or happened.
    pub at: Instant,
    /// What brought it here, as its record keeps it.
    pub cause: Cause,
    /// What is asked or reported.
    pub what: Intent,
}

/// A request or a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// An API client asks.
    Request(AccountId, Request),
    /// Somebody without a key asks.
    Public(Public),
    /// Somebody without a key asks for one.
    Enrolment(Box<Enrolment>),
    /// The world reports.
    Fact(Reported),
}

/// What an API client may ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `POST /cashin/charge`: a PIX to be collected.
    Charge(ChargeRequest),
    /// `POST /saldo/transferir`: money moved between subaccounts.
    Transfer(TransferRequest),
    /// `POST /saldo/transferir` with `pernas`: several moves, all or none.
    Group(GroupRequest),
    /// `POST /payouts`: a PIX to be sent.
    Payout(PayoutRequest),
    /// `POST /saldo/sacar-cripto`, and the withdrawal of commission, which has no route.
    Conversion(ConversionRequest),
    /// Something of the USDT wallet.
    Wallet(wallet::Request),
    /// `PATCH /keys/me`: what an account sets itself.
    Settings(Box<AccountSettings>),
    /// `key.rotate`, which has no route: the account's next key.
    RotateKey(KeyHash),
    /// `POST /cash-outs`: a sale of crypto, to be quoted.
    CashOut(Box<CashOutRequest>),
    /// `POST /cash-outs/{cashout_id}/accept`: the quoted order begins.
    AcceptCashOut {
        /// The order that was quoted.
        order: OpId,
        /// Where to deposit, as the provider supplied it (rulings 39).
        supplied: Option<DepositTo>,
    },
    /// `POST /cash-outs/{cashout_id}/refund-address`: where a refund goes.
    RefundAddress {
        /// The order whose refund it is.
        order: OpId,
        /// The return wallet.
        address: Box<str>,
    },
    /// What an agent asks for itself.
    Agent(AgentRequest),
    /// Another request, with metadata of what it creates.
    Described {
        /// The request itself.
        request: Box<Self>,
        /// The canonical JSON of the metadata, under a token of the vault.
        metadata: Token,
    },
}

/// What may be asked without a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Public {
    /// `POST /mesh/agents`: an agent to be registered.
    Register(Box<Registration>),
}

/// An agent to be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The hash of the key it gets.
    pub key: KeyHash,
    /// Its name, under a token of the vault.
    pub name: Token,
    /// Where it is reached.
    pub contact: Token,
    /// What it can do.
    pub capabilities: Vec<Box<str>>,
    /// The referral it comes by, if it does.
    pub referral: Option<Box<str>>,
    /// The address it is asked from, by which keys are counted; none where nobody knows it.
    pub address: Option<Token>,
}

/// What an agent may ask for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentRequest {
    /// `POST /mesh/agents/{agent_id}/validate`: the sandbox works.
    Validate,
    /// `POST /mesh/agents/{agent_id}/mandate`: what it allows itself to send.
    Mandate(Box<Mandate>),
    /// `POST /mesh/agents/{agent_id}/production-request`, with the hash of the key it would get.
    Activate {
        /// The hash of that key, as this ledger hashes keys.
        key: KeyHash,
    },
    /// `POST /mesh/referrals`: a way in for another agent.
    Refer {
        /// What the other agent is referred for.
        capability: Box<str>,
    },
}

/// `POST /keys` and `POST /keys/sandbox`: an account with its first key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrolment {
    /// Who asks for it.
    pub owner: Owner,
    /// The hash of the key.
    pub key: KeyHash,
    /// What opens the account's private monitor.
    pub monitor: Token,
    /// The address it is asked from.
    pub address: Token,
}

/// What an account sets itself; what is not given stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountSettings {
    /// The wallet that purchases on Polygon go to when none is named.
    pub settlement: Option<Box<str>>,
    /// Where webhooks go.
    pub webhook: Option<Token>,
    /// Tells whether what they are signed with is replaced.
    pub rotate_secret: Switch,
    /// A secret that may be taken: replacing one, or for the first address.
    pub secret: Option<Token>,
    /// Tells whether what opens the private monitor is replaced.
    pub rotate_monitor: Switch,
    /// What it is replaced by.
    pub monitor: Option<Token>,
    /// The partner's percentage of a purchase: `partner_fee_bps`.
    pub purchase_partner: Option<Bps>,
    /// The partner's percentage of a sale: `partner_cashout_fee_bps`.
    pub sale_partner: Option<Bps>,
    /// The partner's percentage of a payout: `partner_saque_fee_bps`.
    pub payout_partner: Option<Bps>,
}

/// A fact and the identity that makes it known for ever; the passing of time needs none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// The fact's own id, where the world gives none.
    pub id: Option<Box<str>>,
    /// The fact itself, as it was reported.
    pub fact: Fact,
}

impl Request {
    /// The request, with metadata where that is given.
    #[must_use]
    pub fn with_metadata(self, metadata: Option<Token>) -> Self {
        match metadata {
            Some(metadata) => Self::Described { request: Box::new(self), metadata },
            None => self,
        }
    }

    /// The request without its metadata.
    #[must_use]
    pub const fn bare(&self) -> &Self {
        match self {
            Self::Described { request, .. } => request.bare(),
            request => request,
        }
    }

    /// The request and its metadata apart.
    #[must_use]
    pub fn into_parts(self) -> (Self, Option<Token>) {
        match self {
            Self::Described { request, metadata } => (request.into_parts().0, Some(metadata)),
            request => (request, None),
        }
    }
}

impl Reported {
    /// Tells whether it is known by an id of its own, which no other fact has.
    pub(in crate::ledger) fn has_own_id(&self) -> bool {
        self.id.is_some() && self.fact.kind().needs_id()
    }
}

impl Intent {
    /// Moves no instant that a fact carries behind `at`, the instant of its report (rulings 69).
    pub(in crate::ledger) fn cap_instants(&mut self, at: Instant) {
        if let Self::Fact(reported) = self {
            reported.fact.cap_instants(at);
        }
    }

    /// Brings every transaction that a fact names to the one spelling that it is looked up by.
    pub(in crate::ledger) fn spell(&mut self, state: &State, archive: &impl Archive) {
        if let Self::Fact(reported) = self {
            reported.fact.spell(state, archive);
        }
    }

    /// The identity of a fact; requests and the passing of time have none.
    #[must_use]
    pub fn outside(&self) -> Option<ExternalId> {
        let Self::Fact(reported) = self else { return None };
        reported.fact.outside().or_else(|| {
            let id = reported.id.clone()?;
            Some(ExternalId { scope: Scope::Fact, id })
        })
    }
}
