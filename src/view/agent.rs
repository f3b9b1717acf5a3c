//! Answers about agents of the mesh.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use super::account::OperationRange;
use crate::value::{self, ApiKey, Cents};
use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};

/// Of [`Mesh`]: which route does what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Intent {
    /// The capability.
    pub intent: String,
    /// The route that does it.
    pub endpoint: String,
}

/// Of [`Mesh`]: how routes are called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Execution {
    /// The header of the key.
    pub authentication: String,
    /// The field that makes a repetition safe.
    pub idempotency: String,
    /// What integers of money are.
    pub amounts: String,
    /// The environments.
    pub environments: Vec<String>,
}

/// Of [`Mesh`]: the published limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MeshLimits {
    /// Of a charge.
    pub cashin: OperationRange,
    /// Of a payout.
    pub payout: OperationRange,
    /// Of a cash-out order.
    pub cashout: OperationRange,
    /// What a referral earns of the volume.
    pub reward_bps: u16,
}

/// Of [`Mesh`]: the steps to production.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NextAction {
    /// The method.
    pub method: String,
    /// The path.
    pub endpoint: String,
    /// What it does.
    pub why: String,
}

/// What `GET /mesh` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Mesh {
    /// What agents can do here.
    pub capabilities: Vec<String>,
    /// Which route does what.
    pub intents: Vec<Intent>,
    /// How routes are called.
    pub execution: Execution,
    /// The published limits.
    pub limits: MeshLimits,
    /// The steps to production.
    pub how_to_start: Vec<NextAction>,
}

/// What `status` of [`RegisteredAgent`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AgentStatus {
    /// `registered`.
    #[serde(rename = "registered")]
    Registered,
    /// `sandbox_active`.
    #[serde(rename = "sandbox_active")]
    SandboxActive,
    /// `validated`.
    #[serde(rename = "validated")]
    Validated,
    /// `production_active`.
    #[serde(rename = "production_active")]
    ProductionActive,
    /// `suspended`.
    #[serde(rename = "suspended")]
    Suspended,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// What `environment` of [`RegisteredAgent`] may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AgentEnvironment {
    /// `sandbox`.
    #[serde(rename = "sandbox")]
    Sandbox,
    /// `production`.
    #[serde(rename = "production")]
    Production,
    /// A word that came to the contract later.
    #[serde(untagged)]
    Other(String),
}

/// Of [`RegisteredAgent`]: where it is settled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Settlement {
    /// The wallet that is settled to.
    pub address: String,
    /// Its network.
    pub network: String,
}

/// Of [`RegisteredAgent`]: what it lets itself send.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Mandate {
    /// The most that an operation sends.
    #[serde(rename = "max_por_operacao_cents", with = "super::plain")]
    pub per_operation: Option<Cents>,
    /// The most that a day sends.
    #[serde(rename = "max_diario_cents", with = "super::plain")]
    pub daily: Option<Cents>,
    /// Who may receive, masked; none: everybody.
    #[serde(rename = "contrapartes")]
    pub counterparties: Vec<String>,
    /// The lower of mandate and platform.
    #[serde(rename = "teto_por_operacao_cents", with = "super::plain")]
    pub ceiling: Cents,
    /// What this day has sent.
    #[serde(rename = "usado_hoje_cents", with = "super::plain")]
    pub used_today: Cents,
}

/// Of [`RegisteredAgent`]: what became of its operations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reputation {
    /// Operations that were settled.
    pub settled: u64,
    /// Operations that failed.
    pub failed: u64,
    /// Operations that were disputed.
    pub disputed: u64,
    /// Since when they are counted.
    #[serde(with = "super::plain")]
    pub since: Instant,
}

/// What `POST /mesh/agents` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RegisteredAgent {
    /// The agent's permanent id.
    #[serde(rename = "agent_id")]
    pub id: String,
    /// Where the agent stands.
    pub status: AgentStatus,
    /// Which environment it is of.
    pub environment: AgentEnvironment,
    /// Its name.
    pub name: String,
    /// Where it is reached.
    pub contact: String,
    /// What it can do.
    pub capabilities: Vec<String>,
    /// The referral it came by.
    pub referral: Option<String>,
    /// Where it is settled.
    pub settlement: Option<Settlement>,
    /// What it lets itself send.
    pub mandate: Option<Mandate>,
    /// What became of its operations.
    pub reputation: Reputation,
    /// Its key, shown once.
    #[serde(with = "super::plain", default, skip_serializing_if = "Option::is_none")]
    pub api_key: Option<ApiKey>,
}

/// What `POST /mesh/referrals` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Referral {
    /// What the other agent registers with.
    #[serde(rename = "referral_id")]
    pub id: Option<String>,
    /// What the other agent is referred for.
    pub capability: String,
    /// The agent's permanent id.
    #[serde(rename = "agent_id")]
    pub agent: String,
    /// Where the agent stands.
    pub status: AgentStatus,
}

/// Of [`AgentNetwork`]: whom it referred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReferredAgent {
    /// The agent's permanent id.
    #[serde(rename = "agent_id")]
    pub id: String,
    /// Where the agent stands.
    pub status: AgentStatus,
    /// What it settled.
    #[serde(rename = "volume_cents", with = "super::plain")]
    pub volume: Cents,
}

/// What `GET /mesh/agents/{agent_id}/network` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AgentNetwork {
    /// The agent's permanent id.
    #[serde(rename = "agent_id")]
    pub id: String,
    /// Where the agent stands.
    pub status: AgentStatus,
    /// What became of its operations.
    pub reputation: Reputation,
    /// The agent that referred it.
    pub referred_by: Option<String>,
    /// What it settled.
    #[serde(rename = "volume_cents", with = "super::plain")]
    pub volume: Cents,
    /// What those it referred settled.
    #[serde(rename = "referred_volume_cents", with = "super::plain")]
    pub referred_volume: Cents,
    /// Whom it referred.
    pub referred: Vec<ReferredAgent>,
}

/// What `GET /mesh/agents/{agent_id}/rewards` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AgentRewards {
    /// The agent's permanent id.
    #[serde(rename = "agent_id")]
    pub id: String,
    /// Where the agent stands.
    pub status: AgentStatus,
    /// What it earns of the volume it referred.
    pub reward_bps: u16,
    /// That volume.
    #[serde(rename = "referred_volume_cents", with = "super::plain")]
    pub referred_volume: Cents,
    /// What it earned so far.
    #[serde(rename = "accrued_cents", with = "super::plain")]
    pub accrued: Cents,
    /// What of it is its balance.
    #[serde(rename = "balance_cents", with = "super::plain")]
    pub balance: value::Balance,
    /// Whom it referred.
    pub referred: Vec<ReferredAgent>,
}

/// What `POST /mesh/agents/{agent_id}/validate` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Agent {
    /// The agent's permanent id.
    #[serde(rename = "agent_id")]
    pub id: String,
    /// Where the agent stands.
    pub status: AgentStatus,
    /// Which environment it is of.
    pub environment: AgentEnvironment,
    /// Its name.
    pub name: String,
    /// Where it is reached.
    pub contact: String,
    /// What it can do.
    pub capabilities: Vec<String>,
    /// The referral it came by.
    pub referral: Option<String>,
    /// Where it is settled.
    pub settlement: Option<Settlement>,
    /// What it lets itself send.
    pub mandate: Option<Mandate>,
    /// What became of its operations.
    pub reputation: Reputation,
}

/// What `POST /mesh/agents/{agent_id}/production-request` is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ProductionAccess {
    /// Where the agent stands.
    pub status: AgentStatus,
    /// Which environment the key is of.
    pub environment: AgentEnvironment,
    /// Who activated it: no person.
    pub activated_by: String,
    /// The agent's permanent id.
    #[serde(rename = "agent_id")]
    pub agent: String,
    /// The production key, shown once.
    #[serde(with = "super::plain")]
    pub api_key: Option<ApiKey>,
    /// Where it is settled.
    pub settlement: Settlement,
}
