//! Facts of agents of the mesh.
// Written from the declarations by `GOLDEN=write cargo test -p ledger-tools --test typed`.

use serde_json::Value;

use crate::fact::sealed::Reported;
use crate::fact::{Fact, Report};
use crate::value::{Body, Cents, DecidedBy, FactId, Text};

/// An agent that was granted production in the sandbox comes to this ledger, with an account of
/// its own. [`key`](Self::key) brings its key; without it, [`entropy`](Self::entropy) (64 hex
/// digits) makes one, which the answer shows once, in
/// [`Reported::api_key`](crate::Reported::api_key). `supplied.address` says where production was
/// asked from. (`agent.activated`)
#[derive(Clone, Debug, PartialEq)]
pub struct AgentActivated {
    id: FactId,
    agent: Text<80>,
    name: Text<255>,
    contact: Text<255>,
    capabilities: Vec<Text<255>>,
    settlement_address: Text<128>,
    per_operation: Option<Cents>,
    daily: Option<Cents>,
    counterparties: Option<Vec<Text<255>>>,
    referral: Option<Text<64>>,
    key: Option<Text<1024>>,
    entropy: Option<Text<1024>>,
}

impl AgentActivated {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `agent`, on the wire `agent_id`: the agent's permanent id.
    /// - `name`: its name.
    /// - `contact`: where it is reached.
    /// - `capabilities`: what it can do.
    /// - `settlement_address`: its wallet on Polygon.
    #[must_use]
    pub fn new(
        id: FactId,
        agent: Text<80>,
        name: Text<255>,
        contact: Text<255>,
        capabilities: Vec<Text<255>>,
        settlement_address: Text<128>,
    ) -> Self {
        Self {
            id,
            agent,
            name,
            contact,
            capabilities,
            settlement_address,
            per_operation: None,
            daily: None,
            counterparties: None,
            referral: None,
            key: None,
            entropy: None,
        }
    }

    /// Sets `max_por_operacao_cents`: its mandate: the most an operation sends.
    #[must_use]
    pub fn per_operation(mut self, per_operation: Cents) -> Self {
        self.per_operation = Some(per_operation);
        self
    }

    /// Sets `max_diario_cents`: its mandate: the most a day sends.
    #[must_use]
    pub fn daily(mut self, daily: Cents) -> Self {
        self.daily = Some(daily);
        self
    }

    /// Sets `contrapartes`: its mandate: who may receive, by tax number.
    #[must_use]
    pub fn counterparties(mut self, counterparties: Vec<Text<255>>) -> Self {
        self.counterparties = Some(counterparties);
        self
    }

    /// Sets `referral`: the referral it registered with.
    #[must_use]
    pub fn referral(mut self, referral: Text<64>) -> Self {
        self.referral = Some(referral);
        self
    }

    /// Sets `key`: the account's key.
    #[must_use]
    pub fn key(mut self, key: Text<1024>) -> Self {
        self.key = Some(key);
        self
    }

    /// Sets `entropy`: 64 hexadecimal digits, fresh each time, of which a key is made.
    #[must_use]
    pub fn entropy(mut self, entropy: Text<1024>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("agent_id", &self.agent)
            .with("name", &self.name)
            .with("contact", &self.contact)
            .with("capabilities", &self.capabilities)
            .with("settlement_address", &self.settlement_address)
            .with("max_por_operacao_cents", &self.per_operation)
            .with("max_diario_cents", &self.daily)
            .with("contrapartes", &self.counterparties)
            .with("referral", &self.referral)
    }

    pub(crate) fn supplied(&self) -> Value {
        Body::default().with("key", &self.key).with("entropy", &self.entropy).into_value()
    }
}

crate::drawn!(AgentActivated {
    id: FactId,
    agent: Text<80>,
    name: Text<255>,
    contact: Text<255>,
    capabilities: Vec<Text<255>>,
    settlement_address: Text<128>,
    per_operation: Option<Cents>,
    daily: Option<Cents>,
    counterparties: Option<Vec<Text<255>>>,
    referral: Option<Text<64>>,
    key: Option<Text<1024>>,
    entropy: Option<Text<1024>>,
});

impl Fact for AgentActivated {
    const NAME: &'static str = "agent.activated";
}

impl Reported for AgentActivated {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: self.supplied() }
    }
}

/// Policy stops an agent: what is open goes on, and nothing new begins. (`agent.suspended`)
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSuspended {
    id: FactId,
    agent: Text<80>,
    decided_by: DecidedBy,
}

impl AgentSuspended {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `agent`, on the wire `agent_id`: the agent's permanent id.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, agent: Text<80>, decided_by: DecidedBy) -> Self {
        Self { id, agent, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("agent_id", &self.agent)
            .and(self.decided_by.body())
    }
}

crate::drawn!(AgentSuspended {
    id: FactId,
    agent: Text<80>,
    decided_by: DecidedBy,
});

impl Fact for AgentSuspended {
    const NAME: &'static str = "agent.suspended";
}

impl Reported for AgentSuspended {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}

/// Policy lets an agent go on where it stood. (`agent.reinstated`)
#[derive(Clone, Debug, PartialEq)]
pub struct AgentReinstated {
    id: FactId,
    agent: Text<80>,
    decided_by: DecidedBy,
}

impl AgentReinstated {
    /// What must be said:
    ///
    /// - `id`: the fact's own id, unique over all facts, which makes it known for ever.
    /// - `agent`, on the wire `agent_id`: the agent's permanent id.
    /// - `decided_by`: who decided, and why.
    #[must_use]
    pub fn new(id: FactId, agent: Text<80>, decided_by: DecidedBy) -> Self {
        Self { id, agent, decided_by }
    }

    pub(crate) fn body(&self) -> Body {
        Body::default()
            .with("id", &self.id)
            .with("agent_id", &self.agent)
            .and(self.decided_by.body())
    }
}

crate::drawn!(AgentReinstated {
    id: FactId,
    agent: Text<80>,
    decided_by: DecidedBy,
});

impl Fact for AgentReinstated {
    const NAME: &'static str = "agent.reinstated";
}

impl Reported for AgentReinstated {
    fn report(&self) -> Report {
        Report { name: Self::NAME, body: self.body().into_value(), supplied: Value::Null }
    }
}
