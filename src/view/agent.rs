//! Answers about agents of the mesh.

use ledger_core::time::Instant;

use super::account::OperationRange;
use super::answer::{answer, open_words};
use crate::value::{self, ApiKey, Cents};

answer! {
    /// Of [`Mesh`]: which route does what.
    Intent {
        intent: String, "The capability.";
        endpoint: String, "The route that does it.";
    }
}

answer! {
    /// Of [`Mesh`]: how routes are called.
    Execution {
        authentication: String, "The header of the key.";
        idempotency: String, "The field that makes a repetition safe.";
        amounts: String, "What integers of money are.";
        environments: Vec<String>, "The environments.";
    }
}

answer! {
    /// Of [`Mesh`]: the published limits.
    MeshLimits {
        cashin: OperationRange, "Of a charge.";
        payout: OperationRange, "Of a payout.";
        cashout: OperationRange, "Of a cash-out order.";
        reward_bps: u16, "What a referral earns of the volume.";
    }
}

answer! {
    /// Of [`Mesh`]: the steps to production.
    NextAction {
        method: String, "The method.";
        endpoint: String, "The path.";
        why: String, "What it does.";
    }
}

answer! {
    /// What `GET /mesh` is answered.
    Mesh {
        capabilities: Vec<String>, "What agents can do here.";
        intents: Vec<Intent>, "Which route does what.";
        execution: Execution, "How routes are called.";
        limits: MeshLimits, "The published limits.";
        how_to_start: Vec<NextAction>, "The steps to production.";
    }
}

open_words! {
    /// What `status` of [`RegisteredAgent`] may be.
    AgentStatus {
        Registered = "registered",
        SandboxActive = "sandbox_active",
        Validated = "validated",
        ProductionActive = "production_active",
        Suspended = "suspended",
    }
}

open_words! {
    /// What `environment` of [`RegisteredAgent`] may be.
    AgentEnvironment { Sandbox = "sandbox", Production = "production" }
}

answer! {
    /// Of [`RegisteredAgent`]: where it is settled.
    Settlement {
        address: String, "The wallet that is settled to.";
        network: String, "Its network.";
    }
}

answer! {
    /// Of [`RegisteredAgent`]: what it lets itself send.
    Mandate {
        per_operation: Option<Cents> as plain "max_por_operacao_cents",
            "The most that an operation sends.";
        daily: Option<Cents> as plain "max_diario_cents", "The most that a day sends.";
        counterparties: Vec<String> as "contrapartes", "Who may receive, masked; none: everybody.";
        ceiling: Cents as plain "teto_por_operacao_cents", "The lower of mandate and platform.";
        used_today: Cents as plain "usado_hoje_cents", "What this day has sent.";
    }
}

answer! {
    /// Of [`RegisteredAgent`]: what became of its operations.
    Reputation {
        settled: u64, "Operations that were settled.";
        failed: u64, "Operations that failed.";
        disputed: u64, "Operations that were disputed.";
        since: Instant as plain, "Since when they are counted.";
    }
}

answer! {
    /// What `POST /mesh/agents` is answered.
    RegisteredAgent {
        id: String as "agent_id", "The agent's permanent id.";
        status: AgentStatus, "Where the agent stands.";
        environment: AgentEnvironment, "Which environment it is of.";
        name: String, "Its name.";
        contact: String, "Where it is reached.";
        capabilities: Vec<String>, "What it can do.";
        referral: Option<String>, "The referral it came by.";
        settlement: Option<Settlement>, "Where it is settled.";
        mandate: Option<Mandate>, "What it lets itself send.";
        reputation: Reputation, "What became of its operations.";
        api_key?: ApiKey as plain, "Its key, shown once.";
    }
}

answer! {
    /// What `POST /mesh/referrals` is answered.
    Referral {
        id: Option<String> as "referral_id", "What the other agent registers with.";
        capability: String, "What the other agent is referred for.";
        agent: String as "agent_id", "The agent's permanent id.";
        status: AgentStatus, "Where the agent stands.";
    }
}

answer! {
    /// Of [`AgentNetwork`]: whom it referred.
    ReferredAgent {
        id: String as "agent_id", "The agent's permanent id.";
        status: AgentStatus, "Where the agent stands.";
        volume: Cents as plain "volume_cents", "What it settled.";
    }
}

answer! {
    /// What `GET /mesh/agents/{agent_id}/network` is answered.
    AgentNetwork {
        id: String as "agent_id", "The agent's permanent id.";
        status: AgentStatus, "Where the agent stands.";
        reputation: Reputation, "What became of its operations.";
        referred_by: Option<String>, "The agent that referred it.";
        volume: Cents as plain "volume_cents", "What it settled.";
        referred_volume: Cents as plain "referred_volume_cents", "What those it referred settled.";
        referred: Vec<ReferredAgent>, "Whom it referred.";
    }
}

answer! {
    /// What `GET /mesh/agents/{agent_id}/rewards` is answered.
    AgentRewards {
        id: String as "agent_id", "The agent's permanent id.";
        status: AgentStatus, "Where the agent stands.";
        reward_bps: u16, "What it earns of the volume it referred.";
        referred_volume: Cents as plain "referred_volume_cents", "That volume.";
        accrued: Cents as plain "accrued_cents", "What it earned so far.";
        balance: value::Balance as plain "balance_cents", "What of it is its balance.";
        referred: Vec<ReferredAgent>, "Whom it referred.";
    }
}

answer! {
    /// What `POST /mesh/agents/{agent_id}/validate` is answered.
    Agent {
        id: String as "agent_id", "The agent's permanent id.";
        status: AgentStatus, "Where the agent stands.";
        environment: AgentEnvironment, "Which environment it is of.";
        name: String, "Its name.";
        contact: String, "Where it is reached.";
        capabilities: Vec<String>, "What it can do.";
        referral: Option<String>, "The referral it came by.";
        settlement: Option<Settlement>, "Where it is settled.";
        mandate: Option<Mandate>, "What it lets itself send.";
        reputation: Reputation, "What became of its operations.";
    }
}

answer! {
    /// What `POST /mesh/agents/{agent_id}/production-request` is answered.
    ProductionAccess {
        status: AgentStatus, "Where the agent stands.";
        environment: AgentEnvironment, "Which environment the key is of.";
        activated_by: String, "Who activated it: no person.";
        agent: String as "agent_id", "The agent's permanent id.";
        api_key: Option<ApiKey> as plain, "The production key, shown once.";
        settlement: Settlement, "Where it is settled.";
    }
}
