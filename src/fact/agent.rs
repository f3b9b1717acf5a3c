//! Facts of agents of the mesh.

use crate::declared::list;
use crate::fact::fact;
use crate::value::{Cents, DecidedBy, FactId, Text};

list! { AnyFact: AgentActivated, AgentSuspended, AgentReinstated }

fact! {
    /// An agent that was granted production in the sandbox comes to this ledger, with an account of
    /// its own. [`key`](Self::key) brings its key; without it, [`entropy`](Self::entropy) (64 hex
    /// digits) makes one, which the answer shows once, in
    /// [`Reported::api_key`](crate::Reported::api_key). `supplied.address` says where production
    /// was asked from.
    AgentActivated: "agent.activated" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        agent: Text<80> as "agent_id", "the agent's permanent id";
        name: Text<255>, "its name";
        contact: Text<255>, "where it is reached";
        capabilities: Vec<Text<255>>, "what it can do";
        settlement_address: Text<128>, "its wallet on Polygon";
        per_operation?: Cents as "max_por_operacao_cents",
            "its mandate: the most an operation sends";
        daily?: Cents as "max_diario_cents", "its mandate: the most a day sends";
        counterparties?: Vec<Text<255>> as "contrapartes",
            "its mandate: who may receive, by tax number";
        referral?: Text<64>, "the referral it registered with";
    } supplied {
        key?: Text<1024>, "the account's key";
        entropy?: Text<1024>, "64 hexadecimal digits, fresh each time, of which a key is made";
    }
}

fact! {
    /// Policy stops an agent: what is open goes on, and nothing new begins.
    AgentSuspended: "agent.suspended" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        agent: Text<80> as "agent_id", "the agent's permanent id";
        decided_by: DecidedBy, "who decided, and why";
    }
}

fact! {
    /// Policy lets an agent go on where it stood.
    AgentReinstated: "agent.reinstated" {
        id: FactId, "the fact's own id, unique over all facts, which makes it known for ever";
        agent: Text<80> as "agent_id", "the agent's permanent id";
        decided_by: DecidedBy, "who decided, and why";
    }
}
