//! Requests of agents of the mesh.

use crate::declared::list;
use crate::request::{Account, Anybody, request};
use crate::value::{Cents, Text};

list! { AnyRequest:
    GetMesh, RegisterAgent, CreateReferral, AgentNetwork, AgentRewards, ValidateAgent,
    SetSettlementAddress, SetMandate, RequestProduction,
}

request! {
    /// Show what agents can do: `GET /mesh`.
    ///
    /// Capabilities, intents, limits, and the steps to production.
    GetMesh: "GET /mesh", Anybody => Mesh;
}

request! {
    /// Register an agent: `POST /mesh/agents`.
    ///
    /// Registers an agent in the sandbox. Its test key is shown once.
    ///
    /// It may be refused for `nao_encontrado`, `nao_permitido` or `limite_de_chaves_teste`.
    RegisterAgent: "POST /mesh/agents", Anybody => RegisteredAgent;
    body {
        name: Text<255>, "its name";
        contact: Text<255>, "where it is reached";
        capabilities: Vec<Text<255>>, "what it can do";
        referral?: Text<64>, "the referral it comes by";
    }
    supplied {
        entropy?: Text<1024>,
            "64 hexadecimal digits, fresh each time, of which a new key or secret is made";
    }
}

request! {
    /// Refer another agent: `POST /mesh/referrals`.
    ///
    /// Gives what another agent registers with. It needs a production key.
    ///
    /// It may be refused for `nao_permitido`.
    CreateReferral: "POST /mesh/referrals", Account => Referral;
    body {
        capability: Text<64>, "what the other agent is referred for";
    }
}

request! {
    /// Show an agent's lineage: `GET /mesh/agents/{agent_id}/network`.
    ///
    /// Whom the agent came by, whom it referred, and what they settled.
    ///
    /// It may be refused for `nao_encontrado`.
    AgentNetwork: "GET /mesh/agents/{agent_id}/network", Account => AgentNetwork;
    target {
        agent: Text<80> as "agent_id", "which: `agent_id`";
    }
}

request! {
    /// Show an agent's rewards: `GET /mesh/agents/{agent_id}/rewards`.
    ///
    /// What the volume of those it referred earned it.
    ///
    /// It may be refused for `nao_encontrado`.
    AgentRewards: "GET /mesh/agents/{agent_id}/rewards", Account => AgentRewards;
    target {
        agent: Text<80> as "agent_id", "which: `agent_id`";
    }
}

request! {
    /// Validate in the sandbox: `POST /mesh/agents/{agent_id}/validate`.
    ///
    /// Shows that the agent uses the sandbox.
    ///
    /// It may be refused for `nao_encontrado` or `nao_permitido`.
    ValidateAgent: "POST /mesh/agents/{agent_id}/validate", Account => Agent;
    target {
        agent: Text<80> as "agent_id", "which: `agent_id`";
    }
}

request! {
    /// Set the settlement wallet: `POST /mesh/agents/{agent_id}/settlement`.
    ///
    /// Sets the wallet that the agent is settled to.
    ///
    /// It may be refused for `nao_encontrado` or `payout_address_invalido`.
    SetSettlementAddress: "POST /mesh/agents/{agent_id}/settlement", Account => Agent;
    target {
        agent: Text<80> as "agent_id", "which: `agent_id`";
    }
    body {
        settlement_address: Text<128>, "its wallet";
    }
}

request! {
    /// Set the mandate: `POST /mesh/agents/{agent_id}/mandate`.
    ///
    /// Says what the agent lets itself send. A mandate only tightens the limits of the platform.
    ///
    /// It may be refused for `amount_invalido`, `documento_invalido`, `nao_encontrado` or
    /// `nao_permitido`.
    SetMandate: "POST /mesh/agents/{agent_id}/mandate", Account => Agent;
    target {
        agent: Text<80> as "agent_id", "which: `agent_id`";
    }
    body {
        per_operation?: Cents as "max_por_operacao_cents", "the most an operation sends";
        daily?: Cents as "max_diario_cents", "the most a day sends";
        counterparties?: Vec<Text<255>> as "contrapartes",
            "who may receive, by tax number; absent: all";
    }
}

request! {
    /// Ask for production: `POST /mesh/agents/{agent_id}/production-request`.
    ///
    /// Activates the agent when every requirement holds. Otherwise 422 says what is missing.
    ///
    /// It may be refused for `conflito`, `nao_encontrado`, `nao_processavel` or `rate_limit`.
    RequestProduction: "POST /mesh/agents/{agent_id}/production-request", Account => ProductionAccess;
    target {
        agent: Text<80> as "agent_id", "which: `agent_id`";
    }
    supplied {
        entropy?: Text<1024>,
            "64 hexadecimal digits, fresh each time, of which a new key or secret is made";
    }
}
