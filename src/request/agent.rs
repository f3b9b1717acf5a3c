//! Requests of agents of the mesh.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::request::sealed::Asked;
use crate::request::{Account, Anybody, Ask, Asking, Request, Target};
use crate::value::{Body, Cents, Text};
use crate::view;

/// Show what agents can do: `GET /mesh`.
///
/// Capabilities, intents, limits, and the steps to production.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GetMesh {}

impl GetMesh {
    /// Nothing of it need be said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

crate::drawn!(GetMesh {});

impl Request for GetMesh {
    type Answer = view::Mesh;
    type By = Anybody;
}

impl Asked for GetMesh {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("mesh");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Register an agent: `POST /mesh/agents`.
///
/// Registers an agent in the sandbox. Its test key is shown once.
///
/// It may be refused for `nao_encontrado`, `nao_permitido` or `limite_de_chaves_teste`.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterAgent {
    name: Text<255>,
    contact: Text<255>,
    capabilities: Vec<Text<255>>,
    referral: Option<Text<64>>,
    entropy: Option<Text<1024>>,
}

impl RegisterAgent {
    /// What must be said:
    ///
    /// - `name`: its name.
    /// - `contact`: where it is reached.
    /// - `capabilities`: what it can do.
    #[must_use]
    pub fn new(name: Text<255>, contact: Text<255>, capabilities: Vec<Text<255>>) -> Self {
        Self { name, contact, capabilities, referral: None, entropy: None }
    }

    /// Sets `referral`: the referral it comes by.
    #[must_use]
    pub fn referral(mut self, referral: Text<64>) -> Self {
        self.referral = Some(referral);
        self
    }

    /// Sets `entropy`: 64 hexadecimal digits, fresh each time, of which a new key or secret is
    /// made.
    #[must_use]
    pub fn entropy(mut self, entropy: Text<1024>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("name", &self.name)
            .with("contact", &self.contact)
            .with("capabilities", &self.capabilities)
            .with("referral", &self.referral)
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("entropy", &self.entropy).into_value()
    }
}

crate::drawn!(RegisterAgent {
    name: Text<255>,
    contact: Text<255>,
    capabilities: Vec<Text<255>>,
    referral: Option<Text<64>>,
    entropy: Option<Text<1024>>,
});

impl Request for RegisterAgent {
    type Answer = view::RegisteredAgent;
    type By = Anybody;
}

impl Asked for RegisterAgent {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("mesh").segment("agents");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// Refer another agent: `POST /mesh/referrals`.
///
/// Gives what another agent registers with. It needs a production key.
///
/// It may be refused for `nao_permitido`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateReferral {
    capability: Text<64>,
}

impl CreateReferral {
    /// What must be said:
    ///
    /// - `capability`: what the other agent is referred for.
    #[must_use]
    pub fn new(capability: Text<64>) -> Self {
        Self { capability }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("capability", &self.capability)
    }
}

crate::drawn!(CreateReferral {
    capability: Text<64>,
});

impl Request for CreateReferral {
    type Answer = view::Referral;
    type By = Account;
}

impl Asked for CreateReferral {
    fn ask(&self) -> Ask {
        let target = Target::default().segment("mesh").segment("referrals");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Show an agent's lineage: `GET /mesh/agents/{agent_id}/network`.
///
/// Whom the agent came by, whom it referred, and what they settled.
///
/// It may be refused for `nao_encontrado`.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentNetwork {
    agent: Text<80>,
}

impl AgentNetwork {
    /// What must be said:
    ///
    /// - `agent`, on the wire `agent_id`: which: `agent_id`.
    #[must_use]
    pub fn new(agent: Text<80>) -> Self {
        Self { agent }
    }
}

crate::drawn!(AgentNetwork {
    agent: Text<80>,
});

impl Request for AgentNetwork {
    type Answer = view::AgentNetwork;
    type By = Account;
}

impl Asked for AgentNetwork {
    fn ask(&self) -> Ask {
        let target =
            Target::default().segment("mesh").segment("agents").id(&self.agent).segment("network");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Show an agent's rewards: `GET /mesh/agents/{agent_id}/rewards`.
///
/// What the volume of those it referred earned it.
///
/// It may be refused for `nao_encontrado`.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentRewards {
    agent: Text<80>,
}

impl AgentRewards {
    /// What must be said:
    ///
    /// - `agent`, on the wire `agent_id`: which: `agent_id`.
    #[must_use]
    pub fn new(agent: Text<80>) -> Self {
        Self { agent }
    }
}

crate::drawn!(AgentRewards {
    agent: Text<80>,
});

impl Request for AgentRewards {
    type Answer = view::AgentRewards;
    type By = Account;
}

impl Asked for AgentRewards {
    fn ask(&self) -> Ask {
        let target =
            Target::default().segment("mesh").segment("agents").id(&self.agent).segment("rewards");
        let by = Asking::Route("GET", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Validate in the sandbox: `POST /mesh/agents/{agent_id}/validate`.
///
/// Shows that the agent uses the sandbox.
///
/// It may be refused for `nao_encontrado` or `nao_permitido`.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidateAgent {
    agent: Text<80>,
}

impl ValidateAgent {
    /// What must be said:
    ///
    /// - `agent`, on the wire `agent_id`: which: `agent_id`.
    #[must_use]
    pub fn new(agent: Text<80>) -> Self {
        Self { agent }
    }
}

crate::drawn!(ValidateAgent {
    agent: Text<80>,
});

impl Request for ValidateAgent {
    type Answer = view::Agent;
    type By = Account;
}

impl Asked for ValidateAgent {
    fn ask(&self) -> Ask {
        let target =
            Target::default().segment("mesh").segment("agents").id(&self.agent).segment("validate");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: Value::Null, supplied: Value::Null }
    }
}

/// Set the settlement wallet: `POST /mesh/agents/{agent_id}/settlement`.
///
/// Sets the wallet that the agent is settled to.
///
/// It may be refused for `nao_encontrado` or `payout_address_invalido`.
#[derive(Clone, Debug, PartialEq)]
pub struct SetSettlementAddress {
    agent: Text<80>,
    settlement_address: Text<128>,
}

impl SetSettlementAddress {
    /// What must be said:
    ///
    /// - `agent`, on the wire `agent_id`: which: `agent_id`.
    /// - `settlement_address`: its wallet.
    #[must_use]
    pub fn new(agent: Text<80>, settlement_address: Text<128>) -> Self {
        Self { agent, settlement_address }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default().with("settlement_address", &self.settlement_address)
    }
}

crate::drawn!(SetSettlementAddress {
    agent: Text<80>,
    settlement_address: Text<128>,
});

impl Request for SetSettlementAddress {
    type Answer = view::Agent;
    type By = Account;
}

impl Asked for SetSettlementAddress {
    fn ask(&self) -> Ask {
        let target = Target::default()
            .segment("mesh")
            .segment("agents")
            .id(&self.agent)
            .segment("settlement");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Set the mandate: `POST /mesh/agents/{agent_id}/mandate`.
///
/// Says what the agent lets itself send. A mandate only tightens the limits of the platform.
///
/// It may be refused for `amount_invalido`, `documento_invalido`, `nao_encontrado` or
/// `nao_permitido`.
#[derive(Clone, Debug, PartialEq)]
pub struct SetMandate {
    agent: Text<80>,
    per_operation: Option<Cents>,
    daily: Option<Cents>,
    counterparties: Option<Vec<Text<255>>>,
}

impl SetMandate {
    /// What must be said:
    ///
    /// - `agent`, on the wire `agent_id`: which: `agent_id`.
    #[must_use]
    pub fn new(agent: Text<80>) -> Self {
        Self { agent, per_operation: None, daily: None, counterparties: None }
    }

    /// Sets `max_por_operacao_cents`: the most an operation sends.
    #[must_use]
    pub fn per_operation(mut self, per_operation: Cents) -> Self {
        self.per_operation = Some(per_operation);
        self
    }

    /// Sets `max_diario_cents`: the most a day sends.
    #[must_use]
    pub fn daily(mut self, daily: Cents) -> Self {
        self.daily = Some(daily);
        self
    }

    /// Sets `contrapartes`: who may receive, by tax number; absent: all.
    #[must_use]
    pub fn counterparties(mut self, counterparties: Vec<Text<255>>) -> Self {
        self.counterparties = Some(counterparties);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("max_por_operacao_cents", &self.per_operation)
            .with("max_diario_cents", &self.daily)
            .with("contrapartes", &self.counterparties)
    }
}

crate::drawn!(SetMandate {
    agent: Text<80>,
    per_operation: Option<Cents>,
    daily: Option<Cents>,
    counterparties: Option<Vec<Text<255>>>,
});

impl Request for SetMandate {
    type Answer = view::Agent;
    type By = Account;
}

impl Asked for SetMandate {
    fn ask(&self) -> Ask {
        let target =
            Target::default().segment("mesh").segment("agents").id(&self.agent).segment("mandate");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Ask for production: `POST /mesh/agents/{agent_id}/production-request`.
///
/// Activates the agent when every requirement holds. Otherwise 422 says what is missing.
///
/// It may be refused for `conflito`, `nao_encontrado`, `nao_processavel` or `rate_limit`.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestProduction {
    agent: Text<80>,
    entropy: Option<Text<1024>>,
}

impl RequestProduction {
    /// What must be said:
    ///
    /// - `agent`, on the wire `agent_id`: which: `agent_id`.
    #[must_use]
    pub fn new(agent: Text<80>) -> Self {
        Self { agent, entropy: None }
    }

    /// Sets `entropy`: 64 hexadecimal digits, fresh each time, of which a new key or secret is
    /// made.
    #[must_use]
    pub fn entropy(mut self, entropy: Text<1024>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("entropy", &self.entropy).into_value()
    }
}

crate::drawn!(RequestProduction {
    agent: Text<80>,
    entropy: Option<Text<1024>>,
});

impl Request for RequestProduction {
    type Answer = view::ProductionAccess;
    type By = Account;
}

impl Asked for RequestProduction {
    fn ask(&self) -> Ask {
        let target = Target::default()
            .segment("mesh")
            .segment("agents")
            .id(&self.agent)
            .segment("production-request");
        let by = Asking::Route("POST", target.into_text());
        Ask { by, body: Value::Null, supplied: self.supplied() }
    }
}
