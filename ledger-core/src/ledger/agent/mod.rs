//! Agents: the mesh they stand in, their mandates, rewards and reputation.

pub(super) mod index;
pub(super) mod mandate;
pub(super) mod member;
pub(super) mod registry;
pub(super) mod reward;

use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, attribute};
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::machine::agent::Command;
use member::Newcomer;

facts! {
    /// A fact about an agent.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// An agent that production was granted to comes from the sandbox.
        Activated(newcomer: Box<Newcomer>) is FactKind::AgentActivated;
        /// Policy stops an agent, by its permanent id.
        Suspended { agent: Box<str>, decided_by: OperatorDecision } is FactKind::AgentSuspended;
        /// Policy lets an agent go on.
        Reinstated { agent: Box<str>, decided_by: OperatorDecision } is FactKind::AgentReinstated;
    }
}

impl FactContext<'_> {
    /// A fact about an agent.
    pub(in crate::ledger) fn decide_agent(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Activated(newcomer) => self.agent_activated(*newcomer),
            Fact::Suspended { agent, decided_by } => {
                attribute(self.agent_policed(&agent, Command::Suspend), decided_by)
            }
            Fact::Reinstated { agent, decided_by } => {
                attribute(self.agent_policed(&agent, Command::Reinstate), decided_by)
            }
        }
    }
}
