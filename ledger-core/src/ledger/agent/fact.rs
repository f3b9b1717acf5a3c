//! What is reported of agents.

use super::member::Newcomer;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, attributed};
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::machine::agent::Command;

/// What is reported of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Fields bear the names of the wire's; the contract module describes each.
pub enum Fact {
    /// An agent that production was granted to comes from the sandbox.
    Activated(Box<Newcomer>),
    /// Policy stops an agent, by its permanent id.
    Suspended { agent: Box<str>, decided_by: OperatorDecision },
    /// Policy lets an agent go on.
    Reinstated { agent: Box<str>, decided_by: OperatorDecision },
}

impl Fact {
    /// What kind of fact this is.
    #[must_use]
    pub const fn kind(&self) -> FactKind {
        match self {
            Self::Activated(_) => FactKind::AgentActivated,
            Self::Suspended { .. } => FactKind::AgentSuspended,
            Self::Reinstated { .. } => FactKind::AgentReinstated,
        }
    }
}

impl FactContext<'_> {
    /// A fact about an agent.
    pub(in crate::ledger) fn decide_agent(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Activated(newcomer) => self.agent_activated(*newcomer),
            Fact::Suspended { agent, decided_by } => {
                attributed(self.agent_policed(&agent, Command::Suspend), decided_by)
            }
            Fact::Reinstated { agent, decided_by } => {
                attributed(self.agent_policed(&agent, Command::Reinstate), decided_by)
            }
        }
    }
}
